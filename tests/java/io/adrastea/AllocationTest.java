package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** No garbage per message once warm, on either side. */
@EveryCoreList
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Messages of one measurement: with less than a byte for each, none of them made an object. */
  private static final int MESSAGES = 100_000;

  /** The last of these must be reached only by code that never gets warm. */
  private static final int MEASUREMENTS = 20;

  /** Messages that a part sends or receives at a time. */
  private static final int BATCH = 100;

  @Parameter String cores;

  private static long allocatedBy(Runnable part) {
    long thread = Thread.currentThread().threadId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    for (int i = 0; i < MESSAGES / BATCH; i++) {
      part.run();
    }
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }

  /** Rank 0 sends and rank 1 receives until each has done so without garbage. */
  private void check(
      Function<Communicator, Runnable> sender, Function<Communicator, Runnable> receiver)
      throws Exception {
    Agreement agreement = new Agreement(2);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = job.world();
          Runnable part = (world.rank() == 0 ? sender : receiver).apply(world);
          long least = Long.MAX_VALUE;
          for (int i = 0; i < MEASUREMENTS; i++) {
            if (agreement.reached(world.rank(), least < MESSAGES)) {
              return;
            }
            least = Math.min(least, allocatedBy(part));
          }
          String found = "rank %d: %d bytes of garbage in %d messages";
          assertTrue(least < MESSAGES, found.formatted(world.rank(), least, MESSAGES));
        });
  }

  private static Runnable each(IntConsumer message) {
    return () -> {
      for (int i = 0; i < BATCH; i++) {
        message.accept(i);
      }
    };
  }

  /** A batch that its receiver answers, so that no more than one is unexpected at a time. */
  private static Runnable eachAnswered(Communicator world, IntConsumer message) {
    Runnable batch = each(message);
    MemorySegment answer = memory(1);
    return () -> {
      batch.run();
      if (world.rank() == 0) {
        world.recv(answer, 1, BATCH);
      } else {
        world.send(answer, 0, BATCH);
      }
    };
  }

  private static MemorySegment memory(int bytes) {
    return Arena.ofAuto().allocate(bytes);
  }

  private void checkMemory(int bytes) throws Exception {
    MemorySegment out = memory(bytes);
    MemorySegment in = memory(bytes);
    check(
        world -> each(i -> world.send(out, 1, 0)),
        world -> each(i -> world.recv(in, Communicator.ANY_SOURCE, 0)));
  }

  @Test
  void isMadeByNoSegment() throws Exception {
    checkMemory(64);
  }

  @Test
  void isMadeByNoMessageOfSeveralCells() throws Exception {
    checkMemory(Ranks.CELL_BYTES + 1);
  }

  @Test
  void isMadeByNoArray() throws Exception {
    double[] out = new double[16];
    byte[] in = new byte[64];
    check(
        world -> each(i -> world.send(out, 4, 8, 1, 0)),
        world -> each(i -> world.recv(in, 0, 64, 0, Communicator.ANY_TAG)));
  }

  @Test
  void isMadeByNoneOfADozenArraysInTurn() throws Exception {
    long[][] out = new long[12][4];
    short[][] in = new short[12][16];
    check(
        world -> each(i -> world.send(out[i % 12], 0, 4, 1, 0)),
        world -> each(i -> world.recv(in[i % 12], 0, 16, 0, 0)));
  }

  @Test
  void isMadeByNoByteBuffer() throws Exception {
    ByteBuffer out = ByteBuffer.allocateDirect(64);
    ByteBuffer in = ByteBuffer.allocate(64);
    check(world -> each(i -> world.send(out, 1, 0)), world -> each(i -> world.recv(in, 0, 0)));
  }

  @Test
  void isMadeByNoRequest() throws Exception {
    MemorySegment out = memory(64);
    int[] in = new int[16];
    check(
        world ->
            each(
                i -> {
                  Request first = world.isend(out, 1, 0);
                  Request second = world.isend(out, 1, 1);
                  second.await();
                  first.await();
                }),
        world ->
            each(
                i -> {
                  Request second = world.irecv(in, 0, 16, 0, 1);
                  world.irecv(in, 0, 16, 0, 0).await();
                  while (!second.test()) {
                    Thread.yield();
                  }
                }));
  }

  @Test
  void isMadeByNoPersistentRequest() throws Exception {
    check(
        world -> {
          Request send = world.sendInit(memory(64), 1, 0);
          return each(i -> send.start().await());
        },
        world -> {
          Request receive = world.recvInit(memory(64), 0, 0);
          return each(i -> receive.start().await());
        });
  }

  @Test
  void isMadeByNoUnexpectedMessage() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    check(
        world -> eachAnswered(world, i -> world.send(out, 1, i)),
        world -> eachAnswered(world, i -> world.recv(in, 0, BATCH - 1 - i)));
  }

  @Test
  void isMadeByNoProbe() throws Exception {
    MemorySegment out = memory(64);
    MemorySegment in = memory(64);
    Status status = new Status();
    check(
        world -> eachAnswered(world, i -> world.send(out, 1, 0)),
        world ->
            eachAnswered(
                world,
                i -> {
                  while (!world.iprobe(0, Communicator.ANY_TAG, status)) {
                    Thread.yield();
                  }
                  world.recv(in, world.probe(0, 0).source(), status.tag());
                }));
  }

  @Test
  void isMadeByNoSendrecv() throws Exception {
    MemorySegment out = memory(64);
    byte[] in = new byte[64];
    byte[] other = new byte[64];
    check(
        world -> each(i -> world.sendrecv(out, 1, 0, out, 1, 1)),
        world -> each(i -> world.sendrecv(other, 0, 64, 0, 1, in, 0, 64, 0, 0)));
  }
}
