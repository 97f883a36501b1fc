package io.adrastea.cli;

import io.adrastea.cli.base.Version;
import io.adrastea.cli.run.RunCommand;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A page of section 1 for {@code man}, made of what the help of a command is made of, in roff with the macros of
 * man(7).
 */
final class ManPage {
  private static final Pattern HEADING = Pattern.compile("[A-Z][A-Za-z ]*:");

  private final CommandSpec spec;
  private final Help help;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandLine command) {
    this.spec = command.getCommandSpec();
    this.help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
  }

  /** The page of a command. */
  static String of(CommandLine command) {
    return new ManPage(command).text();
  }

  private String text() {
    String name = spec.qualifiedName("-");
    macro("TH", quoted(name.toUpperCase(Locale.ROOT)), "1", "\"\"", quoted("adrastea " + Version.text()),
        quoted("Adrastea"));
    macro("SH", "NAME");
    String[] description = spec.usageMessage().description();
    line(name + " - " + firstSentence(String.join(" ", description)));
    synopsis();
    macro("SH", "DESCRIPTION");
    paragraph(description);
    commands();
    parameters();
    sections().forEach(this::options);
    footer();
    return page.toString();
  }

  /** What {@code apropos} shows, which is one line. */
  private static String firstSentence(String text) {
    String plain = plain(text).replaceAll("\\s+", " ");
    int end = plain.indexOf(". ");
    return (end < 0 ? plain : plain.substring(0, end)).replaceFirst("\\.$", "");
  }

  private void synopsis() {
    macro("SH", "SYNOPSIS");
    macro("nf");
    String[] custom = spec.usageMessage().customSynopsis();
    List<String> lines = custom.length > 0 ? List.of(custom) : help.synopsis(0).stripTrailing().lines().toList();
    lines.forEach(this::line);
    macro("fi");
  }

  private void commands() {
    if (spec.subcommands().isEmpty()) {
      return;
    }
    macro("SH", "COMMANDS");
    spec.subcommands().forEach((name, command) -> {
      if (!command.getCommandSpec().usageMessage().hidden()) {
        item(name);
        paragraph(command.getCommandSpec().usageMessage().description());
      }
    });
  }

  private void parameters() {
    List<PositionalParamSpec> shown = spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    if (!shown.isEmpty()) {
      macro("SH", "ARGUMENTS");
    }
    for (PositionalParamSpec one : shown) {
      item(one.paramLabel());
      paragraph(one.description());
    }
  }

  private Map<String, List<OptionSpec>> sections() {
    if (spec.userObject() instanceof RunCommand) {
      return RunCommand.sections(spec);
    }
    Map<String, List<OptionSpec>> all = new LinkedHashMap<>();
    all.put("Options", spec.options());
    return all;
  }

  private void options(String heading, List<OptionSpec> options) {
    List<OptionSpec> shown =
        options.stream().filter(option -> !option.hidden())
            .sorted((a, b) -> sortedBy(a).compareToIgnoreCase(sortedBy(b))).toList();
    if (!shown.isEmpty()) {
      macro("SH", quoted(heading.toUpperCase(Locale.ROOT)));
    }
    for (OptionSpec option : shown) {
      item(Arrays.stream(option.names()).collect(Collectors.joining(", ")) + value(option));
      paragraph(option.description());
    }
  }

  private static String sortedBy(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }

  private static String value(ArgSpec option) {
    return option.arity().max() == 0 ? "" : " " + option.paramLabel();
  }

  /** A footer has paragraphs with an empty line between, headings that end with a colon, and indented examples. */
  private void footer() {
    List<String> lines = lines(spec.usageMessage().footer());
    boolean headed = false;
    boolean example = false;
    for (String text : lines) {
      boolean heading = HEADING.matcher(text).matches();
      if (!headed && !text.isBlank() && !heading) {
        macro("SH", "NOTES");
      }
      headed |= !text.isBlank();
      boolean indented = text.startsWith("  ");
      if (indented != example) {
        macro(indented ? "nf" : "fi");
        example = indented;
      }
      if (heading) {
        macro("SH", quoted(text.substring(0, text.length() - 1).toUpperCase(Locale.ROOT)));
      } else if (!text.isBlank()) {
        line(text);
      } else if (headed) {
        macro("PP");
      }
    }
    if (example) {
      macro("fi");
    }
  }

  private void paragraph(String[] texts) {
    lines(texts).stream().filter(text -> !text.isBlank()).forEach(this::line);
  }

  private static List<String> lines(String[] texts) {
    return Arrays.stream(texts).flatMap(text -> text.isEmpty() ? Stream.of("") : plain(text).lines()).toList();
  }

  private void item(String words) {
    macro("TP");
    page.append("\\fB").append(escaped(words)).append("\\fR\n");
  }

  private void macro(String name, String... arguments) {
    page.append('.').append(name);
    for (String argument : arguments) {
      page.append(' ').append(argument);
    }
    page.append('\n');
  }

  private void line(String text) {
    String safe = escaped(text);
    boolean request = safe.startsWith(".") || safe.startsWith("'"); // which roff would take for one of its own
    page.append(request ? "\\&" : "").append(safe).append('\n');
  }

  private static String quoted(String text) {
    return '"' + escaped(text).replace("\"", "\\(dq") + '"';
  }

  /** The parser's help is a format: {@code %n} ends a line, and {@code %%} is one sign. */
  private static String plain(String text) {
    return Help.Ansi.OFF.string(text.replace("%n", "\n").replace("%%", "%"));
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
        .replace("`", "\\(ga").replace("'", "\\(aq");
  }
}
