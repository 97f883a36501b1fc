package io.adrastea.bench.measure;

import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** One core unless others are asked for: where each brings many ranks. */
public final class FirstCore implements IDefaultValueProvider {
  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && option.longestName().equals("--core") ? "ffm" : null;
  }
}
