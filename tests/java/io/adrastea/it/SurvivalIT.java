package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.launch.SecondCompiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ranks of all kinds killed at random while every rank sends to every other, with few cells: nobody hangs, what the
 * living send each other arrives once, in order and right, and their cells come back. {@code -Dadrastea.test.kills=N}:
 * so many kills instead of 20; {@code
 * -Dadrastea.seed=N}: the same order and pauses as a run before.
 */
class SurvivalIT {
  private static final int VICTIMS = 10; // of one job
  private static final int CELLS = 16; // no more than a job has ranks to share them out to: none is guaranteed to
                                       // anybody
  private static final int SLOTS = 64;
  private static final int BOX_THRESHOLD = 4; // messages to one rank before it is asked for a fastbox
  private static final int MOST_PAUSE = 60; // milliseconds from one kill to the next
  private static final String C = "c";
  private static final int FEW_VICTIMS = 5; // of a job whose JVMs also compile
  private static final String[] HOT = {SecondCompiler.LOOK, SecondCompiler.SEND};
  private static final String[] KINDS = {"ffm", "java", "jni", C};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final int kills = Integer.getInteger("adrastea.test.kills", 20);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @Test
  void ranksKilledAtRandomTakeNothingWithThem() throws Exception {
    System.out.printf("SurvivalIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int job = 0; job * VICTIMS < kills; job++) {
      int victims = Math.min(VICTIMS, kills - job * VICTIMS);
      Path marks = Files.createDirectory(directory.resolve("job" + job));
      kill(seed + job, victims, job % 2 == 0 ? 0 : SLOTS, marks, false);
    }
  }

  @Test
  void ranksKilledInCodeOfTheSecondCompilerTakeNothingWithThem() throws Exception {
    System.out.printf("SurvivalIT: %d kills with the second compiler, -Dadrastea.seed=%d%n", kills / 2, seed);
    for (int job = 0; job * FEW_VICTIMS < kills / 2; job++) {
      Path marks = Files.createDirectory(directory.resolve("job" + job));
      kill(seed + job, FEW_VICTIMS, job % 2 == 0 ? 0 : SLOTS, marks, true);
    }
  }

  /**
   * @param slots of the fastboxes; 0: there are none, and everything goes through queues
   * @param second whether nobody is killed before the second compiler has compiled what all ranks run
   */
  private void kill(long seed, int victims, int slots, Path marks, boolean second) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    int size = SurvivalRank.SURVIVORS + victims;
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        Launch launch = launch(job, rank, size, seed, marks).set("box.lines", slots);
        if (second && !isC(rank)) {
          launch.secondCompiler(log(marks, rank));
        }
        ranks.add(
            (slots == 0 ? launch
                : launch.set("box.message.bytes", SurvivalRank.BOX_BYTES).set("box.threshold", BOX_THRESHOLD))
                .start());
      }
      ranks.get(0).awaitOutput("^all talk$");
      for (int rank = 0; second && rank < size; rank++) {
        if (!isC(rank)) {
          awaitHot(log(marks, rank));
        }
      }
      killAll(new ArrayList<>(ranks.subList(SurvivalRank.SURVIVORS, size)), new Random(seed));
      for (Child victim : ranks.subList(SurvivalRank.SURVIVORS, size)) {
        victim.await().exits(137);
      }
      for (int rank = 0; rank < SurvivalRank.SURVIVORS; rank++) {
        requireSurvived(ranks.get(rank).await().exits(0), KINDS[rank], victims);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private static boolean isC(int rank) {
    return KINDS[rank % KINDS.length].equals(C);
  }

  private static Path log(Path marks, int rank) {
    return marks.resolveSibling(marks.getFileName() + "-rank" + rank + ".log");
  }

  private static void awaitHot(Path log) throws Exception {
    Deadline.await("sends, looks and receives are compiled", () -> SecondCompiler.hasCompiled(log, HOT),
        () -> SecondCompiler.compiled(log));
  }

  private Launch launch(String job, int rank, int size, long seed, Path marks) {
    String kind = KINDS[rank % KINDS.length];
    String word = Long.toString(seed);
    Launch launch =
        kind.equals(C)
            ? CProgram.rank(shm, job, rank, size, "survival", word)
            : Launch.rank(shm, job, rank, size, "io.adrastea.it.SurvivalRank", word, "" + CELLS, marks.toString())
                .set("core", kind);
    return launch.set("cells", CELLS).set("cell.bytes", SurvivalRank.CELL_LONGS * Long.BYTES);
  }

  private static void killAll(List<Child> victims, Random random) throws Exception {
    Collections.shuffle(victims, random);
    for (Child victim : victims) {
      Thread.sleep(random.nextInt(MOST_PAUSE));
      victim.signal("KILL");
    }
  }

  private static void requireSurvived(Outcome outcome, String kind, int victims) {
    outcome.prints("%s: survived %d".formatted(kind, victims));
    if (!kind.equals(C)) {
      outcome.prints("depth %d of %d".formatted(CELLS, CELLS));
      assertTrue(!outcome.out().contains("sent 0,"), outcome::toString);
    }
  }
}
