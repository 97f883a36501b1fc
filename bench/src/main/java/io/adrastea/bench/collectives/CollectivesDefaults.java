package io.adrastea.bench.collectives;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Less of each than in the other benches: before each call all ranks meet, which takes longer than a short call. */
final class CollectivesDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES =
      Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.005", "--warmup", "1");

  /** Creates the defaults for the command line. */
  CollectivesDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
