package io.adrastea.cli.run;

import io.adrastea.config.Tunable;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All processes of a job on this host: its ranks, what they started, and what outlived the rank that started it. The
 * last are told by the job's id in their environment; systems without {@code /proc} do without. The id is no secret, so
 * a process of another user is never taken for one of them, whatever its environment says: a launcher of root's could
 * read it, and would end it.
 */
final class JobProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_MILLIS = 5;
  private static final int KILL_ROUNDS = 20;
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String mark;

  /** The processes that have this in their environment, a variable and its value with = between. */
  JobProcesses(String mark) {
    this.mark = mark + "\0";
  }

  /**
   * The processes of a job that this process launches on this host; another host of the job may be this very machine.
   */
  static JobProcesses of(LaunchEnvironment job) {
    return new JobProcesses(job.rendezvous() == null
        ? Tunable.JOB.variable() + "=" + job.job()
        : Tunable.LAUNCHER.variable() + "=" + job.launcher());
  }

  /**
   * Finds the processes that run now; not the remains of those that have ended. This looks at all processes of the
   * machine, and is dear under load.
   */
  List<ProcessHandle> find(Collection<Process> ranks) {
    return Stream.concat(tree(ranks).stream(), marked()).distinct().filter(JobProcesses::runs).toList();
  }

  /**
   * The ranks that run and all that they started, as long as the process that started it runs; a single look at the
   * processes' parents tells.
   */
  static List<ProcessHandle> tree(Collection<Process> ranks) {
    Set<ProcessHandle> members = new LinkedHashSet<>();
    ranks.stream().filter(Process::isAlive).map(Process::toHandle).forEach(members::add);
    List<ProcessHandle> others =
        ProcessHandle.current().descendants().filter(process -> !members.contains(process)).toList();
    Map<ProcessHandle, List<ProcessHandle>> children =
        others.stream().collect(Collectors.groupingBy(process -> process.parent().orElse(process)));
    Deque<ProcessHandle> parents = new ArrayDeque<>(members);
    while (!parents.isEmpty()) {
      children.getOrDefault(parents.remove(), List.of()).stream().filter(members::add).forEach(parents::add);
    }
    return List.copyOf(members);
  }

  /**
   * Whether a process runs that may be this rank, though the one that was started as it has ended: one that a shell
   * left behind, say.
   */
  boolean actFor(int rank) {
    String itsRank = "\0ADRASTEA_RANK=" + rank + "\0";
    return marked().filter(JobProcesses::runs).anyMatch(process -> ("\0" + environment(process)).contains(itsRank));
  }

  /**
   * Files that a process has open and that have this name, as another process can open them:
   * {@code /proc/<pid>/fd/<n>}.
   */
  static Stream<Path> open(ProcessHandle process, String name) {
    try (Stream<Path> files = Files.list(file(process, "fd"))) {
      return files.filter(file -> leadsTo(file, name)).toList().stream();
    } catch (IOException | UncheckedIOException e) {
      return Stream.empty(); // gone, or not ours to look at
    }
  }

  private static boolean leadsTo(Path link, String name) {
    try {
      return Files.readSymbolicLink(link).endsWith(name);
    } catch (IOException e) {
      return false; // closed
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
    return isOurs(process) && environment(process).contains(mark);
  }

  private static boolean isOurs(ProcessHandle process) {
    try {
      return (int) Files.getAttribute(file(process, ""), "unix:uid") == SegmentFile.uid();
    } catch (IOException e) {
      return false; // gone
    }
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

  /**
   * Ends processes: SIGTERM, and SIGKILL for what is still there 2 s later. Returns when all have ended. What starts
   * another process while it is being ended is met again in the next look.
   *
   * @param known those that need no looking for: they are asked at once, however long the look takes
   * @param running tells what runs now, these among it
   */
  static void end(List<ProcessHandle> known, Supplier<List<ProcessHandle>> running) {
    known.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + GRACE_NANOS;
    Set<ProcessHandle> asked = new LinkedHashSet<>(known);
    List<ProcessHandle> more = running.get().stream().filter(asked::add).toList();
    more.forEach(ProcessHandle::destroy);
    await(asked, more.isEmpty() ? deadline : System.nanoTime() + GRACE_NANOS);
    for (int round = 0; round < KILL_ROUNDS; round++) {
      List<ProcessHandle> left = running.get();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      await(left, System.nanoTime() + ROUND_NANOS);
    }
  }

  private static void await(Collection<ProcessHandle> processes, long deadline) {
    while (processes.stream().anyMatch(JobProcesses::runs) && System.nanoTime() < deadline) {
      rest();
    }
  }

  private static void rest() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // what is to be ended is ended all the same
    }
  }
}
