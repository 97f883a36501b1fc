package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The papers' experiments on the C core: counted by callgrind where it is, timed everywhere. */
@Tag("spins")
class CountsIT {
  private static final String[] QUICK = {"--rounds", "1", "--seconds", "0.02", "--warmup", "0.01"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void instructionsOfSendAndReceiveStandBesideTable1() throws Exception {
    Programs.require("valgrind", "valgrind");
    Outcome outcome =
        Launch.adrastea(shm, "bench", "paper", "mpich2-instructions", "--csv", "-").run().exits(0);
    outcome.says("MPICH2 2007: MPICH2 Nemesis ", "ours, fastbox", "not counted");
    for (String start : List.of("ours fastbox,8,send", "ours queue no BP,8,receive")) {
      String line = line(outcome.lines(), "mpich2-instructions," + start + ",");
      double count = Double.parseDouble(line.split(",")[4]);
      assertTrue(count > 10 && count < 2000, line);
    }
  }

  @Test
  void queueAndFastboxAreTimedWithoutValgrindToo() throws Exception {
    Path csv = directory.resolve("queue.csv");
    Launch.adrastea(shm, "bench", "paper", "nemesis-queue")
        .add(QUICK)
        .add("--csv", csv.toString())
        .variable("PATH", directory)
        .run()
        .exits(0)
        .prints("without shadow head", "fastbox", "the package valgrind");
    List<String> lines = Files.readAllLines(csv);
    for (String variant : List.of("queue without shadow head", "queue", "fastbox", "floor")) {
      line(lines, "nemesis-queue," + variant + ",8,p50,");
    }
  }

  @Test
  void queueOperationsAreCountedWithAndWithoutShadowHead() throws Exception {
    Programs.require("valgrind", "valgrind");
    Outcome outcome =
        Launch.adrastea(shm, "bench", "paper", "nemesis-queue").add(QUICK).run().exits(0);
    String dequeue =
        outcome.lines().stream().filter(one -> one.startsWith("dequeue, the last")).findFirst().orElseThrow();
    String[] cells = dequeue.split("  +");
    assertEquals("11", cells[3], dequeue);
    assertTrue(Double.parseDouble(cells[1]) < Double.parseDouble(cells[2]), "it has a shadow head to move: " + dequeue);
  }

  @Test
  void pollingIsTimedForEachNumberOfRanks() throws Exception {
    Path csv = directory.resolve("polling.csv");
    Path html = directory.resolve("polling.html");
    Launch.adrastea(shm, "bench", "paper", "mvapich-polling", "--ranks", "2,8,64", "--core", "java")
        .quickThroughout()
        .add(QUICK)
        .add("--csv", csv.toString(), "--html", html.toString())
        .run()
        .exits(0)
        .prints("C from any source", "each box");
    List<String> lines = Files.readAllLines(csv);
    for (String variant : List.of("C by source", "C from any source", "channel", "bitmap", "counters", "each box")) {
      for (int ranks : new int[] {2, 8, 64}) {
        line(lines, "mvapich-polling,%s,%d,p50,".formatted(variant, ranks));
      }
    }
    line(lines, "mvapich-polling,java,2,p50,");
    line(lines, "mvapich-polling,java,8,p50,");
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("mvapich-polling,java,64")));
    assertTrue(Files.readString(html).contains("A look that finds nothing"));
  }

  private static String line(List<String> lines, String start) {
    List<String> found = lines.stream().filter(line -> line.startsWith(start)).toList();
    assertEquals(1, found.size(), start);
    return found.get(0);
  }
}
