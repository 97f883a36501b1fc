package io.adrastea;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.engine.group.Numbering;
import io.adrastea.link.pipe.PipeDirectory;
import io.adrastea.peers.Nodes;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Ranks as threads, with cores dealt from a list. Behind {@code +} follows how they reach each other: by {@code pipes}
 * alone, or {@code mixed}, some by pipes and some through shared memory, or that they are on several nodes, as
 * {@link SeveralNodes} names them. Behind {@code @subset} a body runs on a communicator of some ranks of a larger job,
 * in another order, while the others talk among themselves.
 */
public final class Ranks {
  private static final String SUBSET = "@subset";

  private static final Map<Job, Communicator> COMMUNICATORS = new ConcurrentHashMap<>(); // of jobs with a subset

  /** What the settings that {@link #run} uses give: payload of a cell, and of all cells of a rank. */
  public static final int CELL_BYTES = 8192;

  public static final int CELLS = 64;
  public static final int ALL_CELLS = CELLS * CELL_BYTES;

  /** Far above what anything here takes, and below the time limit of a class: reached by what would never end. */
  public static final long PATIENCE_SECONDS = 220;

  private Ranks() {}

  public static void run(String cores, int ranks, Job.Body body) throws Exception {
    run(cores, ThreadLevel.SERIALIZED, ranks, body);
  }

  public static void run(String cores, ThreadLevel level, int ranks, Job.Body body) throws Exception {
    if (cores.endsWith(SUBSET)) {
      Subset subset = new Subset(ranks, shareMemory(cores));
      runAll(cores(cores), level, subset.jobSize(), subset.body(body));
    } else {
      runAll(cores, level, ranks, body);
    }
  }

  /** What is done on a group of a job; {@code same} draws the same at all members, {@code own} does not. */
  public interface GroupBody {
    void run(Job job, Communicator half, SplittableRandom same, SplittableRandom own) throws Exception;
  }

  /** Five ranks fall into two groups so many times, in any order, and each group does so many things. */
  public static void inGroups(String cores, int rounds, int times, GroupBody body) throws Exception {
    run(
        cores,
        5,
        job -> {
          SplittableRandom own = new SplittableRandom(job.world().rank());
          SplittableRandom all = new SplittableRandom(cores.hashCode());
          for (int round = 0; round < rounds; round++) {
            int[] colors = all.ints(5, 0, 2).toArray();
            int[] keys = all.ints(5).toArray();
            int rank = job.world().rank();
            try (Communicator half = job.world().split(colors[rank], keys[rank])) {
              SplittableRandom same = new SplittableRandom(round * 2L + colors[rank]);
              for (int i = 0; i < times; i++) {
                body.run(job, half, same, own);
              }
            }
          }
        });
  }

  private static void runAll(String cores, ThreadLevel level, int ranks, Job.Body body) throws Exception {
    int plus = cores.indexOf('+');
    if (plus < 0) {
      runAll(cores, Job.builder().threads(level), Nodes.one(ranks), body);
      return;
    }
    String links = cores.substring(plus + 1);
    boolean several = SeveralNodes.is(links);
    Nodes nodes = several ? SeveralNodes.of(links, ranks) : Nodes.one(ranks);
    try (PipeDirectory directory = PipeDirectory.create()) {
      Settings.with(several ? SeveralNodes.settings(links, directory) : directory.settings(links), () -> {
        runAll(cores.substring(0, plus), Job.builder().threads(level), nodes, body);
        return null;
      });
    }
  }

