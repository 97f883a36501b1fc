package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes by their number, as the kernel sees them. */
final class Processes {
  private static final Path PROC = Path.of("/proc");

  private Processes() {}

  /** Returns the processes that run and whose environment holds {@code variable=value}. */
  static List<Long> with(String variable, String value) {
    byte[] mark = (variable + "=" + value + "\0").getBytes(StandardCharsets.ISO_8859_1);
    String text = new String(mark, StandardCharsets.ISO_8859_1);
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> read(pid, "environ").contains(text))
        .filter(Processes::runs)
        .toList();
  }

  /** Whether it runs; one in state Z has ended. */
  static boolean runs(long pid) {
    String stat = read(pid, "stat");
    int name = stat.lastIndexOf(')');
    return name >= 0 && "ZX".indexOf(stat.charAt(name + 2)) < 0;
  }

  /** Its words, separated by zeros. */
  static String commandLine(long pid) {
    return read(pid, "cmdline");
  }

  /** What it has mapped, a line each. */
  static String maps(long pid) {
    return read(pid, "maps");
  }

  /** A line of {@code /proc/<pid>/status}. */
  static String status(String pid, String key) throws IOException {
    return Files.readAllLines(PROC.resolve(pid).resolve("status")).stream()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).trim())
        .findFirst()
        .orElseThrow();
  }

  /**
   * Sends a signal, as in {@code signal("KILL", 1234)}; a negative number is that of a process group.
   */
  static void signal(String name, long pid) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-s", name, "--", Long.toString(pid)).inheritIO().start();
    assertEquals(0, kill.waitFor(), () -> "kill -s " + name + " " + pid);
  }

  private static String read(long pid, String file) {
    try {
      return Files.readString(
          PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // gone, or another user's
    }
  }
}
