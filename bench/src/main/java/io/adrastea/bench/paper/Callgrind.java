package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Counts instructions with callgrind, a tool of valgrind, which is looked for when it is wanted. */
final class Callgrind {
  static final String MISSING = Valgrind.missing("instructions");

  private static final int TIMES = 1000;
  private static final String NOTHING = "counted_nothing";
  private static final Pattern COLLECTED = Pattern.compile("Collected *: *([0-9]+)");

  private final Path valgrind;

  Callgrind(Path valgrind) {
    this.valgrind = valgrind;
  }

  /**
   * The one to use.
   *
   * @param path directories, as in the variable PATH; {@code null} stands for none
   */
  static Optional<Callgrind> find(String path) {
    return Valgrind.find(path).map(Callgrind::new);
  }

  /**
   * Instructions of one call of each function, on average, less those of a call that does nothing.
   *
   * @throws BenchException when a program is not in the jar or cannot be run
   */
  Map<Counted, Double> count(List<Counted> wanted) throws BenchException {
    Map<Counted, Double> counts = new LinkedHashMap<>();
    Map<String, List<Counted>> byProgram =
        wanted.stream().collect(Collectors.groupingBy(Counted::program));
    for (Map.Entry<String, List<Counted>> one : byProgram.entrySet()) {
      counts.putAll(count(one.getKey(), one.getValue()));
    }
    return counts;
  }

  private Map<Counted, Double> count(String program, List<Counted> wanted) throws BenchException {
    try {
      return Extracted.with(program, file -> count(file, wanted));
    } catch (IOException e) {
      throw new BenchException("no instructions can be counted: " + e.getMessage());
    }
  }

  private Map<Counted, Double> count(Path file, List<Counted> wanted)
      throws IOException, InterruptedException {
    long nothing = collected(file, wanted.get(0).state(), NOTHING);
    Map<Counted, Double> counts = new LinkedHashMap<>();
    for (Counted one : wanted) {
      long all = collected(file, one.state(), one.function());
      counts.put(one, (double) (all - nothing) / TIMES);
    }
    return counts;
  }

  private long collected(Path file, String state, String function)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
            valgrind.toString(),
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--toggle-collect=" + function,
            file.toString(),
            state,
            "" + TIMES)
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher found = COLLECTED.matcher(said);
    if (process.waitFor() != 0 || !found.find()) {
      throw new IOException(
          "%s counted no instructions of %s in %s: %s"
              .formatted(valgrind, function, state, said.strip()));
    }
    return Long.parseLong(found.group(1));
  }
}
