package io.adrastea.bench.rma;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Less of each than in the other benches, since there are many accesses and many peers. */
final class RmaDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES =
      Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.01", "--warmup", "1");

  /** Creates the defaults for the command line. */
  RmaDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
