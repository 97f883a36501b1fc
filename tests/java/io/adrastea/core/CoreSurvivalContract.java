package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.GENERATION_OFFSET;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.CellDescriptor.SEQUENCE_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_CELL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_GENERATION_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.INTENT_QUEUE_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.STATE_ATTACHED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_FAILED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.segment.Geometry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A job of six ranks whose enqueues a test can do step by step, and stop for ever in between. */
abstract class CoreSurvivalContract extends CoreContract {
  static final int SIX = 6;

  /** More than one message to one destination. */
  static final int MANY_CELLS = 24;

  MemorySegment memory;
  Geometry geometry;
  private long[] numbers; // of the next message that a test sends itself, from each rank to each

  @Override
  @BeforeEach
  void open() {
    ranks = pair.open(directory, SIX, MANY_CELLS, PAYLOAD);
    memory = ranks.segment().memory();
    geometry = ranks.segment().geometry();
    numbers = new long[SIX * SIX];
    for (int rank = 0; rank < SIX; rank++) {
      state(rank, STATE_ATTACHED);
    }
  }

  void state(int rank, int state) {
    Words.storeRelease(memory, geometry.rankEntryOffset(rank) + STATE_OFFSET, state);
  }

  void die(int... dead) {
    for (int rank : dead) {
      state(rank, STATE_FAILED);
    }
  }

  /** An enqueue whose steps are the test's. */
  final class Enqueue {
    final long queue;
    final long cell;
    private final long entry;
    private long previous;

    private Enqueue(int rank, long queue, long cell) {
      this.queue = queue;
      this.cell = cell;
      this.entry = geometry.rankEntryOffset(rank);
    }

    Enqueue intend() {
      Words.storeLong(memory, cell + NEXT_OFFSET, 0);
      Words.storeLong(memory, entry + INTENT_QUEUE_OFFSET, queue);
      Words.storeLong(memory, entry + INTENT_GENERATION_OFFSET, Words.loadLong(memory, cell + GENERATION_OFFSET));
      Words.storeReleaseLong(memory, entry + INTENT_CELL_OFFSET, cell);
      return this;
    }

    Enqueue swap() {
      previous = Words.swapAcqRelLong(memory, queue + TAIL_OFFSET, cell);
      return this;
    }

    Enqueue link() {
      Words.storeReleaseLong(memory, previous == 0 ? queue + HEAD_OFFSET : previous + NEXT_OFFSET, cell);
      return this;
    }

    Enqueue clear() {
      Words.storeReleaseLong(memory, entry + INTENT_CELL_OFFSET, 0);
      return this;
    }

    /** So many of the four steps. */
    Enqueue upTo(int steps) {
      Runnable[] all = {this::intend, this::swap, this::link, this::clear};
      for (int step = 0; step < steps; step++) {
        all[step].run();
      }
      return this;
    }
  }

  /**
   * A message of a rank, written into a cell of its own, that is about to be enqueued; the rank sends nothing there by
   * its core any more.
   */
  Enqueue message(int from, int to, String text) {
    long room = core(from).claim(to, KIND_FIRST, 1, text.length(), text.length());
    assertTrue(room > 0, "room: " + room);
    long cell = room - CellDescriptor.BYTES;
    MemorySegment.copy(bytes(text), 0, memory, room, text.length());
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, numbers[from * SIX + to]++);
    return new Enqueue(from, geometry.receiveQueueOffset(to), cell);
  }

  /** The cell of a message that a rank has received and is about to give back. */
  Enqueue returned(int receiver, int owner) {
    assertPolls(receiver);
    assertEquals(owner, in.source());
    assertEquals(0, core(receiver).retain());
    return new Enqueue(receiver, geometry.freeQueueOffset(owner), in.place());
  }

  /** Lets a rank see to the dead until nothing is left to be done that can be done now. */
  void reclaim(int rank) {
    for (int times = 0; times < 4; times++) {
      int status = core(rank).reclaim();
      assertTrue(status == 0 || status == Core.AGAIN, () -> "status " + status);
    }
  }

  /** All that a rank can receive now, in words, each {@code SOURCE:TEXT}. */
  List<String> received(int rank) {
    List<String> texts = new ArrayList<>();
    while (core(rank).poll(-1, in) == Core.PIECE) {
      byte[] taken = new byte[in.length()];
      int source = in.source();
      assertEquals(0, core(rank).take(MemorySegment.ofArray(taken), 0, taken.length));
      texts.add(source + ":" + new String(taken));
      assertTrue(texts.size() < 1000, "no end: " + texts);
    }
    assertEquals(Core.AGAIN, core(rank).poll(-1, in));
    return texts;
  }

  /** How many messages go from a rank to another, which takes none; they are taken in afterwards. */
  int depth(int from, int to) {
    int sent = 0;
    while (send(from, to, 2, "deep") == 4) {
      sent++;
    }
    assertEquals(Core.AGAIN, send(from, to, 2, "deep"));
    for (int i = 0; i < sent; i++) {
      assertTakes(to, "deep");
    }
    assertNothing(to); // and the last cell goes back
    return sent;
  }
}
