package io.adrastea.bench.measure;

import picocli.CommandLine.Option;

/** The options of every bench whose ranks form pairs. */
public final class BenchOptions extends RankedOptions {
  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "Ranks of each variant, an even number; ranks i and i+N/2 form a pair, all pairs run at the"
            + " same time.",
        WARM_UP_TEXT,
        "Default: ${DEFAULT-VALUE}."
      })
  private int ranks;

  @Override
  public void check() {
    require(
        ranks >= 2 && ranks <= MAX_RANKS && ranks % 2 == 0,
        "-n",
        "an even number from 2 to " + MAX_RANKS,
        ranks);
    super.check();
  }

  @Override
  public int ranks() {
    return ranks;
  }
}
