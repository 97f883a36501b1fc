package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.SlotMember;
import io.adrastea.error.CollectiveException;
import io.adrastea.message.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of the program in collectives: the same under two names, and closed while it is in use. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectiveMemoryTest {
  private static final int COUNT = 1 << 18;
  private static final int SOME = 100_000; // longs: more than a stage holds
  private static final long SEGMENT = 77;

  private static void together(String core, ThreadMembersRun first, ThreadMembersRun second) throws Exception {
    Settings.with(
        Map.of("adrastea.core", core),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2)) {
            FutureTask<Void> other = new FutureTask<>(() -> second.run(threadJob), null);
            new Thread(other, "rank 1").start();
            first.run(threadJob);
            other.get(60, TimeUnit.SECONDS);
          }
          return null;
        });
  }

  private interface ThreadMembersRun {
    void run(ThreadJob threadJob);
  }

  /** Both are in one process, so that what XPMEM would attach is there. */
  private static Object attached(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    return switch (name) {
      case "export" -> SEGMENT;
      case "unreach" -> 0;
      case "reach" -> arguments[1];
      default -> real.call();
    };
  }

  private static void sumInPlace(ThreadJob threadJob, int rank) {
    try (Job job = AlteredRank.job(
        threadJob.enter(rank, () -> false), false, AlteredRank.NONE, CollectiveMemoryTest::attached);
        Arena arena = Arena.ofShared()) {
      MemorySegment out = arena.allocate(8L * COUNT, 64);
      MemorySegment in = MemorySegment.ofAddress(out.address()).reinterpret(out.byteSize());
      for (int round = 0; round < 20; round++) {
        MemorySegment.copy(
            LongStream.range(0, COUNT).map(i -> i * (rank + 1)).toArray(), 0, out, ValueLayout.JAVA_LONG, 0, COUNT);
        job.world().allreduce(Data.of(in, 0, COUNT, Datatype.LONG), Data.of(out, 0, COUNT, Datatype.LONG), Op.SUM);
        for (int i = 0; i < COUNT; i++) {
          assertEquals(3L * i, out.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
      }
    }
  }

  /** The address of the input lasts; the arena of the output can be closed, so that nobody is told where it lies. */
  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void inputAndOutputMayBeTheSameUnderTwoNames(String core) throws Exception {
    together(core, threadJob -> sumInPlace(threadJob, 0), threadJob -> sumInPlace(threadJob, 1));
  }

  /** A rank for whose collectives something is done first, which comes behind the checks of their memory. */
  private static Job before(ThreadJob threadJob, int rank, Consumer<Object[]> action) {
    AlteredRank.Change core = (name, arguments, real) -> name.equals("slotMember")
        ? Proxy.newProxyInstance(SlotMember.class.getClassLoader(), new Class<?>[] {SlotMember.class},
            begins((SlotMember) real.call(), action))
        : real.call();
    return AlteredRank.job(threadJob.enter(rank, () -> false), false, core, AlteredRank.NONE);
  }

  private static InvocationHandler begins(SlotMember real, Consumer<Object[]> action) {
    return (proxy, method, arguments) -> {
      if (method.getName().equals("begin")) {
        action.accept(arguments);
      }
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 4096})
  void whoseMemoryIsClosedAsACollectiveBeginsLetsTheOthersGo(long bytes) throws Exception {
    Arena arena = Arena.ofShared();
    MemorySegment closing = arena.allocate(bytes);
    together(
        "java",
        threadJob -> {
          try (Job job = before(threadJob, 0, arguments -> {
            if (arguments[5] != null) {
              arena.close();
            }
          })) {
            Communicator world = job.world();
            world.barrier();
            assertThrows(IllegalStateException.class, () -> world.bcast(Data.of(closing), 0));
            CollectiveException e = assertThrows(CollectiveException.class, world::barrier);
            assertTrue(e.getMessage().contains("its bcast of %d bytes from root 0 ended".formatted(bytes)),
                e.getMessage());
          }
        },
        threadJob -> {
          try (Job job = before(threadJob, 1, arguments -> {})) {
            Communicator world = job.world();
            world.barrier();
            MemorySegment mine = Arena.ofAuto().allocate(bytes);
            CollectiveException e = assertThrows(CollectiveException.class, () -> world.bcast(Data.of(mine), 0));
            assertEquals(0, e.rank());
          }
        });
  }

  /** A copy from one place of a segment to another of it, as the rank makes when it measures what copies cost. */
  private static boolean isWithinOne(Object[] arguments) {
    return ((MemorySegment) arguments[2]).address() == (long) arguments[1];
  }

  /** Calls every collective with memory of the thread's own arena; counts what this rank copies of the other's. */
  private static void callAll(ThreadJob threadJob, int rank, boolean starts, AtomicInteger copies) {
    AlteredRank.Change copying = (name, arguments, real) -> {
      if ((name.equals("read") || name.equals("write")) && (long) arguments[4] > 1 && !isWithinOne(arguments)) {
        copies.incrementAndGet();
      }
      return real.call();
    };
    try (Job job = AlteredRank.job(threadJob.enter(rank, () -> false), false, AlteredRank.NONE, copying);
        Arena arena = Arena.ofConfined()) {
      for (CollectiveKind kind : CollectiveKind.ALL) {
        SomeCollective one = new SomeCollective(job.world(), kind, SOME, arena);
        if (starts) {
          one.start(new Request()).await();
        } else {
          one.run();
        }
        one.check();
      }
    }
  }

  /** Whose call is started may close its arena before the others have read there, so nobody is told where that is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryOfTheThreadThatCallsIsReachedWhileItWaitsInTheCallAlone(boolean starts) throws Exception {
    AtomicInteger copies = new AtomicInteger();
    together("ffm", threadJob -> callAll(threadJob, 0, starts, copies),
        threadJob -> callAll(threadJob, 1, starts, copies));
    assertEquals(!starts, copies.get() > 0, copies::toString);
  }
}
