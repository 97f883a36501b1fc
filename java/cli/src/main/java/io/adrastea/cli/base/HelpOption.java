package io.adrastea.cli.base;

import picocli.CommandLine.Option;

/** {@code --help}, for each command. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean asked;
}
