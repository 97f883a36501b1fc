package io.adrastea.cli.bench;

import picocli.CommandLine.Option;

/** The options of every bench that has ranks. */
public final class BenchOptions extends MeasureOptions {
  private static final int MAX_RANKS = 1024;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "Ranks of each variant, an even number; ranks i and i+N/2 form a pair, all pairs run at the"
            + " same time.",
        "Default: ${DEFAULT-VALUE}."
      })
  private int ranks;

  @Override
  public void check() {
    require(
        ranks >= 2 && ranks <= MAX_RANKS && ranks % 2 == 0,
        "-n",
        "an even number from 2 to 1024",
        ranks);
    super.check();
  }

  /** Ranks of each variant. */
  public int ranks() {
    return ranks;
  }
}
