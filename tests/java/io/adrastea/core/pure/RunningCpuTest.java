package io.adrastea.core.pure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CPU of a thread, by lines of {@code /proc} that a test writes. */
class RunningCpuTest {
  private static final int FIELDS = 52;
  private static final int CPU_FIELD = 39;
  private static final int NAME_FIELD = 2;

  @TempDir
  Path directory;

  /** Fields from 1 on, each of which is its own number but the name and the CPU. */
  private static String line(String name, Object cpu, int fields) {
    StringBuilder line = new StringBuilder();
    for (int field = 1; field <= fields; field++) {
      line.append(field == NAME_FIELD ? "(" + name + ")" : field == CPU_FIELD ? cpu : field).append(' ');
    }
    return line.toString().strip() + "\n";
  }

  private int cpuIn(String text) throws IOException {
    try (RunningCpu cpu = new RunningCpu(Files.writeString(directory.resolve("stat"), text))) {
      return cpu.get();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "a b) c (d", ") 1 2 3", "(((", ""})
  void aNameMayHoldBlanksAndBrackets(String name) throws IOException {
    assertEquals(7, cpuIn(line(name, 7, FIELDS)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 8191, 65535})
  void everyNumberOfACpuIsRead(int number) throws IOException {
    assertEquals(number, cpuIn(line("java", number, FIELDS)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", ")", "no line", "1 (java) R 2 3\n"})
  void aLineWithoutACpuTellsNothing(String text) throws IOException {
    assertEquals(RunningCpu.UNKNOWN, cpuIn(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "1x", "123456", ""})
  void whatIsNoNumberOfACpuTellsNothing(String cpu) throws IOException {
    assertEquals(RunningCpu.UNKNOWN, cpuIn(line("java", cpu, FIELDS)));
  }

  @Test
  void aLineThatEndsWithTheCpuWasCutOff() throws IOException {
    assertEquals(RunningCpu.UNKNOWN, cpuIn(line("java", 7, CPU_FIELD).strip()));
  }

  @Test
  void aSystemWithoutTheFileTellsNothing() {
    try (RunningCpu cpu = new RunningCpu(directory.resolve("missing"))) {
      assertEquals(RunningCpu.UNKNOWN, cpu.get());
    }
  }

  @Test
  void itIsOneOfTheMachinesAndNoFileIsReadAfterTheEnd() {
    RunningCpu cpu = new RunningCpu();
    int number = cpu.get();
    assertTrue(number >= 0 && Files.exists(Path.of("/sys/devices/system/cpu/cpu" + number)), "CPU " + number);
    cpu.close();
    assertEquals(number, cpu.get());
  }

  @Test
  void eachThreadIsToldOfItself() throws Exception {
    Path stat = Files.writeString(directory.resolve("stat"), line("java", 3, FIELDS));
    try (RunningCpu cpu = new RunningCpu(stat)) {
      assertEquals(3, cpu.get());
      Files.delete(stat);
      Files.writeString(stat, line("java", 4, FIELDS));
      int[] found = {3};
      Thread other = new Thread(() -> {
        while (found[0] == 3) { // until what the first thread has read does not count any more
          found[0] = cpu.get();
        }
      });
      other.start();
      other.join();
      assertEquals(4, found[0], "the other thread opens the file anew");
    }
  }
}
