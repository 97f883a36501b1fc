package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.link.Inbound;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells: how many each destination may hold, and that each comes back. */
@EveryCorePair
class CoreSharesTest extends CoreContract {
  /** Cells that one destination can hold: its own share, and those that are nobody's. */
  private static final int SHARE = CELLS / 2 / RANKS;

  private static final int MOST = CELLS - (RANKS - 1) * SHARE;

  /** Looks at every queue, so that the cells of pieces taken before go back; a piece that is found stays there. */
  private void returnCells() {
    for (Core core : ranks.cores()) {
      core.poll(-1, in);
    }
  }

  /** Sends one-byte messages until there is no room; how many went. */
  private int fill(int from, int to) {
    returnCells();
    int sent = 0;
    while (send(from, to, 1, "x") == 1) {
      sent++;
      assertTrue(sent <= CELLS, "more messages than cells");
    }
    assertEquals(Core.AGAIN, send(from, to, 1, "x"));
    return sent;
  }

  private int drain(int rank) {
    int drained = 0;
    while (core(rank).poll(-1, in) == Core.PIECE) {
      assertEquals(0, core(rank).release());
      drained++;
    }
    return drained;
  }

  @Test
  void piecesOfSeveralSourcesComeInTheOrderOfTheirSends() {
    send(2, 1, 1, "two");
    send(0, 1, 1, "zero");
    send(1, 1, 1, "one");
    send(2, 1, 1, "two again");
    for (String text : new String[] {"two", "zero", "one", "two again"}) {
      assertTakes(1, text);
    }
  }

  @Test
  void aSlowReceiverHoldsItsShareAndTheCommonCellsNeverTheSharesOfOthers() {
    assertEquals(MOST, fill(0, 1));
    assertEquals(SHARE, fill(0, 2));
    assertEquals(SHARE, fill(0, 0));
    assertEquals(MOST, fill(2, 1), "another sender has cells of its own");
    core(1).release();
    assertEquals(1, fill(0, 2), "the common cell that came back goes to whoever is next");
    assertEquals(0, fill(0, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"poll", "receive", "close"})
  void aCellGoesBackAtTheNextLookOrAtTheEnd(String next) {
    assertEquals(MOST, fill(0, 1));
    assertPolls(1);
    assertEquals(0, core(1).release());
    assertEquals(Core.AGAIN, send(0, 1, 1, "y"));
    switch (next) {
      case "poll" -> assertPolls(1);
      case "receive" -> assertEquals(Core.NOMSG, receiveNothing(1, 7, -1, 0, PAYLOAD));
      default -> {
        core(1).close();
        ranks.cores()[1] = pair.odd().open(ranks.segment(), 1);
      }
    }
    assertEquals(1, send(0, 1, 1, "y"));
    assertEquals(Core.AGAIN, send(0, 1, 1, "y"));
  }

  @Test
  void noRoomChangesNothing() {
    assertEquals(MOST, fill(0, 1));
    for (int i = 0; i < 100; i++) {
      assertEquals(Core.AGAIN, send(0, 1, 7, "never"));
    }
    for (int i = 0; i < MOST; i++) {
      assertPolls(1);
      assertEquals(i, in.words()[Inbound.SEQUENCE]);
      assertTakes(1, "x");
    }
    assertNothing(1);
  }

  @Test
  void everyCellComesBackHoweverItsPieceWasConsumed() {
    for (int round = 0; round < 10 * CELLS; round++) {
      assertEquals(4, send(0, 1, 1, "take"));
      assertTakes(1, "take");
      assertEquals(4, send(0, 2, 1, "recv"));
      assertReceives(2, 1, 0, "recv");
      assertEquals(4, send(0, 0, 1, "drop"));
      assertPolls(0);
      assertEquals(0, core(0).release());
    }
    assertEquals(MOST, fill(0, 1));
    assertEquals(MOST, drain(1));
    assertEquals(MOST, fill(0, 2), "shares and common cells are as at the beginning");
  }

  @Test
  void aSendThatFailsCostsNoCell() {
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(16);
    arena.close();
    for (int i = 0; i < 3 * CELLS; i++) {
      assertThrows(IllegalStateException.class, () -> core(0).trySend(1, KIND_FIRST, 1, 16, closed, 0, 16));
      assertEquals(Core.INVAL, core(0).trySend(RANKS, KIND_FIRST, 1, 1, bytes("x"), 0, 1));
    }
    assertEquals(MOST, fill(0, 1));
  }

  @Test
  void sharesAreNoneWhereRanksAreTooMany() {
    ranks.close();
    ranks = pair.open(directory, 5, 4, 64);
    assertEquals(4, fill(0, 1));
    assertEquals(0, fill(0, 2));
    assertEquals(4, drain(1));
    assertEquals(4, fill(0, 2));
    assertEquals(4, fill(3, 2));
  }
}
