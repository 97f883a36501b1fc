package io.adrastea.cli;

import io.adrastea.cli.base.HelpOption;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code adrastea completion}: what a shell needs to complete the words of this command line. */
@Command(
    name = "completion",
    description = "Prints a script by which bash and zsh complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(adrastea completion)",
      "  adrastea completion > ~/.local/share/bash-completion/completions/adrastea"
    })
final class CompletionCommand implements Runnable {
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    CommandSpec root = spec.root();
    root.commandLine().getOut().print(AutoComplete.bash(root.name(), root.commandLine()));
    root.commandLine().getOut().flush();
  }
}
