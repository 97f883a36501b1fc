package io.adrastea.bench.compare;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Fewer rounds than in the other benches: a dozen variants are to be through in a few minutes. The warm-up is enough
 * for the compilers of the JVMs, and for ranks to learn the ways of large messages.
 */
final class CompareDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES = Map.of("--rounds", "8", "--warmup", "4");

  /** Creates the defaults for the command line. */
  CompareDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
