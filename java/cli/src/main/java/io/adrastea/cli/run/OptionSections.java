package io.adrastea.cli.run;

import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;

/** The options of {@code run} in its help: those of a part, then those of the job. */
final class OptionSections implements IHelpSectionRenderer {
  @Override
  public String render(Help help) {
    return section(help, "Options of each part, before its program:", PartOptions::has)
        + section(
            help, "Options of the whole job, before the first program:", o -> !PartOptions.has(o));
  }

  private static String section(Help help, String heading, Predicate<OptionSpec> chosen) {
    List<OptionSpec> options = help.commandSpec().options().stream().filter(chosen).toList();
    return "%n%s%n%s".formatted(heading, help.optionListExcludingGroups(options));
  }
}
