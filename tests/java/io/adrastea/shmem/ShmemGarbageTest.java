package io.adrastea.shmem;

import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Data;
import io.adrastea.Garbage;
import io.adrastea.Job;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses to symmetric memory, waits for words of it and barriers make no garbage once all is warm. */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class ShmemGarbageTest {
  @Parameter
  String cores;

  private void check(Function<Shmem, IntConsumer> part) throws Exception {
    Garbage.checkJobs(cores, Garbage.MESSAGES, job -> part(job, part), job -> part(job, part));
  }

  private static Runnable part(Job job, Function<Shmem, IntConsumer> part) {
    return Garbage.each(part.apply(Shmem.of(job, 1 << 16)));
  }

  @Test
  void accessesMakeNone() throws Exception {
    check(shmem -> {
      Symmetric object = shmem.allocate(512);
      ShmemContext context = shmem.context();
      int other = 1 - shmem.pe();
      MemorySegment memory = Garbage.memory(128);
      Data data = Data.of(memory);
      return i -> {
        context.putLong(object, 0, i, other);
        context.getDouble(object, 8, other);
        context.put(object, 64, data, other);
        context.get(data, object, 64, other);
        context.put(object, 64, memory, 0, 8, other);
        context.putStrided(object, 64, 16, memory, 0, 8, 8, 4, other);
        context.fetchAddLong(object, 16, 1, other);
        context.compareSwapInt(object, 24, i, i + 1, other);
        context.quiet();
      };
    });
  }

  @Test
  void waitsAndBarriersMakeNone() throws Exception {
    check(shmem -> {
      Symmetric object = shmem.allocate(512);
      ShmemContext context = shmem.context();
      int other = 1 - shmem.pe();
      Data data = Data.of(Garbage.memory(128));
      return i -> {
        context.putSignal(object, 64, data, object, 0, 1, SignalOp.ADD, other);
        shmem.waits().waitUntilLong(object, 0, Comparison.NE, 0);
        context.fetchAddLong(object, 0, -1, shmem.pe());
        shmem.waits().testInt(object, 8, Comparison.EQ, 5);
        shmem.barrierAll();
      };
    });
  }
}
