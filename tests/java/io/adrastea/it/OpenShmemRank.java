package io.adrastea.it;

import static io.adrastea.it.ShmemRank.require;

import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.Symmetric;
import io.adrastea.shmem.Team;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A PE beside C programs that include {@code shmem.h}: the twin of {@code tests/c/ranks/openshmem_rank.c}. */
final class OpenShmemRank {
  private static final int ROUNDS = 100;
  private static final long HEAP = 1 << 20; // SHMEM_SYMMETRIC_SIZE of the others

  private OpenShmemRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      ShmemRank.passAround(shmem, ROUNDS, 30_000, words -> {});
      meetInTeams(shmem);
      shmem.barrierAll(); // shmem_finalize has one
      shmem.close();
      System.out.println("has checked all");
    });
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
