package io.adrastea.bench.datatypes;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Less of each than in the other benches: a thousand pairs of case and way are to be through in a few minutes. */
final class DatatypesDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES =
      Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.02", "--warmup", "3");

  /** Creates the defaults for the command line. */
  DatatypesDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
