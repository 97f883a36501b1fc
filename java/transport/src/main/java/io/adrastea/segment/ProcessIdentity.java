package io.adrastea.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that can be told from a later one with the same number.
 *
 * @param pid its number
 * @param start when it started: clock ticks since boot (field 22 of {@code /proc/<pid>/stat}), milliseconds since 1970 on
 *     systems without {@code /proc}, 0 when unknown
 */
public record ProcessIdentity(long pid, long start) {
  private static final ProcessIdentity SELF =
      of(ProcessHandle.current().pid()).orElse(new ProcessIdentity(ProcessHandle.current().pid(), 0));

  /** This process. */
  public static ProcessIdentity self() {
    return SELF;
  }

  /** The process that has this number now; empty when there is none, or only its remains (state Z or X). */
  public static Optional<ProcessIdentity> of(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.isDirectory(Path.of("/proc/self"))) {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .map(process -> new ProcessIdentity(pid, startMillis(process)));
    }
    try {
      String text = Files.readString(stat, java.nio.charset.StandardCharsets.ISO_8859_1);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" "); // field 3 onwards: the name may hold anything
      boolean gone = fields[0].equals("Z") || fields[0].equals("X");
      return gone ? Optional.empty() : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[19])));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Whether the process still runs; one whose start is unknown is told by its number alone. */
  public boolean isAlive() {
    return of(pid).filter(now -> start == 0 || now.start() == start).isPresent();
  }

  /** Inode of the PID namespace of this process; 0 where there is none. */
  public static long namespace() {
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString(); // pid:[4026531836]
      return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
