package io.adrastea.bench.crowd;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Longer and fewer runs than in the other benches: the scheduler is to do in each what it does in the long run. */
final class CrowdDefaults implements IDefaultValueProvider {
  private static final Map<String, String> VALUES =
      Map.of("-np", "2,4", "--core", "ffm,java", "--rounds", "3", "--seconds", "0.5", "--warmup", "8");

  /** Creates the defaults for the command line. */
  CrowdDefaults() {}

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
  }
}
