package io.adrastea.bench.measure;

import java.util.HashSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The options of a bench with a chosen number of ranks. */
public abstract class RankedOptions extends MeasureOptions {
  /** What the help says where there is {@code -n}. */
  static final String WARM_UP_TEXT =
      "Where a CPU has several ranks, --warmup is 1.5 s for each of them unless given (at most 30): JVMs"
          + " that share a CPU are long in compiling.";

  /** The most ranks of a variant. */
  static final int MAX_RANKS = 1024;

  private static final double WARM_UP_PER_RANK = 1.5;
  private static final double MOST_WARM_UP = 30;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Ranks of each variant. */
  public abstract int ranks();

  /** {@inheritDoc} Unless given, it is longer where ranks share CPUs. */
  @Override
  public final double warmUp() {
    boolean given = spec.commandLine().getParseResult().hasMatchedOption(WARM_UP);
    return given ? super.warmUp() : warmUp(super.warmUp(), ranks(), cpuCount());
  }

  private int cpuCount() {
    return new HashSet<>(Cpus.choose(cpus(), AllowedCpus.here()).used()).size();
  }

  /**
   * Seconds of warm-up when nothing is said of it.
   *
   * @param least for ranks that have CPUs of their own
   */
  static double warmUp(double least, int ranks, int cpus) {
    double perRank = ranks <= cpus ? 0 : Math.min(MOST_WARM_UP, WARM_UP_PER_RANK * ranks / cpus);
    return Math.max(least, perRank);
  }
}
