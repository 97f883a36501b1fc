package io.adrastea.cli;

import io.adrastea.cli.base.HelpOption;
import io.adrastea.cli.base.Suggestions;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code adrastea man}: the help of a command as a page for {@code man}. */
@Command(
    name = "man",
    description = "Prints the help of a command as a page for man(1).",
    footer = {
      "",
      "Examples:",
      "  adrastea man run | man -l -",
      "  adrastea man run > ~/.local/share/man/man1/adrastea-run.1"
    })
final class ManCommand implements Runnable {
  @Mixin
  private HelpOption help;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "As in: bench latency (default: the page of adrastea itself).")
  private List<String> names = List.of();

  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      Set<String> commands = command.getSubcommands().keySet();
      if (!commands.contains(name)) {
        throw new ParameterException(spec.commandLine(), unknown(command, name, commands));
      }
      command = command.getSubcommands().get(name);
    }
    spec.commandLine().getOut().print(ManPage.of(command));
    spec.commandLine().getOut().flush();
  }

  private static String unknown(CommandLine parent, String name, Set<String> commands) {
    if (commands.isEmpty()) {
      return "'%s' has no commands, so there is no page of '%s'".formatted(parent.getCommandSpec().qualifiedName(),
          name);
    }
    String meant = Suggestions.sentence(name, commands);
    return "unknown command '%s'; commands are %s%s"
        .formatted(name, String.join(", ", commands), meant.isEmpty() ? "" : ". " + meant);
  }
}
