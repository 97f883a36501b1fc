package io.adrastea.bench.calls;

import io.adrastea.bench.measure.Clock;
import io.adrastea.core.Core;
import io.adrastea.link.Inbound;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Times calls of a core of the only rank of a job. Twin of {@code bench/native/calls/adr_calls.c}. */
final class Calls {
  /** The length of a message. */
  static final int BYTES = 8;

  /** Messages under way at once: fewer than cells. */
  private static final int BLOCK = 32;

  private static final int FIRST = 1; // CellDescriptor.KIND_FIRST

  private final Core core;
  private final Clock clock = Clock.calibrated();
  private final Inbound inbound = new Inbound();
  private final MemorySegment message = Arena.global().allocate(BYTES, BYTES);
  private final MemorySegment array = MemorySegment.ofArray(new byte[BYTES]);

  Calls(Core core) {
    this.core = core;
  }

  /** Nanoseconds of {@code count} calls. */
  long time(Call call, int count) {
    return switch (call) {
      case NOTHING -> nothing(count);
      case EMPTY_POLL -> emptyPoll(count);
      case SEND -> inBlocks(count, message, true);
      case SEND_ARRAY -> inBlocks(count, array, true);
      case POLL -> inBlocks(count, message, false);
    };
  }

  /** A call that does something else than it should makes a figure of something else. */
  private static void expect(int wanted, int found) {
    if (wanted != found) {
      throw new IllegalStateException("a call gave %d instead of %d".formatted(found, wanted));
    }
  }

  /** A call that every core refuses at its first comparison. */
  private long nothing(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      expect(Core.INVAL, core.refuseBox(-1));
    }
    return clock.since(start);
  }

  private long emptyPoll(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      expect(Core.AGAIN, core.poll(-1, inbound));
    }
    return clock.since(start);
  }

  private void send(MemorySegment source, int count) {
    for (int i = 0; i < count; i++) {
      expect(BYTES, core.trySend(0, FIRST, 1, BYTES, source, 0, BYTES));
    }
  }

  private void pollAndRelease(int count) {
    for (int i = 0; i < count; i++) {
      expect(Core.PIECE, core.poll(-1, inbound));
      expect(0, core.release());
    }
  }

  /** Sends and polls take turns by the block; one of the two is timed. */
  private long inBlocks(int count, MemorySegment source, boolean sends) {
    long elapsed = 0;
    for (int left = count, block; left > 0; left -= block) {
      block = Math.min(left, BLOCK);
      long start = System.nanoTime();
      send(source, block);
      elapsed += sends ? clock.since(start) : 0;
      start = System.nanoTime();
      pollAndRelease(block);
      elapsed += sends ? 0 : clock.since(start);
    }
    return elapsed;
  }
}
