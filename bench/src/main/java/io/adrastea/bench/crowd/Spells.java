package io.adrastea.bench.crowd;

import io.adrastea.bench.crowd.Windows.Window;
import io.adrastea.bench.measure.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The windows of one variant in all rounds. A quantile is one over time, not over windows: half of the time an exchange
 * took the median or less. So a window counts for as long as it lasted, and a spell in which all went slowly counts in
 * full although few exchanges were made in it.
 */
final class Spells {
  private static final double LEAD = 0.1; // of a round, in which ranks wake up and find their CPUs

  private final String variant;
  private final int messages;
  private final List<Window> all = new ArrayList<>();
  private final List<Double> medians = new ArrayList<>();
  private double compilers;
  private double time;

  /**
   * @param messages of an exchange, by which times are divided
   */
  Spells(String variant, int messages) {
    this.variant = variant;
    this.messages = messages;
  }

  /** Takes in a round, without its lead. */
  void addRound(Windows round) {
    List<Window> counted = round.after((long) (LEAD * round.nanos()));
    all.addAll(counted);
    medians.add(quantile(counted, 0.5));
    compilers += round.compilerNanos();
    time += round.nanos();
  }

  String variant() {
    return variant;
  }

  /** Nanoseconds of a message, or of a call, that were not exceeded in this part of the time. */
  double nanos(double part) {
    return quantile(all, part);
  }

  private double quantile(List<Window> windows, double part) {
    List<Window> sorted =
        windows.stream().sorted(Comparator.comparingDouble(Window::perExchange)).toList();
    double due = part * windows.stream().mapToLong(Window::nanos).sum();
    double passed = 0;
    for (Window window : sorted) {
      passed += window.nanos();
      if (passed >= due) {
        return window.perExchange() / messages;
      }
    }
    return sorted.getLast().perExchange() / messages;
  }

  /** The mean of the slowest window. */
  double worst() {
    return all.stream().mapToDouble(Window::perExchange).max().orElseThrow() / messages;
  }

  /** The median of each round, in ns, in the order of the rounds. */
  List<Double> medians() {
    return List.copyOf(medians);
  }

  /** The part of the time that the compilers of all ranks have worked, together. */
  double compiling() {
    return time == 0 ? 0 : compilers / time;
  }

  /** Whether the ranks still compiled much of what was measured. */
  boolean isCold() {
    return Series.isCold(compiling());
  }
}
