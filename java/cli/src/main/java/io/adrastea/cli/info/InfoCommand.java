package io.adrastea.cli.info;

import io.adrastea.cli.base.HelpOption;
import io.adrastea.layout.LayoutDump;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code adrastea info}: what this installation has, what it lacks and why. */
@Command(
    name = "info",
    description =
        "Tells what there is on this machine: JVM, CPUs, native library, cores, settings.")
public final class InfoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Option(
      names = "--layout",
      description = "Print the layout of a segment instead: each field with offset and bytes.")
  private boolean layout;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (layout) {
      out.print(LayoutDump.text());
    } else {
      List<Section> sections =
          List.of(
              Machine.section(), CoreReport.library(), CoreReport.cores(), SettingsTable.section());
      sections.forEach(section -> section.print(out));
    }
    out.flush();
    return 0;
  }
}
