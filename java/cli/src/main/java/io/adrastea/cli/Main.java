package io.adrastea.cli;

import io.adrastea.cli.base.AddedCommand;
import io.adrastea.cli.base.Version;
import io.adrastea.cli.info.InfoCommand;
import io.adrastea.cli.run.RunCommand;
import java.util.Locale;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line {@code adrastea}: what its commands share. */
@Command(
    name = "adrastea",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Messages between JVM processes at the speed of shared memory.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  adrastea bench latency",
      "  adrastea run -n 4 -- java examples/wordcount/WordCount.java",
      "  adrastea run --help"
    })
public final class Main implements Runnable {
  @Spec
  private CommandSpec spec;

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    String commands = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(spec.commandLine(), "no command given; commands are " + commands);
  }

  /**
   * Runs a command and exits with its code: 0, 2 for a wrong command line, 1 for what failed otherwise, or what the
   * command says.
   *
   * @param args the words of the command line
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that programs can read, whatever the user's
    System.exit(commandLine().execute(args));
  }

  /** The commands, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    line.addSubcommand(new RunCommand());
    ServiceLoader.load(AddedCommand.class).forEach(line::addSubcommand);
    if (!line.getSubcommands().containsKey("bench")) {
      line.addSubcommand(new MissingBench());
    }
    line.addSubcommand(new InfoCommand());
    line.addSubcommand(new CompletionCommand());
    line.addSubcommand(new ManCommand());
    line.addSubcommand(new HelpCommand());
    line.setExpandAtFiles(false); // @file belongs to the program that `run` starts
    line.setUsageHelpAutoWidth(true);
    line.setExecutionStrategy(Mistakes::beforeExecution);
    line.setParameterExceptionHandler(Mistakes::inCommandLine);
    line.setExecutionExceptionHandler(Mistakes::inExecution);
    line.getSubcommands().get("run").setStopAtPositional(true); // what follows PROGRAM is its own
    return line;
  }
}
