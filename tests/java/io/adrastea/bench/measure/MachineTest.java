package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineTest {
  @TempDir
  Path proc;
  @TempDir
  Path sys;

  @Test
  void readsModelAndKernel() throws IOException {
    Files.writeString(
        proc.resolve("cpuinfo"),
        "processor\t: 0\nmodel name\t: Fast  CPU @ 3GHz\nmodel name\t: other\n");
    Files.writeString(
        Files.createDirectories(proc.resolve("sys/kernel")).resolve("osrelease"), "6.1.0-9\n");
    Machine machine = Machine.describe(proc, sys);
    assertEquals("Fast CPU @ 3GHz", machine.cpu());
    assertTrue(machine.kernel().endsWith(" 6.1.0-9"), machine.kernel());
  }

  @Test
  void readsCachesOfDataAndTheGovernor() throws IOException {
    cache(0, "Data", "1", "48K", "0");
    cache(1, "Instruction", "1", "32K", "0");
    cache(2, "Unified", "3", "32M", "0-7");
    Path governor = sys.resolve("devices/system/cpu/cpu0/cpufreq/scaling_governor");
    Files.writeString(
        Files.createDirectories(governor.getParent()).resolve(governor.getFileName()),
        "performance\n");
    Machine machine = Machine.describe(proc, sys);
    assertEquals("L1d 48K, L3 32M shared by CPUs 0-7", machine.caches());
    assertEquals("performance", machine.governor());
  }

  private void cache(int index, String type, String level, String size, String shared)
      throws IOException {
    Path cache =
        Files.createDirectories(sys.resolve("devices/system/cpu/cpu0/cache/index" + index));
    Files.writeString(cache.resolve("type"), type + "\n");
    Files.writeString(cache.resolve("level"), level + "\n");
    Files.writeString(cache.resolve("size"), size + "\n");
    Files.writeString(cache.resolve("shared_cpu_list"), shared + "\n");
  }

  @Test
  void isSilentAboutWhatTheKernelDoesNotSay() {
    assertTrue(Machine.describe(proc, sys).cpu().startsWith("unknown"));
    assertEquals("unknown", Machine.describe(proc, sys).caches());
    assertEquals("none", Machine.describe(proc, sys).governor());
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3,true",
    "/dev/tty1,true",
    "/dev/null,false",
    "pipe:[123],false",
    "/tmp/file,false"
  })
  void progressIsShownOnATerminalOnly(Path file, boolean terminal) {
    assertEquals(terminal, Progress.isTerminal(file));
  }
}
