package io.adrastea.bench;

import io.adrastea.bench.calls.CallsCommand;
import io.adrastea.bench.collectives.CollectivesCommand;
import io.adrastea.bench.compare.CompareCommand;
import io.adrastea.bench.copy.CopyCommand;
import io.adrastea.bench.crowd.CrowdCommand;
import io.adrastea.bench.datatypes.DatatypesCommand;
import io.adrastea.bench.guard.GuardCommand;
import io.adrastea.bench.jmh.JmhCommand;
import io.adrastea.bench.large.InPlaceCommand;
import io.adrastea.bench.large.OverlapCommand;
import io.adrastea.bench.measure.BarrierOptions;
import io.adrastea.bench.measure.Bench;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankedOptions;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.WayOptions;
import io.adrastea.bench.paper.PaperCommand;
import io.adrastea.bench.rma.RmaCommand;
import io.adrastea.bench.shmem.ShmemCommand;
import io.adrastea.bench.soak.SoakCommand;
import io.adrastea.bench.waiting.WaitingCommand;
import io.adrastea.cli.base.AddedCommand;
import io.adrastea.cli.base.HelpOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench} and what stands below it. */
@Command(
    name = "bench",
    description = "Measures messages between ranks beside the floor of the machine.",
    subcommands = {
      BenchCommand.Latency.class,
      BenchCommand.Bandwidth.class,
      BenchCommand.Bibandwidth.class,
      BenchCommand.Rate.class,
      BenchCommand.Barrier.class,
      CopyCommand.class,
      InPlaceCommand.class,
      WaitingCommand.class,
      OverlapCommand.class,
      CallsCommand.class,
      PaperCommand.class,
      GuardCommand.class,
      SoakCommand.class,
      CompareCommand.class,
      DatatypesCommand.class,
      CollectivesCommand.class,
      RmaCommand.class,
      ShmemCommand.class,
      CrowdCommand.class,
      JmhCommand.class
    })
public final class BenchCommand implements AddedCommand {
  @Spec
  private CommandSpec spec;

  @Mixin
  private HelpOption help;

  /** Creates the command for the service loader. */
  public BenchCommand() {}

  @Override
  public void run() {
    String commands = String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(spec.commandLine(), "what to measure is missing: " + commands);
  }

  /** What all of them share. */
  abstract static class One implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private final Kind kind;

    One(Kind kind) {
      this.kind = kind;
    }

    abstract RankedOptions options();

    abstract Sizes sizes();

    /** Where messages lie. */
    List<Memory> memories() {
      return List.of(Memory.NATIVE);
    }

    /** Ways of large messages, each with ranks of its own; none: as it is set. */
    List<String> ways() {
      return List.of();
    }

    /** Whether ranks tell their CPU time, too. */
    boolean cpu() {
      return false;
    }

    /** What is measured, given the kind of the command. */
    Kind chosen(Kind kind) {
      return kind;
    }

    @Override
    public final Integer call() throws InterruptedException {
      return new Bench(chosen(kind), options(), sizes(), memories(), ways(), cpu(), spec.commandLine()).run();
    }
  }

  /** The commands that measure messages. */
  abstract static class Sized extends One {
    @Mixin
    private BenchOptions options;

    @Option(
        names = DefaultSizes.OPTION,
        paramLabel = "LIST",
        converter = Sizes.Converter.class,
        description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
    private Sizes sizes;

    @Option(
        names = "--untouched",
        description = {
          "Messages are neither written before they are sent nor read after they came: their content stays in"
              + " the caches of both CPUs. Without it they are, within the time."
        })
    private boolean untouched;

    Sized(Kind kind) {
      super(kind);
    }

    @Override
    final RankedOptions options() {
      return options;
    }

    @Override
    final Sizes sizes() {
      return sizes;
    }

    @Override
    final Kind chosen(Kind kind) {
      return untouched ? kind.untouched() : kind;
    }
  }

  /** The commands whose messages may lie in any memory. */
  abstract static class Placed extends Sized {
    @Option(
        names = "--buffers",
        paramLabel = "LIST",
        split = ",",
        defaultValue = "native",
        converter = Memory.Converter.class,
        description = {
          "Where messages lie at both ends: native, array (double[]), shared (job.allocate).",
          "Each is a variant with ranks of its own. Default: ${DEFAULT-VALUE}."
        })
    private List<Memory> memories;

    @Mixin
    private WayOptions ways;

    Placed(Kind kind) {
      super(kind);
    }

    @Override
    final List<Memory> memories() {
      return memories.stream().distinct().toList();
    }

    @Override
    final List<String> ways() {
      return ways.all();
    }
  }

  /** Each command has other sizes by itself. */
  static final class DefaultSizes implements IDefaultValueProvider {
    static final String OPTION = "--sizes";

    @Override
    public String defaultValue(ArgSpec argument) {
      if (!(argument instanceof OptionSpec option) || !option.longestName().equals(OPTION)) {
        return null;
      }
      return switch (argument.command().name()) {
        case "latency" -> "0,8,64,512,4K,64K";
        case "rate" -> "8";
        default -> "8,64,512,4K,64K,1M";
      };
    }
  }

  /** {@code bench latency}. */
  @Command(
      name = "latency",
      defaultValueProvider = DefaultSizes.class,
      description = "One-way time of a message: percentiles and mean, and the ratio to the floor.")
  static final class Latency extends Placed {
    @Option(
        names = "--cpu",
        description = {
          "Also the CPU time of both ranks of a pair for a message, without that of polls which find nothing: a row for"
              + " each of our variants, called CPU of ffm, by ranks of their own."
        })
    private boolean cpu;

    Latency() {
      super(Kind.LATENCY);
    }

    @Override
    boolean cpu() {
      return cpu;
    }
  }

  /** {@code bench bandwidth}. */
  @Command(
      name = "bandwidth",
      defaultValueProvider = DefaultSizes.class,
      description = "Rate of a stream of messages: MB/s (millions of bytes), messages/s, and the ratio to a"
          + " plain copy.")
  static final class Bandwidth extends Placed {
    Bandwidth() {
      super(Kind.BANDWIDTH);
    }
  }

  /** {@code bench bibandwidth}. */
  @Command(
      name = "bibandwidth",
      defaultValueProvider = DefaultSizes.class,
      description = "Rate of two streams, one each way at once: the sum of both, and the ratio to two plain"
          + " copies at once.")
  static final class Bibandwidth extends Placed {
    Bibandwidth() {
      super(Kind.BIBANDWIDTH);
    }
  }

  /** {@code bench rate}. */
  @Command(
      name = "rate",
      defaultValueProvider = DefaultSizes.class,
      description = {
        "Small messages per second: one rank calls send in a loop, the other recv into one buffer;"
            + " an answer to the last message ends a batch.",
        "With -n, of many pairs at once."
      })
  static final class Rate extends Sized {
    Rate() {
      super(Kind.RATE);
    }
  }

  /** {@code bench barrier}. */
  @Command(
      name = "barrier",
      description = {
        "Time of a barrier of all ranks, beside a round trip of one cache line between two CPUs.",
        "-n gives the number of ranks, even or odd."
      })
  static final class Barrier extends One {
    @Mixin
    private BarrierOptions options;

    Barrier() {
      super(Kind.BARRIER);
    }

    @Override
    RankedOptions options() {
      return options;
    }

    @Override
    Sizes sizes() {
      return new Sizes(List.of(0)); // there is no payload
    }
  }
}
