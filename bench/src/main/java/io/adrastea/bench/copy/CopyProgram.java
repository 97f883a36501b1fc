package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The running program {@code adrastea-copies}: what it knows of this CPU, and its clock. */
final class CopyProgram implements AutoCloseable {
  /** Longest copy that it makes. */
  static final int MAX_BYTES = 64 << 20;

  private static final String NAME = "adrastea-copies";
  private static final String PAST_THE_CACHES = "-nt";
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Team team = new Team("copies");

  private CopyProgram() {}

  /**
   * Starts the program out of the jar, on the first two CPUs.
   *
   * @throws IOException when the jar has none for this platform or it cannot be run
   */
  static CopyProgram start(Cpus cpus) throws IOException {
    return Extracted.with(
        NAME,
        file -> new CopyProgram().started(new ProcessBuilder(file.toString(), "" + cpus.of(0, 0), "" + cpus.of(0, 1))));
  }

  private CopyProgram started(ProcessBuilder process) throws IOException, BenchException, InterruptedException {
    boolean started = false;
    try {
      team.add(NAME, process);
      routines();
      started = true;
      return this;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Returns the routines that this CPU can run. */
  List<String> routines() throws BenchException, InterruptedException {
    return List.of(told("routines", "routines").split(" "));
  }

  /** The first routine whose stores go past the caches, or {@code null}. */
  String pastTheCaches() throws BenchException, InterruptedException {
    return routines().stream().filter(name -> name.endsWith(PAST_THE_CACHES)).findFirst().orElse(null);
  }

  /** Which routine the library takes for how many bytes, and the caches that the limits come from: a line for each. */
  List<String> limits() throws BenchException, InterruptedException {
    return List.of(told("limits", "limits").split("; "));
  }

  /** The routine that the library takes, for each size. */
  Map<Integer, String> chosen(String function, List<Integer> sizes) throws BenchException, InterruptedException {
    Map<Integer, String> chosen = new HashMap<>();
    for (int bytes : sizes) {
      chosen.put(bytes, told("chosen " + function + " " + bytes, "chosen"));
    }
    return chosen;
  }

  /** Bytes of the working set. */
  long setBytes() throws BenchException, InterruptedException {
    String answer = told("set", "set");
    try {
      return Long.parseLong(answer);
    } catch (NumberFormatException e) {
      throw new BenchException(team.memberName(0) + " answered nonsense where a number is due: '" + answer + "'");
    }
  }

  /** What follows the word that an answer begins with. */
  private String told(String command, String word) throws BenchException, InterruptedException {
    String answer = team.ask(command, DEADLINE).get(0);
    if (!answer.startsWith(word + " ")) {
      throw new BenchException("%s answered nonsense to '%s': '%s'".formatted(team.memberName(0), command, answer));
    }
    return answer.substring(word.length() + 1);
  }

  /** Nanoseconds of each batch. */
  long[] run(String routine, Variant.Order order) throws BenchException, InterruptedException {
    return team.times(CopyTest.verb(order.kind(), routine), order);
  }

  @Override
  public void close() {
    team.close();
  }
}
