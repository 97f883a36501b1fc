package io.adrastea.bench.paper;

import io.adrastea.cli.base.HelpOption;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bench paper}: alone it lists the experiments. */
@Command(
    name = "paper",
    description = "Experiments of the papers: our figures in their form, theirs beside.",
    subcommands = {
      HaloCommand.class,
      NetpipeCommand.class,
      Mpich2LatencyCommand.class,
      Mpich2BarrierCommand.class,
      Mpich2InstructionsCommand.class,
      MvapichCommand.class,
      MvapichPollingCommand.class,
      MvapichBarrierCommand.class,
      MvapichAlltoallCommand.class,
      NemesisQueueCommand.class,
      NemesisNetworkCommand.class,
      ScimpichCommand.class,
      ScimpichSparseCommand.class,
      OpenShmemCommand.class
    })
public final class PaperCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Mixin
  private HelpOption help;

  /** Creates the command for the command line. */
  public PaperCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("experiments, each with --help:");
    for (CommandLine experiment : spec.subcommands().values()) {
      CommandSpec one = experiment.getCommandSpec();
      out.printf("  %-25s %s%n", one.name(), one.usageMessage().description()[0]);
    }
    out.flush();
  }
}
