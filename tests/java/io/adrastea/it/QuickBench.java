package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A bench of all ranks of a job, beside MPIs, in quick runs. */
record QuickBench(ShmDirectory shm, String name) {
  private String[] whole(String... words) {
    List<String> all = new ArrayList<>(List.of("bench", name, "--quick"));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }

  Launch launch(String... words) {
    return Launch.adrastea(shm, whole(words));
  }

  Outcome run(String... words) throws Exception {
    return launch(words).quickThroughout().run();
  }

  /** What it says to words that it refuses before it runs. */
  Outcome refused(String... words) {
    return Outcome.here(whole(words)).exits(2);
  }

  /** Requires the figures of a bench, a variant and a size, each of them once. */
  static void has(Outcome outcome, String start) {
    for (String metric : List.of("p50", "round-1", "round-2")) {
      String whole = start + metric + ",";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(whole)).count(), whole);
    }
  }

  static void assumeOpenMpi() {
    boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mpicc.openmpi")));
    assumeTrue(installed, "Open MPI and its compiler are not installed");
  }
}
