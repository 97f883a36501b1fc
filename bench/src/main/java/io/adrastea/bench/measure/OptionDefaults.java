package io.adrastea.bench.measure;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a bench takes for options that are not given, where that is not what the other benches take. */
public abstract class OptionDefaults implements IDefaultValueProvider {
  private final Map<String, String> values;

  /**
   * @param values by the names of options
   */
  protected OptionDefaults(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  @Override
  public final String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option ? values.get(option.longestName()) : null;
  }
}
