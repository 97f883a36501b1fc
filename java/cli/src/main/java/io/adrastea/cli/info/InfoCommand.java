package io.adrastea.cli.info;

import io.adrastea.cli.base.HelpOption;
import io.adrastea.config.Tunable;
import io.adrastea.layout.LayoutDump;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code adrastea info}: what this installation has, what it lacks and why. */
@Command(
    name = "info",
    description = "Tells what there is on this machine: JVM, CPUs, native library, cores, settings.")
public final class InfoCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private HelpOption help;

  @ArgGroup
  private Other other;

  @ArgGroup(exclusive = false)
  private CpuMap map;

  @Option(
      names = "--core",
      paramLabel = "PAIR",
      split = ",",
      converter = PathCores.Converter.class,
      description = {
        "With --paths: cores of sender and receiver, as ffm-java, or one for both; several with commas."
            + " Default: the core that ranks have here."
      })
  private List<PathCores> cores;

  /** What is printed instead of all that. */
  private static final class Other {
    @Option(
        names = "--layout",
        description = "Print the layout of a segment instead: each field with offset and bytes.")
    private boolean layout;

    @Option(
        names = "--paths",
        description = {
          "Print how messages of each size and kind of buffers would go between two ranks instead, and"
              + " why not otherwise. What the system allows is tried by two processes."
        })
    private boolean paths;

    @Option(
        names = "--collectives",
        description = "Print instead which way collectives go, by their kind, their members and their bytes.")
    private boolean collectives;

    @Option(
        names = "--nodes",
        description = {
          "Print instead how ranks that are started here reach those of other nodes, and the jobs of this user that"
              + " run on this node, with their ranks."
        })
    private boolean nodes;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    boolean paths = other != null && other.paths;
    if (cores != null && !paths) {
      throw new ParameterException(spec.commandLine(), "--core goes with --paths only");
    }
    if (map != null && other != null) {
      throw new ParameterException(spec.commandLine(),
          "-n, --bind and --map go with none of --layout, --paths, --collectives and --nodes");
    }
    if (other != null && other.layout) {
      out.print(LayoutDump.text());
    } else {
      sections().forEach(section -> section.print(out));
    }
    out.flush();
    return 0;
  }

  private List<Section> sections() {
    if (other != null && other.nodes) {
      return NodesReport.sections();
    }
    if (other != null) {
      return other.paths ? paths() : CollectiveReport.sections();
    }
    return map != null ? List.of(map()) : all();
  }

  private List<Section> paths() {
    List<PathCores> pairs = cores == null ? List.of(PathCores.of(Tunable.CORE.word())) : cores;
    return pairs.stream()
        .flatMap(pair -> new PathReport(pair.sender(), pair.receiver()).sections().stream())
        .toList();
  }

  private Section map() {
    try {
      return CpuMap.section(map);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static List<Section> all() {
    return List.of(
        Machine.section(),
        CpuMap.section(null),
        CoreReport.library(),
        CoreReport.cores(),
        CoreReport.spaces(),
        SettingsTable.section());
  }
}
