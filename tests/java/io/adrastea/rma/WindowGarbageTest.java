package io.adrastea.rma;

import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Garbage;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.Settings;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses to windows that lie in shared memory, and their epochs, make no garbage once all is warm; nor do those that
 * the target's rank makes, at either end.
 */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class WindowGarbageTest {
  private static final int LARGE = 40_000; // bytes; in two pieces, where an access is cut

  @Parameter
  String cores;

  private void check(BiFunction<Communicator, Window, IntConsumer> part) throws Exception {
    check("direct", Garbage.MESSAGES, part);
  }

  private void check(String way, int calls, BiFunction<Communicator, Window, IntConsumer> part) throws Exception {
    Settings.with(Map.of("adrastea.window", way), () -> {
      Garbage.checkJobs(cores, calls, job -> part(job, part), job -> part(job, part));
      return null;
    });
  }

  /** Both ranks meet behind a batch: until then each does what the other asks for. */
  private static Runnable part(Job job, BiFunction<Communicator, Window, IntConsumer> part) {
    Window window = Window.allocate(job.world(), 1 << 17, 8);
    Runnable batch = Garbage.each(part.apply(job.world(), window));
    return () -> {
      batch.run();
      job.world().barrier();
    };
  }

  private static int other(Window window) {
    return 1 - window.rank();
  }

  @Test
  void accessesMakeNone() throws Exception {
    check((world, window) -> {
      MemorySegment memory = Garbage.memory(64);
      Data data = Data.of(memory);
      Request request = new Request();
      window.lockAll();
      return i -> {
        window.put(memory, 0, 64, other(window), 0);
        window.get(memory, 0, 64, other(window), 8);
        window.put(data, other(window), 0);
        window.get(data, other(window), 8);
        window.rput(data, other(window), 0, request).await();
        window.flush(other(window));
      };
    });
  }

  @Test
  void scalarsMakeNone() throws Exception {
    check((world, window) -> {
      window.lockAll();
      return i -> {
        window.fetchAndOp(1L, other(window), 1, Op.SUM);
        window.fetchAndOp(1L, other(window), 1, Op.MAX);
        window.fetchAndOp(0.5, other(window), 2, Op.SUM);
        window.compareAndSwap(i, i + 1, other(window), 3);
      };
    });
  }

  @Test
  void scalarsInMemoryThatIsAttachedMakeNone() throws Exception {
    check((world, window) -> {
      Window dynamic = Window.dynamic(world);
      dynamic.attach(window.local());
      long[] at = new long[world.size()];
      world.allgather(Data.of(new long[] {window.local().address()}), Data.of(at));
      dynamic.lockAll();
      int other = other(window);
      return i -> {
        dynamic.fetchAndOp(1L, other, at[other] + 8, Op.SUM);
        dynamic.fetchAndOp(0.5, other, at[other] + 16, Op.SUM);
        dynamic.compareAndSwap(i, i + 1, other, at[other] + 24);
      };
    });
  }

  @Test
  void locksMakeNone() throws Exception {
    check((world, window) -> i -> {
      window.lock(other(window), i % 2 == 0).close();
      window.lock(0, true);
      window.unlock(0);
      try (Epoch _ = window.lockAll()) {
        window.fetchAndOp(1L, other(window), 1, Op.SUM);
        window.flushAll();
      }
    });
  }

  @Test
  void fencesMakeNone() throws Exception {
    check((world, window) -> i -> {
      window.fence();
      window.fetchAndOp(1L, other(window), 1, Op.SUM);
      window.lastFence();
    });
  }

  @Test
  void postsAndStartsMakeNone() throws Exception {
    check((world, window) -> {
      int[] partner = {other(window)};
      return i -> {
        window.post(partner);
        try (Epoch _ = window.start(partner)) {
          window.fetchAndOp(1L, other(window), 1, Op.SUM);
        }
        window.await();
      };
    });
  }

  /**
   * The target's rank makes the accesses, at places without a datatype: what describes elements of one is made anew for
   * each access.
   */
  private void checkByHandler(BiFunction<Communicator, Window, IntConsumer> part) throws Exception {
    check("handler", 2 * Garbage.BATCH, part);
  }

  @Test
  void copiesByTheHandlerMakeNone() throws Exception {
    checkByHandler((world, window) -> {
      MemorySegment memory = Garbage.memory(LARGE);
      Data small = Data.of(memory.asSlice(0, 64));
      Data large = Data.of(memory);
      Request request = new Request();
      window.lockAll();
      return i -> {
        window.put(memory, 0, 64, other(window), 0);
        window.get(memory, 0, 64, other(window), 8);
        window.put(small, other(window), 0);
        window.get(small, other(window), 8);
        window.put(large, other(window), 0);
        window.get(large, other(window), 0);
        window.rput(small, other(window), 0, request).await();
        window.rget(large, other(window), 0, request).await();
        window.flush(other(window));
      };
    });
  }

  @Test
  void accumulatesByTheHandlerMakeNone() throws Exception {
    checkByHandler((world, window) -> {
      MemorySegment memory = Garbage.memory(LARGE);
      MemorySegment room = Garbage.memory(LARGE);
      Data one = Data.of(memory, 0, 1, Datatype.LONG);
      Data before = Data.of(room, 0, 1, Datatype.LONG);
      Data many = Data.of(memory, 0, LARGE / Double.BYTES, Datatype.DOUBLE);
      Data manyBefore = Data.of(room, 0, LARGE / Double.BYTES, Datatype.DOUBLE);
      Request request = new Request();
      return i -> {
        window.lock(other(window), false);
        window.accumulate(one, other(window), 1, Op.SUM);
        window.getAccumulate(one, before, other(window), 1, Op.MAX);
        window.accumulate(many, other(window), 0, Op.SUM);
        window.getAccumulate(many, manyBefore, other(window), 0, Op.REPLACE);
        window.raccumulate(one, other(window), 1, Op.SUM, request).await();
        window.unlock(other(window));
      };
    });
  }

  @Test
  void scalarsByTheHandlerMakeNone() throws Exception {
    checkByHandler((world, window) -> i -> {
      window.lockAll();
      window.fetchAndOp(1L, other(window), 1, Op.SUM);
      window.fetchAndOp(1L, other(window), 1, Op.MAX);
      window.fetchAndOp(0.5, other(window), 2, Op.SUM);
      window.compareAndSwap(i, i + 1, other(window), 3);
      window.unlockAll();
    });
  }
}
