package io.adrastea.bench;

import io.adrastea.bench.jmh.JmhCommand;
import java.util.Locale;
import picocli.CommandLine;

/** The command line with what this module adds to {@code bench}: compare and jmh. */
public final class Main {
  private Main() {}

  /**
   * As {@link io.adrastea.cli.Main#main}.
   *
   * @param args the words of the command line
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // as there
    System.exit(commandLine().execute(args));
  }

  /** The commands of the cli and those of this module, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine line = io.adrastea.cli.Main.commandLine();
    CommandLine bench = line.getSubcommands().get("bench");
    bench.addSubcommand(new CompareCommand());
    bench.addSubcommand(new JmhCommand());
    // Again: what was set reached only the commands that were there.
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(line.getParameterExceptionHandler());
    line.setExecutionExceptionHandler(line.getExecutionExceptionHandler());
    return line;
  }
}
