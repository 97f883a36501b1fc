package io.adrastea.it;

import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
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
}
