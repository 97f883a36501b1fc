package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CpuPair;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts cache misses with cachegrind, a tool of valgrind. It follows two levels of caches for each process by itself,
 * so what one process writes is not missed by the other because of that.
 */
final class Cachegrind {
  static final String MISSING = Valgrind.missing("cache misses");

  private static final int LEAD = 50; // exchanges until caches and pools are as they stay
  private static final int COUNTED_BYTES = 32 << 20;
  private static final int MIN_EXCHANGES = 100;
  private static final int MAX_EXCHANGES = 2000;
  private static final Pattern FIRST = Pattern.compile("D1 +misses: *([0-9,]+)");
  private static final Pattern LAST = Pattern.compile("LLd misses: *([0-9,]+)");
  private static final int PROCESSES = 2;

  private final Path valgrind;

  Cachegrind(Path valgrind) {
    this.valgrind = valgrind;
  }

  /** The one to use; see {@link Valgrind#find}. */
  static Optional<Cachegrind> find(String path) {
    return Valgrind.find(path).map(Cachegrind::new);
  }

  /**
   * Misses of messages of each of these sizes that a way takes.
   *
   * @throws BenchException when the program is not in the jar or cannot be run
   */
  List<Misses> count(List<PoolWay> ways, List<Integer> sizes, PoolSettings settings, CpuPair cpus)
      throws BenchException {
    try {
      return Extracted.with(MvapichCommand.PROGRAM, file -> count(file, ways, sizes, settings, cpus));
    } catch (IOException e) {
      throw new BenchException("no cache misses can be counted: " + e.getMessage());
    }
  }

  private List<Misses> count(
      Path file, List<PoolWay> ways, List<Integer> sizes, PoolSettings settings, CpuPair cpus)
      throws IOException, InterruptedException {
    List<Misses> misses = new ArrayList<>();
    for (PoolWay.Move move : PoolWay.Move.values()) {
      for (int bytes : sizes) {
        for (PoolWay way : ways) {
          if (settings.measures(way, bytes)) {
            misses.add(count(command(file, settings, cpus), way, move, bytes));
          }
        }
      }
    }
    return misses;
  }

  private List<String> command(Path file, PoolSettings settings, CpuPair cpus) {
    return List.of(
        valgrind.toString(),
        "--tool=cachegrind",
        "--cache-sim=yes",
        "--cachegrind-out-file=/dev/null",
        "--I1=32768,8,64",
        "--D1=32768,8,64",
        "--LL=1048576,16,64", // as those of 003
        file.toString(),
        "" + cpus.first(),
        "" + cpus.second(),
        "" + settings.cellBytes(),
        "" + settings.bufferBytes());
  }

  /** A run with more messages, less a run with few: what starting takes is in both. */
  private static Misses count(List<String> command, PoolWay way, PoolWay.Move move, int bytes)
      throws IOException, InterruptedException {
    String start = "%s-unchecked %d 1 ".formatted(way.command(move), bytes);
    int exchanges = Math.clamp(COUNTED_BYTES / bytes, MIN_EXCHANGES, MAX_EXCHANGES);
    double messages = 2.0 * exchanges;
    String few = run(command, start + LEAD);
    String many = run(command, start + (LEAD + exchanges));
    return new Misses(
        way,
        move,
        bytes,
        more(FIRST, few, many) / messages,
        more(LAST, few, many) / messages);
  }

  /**
   * Returns what many exchanges miss more than few; not below 0, though how far one end runs ahead of the other differs
   * from run to run.
   */
  private static double more(Pattern pattern, String few, String many) throws IOException {
    return Math.max(0, sum(pattern, many) - sum(pattern, few));
  }

  private static String run(List<String> command, String input) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (Writer writer = process.outputWriter(StandardCharsets.US_ASCII)) {
      writer.write(input + "\n");
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("%s failed at '%s': %s".formatted(command.get(0), input, said.strip()));
    }
    return said;
  }

  private static double sum(Pattern pattern, String said) throws IOException {
    Matcher matcher = pattern.matcher(said);
    double sum = 0;
    int found = 0;
    for (; matcher.find(); found++) {
      sum += Long.parseLong(matcher.group(1).replace(",", ""));
    }
    if (found != PROCESSES) {
      throw new IOException("cachegrind counted for %d processes, not 2: %s".formatted(found, said.strip()));
    }
    return sum;
  }
}