  private static void runAll(String cores, Job.Builder builder, Nodes nodes, Job.Body body) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.core", cores);
    settings.put("adrastea.cells", Integer.toString(CELLS));
    settings.put("adrastea.cell.bytes", Integer.toString(CELL_BYTES));
    Settings.with(
        settings,
        () -> {
          builder.runThreads(nodes, body);
          return null;
        });
  }

  /** The cores alone, for a test that runs its ranks itself, on {@code world}. */
  public static String cores(String parameter) {
    int end = parameter.indexOf('@');
    return end < 0 ? parameter : parameter.substring(0, end);
  }

  /** The number in the job of a rank of the communicator that a body runs on. */
  public static int inJob(String cores, int ranks, int rank) {
    return cores.endsWith(SUBSET) ? new Subset(ranks, true).members()[rank] : rank;
  }

  /** What is said, with the numbers of the communicator alone. */
  public static String byRank(String said) {
    return said.replaceAll(" \\(job rank \\d+\\)", "");
  }

  /** How exceptions and reports name a rank of {@code world}, which may have another number in the job. */
  public static String name(Communicator world, int rank) {
    return world.jobRank(rank) == rank ? "" + rank : "%d (job rank %d)".formatted(rank, world.jobRank(rank));
  }

  /** The communicator that a body of {@link #run} is to use. */
  public static Communicator world(Job job) {
    return COMMUNICATORS.getOrDefault(job, job.world());
  }

  /** Which ranks of a larger job are in the communicator, and what the others do. */
  private static final class Subset {
    private static final int OTHERS = 2; // ranks 0 and 1 of the job
    private static final int NUMBER = 1;
    private static final int OTHERS_NUMBER = 65535;
    private static final int MOST_TAG = 100;

    private final int ranks;
    private final boolean shareMemory;
    private final CountDownLatch running; // members whose body has not ended

    Subset(int ranks, boolean shareMemory) {
      this.ranks = ranks;
      this.shareMemory = shareMemory;
      this.running = new CountDownLatch(ranks);
    }

    int jobSize() {
      return ranks + OTHERS;
    }

    /** No rank has the number in the communicator that it has in the job. */
    int[] members() {
      return IntStream.range(0, ranks).map(rank -> rank == 0 ? ranks + 1 : rank + 1).toArray();
    }

    Job.Body body(Job.Body ofMembers) {
      return job -> {
        if (job.world().rank() < OTHERS) {
          talk(communicator(job, OTHERS_NUMBER, 1, 0));
          return;
        }
        COMMUNICATORS.put(job, communicator(job, NUMBER, members()));
        try {
          ofMembers.run(job);
        } finally {
          running.countDown();
          COMMUNICATORS.remove(job);
        }
      };
    }

    /** Makes a communicator as a program does; where ranks share no memory, as it has to be made there. */
    private Communicator communicator(Job job, int number, int... members) {
      return shareMemory
          ? job.world().subset(number, members)
          : Communicator.of(job, Numbering.of(jobSize(), members), number, 0);
    }

    /** Messages with the tags that tests use, and wildcards that would take theirs, until the members are done. */
    private void talk(Communicator world) throws InterruptedException {
      Data word = Data.of(new byte[1]);
      int other = 1 - world.rank();
      boolean over = false;
      for (int tag = 0; !over; tag = (tag + 1) % MOST_TAG) {
        if (world.rank() == 0) {
          over = running.await(1, TimeUnit.MILLISECONDS);
          world.send(word, other, over ? MOST_TAG : tag);
          world.recv(word, Communicator.ANY_SOURCE, Communicator.ANY_TAG);
        } else {
          over = world.recv(word, Communicator.ANY_SOURCE, Communicator.ANY_TAG).tag() == MOST_TAG;
          world.send(word, other, tag);
        }
      }
    }
  }

  /** Skips a test of what there is only where all ranks share memory, such as offers of large messages. */
  public static void assumeShared(String cores) {
    assumeTrue(shareMemory(cores), "not all ranks share memory");
  }

  /** Skips a test of ranks that reach each other's shared allocations, whatever link reaches them. */
  public static void assumeOneNode(String cores) {
    assumeTrue(!SeveralNodes.is(cores), "ranks are on several nodes");
  }

  /** Whether all ranks do: a message that was sent is there at once. */
  public static boolean shareMemory(String cores) {
    return !cores.contains("+");
  }

  /** Waits outside the library for something that another rank does. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("what another rank was to do did not happen");
    }
  }
}
