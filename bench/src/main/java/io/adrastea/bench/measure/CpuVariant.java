package io.adrastea.bench.measure;

import java.io.IOException;
import java.util.List;

/**
 * Ranks of a core whose figures are the CPU time of both ranks of a pair, without that of polls that found nothing.
 * They wait by a {@link PollMeter}, so they are others than those whose time is measured.
 */
public record CpuVariant(CoreVariant ranks) implements Variant {
  /** What the figures are, for a heading. */
  public static final List<String> LEGEND = List.of(
      "CPU of   CPU time of both ranks for a message: that of the threads that send and receive, user and system,",
      "         without polls that found nothing; by ranks of their own, which read the clock at each poll");

  /** Starts the ranks and waits until all have joined. */
  public static CpuVariant start(CorePair cores, int ranks, Cpus cpus, RankOptions options)
      throws IOException, BenchException, InterruptedException {
    return new CpuVariant(CoreVariant.start(cores, ranks, cpus, options.withMeter()));
  }

  @Override
  public String name() {
    return "CPU of " + ranks.name();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return !kind.equals(Kind.TOUCH) && ranks.measures(kind, bytes); // which is told as time
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return ranks.run(
        new Order(order.kind().cpu(), order.bytes(), order.batches(), order.exchanges(), order.expected()));
  }

  @Override
  public long compilerNanos() throws BenchException, InterruptedException {
    return ranks.compilerNanos();
  }

  @Override
  public void close() {
    ranks.close();
  }
}
