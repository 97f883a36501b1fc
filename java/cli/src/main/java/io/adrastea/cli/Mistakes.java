package io.adrastea.cli;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.Suggestions;
import io.adrastea.cli.run.RunCommand;
import io.adrastea.error.AdrasteaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what went wrong into one message and an exit code. */
final class Mistakes {
  private static final List<Class<? extends Throwable>> FORESEEN =
      List.of(
          CommandFailure.class,
          AdrasteaException.class,
          IllegalArgumentException.class,
          IOException.class,
          UncheckedIOException.class);

  private static final Pattern UNKNOWN_TO_HELP = Pattern.compile("Unknown subcommand '(.*)'\\.");

  private Mistakes() {}

  /** Says what is wrong with the words given, and where help is. */
  static int inCommandLine(ParameterException mistake, String[] args) {
    CommandLine command = mistake.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    String suggestion = unmatched(mistake).map(Mistakes::suggestion).orElseGet(() -> suggestionOfHelp(mistake));
    if (namesNoCommand(mistake)) {
      err.println("adrastea: " + unknownCommand((UnmatchedArgumentException) mistake, suggestion));
    } else {
      err.println("adrastea: " + message(mistake));
      if (!suggestion.isEmpty()) {
        err.println(suggestion);
      }
    }
    err.println("Try '" + name + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  /** Also of a later part of a job, which is read by itself. */
  private static Optional<UnmatchedArgumentException> unmatched(Throwable mistake) {
    return Stream.iterate(mistake, Objects::nonNull, Throwable::getCause)
        .filter(UnmatchedArgumentException.class::isInstance)
        .map(UnmatchedArgumentException.class::cast)
        .findFirst();
  }

  private static String suggestion(UnmatchedArgumentException mistake) {
    CommandLine command = mistake.getCommandLine();
    String written = mistake.getUnmatched().getFirst().replaceFirst("=.*", "");
    Optional<String> hint = RunCommand.hint(command, written);
    if (hint.isPresent()) {
      return hint.get();
    }
    Collection<String> words =
        written.startsWith("-") ? command.getCommandSpec().optionsMap().keySet() : command.getSubcommands().keySet();
    return Suggestions.sentence(written, words);
  }

  /** `help` takes the name of a command for an argument, and says by its message alone that there is none. */
  private static String suggestionOfHelp(ParameterException mistake) {
    Matcher unknown = UNKNOWN_TO_HELP.matcher(mistake.getMessage());
    CommandLine parent = mistake.getCommandLine().getParent();
    return unknown.matches() ? Suggestions.sentence(unknown.group(1),
        (parent == null ? mistake.getCommandLine() : parent).getSubcommands().keySet()) : "";
  }

  private static boolean namesNoCommand(ParameterException mistake) {
    return mistake instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !mistake.getCommandLine().getSubcommands().isEmpty();
  }

  /** The suggestion stands before the commands, of which there may be many. */
  private static String unknownCommand(UnmatchedArgumentException mistake, String suggestion) {
    return "unknown command '%s'%s are %s".formatted(
        mistake.getUnmatched().getFirst(), suggestion.isEmpty() ? "; commands" : ". " + suggestion + " Commands",
        String.join(", ", mistake.getCommandLine().getSubcommands().keySet()));
  }

  private static String message(ParameterException mistake) {
    return mistake
        .getMessage()
        .replaceFirst("^Error: ", "") // picocli says so of a group of options
        .replace("option option", "option") // and so of a map
        .replace("'-np'", "'-n'"); // it takes the longer name
  }

  /**
   * Executes what was asked for. The parser lets pass what is wrong beside {@code --help}; a command that does not
   * exist has none.
   */
  static int beforeExecution(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandLine command = last.commandSpec().commandLine();
    List<String> unmatched = last.unmatched();
    if (!unmatched.isEmpty() && !unmatched.get(0).startsWith("-") && !command.getSubcommands().isEmpty()) {
      throw new UnmatchedArgumentException(command, unmatched);
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** Says why a command ended; with a stack trace only where nobody foresaw it. */
  static int inExecution(Exception failure, CommandLine command, ParseResult parsed) {
    if (FORESEEN.stream().anyMatch(kind -> kind.isInstance(failure))) {
      command.getErr().println("adrastea: " + text(failure));
    } else {
      failure.printStackTrace(command.getErr());
    }
    return failure instanceof CommandFailure known
        ? known.exitCode()
        : CommandLine.ExitCode.SOFTWARE;
  }

  private static String text(Exception failure) {
    boolean bare = failure instanceof IOException || failure.getMessage() == null;
    return bare ? failure.toString() : failure.getMessage();
  }
}
