package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * All that was measured of one variant at one size. Times are per message: one way, or one of a stream.
 */
public final class Series {
  /** What marks a figure that was not warm. */
  public static final String STAR = "*";

  /** What the mark means, for below a table and on a page. */
  public static final String STAR_MEANS =
      "*        not warm: compilers of the ranks were still at work (a longer --warmup); no verdict";

  /** What a sentence says in the place of a verdict. */
  public static final String NO_VERDICT = "no verdict%s: figures were not warm (*)";

  private static final int DIGITS = 4;

  /**
   * The part of the time of all rounds that the compilers of all ranks may take together. A warm-up that ends once
   * compilers are idle may take up to 0.1 for that. One round of many that was compiled all the time is no more than
   * its part of them, but may have taken a thousand times as long as the others: half of the time would be too much.
   */
  private static final double MOST_COMPILING = 0.15;

  private final String variant;
  private final Plan plan;
  private final Histogram all = new Histogram(DIGITS);
  private final List<Double> medians = new ArrayList<>();
  private int pairs = 1;
  private double compilers; // time that they have worked in rounds
  private double time; // of those rounds

  public Series(String variant, Plan plan) {
    this.variant = variant;
    this.plan = plan;
  }

  /** Takes in one round: the batches of every pair, without the lead. */
  public void addRound(List<long[]> pairs) {
    this.pairs = pairs.size();
    Histogram round = new Histogram(DIGITS);
    for (long[] times : pairs) {
      for (int batch = plan.lead(); batch < times.length; batch++) {
        round.recordValue(times[batch]);
      }
    }
    medians.add(perMessage(round.getValueAtPercentile(50)));
    all.add(round);
  }

  /** The compilers of the ranks have worked so many nanoseconds, together, in a round that took so many. */
  public void addCompilers(long nanos, long roundNanos) {
    compilers += nanos;
    time += roundNanos;
  }

  /** The part of the rounds' time that the compilers of all ranks have worked, together; 0 where they cannot tell. */
  public double compiling() {
    return time == 0 ? 0 : compilers / time;
  }

  /** The mark of its figures: a star where they were not warm, else nothing. */
  public String star() {
    return isCold() ? STAR : "";
  }

  /** Whether the ranks still compiled much of what was measured. */
  public boolean isCold() {
    return isCold(compiling());
  }

  /**
   * Whether figures are not warm.
   *
   * @param compiling the part of their time that compilers have worked
   */
  public static boolean isCold(double compiling) {
    return compiling > MOST_COMPILING;
  }

  public String variant() {
    return variant;
  }

  public Plan plan() {
    return plan;
  }

  /** The percentile over all batches of all rounds, in ns. */
  public double nanos(double percentile) {
    return perMessage(all.getValueAtPercentile(percentile));
  }

  public double meanNanos() {
    return perMessage(all.getMean());
  }

  /** The longest batch of all rounds, in ns. */
  public double maxNanos() {
    return perMessage(all.getMaxValue());
  }

  /** How many pairs of ranks ran at the same time; figures are those of one. */
  public int pairs() {
    return pairs;
  }

  /** Messages per second in the median batch. */
  public double messagesPerSecond() {
    return 1e9 / nanos(50);
  }

  /** Millions of bytes per second in the median batch. */
  public double megabytesPerSecond() {
    return plan.bytes() * messagesPerSecond() / 1e6;
  }

  /** The median of each round, in ns, in the order of the rounds. */
  public List<Double> medians() {
    return medians;
  }

  private double perMessage(double batchNanos) {
    return batchNanos / ((double) plan.exchanges() * plan.kind().messagesPerExchange());
  }
}
