package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import io.adrastea.shmem.Team;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A PE in a process of its own: works with all others, or under locks while some are killed. Twin of
 * {@code tests/c/ranks/shmem_rank.c} in what PEs of both languages do together.
 */
final class ShmemRank {
  static final int SURVIVORS = 2;
  private static final int ROUNDS = 200;
  private static final int LAST_ROUNDS = 200;
  private static final int SHARED_ROUNDS = 60; // as those of C, like what follows
  private static final int OBJECTS = 24;
  private static final int SCRIPT_CALLS = 300;
  private static final long HEAP = 4 << 20;
  private static final int OWNER = 0; // the PE that has the lock, and 1; 0: none
  private static final int COUNT = 8;

  private ShmemRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      switch (args[0]) {
        case "works" -> work(shmem);
        case "shares" -> share(job, shmem);
        default -> survive(shmem, job.world());
      }
      shmem.close();
    });
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static void work(Shmem shmem) {
    passAround(shmem, ROUNDS, 300_000,
        words -> shmem.team().reduce(words, 40, words, 32, 1, Datatype.LONG, Op.SUM));
    shmem.barrierAll();
    System.out.println("worked");
  }

  /**
   * Puts with signals in a ring, counts under a lock and by atomics, and allocates with all others.
   *
   * @param most bytes of an object
   * @param more what is done in each round, with words that all PEs have
   */
  static void passAround(Shmem shmem, int rounds, long most, Consumer<Symmetric> more) {
    ShmemContext context = shmem.context();
    int next = (shmem.pe() + 1) % shmem.pes();
    int previous = (shmem.pe() + shmem.pes() - 1) % shmem.pes();
    Symmetric words = shmem.allocate(64);
    ShmemLock lock = shmem.lock(words, 8);
    for (int round = 1; round <= rounds; round++) {
      Symmetric data = shmem.allocate(1 + (long) round * 997 % most);
      byte[] from = new byte[(int) data.bytes()];
      Arrays.fill(from, (byte) (round + shmem.pe()));
      context.putSignal(data, 0, Data.of(from), words, 0, 1, SignalOp.ADD, next);
      shmem.waits().waitUntilLong(words, 0, Comparison.GE, round);
      require(data.local().get(ValueLayout.JAVA_BYTE, data.bytes() - 1) == (byte) (round + previous), "not the data");
      lock.set();
      context.putLong(words, 16, context.getLong(words, 16, 0) + 1, 0);
      lock.clear();
      context.fetchAddLong(words, 24, shmem.pe(), 0);
      more.accept(words);
      data.free();
    }
    long pes = shmem.pes();
    require(context.getLong(words, 16, 0) == pes * rounds, "a count under the lock is lost");
    require(context.getLong(words, 24, 0) == pes * (pes - 1) / 2 * rounds, "a sum is wrong");
  }

  /** Does all that PEs of both languages do together. */
  private static void share(Job job, Shmem shmem) throws Exception {
    try {
      Shmem.of(job, HEAP + 64L * shmem.pe()).close();
      require(shmem.pes() == 1, "heaps of different sizes are not refused");
    } catch (IllegalArgumentException e) {
      require(e.getMessage().startsWith("PE 0 asks for a symmetric heap of"), e.getMessage());
    }
    Symmetric words = shmem.allocate(256);
    for (int round = 1; round <= SHARED_ROUNDS; round++) {
      Symmetric data = shmem.allocate(1 + (long) round * 997 % 300_000);
      passData(shmem, words, data, round);
      changeWords(shmem, words, round);
      shmem.barrierAll();
      callCollectives(shmem, words, data, round);
      data.free();
    }
    requireWords(shmem, words);
    runScript(shmem);
    System.out.println("shared");
  }

  private static int next(Shmem shmem) {
    return (shmem.pe() + 1) % shmem.pes();
  }

  private static int previous(Shmem shmem) {
    return (shmem.pe() + shmem.pes() - 1) % shmem.pes();
  }

  private static void requireFilled(Symmetric data, int value, String otherwise) {
    for (long at : new long[] {0, data.bytes() - 1}) {
      require(data.local().get(ValueLayout.JAVA_BYTE, at) == (byte) value, otherwise);
    }
  }

  /** Data goes round with a signal, now and then to a PE that naps; then a word behind a barrier. */
  private static void passData(Shmem shmem, Symmetric words, Symmetric data, int round) throws Exception {
    if (round % 20 == 1 && round / 20 % shmem.pes() == shmem.pe()) {
      Thread.sleep(30);
    }
    byte[] from = new byte[(int) data.bytes()];
    Arrays.fill(from, (byte) (round + shmem.pe()));
    ShmemContext context = shmem.context();
    if (round % 3 == 0) {
      context.putSignal(data, 0, Data.of(from), words, 0, 1, SignalOp.ADD, next(shmem));
    } else {
      context.putSignal(data, 0, Data.of(from), words, 0, round, SignalOp.SET, next(shmem));
    }
    shmem.waits().waitUntilLong(words, 0, Comparison.GE, round);
    requireFilled(data, round + previous(shmem), "not the data of the signal");
    context.putLong(words, 48, round * 1000L + shmem.pe(), next(shmem));
    shmem.barrierAll();
    require(context.getLong(words, 48, shmem.pe()) == round * 1000L + previous(shmem), "not the word that was put");
    byte[] got = new byte[from.length];
    context.get(Data.of(got), data, 0, next(shmem));
    require(Arrays.equals(got, from), "not what was put comes back");
  }

  /** Counts under the lock, and by each kind of instructions. */
  private static void changeWords(Shmem shmem, Symmetric words, int round) {
    ShmemContext context = shmem.context();
    ShmemLock lock = shmem.lock(words, 8);
    if (round % 2 == 0) {
      lock.set();
    } else {
      while (!lock.test()) {
        Thread.onSpinWait();
      }
    }
    context.putLong(words, 16, context.getLong(words, 16, 0) + 1, 0);
    lock.clear();
    context.fetchAddLong(words, 24, shmem.pe(), 0);
    context.fetchAddInt(words, 32, 1, 0);
    int seen = context.fetchInt(words, 40, 0);
    int expected;
    do {
      expected = seen;
      seen = context.compareSwapInt(words, 40, expected, expected + 1, 0);
    } while (seen != expected);
    require(context.swapLong(words, 56, round, next(shmem)) == round - 1, "not the word that was swapped in before");
  }

  private static void callCollectives(Shmem shmem, Symmetric words, Symmetric data, int round) {
    ShmemContext context = shmem.context();
    Team team = shmem.team();
    int pes = shmem.pes();
    context.putLong(words, 64, round + shmem.pe(), shmem.pe());
    team.reduce(words, 72, words, 64, 1, Datatype.LONG, Op.SUM);
    require(context.getLong(words, 72, shmem.pe()) == (long) round * pes + pes * (pes - 1) / 2, "a sum is wrong");
    int root = round % pes;
    team.broadcast(data, 0, data, 0, data.bytes(), root);
    requireFilled(data, round + (root + pes - 1) % pes, "not the data of the root");
    team.fcollect(words, 80, words, 64, 8);
    for (int pe = 0; pe < pes; pe++) {
      require(context.getLong(words, 80 + 8L * pe, shmem.pe()) == round + pe, "not what a PE has given to all");
    }
    team.alltoall(words, 144, words, 80, 8);
    for (int pe = 0; pe < pes; pe++) {
      require(context.getLong(words, 144 + 8L * pe, shmem.pe()) == round + shmem.pe(), "not what a PE has given here");
    }
    Team even = round == 1 ? team.splitStrided(0, 2, (pes + 1) / 2) : null;
    if (even != null) {
      even.reduce(words, 72, words, 64, 1, Datatype.LONG, Op.MAX);
      require(context.getLong(words, 72, shmem.pe()) == round + (pes - 1) / 2 * 2, "a team's result is wrong");
      even.close();
    }
  }

  private static void requireWords(Shmem shmem, Symmetric words) {
    ShmemContext context = shmem.context();
    long pes = shmem.pes();
    shmem.barrierAll();
    require(context.getLong(words, 16, 0) == pes * SHARED_ROUNDS, "a count under the lock is lost");
    require(context.getLong(words, 24, 0) == pes * (pes - 1) / 2 * SHARED_ROUNDS, "an addition is lost");
    require(context.getInt(words, 32, 0) == pes * SHARED_ROUNDS, "an addition of 32 bits is lost");
    require(context.getInt(words, 40, 0) == pes * SHARED_ROUNDS, "an exchange is lost");
    shmem.barrierAll();
  }

  private static int draw(long[] state, int below) {
    state[0] = state[0] * 6364136223846793005L + 1442695040888963407L;
    return (int) ((state[0] >>> 33) % below);
  }

  /** Allocates, resizes and frees at random, alike at all PEs, also more than there is. */
  private static void runScript(Shmem shmem) {
    Symmetric[] objects = new Symmetric[OBJECTS];
    long[] state = {1};
    int refusals = 0;
    for (int call = 0; call < SCRIPT_CALLS; call++) {
      int at = draw(state, OBJECTS);
      int bytes = 1 + draw(state, 1 << draw(state, 23));
      if (objects[at] != null && draw(state, 2) == 0) {
        objects[at].free();
        objects[at] = null;
        continue;
      }
      try {
        if (objects[at] == null) {
          objects[at] = shmem.allocate(bytes);
        } else {
          requireFilled(objects[at], at + 1, "an object is not as it was");
          objects[at].reallocate(bytes);
        }
        objects[at].local().fill((byte) (at + 1));
      } catch (SegmentException e) {
        refusals++;
      }
    }
    require(refusals > 0, "no call was refused");
    Symmetric sums = shmem.allocate(16);
    shmem.context().putLong(sums, 0, shmem.allocated() * 1000 + refusals, shmem.pe());
    shmem.team().reduce(sums, 8, sums, 0, 1, Datatype.LONG, Op.MAX);
    require(shmem.context().getLong(sums, 8, shmem.pe()) == shmem.allocated() * 1000 + refusals, "not alike");
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
