package io.adrastea.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * All processes of a job: its ranks, what they started, and what outlived the rank that started it.
 * The last are told by the job's id in their environment; systems without {@code /proc} do without.
 */
final class JobProcesses {
  private static final Path PROC = Path.of("/proc");

  private final String mark;

  /** Of the job of this id. */
  JobProcesses(String job) {
    this.mark = "ADRASTEA_JOB=" + job + "\0";
  }

  /** Those that run now; not the remains of those that have ended. */
  List<ProcessHandle> find(Collection<Process> ranks) {
    Stream<ProcessHandle> started =
        ranks.stream()
            .filter(Process::isAlive)
            .flatMap(rank -> Stream.concat(Stream.of(rank.toHandle()), rank.descendants()));
    return Stream.concat(started, marked()).distinct().filter(JobProcesses::runs).toList();
  }

  /** Whether a process runs that may be this rank, though the one that was started as it has ended: one that a shell left behind, say. */
  boolean actFor(int rank) {
    String itsRank = "\0ADRASTEA_RANK=" + rank + "\0";
    return marked().filter(JobProcesses::runs).anyMatch(process -> ("\0" + environment(process)).contains(itsRank));
  }

  /** Whether one of those that run now has mapped a file whose name ends so. */
  boolean map(Collection<Process> ranks, String name) {
    return find(ranks).stream().anyMatch(process -> maps(process, name));
  }

  private static boolean maps(ProcessHandle process, String name) {
    try (Stream<String> lines = Files.lines(file(process, "maps"), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.endsWith(name));
    } catch (IOException | UncheckedIOException e) {
      return false; // gone, or not ours to look at
    }
  }

  /** Whether it runs; one in state Z only waits for its parent to take notice. */
  static boolean runs(ProcessHandle process) {
    try {
      String stat = Files.readString(file(process, "stat"), StandardCharsets.ISO_8859_1);
      return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      return !Files.isDirectory(PROC.resolve("self")) && process.isAlive();
    }
  }

  private Stream<ProcessHandle> marked() {
    return ProcessHandle.allProcesses().filter(this::isMarked);
  }

  private boolean isMarked(ProcessHandle process) {
    return environment(process).contains(mark);
  }

  private static String environment(ProcessHandle process) {
    try {
      return new String(Files.readAllBytes(file(process, "environ")), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // gone, or another user's
    }
  }

  private static Path file(ProcessHandle process, String name) {
    return PROC.resolve(Long.toString(process.pid())).resolve(name);
  }
}
