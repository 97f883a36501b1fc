package io.adrastea.bench.crowd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What runs on the machine while a job is measured. */
enum Beside {
  /** Nothing of ours. */
  ALONE("alone", "nothing"),
  /** A process that only wants what is left. */
  NICE19("nice19", "a process that works all the time, of niceness 19"),
  /** A process like the ranks. */
  NICE0("nice0", "a process that works all the time, of niceness 0"),
  /** A process that comes and goes. */
  WAKER("waker", "a process that works for 200 us and sleeps for 300 us"),
  /** Another job. */
  JOB("job", "a second job of two ranks, as `adrastea run` starts it, which sends all the time"),
  /** Another job that does not leave its CPUs. */
  BOUND_JOB("boundjob", "the same job with --bind cpu"),
  /** No CPU is free. */
  ALL("all", "a thread that works all the time for each CPU, of niceness 0"),
  /** What a container may have. */
  QUOTA("quota", "a quota of 1.5 CPUs for the job, in a cgroup in which it was started");

  /** What a run has beside it for which nothing is said. */
  static final String DEFAULT = "alone,nice19,nice0,waker,job,all,quota";

  private final String word;
  private final String meaning;

  Beside(String word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** Its name on the command line, in tables and in the CSV. */
  String word() {
    return word;
  }

  /** The line that explains it. */
  String legend() {
    return "%-9s%s".formatted(word, meaning);
  }

  /** The words, with commas between them. */
  static String words() {
    return Arrays.stream(values()).map(Beside::word).collect(Collectors.joining(", "));
  }

  /**
   * Returns those of a list, each once, in the order of this type.
   *
   * @throws IllegalArgumentException when one is unknown
   */
  static List<Beside> of(List<String> words) {
    List<Beside> named = words.stream().map(String::strip).map(Beside::of).toList();
    return Arrays.stream(values()).filter(named::contains).toList();
  }

  private static Beside of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "'%s' is nothing that can run beside a job; allowed are %s".formatted(word, words())));
  }
}
