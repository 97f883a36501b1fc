package io.adrastea.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class NodesTest {
  @Test
  void aJobOnOneNodeHasItsRanksThereByTheirOwnNumbers() {
    Nodes nodes = Nodes.one(3);
    for (int rank = 0; rank < 3; rank++) {
      assertEquals(0, nodes.node(rank));
      assertEquals(rank, nodes.localRank(rank));
    }
    assertArrayEquals(new int[] {0, 1, 2}, nodes.ranksOf(0));
  }

  @Test
  void ranksAreNumberedOnTheirNodeInTheOrderOfTheirNumbers() {
    Nodes nodes = Nodes.of(1, 0, 1, 2, 0);
    assertEquals(5, nodes.size());
    assertArrayEquals(new int[] {1, 4}, nodes.ranksOf(0));
    assertArrayEquals(new int[] {0, 2}, nodes.ranksOf(1));
    assertArrayEquals(new int[] {3}, nodes.ranksOf(2));
    assertEquals(1, nodes.localRank(4));
    assertEquals(0, nodes.localRank(0));
    assertEquals(1, nodes.localRank(2));
    assertEquals(0, nodes.localRank(3));
  }

  @Test
  void equalOnesAreEqual() {
    assertEquals(Nodes.one(2), Nodes.of(0, 0));
    assertNotEquals(Nodes.one(2), Nodes.of(0, 1));
  }
}
