package io.adrastea.shmem;

import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Garbage;
import io.adrastea.Job;
import io.adrastea.Op;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses to symmetric memory, waits for words of it, barriers and collectives make no garbage once all is warm. */
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

  /** A call with the objects that the call before had. */
  private interface Collective {
    void call(Team team, Symmetric to, Symmetric from, int i);
  }

  private static final List<Collective> COLLECTIVES = List.of(
      (team, to, from, i) -> team.broadcast(to, 0, from, 0, 64, i & 1),
      (team, to, from, i) -> team.fcollect(to, 0, from, 0, 64),
      (team, to, from, i) -> team.collect(to, 0, from, 0, 64 + 8 * team.pe()),
      (team, to, from, i) -> team.alltoall(to, 0, from, 0, 64),
      (team, to, from, i) -> team.alltoalls(to, 0, 2, from, 0, 3, Long.BYTES, 4),
      (team, to, from, i) -> team.reduce(to, 0, from, 0, 8, Datatype.LONG, Op.SUM),
      (team, to, from, i) -> team.reduce(to, 0, to, 0, 8, Datatype.DOUBLE, Op.MAX),
      (team, to, from, i) -> team.inscan(to, 0, from, 0, 8, Datatype.LONG, Op.SUM),
      (team, to, from, i) -> team.exscan(to, 0, from, 0, 8, Datatype.LONG, Op.SUM));

  /** A team for each, since it keeps what its last call was given. */
  @Test
  void collectivesMakeNone() throws Exception {
    check(shmem -> {
      Symmetric to = shmem.allocate(512);
      Symmetric from = shmem.allocate(512);
      List<Team> teams = COLLECTIVES.stream().map(one -> shmem.team().splitStrided(0, 1, 2)).toList();
      return i -> {
        for (int at = 0; at < teams.size(); at++) {
          COLLECTIVES.get(at).call(teams.get(at), to, from, i);
        }
      };
    });
  }
}
