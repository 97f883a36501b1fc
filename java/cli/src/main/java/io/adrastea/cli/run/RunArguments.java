package io.adrastea.cli.run;

import io.adrastea.cli.base.HelpOption;
import java.lang.reflect.Field;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/**
 * The words of a command line as far as its first program: options, and behind them all that follows. What follows a
 * lone colon among the latter has the same form and is read in its turn.
 */
final class RunArguments {
  @Mixin
  private HelpOption help;

  @Mixin
  PartOptions part;

  @Mixin
  JobOptions job;

  @Mixin
  StreamOptions streams;

  @Mixin
  HostOptions hosts;

  @Option(names = HostLauncher.OPTION, hidden = true, description = "What the launcher starts on another host.")
  boolean ofHost;

  @Option(names = "-host", hidden = true, preprocessor = ForeignWords.Refusal.class)
  private String host; // else the parser takes -h for --help

  @Option(names = "-hostfile", hidden = true, preprocessor = ForeignWords.Refusal.class)
  private String hostFile;

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM",
      hideParamSyntax = true,
      description = "The program of each rank, and its arguments.")
  private List<String> words = List.of();

  /** Whether an option of the command line is one of these. */
  static boolean declares(Class<?> options, OptionSpec option) {
    return option.userObject() instanceof Field field && field.getDeclaringClass() == options;
  }

  /**
   * Reads all words of a command line.
   *
   * @throws CommandLine.ParameterException when they are wrong by themselves
   */
  static RunArguments parse(List<String> words) {
    RunArguments arguments = new RunArguments();
    line(arguments).parseArgs(words.toArray(String[]::new));
    return arguments;
  }

  private static CommandLine line(RunArguments arguments) {
    return new CommandLine(arguments).setExpandAtFiles(false).setStopAtPositional(true);
  }

  /**
   * Reads the words of a part behind the first.
   *
   * @throws CommandLine.ParameterException when they are wrong by themselves
   * @throws IllegalArgumentException when they have an option of the whole job
   */
  static RunArguments ofLaterPart(List<String> words) {
    RunArguments later = new RunArguments();
    ParseResult parsed = line(later).parseArgs(words.toArray(String[]::new));
    for (OptionSpec option : parsed.matchedOptions()) {
      if (!PartOptions.has(option)) {
        throw new IllegalArgumentException(
            "%s is an option of the whole job; it stands before the first program"
                .formatted(String.join(" or ", option.names())));
      }
    }
    return later;
  }

  /** The program of the part that begins here, its arguments, and all parts behind it. */
  List<String> words() {
    return words;
  }
}
