package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The copies of a message of elements whose memory one end can reach: each byte once, by either end. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TypedOneCopyTest {
  private static final Datatype FROM = Datatype.vector(50, 3, 5, Datatype.LONG);
  private static final Datatype TO = Datatype.vector(10, 15, 16, Datatype.LONG);
  private static final long COUNT = 300;
  private static final long BYTES = COUNT * 50 * 3 * 8;

  private final AtomicLong layoutToLayout = new AtomicLong();
  private final AtomicLong packed = new AtomicLong();
  private final AtomicLong throughRing = new AtomicLong();

  private interface Part {
    void of(Job job) throws Exception;
  }

  private Object count(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    switch (name) {
      case "copy", "stream" -> layoutToLayout.addAndGet((long) arguments[arguments.length - 1]);
      case "pack", "unpack" -> packed.addAndGet((long) arguments[arguments.length - 1]);
      case "put", "take" -> throughRing.addAndGet((long) arguments[arguments.length - 1]);
      default -> {
      }
    }
    return real.call();
  }

  private void run(String core, String way, Part sender, Part receiver) throws Exception {
    run(core, way, 0, sender, receiver);
  }

  private void run(String core, String way, long blockBytes, Part sender, Part receiver) throws Exception {
    Settings.with(
        Map.of("adrastea.core", core, "adrastea.lmt", way, "adrastea.split.bytes", "65536", "adrastea.lmt.block.bytes",
            Long.toString(blockBytes)),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2)) {
            FutureTask<Void> sending = new FutureTask<>(() -> {
              try (Job job = AlteredRank.job(threadJob.enter(1, () -> false), true, AlteredRank.NONE, this::count)) {
                sender.of(job);
              }
              return null;
            });
            new Thread(sending, "rank 1").start();
            try (Job job = AlteredRank.job(threadJob.enter(0, () -> false), true, AlteredRank.NONE, this::count)) {
              receiver.of(job);
            }
            sending.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          return null;
        });
  }

  private static MemorySegment shared(Job job, Datatype type, long count) {
    return job.allocate(count * type.extent(), 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "jni", "java"})
  void areOneFromLayoutToLayout(String core) throws Exception {
    run(core, "shared", job -> {
      MemorySegment memory = shared(job, FROM, COUNT);
      memory.set(ValueLayout.JAVA_LONG, COUNT * FROM.extent() - 8, 77);
      job.world().send(Data.of(memory, 0, COUNT, FROM), 0, 1);
    }, job -> {
      MemorySegment memory = shared(job, TO, COUNT);
      job.world().recv(Data.of(memory, 0, COUNT, TO), 1, 1);
      assertEquals(77, memory.get(ValueLayout.JAVA_LONG, COUNT * TO.extent() - 8));
    });
    assertEquals(BYTES, layoutToLayout.get(), "from layout to layout");
    assertEquals(0, packed.get() + throughRing.get(), "packed, or through the ring");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "jni", "java"})
  void areOneBetweenALayoutAndAnArray(String core) throws Exception {
    run(core, "shared", job -> {
      job.world().send(Data.of(shared(job, FROM, COUNT), 0, COUNT, FROM), 0, 1);
      job.world().send(Data.of(new byte[(int) BYTES]), 0, 2);
    }, job -> {
      job.world().recv(Data.of(new byte[(int) BYTES]), 1, 1);
      job.world().recv(Data.of(shared(job, TO, COUNT), 0, COUNT, TO), 1, 2);
    });
    assertEquals(2 * BYTES, packed.get(), "packed and unpacked");
    assertEquals(0, layoutToLayout.get() + throughRing.get(), "through something in between");
  }

  /** The control of this test: without a way to the memory each end copies. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void areTwoThroughTheRing(String core) throws Exception {
    run(core, "ring", job -> job.world().send(Data.of(shared(job, FROM, COUNT), 0, COUNT, FROM), 0, 1),
        job -> job.world().recv(Data.of(shared(job, TO, COUNT), 0, COUNT, TO), 1, 1));
    assertEquals(0, layoutToLayout.get(), "from layout to layout");
    assertTrue(packed.get() + throughRing.get() >= 2 * BYTES, "in two copies");
  }

  /** Blocks of 24 bytes in memory that can be reached: two copies overlap, until one is known to cost less. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void areTwoOfShortBlocksWhileNothingIsKnown(String core) throws Exception {
    run(core, "auto", job -> job.world().send(Data.of(shared(job, FROM, COUNT), 0, COUNT, FROM), 0, 1),
        job -> job.world().recv(Data.of(shared(job, TO, COUNT), 0, COUNT, TO), 1, 1));
    assertEquals(0, layoutToLayout.get(), "from layout to layout");
  }

  /** Blocks of the sender have 24 bytes, those of the receiver five times as many. */
  @ParameterizedTest
  @ValueSource(longs = {24, 25})
  void areTwoOfBlocksThatAreShorterThanTheSettingAsksFor(long blockBytes) throws Exception {
    run("ffm", "shared", blockBytes, job -> {
      MemorySegment memory = shared(job, FROM, COUNT);
      memory.set(ValueLayout.JAVA_LONG, COUNT * FROM.extent() - 8, 77);
      job.world().send(Data.of(memory, 0, COUNT, FROM), 0, 1);
      job.world().send(Data.of(shared(job, Datatype.LONG, BYTES / 8), 0, BYTES / 8, Datatype.LONG), 0, 2);
    }, job -> {
      MemorySegment memory = shared(job, TO, COUNT);
      job.world().recv(Data.of(memory, 0, COUNT, TO), 1, 1);
      assertEquals(77, memory.get(ValueLayout.JAVA_LONG, COUNT * TO.extent() - 8));
      boolean one = blockBytes == 24;
      assertEquals(one ? BYTES : 0, layoutToLayout.get(), "from layout to layout");
      assertEquals(one, packed.get() + throughRing.get() == 0, "packed, or through the ring");
      long inTheRing = throughRing.get();
      job.world().recv(Data.of(shared(job, Datatype.LONG, BYTES / 8), 0, BYTES / 8, Datatype.LONG), 1, 2);
      assertEquals(inTheRing, throughRing.get(), "what is contiguous went through the ring");
    });
  }

  /** The receiver's memory alone can be reached, so the sender is to copy; it fails instead. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void endWithTheSenderThatWasToMakeThem(String core) throws Exception {
    CountDownLatch offered = new CountDownLatch(1);
    run(core, "shared", job -> {
      MemorySegment memory = Arena.ofAuto().allocate(COUNT * FROM.extent(), 8);
      job.world().isend(Data.of(memory, 0, COUNT, FROM), 0, 1);
      offered.countDown();
      job.fail("no more of this");
    }, job -> {
      Ranks.await(offered);
      Data data = Data.of(shared(job, TO, COUNT), 0, COUNT, TO);
      assertThrows(RankFailedException.class, () -> job.world().recv(data, 1, 1));
    });
  }

  /** The sender's memory alone can be reached, so the receiver is to copy; it fails instead. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void endWithTheReceiverThatWasToMakeThem(String core) throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    run(core, "shared", job -> {
      Data data = Data.of(shared(job, FROM, COUNT), 0, COUNT, FROM);
      Request request = job.world().isend(data, 0, 1);
      Ranks.await(gone);
      assertThrows(RankFailedException.class, request::await);
    }, job -> {
      MemorySegment memory = Arena.ofAuto().allocate(COUNT * TO.extent(), 8);
      job.world().irecv(Data.of(memory, 0, COUNT, TO), 1, 2); // of another tag: the message is left where it is
      job.fail("no more of this");
      gone.countDown();
    });
    assertEquals(0, layoutToLayout.get(), "from layout to layout");
  }
}
