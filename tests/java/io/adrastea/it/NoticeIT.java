package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.launch.SecondCompiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank that waits, in any way, hears of the death of the one that it waits for, at whatever moment that comes. A few
 * kills, each way once; {@code -Dadrastea.test.kills=1000} makes it as many. How soon is told in looks, which a machine
 * that is busy makes later, but not more: the first look that finds the process gone is the last, and a process that
 * was killed may take a while to go.
 */
class NoticeIT {
  private static final long BOUND = 100; // looks
  private static final int VICTIMS = 4;

  /** Ways that a rank which has failed before would end: for the first victim of a job. */
  private static final String[] FIRST = {"recv-any", "probe-any", "barrier", "wait-all"};

  private static final String[] LATER = {
    "recv", "recv-in-place", "irecv", "probe", "wait-any", "test", "send", "send-shared", "send-small", "claim",
    "large", "large-shared",
    "recv-beside-others"
  };

  private static final String[] CORES = {"ffm", "java", "jni"};
  private static final String[] PATHS = {"auto", "ring"};

  /** What is told of one kill. */
  private record Notice(String way, long looks) {
    static Notice of(String line) {
      String[] words = line.split(" ");
      return new Notice(words[0], Long.parseLong(words[1]));
    }
  }

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int first;
  private int later;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWayToWaitHearsOfADeathWithEitherCompiler(boolean second) throws Exception {
    int kills = Integer.getInteger("adrastea.test.kills", FIRST.length * VICTIMS);
    List<Notice> notices = new ArrayList<>();
    for (int job = 0; notices.size() < kills; job++) {
      notices.addAll(run(CORES[job % CORES.length], PATHS[job % PATHS.length], second));
    }
    notices.sort(Comparator.comparingLong(Notice::looks));
    System.out.println(distribution(notices));
    for (Notice notice : notices) {
      assertTrue(notice.looks() < BOUND, () -> "seed %d: %s".formatted(seed, notice));
    }
  }

  private List<Notice> run(String core, String path, boolean second) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    String[] words = new String[VICTIMS + 2];
    words[0] = "io.adrastea.it.NoticeRank";
    words[1] = Long.toString(random.nextLong());
    words[2] = FIRST[first++ % FIRST.length];
    for (int victim = 2; victim <= VICTIMS; victim++) {
      words[1 + victim] = LATER[later++ % LATER.length];
    }
    Path log = directory.resolve(job + ".log");
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank <= VICTIMS; rank++) {
        String own = rank == 0 ? core : CORES[random.nextInt(CORES.length)];
        Launch launch = Launch.rank(shm, job, rank, VICTIMS + 1, words).set("core", own).set("lmt", path);
        if (rank == 0) {
          Looks.of(launch, directory);
        }
        ranks.add((second && rank == 0 ? launch.secondCompiler(log) : launch).start());
      }
      List<Notice> notices = ranks.get(0).await().exits(0).lines().stream().map(Notice::of).toList();
      for (Child victim : ranks.subList(1, ranks.size())) {
        victim.await().exits(137);
      }
      assertTrue(!second || SecondCompiler.hasCompiled(log, SecondCompiler.LOOK),
          () -> "" + SecondCompiler.compiled(log));
      assertTrue(notices.size() == VICTIMS, () -> Arrays.toString(words) + ": " + notices);
      return notices;
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private static String distribution(List<Notice> sorted) {
    int count = sorted.size();
    return "%d kills: noticed after %d looks at the earliest, median %d, 99 %% %d, at the latest %d (%s)"
        .formatted(
            count,
            sorted.get(0).looks(),
            sorted.get(count / 2).looks(),
            sorted.get((count - 1) * 99 / 100).looks(),
            sorted.get(count - 1).looks(),
            sorted.get(count - 1).way());
  }
}
