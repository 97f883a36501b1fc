package io.adrastea.cli.bench;

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
  @TempDir Path proc;

  @Test
  void readsModelAndKernel() throws IOException {
    Files.writeString(
        proc.resolve("cpuinfo"),
        "processor\t: 0\nmodel name\t: Fast  CPU @ 3GHz\nmodel name\t: other\n");
    Files.writeString(
        Files.createDirectories(proc.resolve("sys/kernel")).resolve("osrelease"), "6.1.0-9\n");
    Machine machine = Machine.describe(proc);
    assertEquals("Fast CPU @ 3GHz", machine.cpu());
    assertTrue(machine.kernel().endsWith(" 6.1.0-9"), machine.kernel());
  }

  @Test
  void isSilentAboutWhatTheKernelDoesNotSay() {
    assertTrue(Machine.describe(proc).cpu().startsWith("unknown"));
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
