package io.adrastea.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.adrastea.GivenSegment;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.segment.Segment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rank 2 of a job of four, which is rank 1 of its node, beside rank 0. */
class MovementTest {
  private static final int SELF = 1; // on the node
  private static final int OTHER = 0;

  @TempDir
  Path directory;

  private Segment segment;
  private RankTable table;
  private Movement movement;

  @BeforeEach
  void make() {
    segment = GivenSegment.formatted(directory, 2, 4, 64);
    table = new RankTable(segment);
    movement = new Movement(table, SELF, new int[] {0, Movement.ELSEWHERE, SELF, Movement.ELSEWHERE});
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private void waitFor(int peer) {
    movement.tell(new Waiting(RankEntryDescriptor.IN_RECEIVE, peer, 5), false);
  }

  private Waiting told() {
    return Waiting.of(table.waiting(SELF));
  }

  @Test
  void theTableHasTheLocalRankThatIsWaitedFor() {
    movement.tell(new Waiting(RankEntryDescriptor.IN_SEND, 2, 5), false);
    assertEquals(new Waiting(RankEntryDescriptor.IN_SEND, SELF, 5), told());
  }

  @Test
  void aWaitForARankOfAnotherNodeIsNotTold() {
    waitFor(0);
    waitFor(3); // a rank of another node
    assertEquals(0, table.waiting(SELF));
  }

  @Test
  void aWaitForAnyRankIsToldWhereAllAreOnOneNode() {
    waitFor(0);
    waitFor(-1); // some are elsewhere
    assertEquals(0, table.waiting(SELF));
    movement = new Movement(table, SELF, new int[] {0, SELF});
    waitFor(-1);
    assertEquals(new Waiting(RankEntryDescriptor.IN_RECEIVE, -1, 5), told());
  }

  @Test
  void whatMovesWithAnyRankIsWhatMovesHereAndWhatTheRanksOfTheNodeTell() {
    Movement other = new Movement(table, OTHER, new int[] {OTHER, Movement.ELSEWHERE, SELF, Movement.ELSEWHERE});
    long before = movement.ofMessages(-1);
    movement.message(1); // a rank of another node
    long own = movement.ofMessages(-1);
    assertNotEquals(before, own);
    assertEquals(own, movement.ofMessages(-1));
    other.message(2);
    other.tell();
    assertNotEquals(own, movement.ofMessages(-1));
  }
}
