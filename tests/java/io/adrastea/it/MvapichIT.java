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

/** {@code bench paper mvapich}: the ways of cells of [MVAPICH 2006] beside ours, as the program in C carries them. */
@Tag("spins")
class MvapichIT {
  private static final String[] QUICK = {"--rounds", "2", "--seconds", "0.005", "--warmup", "0"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private Launch mvapich(String... words) {
    return Launch.adrastea(shm, "bench", "paper", "mvapich").add(QUICK).add(words);
  }

  private static double figure(List<String> lines, String start) {
    List<String> found = lines.stream().filter(line -> line.startsWith("mvapich," + start + ",")).toList();
    assertEquals(1, found.size(), start);
    return Double.parseDouble(found.get(0).split(",")[4]);
  }

  @Test
  void everyWayIsTimedAndMemoryToldWithoutValgrindToo() throws Exception {
    Path csv = directory.resolve("mvapich.csv");
    Path html = directory.resolve("mvapich.html");
    mvapich("--sizes", "1K,80K", "--ranks", "2,32", "--csv", csv.toString(), "--html", html.toString())
        .variable("PATH", directory)
        .run()
        .exits(0)
        .prints("Latency", "Bandwidth", "time over that of cells", "(MVAPICH 2006, Fig. 6)",
            "the package valgrind", "1650");
    List<String> lines = Files.readAllLines(csv);
    String where = lines.stream().anyMatch(line -> line.contains(" near,")) ? " near" : "";
    for (String move : List.of("latency", "stream")) {
      for (String way : List.of("cells", "cells+boxes", "pool k=1", "pool fifo", "pair buffer")) {
        assertTrue(figure(lines, "%s %s%s,1024,p50".formatted(way, move, where)) > 0);
      }
      for (int packets : new int[] {1, 2, 4, 8, 16}) {
        assertTrue(figure(lines, "pool k=%d %s%s,81920,p50".formatted(packets, move, where)) > 0);
      }
    }
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("mvapich,pool k=2 latency" + where + ",1024")));
    assertEquals(2 * 1 * 1048576.0, figure(lines, "pair buffers,2,memory"));
    double begins = figure(lines, "ours from the start,32,memory");
    assertTrue(begins < figure(lines, "pools,32,memory"));
    assertTrue(begins < figure(lines, "ours with all fastboxes,32,memory"));
    assertTrue(lines.stream().noneMatch(line -> line.contains("misses")));
    assertTrue(Files.readString(html).contains("Shared memory of a node"));
  }

  @Test
  void cachegrindSeesThatPairBuffersDoNotStayInTheCache() throws Exception {
    Programs.require("valgrind", "valgrind");
    Outcome outcome = mvapich("--sizes", "64K", "--csv", "-").run().exits(0);
    outcome.says("(MVAPICH 2006, Fig. 9)");
    double pool = figure(outcome.lines(), "pool k=1 latency,65536,last_misses"); // our own cells go round all of theirs
    double pair = figure(outcome.lines(), "pair buffer latency,65536,last_misses");
    assertTrue(pair > 1000, "the lines of a message, at both ends: " + pair);
    assertTrue(pool < pair / 2, pool + " " + pair);
  }

  @Test
  void aLongerMessageHasNoFigureForASmallPairBuffer() throws Exception {
    Path csv = directory.resolve("small.csv");
    mvapich("--sizes", "2K,8K", "--cell", "4K", "--pair-buffer", "4K", "--csv", csv.toString())
        .variable("PATH", directory)
        .run()
        .exits(0)
        .prints("pair buffers of 4 KiB, cells of 4096 bytes");
    List<String> lines = Files.readAllLines(csv);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("mvapich,pair buffer latency") && line.contains(",2048,")));
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("mvapich,pair buffer ") && line.contains(",8192,")));
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("mvapich,pool k=2 stream") && line.contains(",8192,")));
  }
}
