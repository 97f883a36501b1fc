package io.adrastea.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The trees of tests/cgroup, which the C twin's test reads too. */
class CpuQuotaTest {
  private static final Path TREES = Path.of(System.getProperty("adrastea.root"), "tests/cgroup");

  @TempDir
  Path root;

  static Stream<String> trees() throws IOException {
    try (Stream<Path> files = Files.list(TREES)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".tree")).sorted().toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("trees")
  void theLeastQuotaOfAllGroupsIsFound(String tree) throws IOException {
    assertEquals(unfold(TREES.resolve(tree)), CpuQuota.read(root).hundredths());
  }

  @Test
  void whereNothingIsToldThereIsNoLimit() {
    assertEquals(new CpuQuota(0), CpuQuota.read(root));
  }

  @Test
  void theLesserQuotaIsTheOneThatLeavesLess() {
    CpuQuota none = new CpuQuota(0);
    CpuQuota small = new CpuQuota(70);
    assertEquals(none, none.lesser(none));
    assertEquals(small, none.lesser(small));
    assertEquals(small, small.lesser(none));
    assertEquals(small, small.lesser(new CpuQuota(300)));
    assertEquals(small, new CpuQuota(300).lesser(small));
  }

  @Test
  void aQuotaIsRoundedUpToWholeCpus() {
    assertEquals(8, new CpuQuota(0).limit(8));
    assertEquals(1, new CpuQuota(1).limit(8));
    assertEquals(1, new CpuQuota(100).limit(8));
    assertEquals(2, new CpuQuota(101).limit(8));
    assertEquals(8, new CpuQuota(900).limit(8));
  }

  /** Makes the files of a tree; returns the quota that must be found. */
  private int unfold(Path tree) throws IOException {
    int quota = -1;
    Path file = null;
    for (String line : Files.readAllLines(tree)) {
      if (line.startsWith("== ")) {
        file = root.resolve(line.substring(3));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
      } else if (file != null) {
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
      } else if (line.startsWith("quota ")) {
        quota = Integer.parseInt(line.substring(6));
      }
    }
    return quota;
  }
}
