package io.adrastea.bench.paper;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rank 0 and the first of the upper half send 8 bytes to and fro; the others do nothing at all. */
final class IdleExchange implements Exchange {
  private static final int TAG = 2;

  /** All ranks begin together, and the idle ones need the CPUs to find that out and to go to sleep. */
  private static final long SETTLING_MILLIS = 30;

  private final Communicator world;
  private final boolean asks;
  private final boolean answers;
  private final MemorySegment word = Arena.global().allocate(Long.BYTES, 64);
  private long number;
  private boolean settled;

  IdleExchange(Communicator world) {
    this.world = world;
    this.asks = world.rank() == 0;
    this.answers = world.rank() == world.size() / 2;
  }

  @Override
  public void prepare(int ranks) {
    settled = false; // always 8 bytes
  }

  @Override
  public long timed(int count, Clock clock) {
    if (asks && !settled) {
      settle();
    }
    return Exchange.super.timed(count, clock);
  }

  private void settle() {
    settled = true;
    try {
      Thread.sleep(SETTLING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void batch(int count) {
    if (asks) {
      ask(count);
    } else if (answers) {
      answer(count);
    }
  }

  private void ask(int count) {
    for (int i = 0; i < count; i++) {
      word.set(ValueLayout.JAVA_LONG, 0, ++number);
      world.send(word, world.size() / 2, TAG);
      world.recv(word, world.size() / 2, TAG);
    }
  }

  private void answer(int count) {
    for (int i = 0; i < count; i++) {
      world.recv(word, 0, TAG);
      world.send(word, 0, TAG);
      number++;
    }
  }

  @Override
  public void verify() {
    if ((asks || answers) && word.get(ValueLayout.JAVA_LONG, 0) != number) {
      throw new IllegalStateException(
          "message %d came as %d".formatted(number, word.get(ValueLayout.JAVA_LONG, 0)));
    }
  }
}
