package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.RankFailedException;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/** A PE in a process of its own: works with all others, or under locks while some are killed. */
final class ShmemRank {
  static final int SURVIVORS = 2;
  private static final int ROUNDS = 200;
  private static final int LAST_ROUNDS = 200;
  private static final long HEAP = 4 << 20;
  private static final int OWNER = 0; // the PE that has the lock, and 1; 0: none
  private static final int COUNT = 8;

  private ShmemRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      if (args[0].equals("works")) {
        work(shmem);
      } else {
        survive(shmem, job.world());
      }
      shmem.close();
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
      Symmetric data = shmem.allocate(1 + (long) round * 997 % 300_000);
      byte[] from = new byte[(int) data.bytes()];
      Arrays.fill(from, (byte) (round + shmem.pe()));
      context.putSignal(data, 0, Data.of(from), words, 0, 1, SignalOp.ADD, next);
      shmem.waits().waitUntilLong(words, 0, Comparison.GE, round);
      require(data.local().get(ValueLayout.JAVA_BYTE, data.bytes() - 1) == (byte) (round + previous), "not the data");
      lock.set();
      context.putLong(words, 16, context.getLong(words, 16, 0) + 1, 0);
      lock.clear();
      context.fetchAddLong(words, 24, shmem.pe(), 0);
      shmem.team().reduce(words, 40, words, 32, 1, Datatype.LONG, Op.SUM);
      data.free();
    }
    shmem.barrierAll();
    long pes = shmem.pes();
    require(context.getLong(words, 16, 0) == pes * ROUNDS, "a count under the lock is lost");
    require(context.getLong(words, 24, 0) == pes * (pes - 1) / 2 * ROUNDS, "a sum is wrong");
    shmem.barrierAll();
    System.out.println("worked");
  }

  /** Sets the lock again and again; it excludes, and goes on when its holders and those that wait are killed. */
  private static void survive(Shmem shmem, Communicator world) {
    Random random = new Random();
    Symmetric words = shmem.allocate(64);
    ShmemLock lock = shmem.lock(words, 32);
    int told = 0;
    int left = LAST_ROUNDS;
    for (long rounds = 0; left > 0; rounds++) {
      try {
        lock.set();
      } catch (RankFailedException e) {
        told++;
        continue;
      }
      int owner = shmem.context().getInt(words, OWNER, 0);
      require(owner == 0 || world.failedRanks().contains(owner - 1), "PE %d is in here, too".formatted(owner - 1));
      shmem.context().putInt(words, OWNER, shmem.pe() + 1, 0);
      long end = System.nanoTime() + random.nextInt(200_000);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      shmem.context().putLong(words, COUNT, shmem.context().getLong(words, COUNT, 0) + 1, 0);
      require(shmem.context().getInt(words, OWNER, 0) == shmem.pe() + 1, "another PE was in here, too");
      shmem.context().putInt(words, OWNER, 0, 0);
      lock.clear();
      if (rounds == 0) {
        System.out.println("ready");
      }
      left -= world.failedRanks().size() == world.size() - SURVIVORS ? 1 : 0;
    }
    try (Communicator survivors = world.shrink()) {
      survivors.barrier();
    }
    System.out.println("survived, told " + told);
  }
}
