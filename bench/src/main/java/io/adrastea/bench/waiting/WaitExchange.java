package io.adrastea.bench.waiting;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** The lower rank waits; the upper one pauses and sends it the time. The processes of a machine share the clock. */
final class WaitExchange implements Exchange {
  private static final int TAG = 21;
  private static final int READY_TAG = 22;

  /** Long enough to fall asleep in. */
  private static final long PAUSE_MILLIS = 3;

  private static final long IDLE_MILLIS = 1000;

  /** Messages to and fro before, without pauses. */
  private static final int WARM_UP = 20_000;

  private final Communicator world;
  private final Wait wait;
  private final boolean lower;
  private final MemorySegment time = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  WaitExchange(Communicator world, Wait wait) {
    this.world = world;
    this.wait = wait;
    this.lower = world.rank() == 0;
  }

  /**
   * There is no payload but the time. The JVMs get to compile sends and receives, which a few hundred messages with
   * pauses do not bring about.
   */
  @Override
  public void prepare(int bytes) {
    for (int i = 0; i < WARM_UP; i++) {
      if (lower) {
        world.send(time, 1, READY_TAG);
        world.recv(time, 1, TAG);
      } else {
        world.recv(time, 0, READY_TAG);
        world.send(time, 0, TAG);
      }
    }
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      once();
    }
  }

  @Override
  public long timed(int count, Clock clock) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += once();
    }
    return sum;
  }

  private long once() {
    if (lower) {
      world.send(time, 1, READY_TAG);
      return receive();
    }
    world.recv(time, 0, READY_TAG);
    pause(wait == Wait.IDLE ? IDLE_MILLIS : PAUSE_MILLIS);
    time.set(ValueLayout.JAVA_LONG, 0, System.nanoTime());
    world.send(time, 0, TAG);
    return 0;
  }

  private long receive() {
    long used = threads.getCurrentThreadCpuTime();
    world.recv(time, 1, TAG);
    return wait == Wait.IDLE
        ? threads.getCurrentThreadCpuTime() - used
        : System.nanoTime() - time.get(ValueLayout.JAVA_LONG, 0);
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What is received is the time: one that lies ahead was not sent. */
  @Override
  public void verify() {
    if (once() < 0) {
      throw new IllegalStateException("a message came before it was sent");
    }
  }
}
