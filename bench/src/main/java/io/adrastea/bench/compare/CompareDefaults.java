package io.adrastea.bench.compare;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Less of each than in the other benches: a dozen variants are to be through in a few minutes. */
final class CompareDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES = Map.of("--rounds", "8", "--warmup", "1");

  /** For the command line. */
  CompareDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
