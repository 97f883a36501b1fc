package io.adrastea.it;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import io.adrastea.shmem.Team;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A PE beside C programs that include {@code shmem.h}: the twin of {@code tests/c/ranks/openshmem_rank.c}. */
final class OpenShmemRank {
  private static final int ROUNDS = 100;
  private static final long HEAP = 1 << 20; // SHMEM_SYMMETRIC_SIZE of the others

  private OpenShmemRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      work(shmem);
      meetInTeams(shmem);
      shmem.barrierAll(); // shmem_finalize has one
      shmem.close();
      System.out.println("has checked all");
    });
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static void work(Shmem shmem) {
    ShmemContext context = shmem.context();
    int next = (shmem.pe() + 1) % shmem.pes();
    int previous = (shmem.pe() + shmem.pes() - 1) % shmem.pes();
    Symmetric words = shmem.allocate(64);
    ShmemLock lock = shmem.lock(words, 8);
    for (int round = 1; round <= ROUNDS; round++) {
      Symmetric data = shmem.allocate(1 + (long) round * 997 % 30_000);
      byte[] from = new byte[(int) data.bytes()];
      Arrays.fill(from, (byte) (round + shmem.pe()));
      context.putSignal(data, 0, Data.of(from), words, 0, 1, SignalOp.ADD, next);
      shmem.waits().waitUntilLong(words, 0, Comparison.GE, round);
      require(data.local().get(ValueLayout.JAVA_BYTE, data.bytes() - 1) == (byte) (round + previous), "not the data");
      lock.set();
      context.putLong(words, 16, context.getLong(words, 16, 0) + 1, 0);
      lock.clear();
      context.fetchAddLong(words, 24, shmem.pe(), 0);
      data.free();
    }
    long pes = shmem.pes();
    require(context.getLong(words, 16, 0) == pes * ROUNDS, "a count under the lock is lost");
    require(context.getLong(words, 24, 0) == pes * (pes - 1) / 2 * ROUNDS, "a sum is wrong");
  }

  private static long word(Symmetric object, long index) {
    return object.local().getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  /** Every kind of collective once: of PE p come p + 1 words. */
  private static void meet(Team team, Symmetric to, Symmetric from) {
    int me = team.pe();
    long pes = team.pes();
    long sum = pes * (pes + 1) / 2;
    MemorySegment words = from.local();
    for (long i = 0; i < 2 * pes; i++) {
      words.setAtIndex(ValueLayout.JAVA_LONG, i, me + 1);
    }
    team.sync();
    team.reduce(to, 0, from, 0, 2, Datatype.LONG, Op.SUM);
    require(word(to, 0) == sum && word(to, 1) == sum, "not the sum");
    team.exscan(to, 0, from, 0, 1, Datatype.LONG, Op.SUM);
    require(word(to, 0) == me * (me + 1L) / 2, "not the sum of those before");
    team.broadcast(to, 0, from, 0, Long.BYTES, (int) pes - 1);
    require(word(to, 0) == pes, "not what the root had");
    require(team.collect(to, 0, from, 0, (me + 1L) * Long.BYTES) == sum * Long.BYTES, "not as much as all gave");
    require(word(to, 0) == 1 && word(to, sum - 1) == pes, "not all collected");
    team.fcollect(to, 0, from, 0, 2 * Long.BYTES);
    require(word(to, 0) == 1 && word(to, 2 * pes - 1) == pes, "not all");
    team.alltoall(to, 0, from, 0, 2 * Long.BYTES);
    require(word(to, 0) == 1 && word(to, 2 * pes - 1) == pes, "not all exchanged");
    team.alltoalls(to, 0, 3, from, 0, 2, Long.BYTES, 1);
    require(word(to, 0) == 1 && word(to, 3 * (pes - 1)) == pes, "not all exchanged that lie apart");
    team.sync();
  }

  private static void meetInTeams(Shmem shmem) {
    Symmetric to = shmem.allocate(1024);
    Symmetric from = shmem.allocate(1024);
    meet(shmem.team(), to, from);
    Team part = shmem.team().splitStrided(0, 2, (shmem.pes() + 1) / 2);
    if (part != null) {
      meet(part, to, from);
      part.close();
    }
    Team.Grid grid = shmem.team().split2d(2);
    meet(grid.x(), to, from);
    meet(grid.y(), to, from);
    grid.x().close();
    grid.y().close();
  }
}
