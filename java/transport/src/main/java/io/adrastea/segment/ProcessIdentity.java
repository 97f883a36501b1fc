package io.adrastea.segment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that can be told from a later one with the same number.
 *
 * @param pid its number
 * @param start when it started: clock ticks since boot (field 22 of {@code /proc/<pid>/stat}), milliseconds since 1970
 * on systems without {@code /proc}, 0 when unknown
 */
public record ProcessIdentity(long pid, long start) {
  private static final Path PROC = Path.of("/proc");
  private static final long SIGKILL_BIT = 1 << 8; // of signal 9, in a set of them

  private static final ProcessIdentity SELF =
      of(ProcessHandle.current().pid()).orElse(new ProcessIdentity(ProcessHandle.current().pid(), 0));

  /** This process. */
  public static ProcessIdentity self() {
    return SELF;
  }

  /** The process that has this number now; empty when there is none, or only its remains. */
  private static Optional<ProcessIdentity> of(long pid) {
    if (!isThere(PROC)) {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .map(process -> new ProcessIdentity(pid, startMillis(process)));
    }
    try {
      return Optional.of(new ProcessIdentity(pid, Stat.of(PROC, pid).start()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /**
   * A process as {@code /proc} tells of it.
   *
   * @param identity the process
   * @param name what it is called, cut off after 15 bytes
   * @param parent the process that it was started by; 0: one outside of this PID namespace
   */
  public record Named(ProcessIdentity identity, String name, long parent) {}

  /** The process of this number; empty when there is none, or no {@code /proc}. */
  public static Optional<Named> lookUp(long pid) {
    try {
      Stat stat = Stat.of(PROC, pid);
      return Optional.of(new Named(new ProcessIdentity(pid, stat.start()), stat.name(), stat.parent()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** What {@code /proc/<pid>/stat} says. */
  private record Stat(String name, char state, long parent, long threads, long start) {
    static Stat of(Path proc, long pid) throws IOException {
      String text = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
      // Field 3 onwards: the name may hold anything.
      int end = text.lastIndexOf(')');
      String[] fields = text.substring(end + 2).split(" ");
      return new Stat(text.substring(text.indexOf('(') + 1, end), fields[0].charAt(0), Long.parseLong(fields[1]),
          Long.parseLong(fields[17]), Long.parseLong(fields[19]));
    }

    /**
     * A process whose first thread has ended has the state of that thread, Z, for as long as others go on. And of one
     * that was killed no thread writes any more once it is down to that one.
     */
    boolean isRemains() {
      return (state == 'Z' || state == 'X') && threads <= 1;
    }
  }

  /**
   * Whether the process still runs: not when only its remains are there. One whose start is unknown is told by its
   * number alone. When nothing can be learned (no file descriptor is left, say, or Linux has no {@code /proc} here) it
   * counts as alive.
   */
  public boolean isAlive() {
    // Not on Linux, where Java has but /proc to ask.
    boolean asked = !isThere(PROC) && ProcessHandle.of(SELF.pid()).isPresent();
    return asked ? of(pid).filter(this::isSame).isPresent() : isAlive(PROC);
  }

  /** Whether it tells of this process's namespace: else that a process is not found there says nothing. */
  private static boolean isThere(Path proc) {
    return Files.isDirectory(proc.resolve("self"));
  }

  /** By what a tree like {@code /proc} tells. */
  boolean isAlive(Path proc) {
    try {
      Stat now = Stat.of(proc, pid);
      return !now.isRemains() && isSame(new ProcessIdentity(pid, now.start()));
    } catch (IOException | RuntimeException e) {
      // It ended in this moment, or could not be read.
      return !isThere(proc) || Files.exists(proc.resolve(Long.toString(pid)));
    }
  }

  /**
   * Whether a process is about to end, or only its remains are there: its first thread has given the memory back, which
   * the last one is to follow, or has been told to end at once (SIGKILL). False when nothing can be learned.
   */
  public static boolean isEnding(int pid) {
    return isEnding(PROC, pid);
  }

  static boolean isEnding(Path proc, int pid) {
    boolean memory = false;
    boolean killed = false;
    try {
      for (String line : Files.readAllLines(proc.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
        memory |= line.startsWith("VmSize:"); // is left out when there is no memory
        boolean pending = line.startsWith("SigPnd:") || line.startsWith("ShdPnd:"); // of the thread, of the process
        killed |= pending && (Long.parseUnsignedLong(line.substring(7).strip(), 16) & SIGKILL_BIT) != 0;
      }
      return !memory || killed;
    } catch (IOException | RuntimeException e) {
      return isThere(proc) && !Files.exists(proc.resolve(Integer.toString(pid))); // it has ended in this moment
    }
  }

  private boolean isSame(ProcessIdentity now) {
    return start == 0 || now.start() == start;
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

  /**
   * Whether a process is in the user namespace of this one, as far as this one can see: of a process outside of it, the
   * system tells only one that has power there.
   */
  public static boolean isInUserNamespace(int pid) {
    try {
      Path own = Files.readSymbolicLink(PROC.resolve("self/ns/user")); // user:[4026531837]
      return own.equals(Files.readSymbolicLink(PROC.resolve(pid + "/ns/user")));
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /**
   * The namespace whose numbers {@code /proc} tells of, if that is this process's own; 0: processes cannot be looked up
   * by their numbers (another namespace's {@code /proc} is mounted, or none).
   */
  public static long visibleNamespace() {
    return visibleNamespace(PROC, SELF.pid());
  }

  static long visibleNamespace(Path proc, long pid) {
    try {
      boolean own = Files.readSymbolicLink(proc.resolve("self")).toString().equals(Long.toString(pid));
      return own ? namespace() : 0;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
