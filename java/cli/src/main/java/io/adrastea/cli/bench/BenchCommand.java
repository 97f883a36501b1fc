package io.adrastea.cli.bench;

import io.adrastea.cli.base.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench} and what stands below it. */
@Command(
    name = "bench",
    description = "Measures messages between ranks beside the floor of the machine.",
    subcommands = {BenchCommand.Latency.class, BenchCommand.Bandwidth.class})
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  /** For the command line. */
  public BenchCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "what to measure is missing: latency or bandwidth");
  }

  /** {@code bench latency}. */
  @Command(
      name = "latency",
      description = "One-way time of a message: median, p99 and mean, and the ratio to the floor.")
  static final class Latency implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private BenchOptions options;

    @Option(
        names = "--sizes",
        paramLabel = "LIST",
        converter = Sizes.Converter.class,
        defaultValue = "0,8,64,512,4K,64K",
        description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
    private Sizes sizes;

    @Override
    public Integer call() throws InterruptedException {
      return new Bench(Kind.LATENCY, options, sizes, spec.commandLine()).run();
    }
  }

  /** {@code bench bandwidth}. */
  @Command(
      name = "bandwidth",
      description =
          "Rate of a stream of messages: MB/s (millions of bytes), messages/s, and the ratio to a"
              + " plain copy.")
  static final class Bandwidth implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private BenchOptions options;

    @Option(
        names = "--sizes",
        paramLabel = "LIST",
        converter = Sizes.Converter.class,
        defaultValue = "8,64,512,4K,64K,1M",
        description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
    private Sizes sizes;

    @Override
    public Integer call() throws InterruptedException {
      return new Bench(Kind.BANDWIDTH, options, sizes, spec.commandLine()).run();
    }
  }
}
