package io.adrastea.bench.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A variant against the floor: the ratio is taken within each round, where both met the same machine.
 *
 * @param low where the middle half of the rounds' ratios begins
 * @param median over the rounds
 * @param high where the middle half ends
 * @param warm whether all figures in it were taken of compiled code; if not, no verdict is given
 */
public record Ratio(double low, double median, double high, int rounds, boolean warm) {
  private static final double SMALL = 0.1;

  /** Divides the medians of two series round by round. */
  public static Ratio of(Series over, Series under) {
    return of(over.medians(), under.medians()).warm(!over.isCold() && !under.isCold());
  }

  /** Divides round by round; both lists have the same length, at least 1. */
  public static Ratio of(List<Double> over, List<Double> under) {
    double[] ratios = new double[over.size()];
    for (int round = 0; round < ratios.length; round++) {
      ratios[round] = over.get(round) / under.get(round);
    }
    return of(ratios);
  }

  /** Returns the same ratio, of figures that were warm or not. */
  public Ratio warm(boolean warm) {
    return new Ratio(low, median, high, rounds, warm);
  }

  /**
   * The part of a transfer that cost no time, since it went on behind computing; below 0, both together cost more than
   * one after the other. All series have as many rounds.
   *
   * @param alone times of transfers
   * @param compute of computing
   * @param both of a transfer behind computing
   */
  public static Ratio hidden(Series alone, Series compute, Series both) {
    double[] shares = new double[both.medians().size()];
    for (int round = 0; round < shares.length; round++) {
      double transfer = alone.medians().get(round);
      shares[round] = (transfer + compute.medians().get(round) - both.medians().get(round)) / transfer;
    }
    return of(shares).warm(!alone.isCold() && !compute.isCold() && !both.isCold());
  }

  private static Ratio of(double[] ratios) {
    Arrays.sort(ratios);
    return new Ratio(quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75), ratios.length, true);
  }

  /** Half of the range that holds the middle half of the rounds' ratios. */
  public double spread() {
    return (high - low) / 2;
  }

  /** Interpolates between the neighbours. */
  private static double quantile(double[] sorted, double q) {
    double position = q * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  /**
   * As in {@code 1.87 +-0.05}, and {@code 0.053 +-0.002} when small; one round has no spread. A star tells that it is
   * not warm.
   */
  @Override
  public String toString() {
    String form = median < SMALL ? "%.3f" : "%.2f";
    String value = rounds == 1
        ? String.format(Locale.ROOT, form, median)
        : String.format(Locale.ROOT, form + " +-" + form, median, spread());
    return value + (warm ? "" : Series.STAR);
  }
}
