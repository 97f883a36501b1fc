package io.adrastea.launch;

import io.adrastea.config.Tunable;
import io.adrastea.segment.ProcessIdentity;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a launcher puts into the environment of the ranks it starts. When they have ended it removes the segment's file,
 * if that still has its name ({@code SegmentFile.path}): not all had joined, and rank 0 leaves it to those that are
 * still to come.
 *
 * @param job 16 hex digits, random
 * @param size ranks of the job
 * @param launcher {@code <pid>:<start>} of the process whose end ends the ranks, and {@code :<inode>} of its PID
 * namespace
 * @param rendezvous where ranks of several hosts meet; null: all ranks are started on this host, by this launcher
 */
public record LaunchEnvironment(String job, int size, String launcher, String rendezvous) {
  /**
   * {@return the environment of a new job with this process as its launcher}
   *
   * @param size ranks of the job
   */
  public static LaunchEnvironment create(int size) {
    return onHost(drawJob(), size, null);
  }

  /** {@return the number of a new job, as 16 hex digits} */
  public static String drawJob() {
    return "%016x".formatted(new SecureRandom().nextLong());
  }

  /**
   * {@return the environment of the ranks that this process launches on its host, of a job that may have others}
   *
   * @param job its number, 16 hex digits
   * @param size ranks of the job on all hosts
   * @param rendezvous where they meet; null: all are on this host
   */
  public static LaunchEnvironment onHost(String job, int size, String rendezvous) {
    ProcessIdentity self = ProcessIdentity.self();
    return new LaunchEnvironment(
        job, size, self.pid() + ":" + self.start() + ":" + ProcessIdentity.visibleNamespace(), rendezvous);
  }

  /**
   * {@return the names of the variables that a launcher alone gives: what its own environment says of them is not for
   * its ranks}
   */
  public static Set<String> variables() {
    return Stream.of(Tunable.JOB, Tunable.RANK, Tunable.SIZE, Tunable.LAUNCHER, Tunable.BOOTSTRAP, Tunable.BIND)
        .map(Tunable::variable)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The variables of one rank, in place of all of {@link #variables} that an environment has.
   *
   * @param rank its number
   * @param core its core, or null for the default
   * @param cpu the CPU that its joining thread is pinned to, or -1 for none
   * @return names and values, to be added to an environment
   */
  public Map<String, String> forRank(int rank, String core, int cpu) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(Tunable.JOB.variable(), job);
    variables.put(Tunable.RANK.variable(), Integer.toString(rank));
    variables.put(Tunable.SIZE.variable(), Integer.toString(size));
    variables.put(Tunable.LAUNCHER.variable(), launcher);
    // Whatever launcher has started this one, its variables do not count.
    variables.put(Tunable.BOOTSTRAP.variable(), rendezvous == null ? "adrastea" : "rendezvous");
    if (rendezvous != null) {
      variables.put(Tunable.RENDEZVOUS.variable(), rendezvous);
    }
    if (core != null) {
      variables.put(Tunable.CORE.variable(), core);
    }
    if (cpu >= 0) {
      variables.put(Tunable.BIND.variable(), Integer.toString(cpu));
    }
    return variables;
  }
}
