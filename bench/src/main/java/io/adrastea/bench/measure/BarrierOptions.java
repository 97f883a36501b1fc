package io.adrastea.bench.measure;

import picocli.CommandLine.Option;

/** The options of a bench whose ranks do all the same. */
public final class BarrierOptions extends RankedOptions {
  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      defaultValue = "2",
      description = {"Ranks of each variant.", WARM_UP_TEXT, "Default: ${DEFAULT-VALUE}."})
  private int ranks;

  @Override
  public void check() {
    require(ranks >= 2 && ranks <= MAX_RANKS, "-n", "a number from 2 to " + MAX_RANKS, ranks);
    super.check();
  }

  @Override
  public int ranks() {
    return ranks;
  }
}
