package io.adrastea.bench.compare;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.OutputFile;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.WayOptions;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import io.adrastea.cli.base.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench compare}: reads what is asked for. */
@Command(
    name = "compare",
    defaultValueProvider = CompareDefaults.class,
    description = {
      "Measures other ways of moving messages beside ours, in one interleaved run on the same two"
          + " CPUs: latency, bandwidth, message rate and, where there is one, the barrier.",
      "The rate is that of blocking sends in a loop and blocking receives in a loop; peers that block anyway have"
          + " the stream of bandwidth; ucx has one operation outstanding.",
      "With --hosts 2 there is one rank, or there are several, on each of two hosts, and all go over TCP:"
          + " beside us bare loops on a socket in C (c-loop) and in Java (nio-loop), Open MPI by its own TCP"
          + " (openmpi), by that of UCX (openmpi-ucx) and with its collectives in two steps (openmpi-han), and MPICH.",
      "With -n above 2 all pairs run at once, those of the peers too (openmpi, mpich, pipe, unix): more ranks than"
          + " CPUs show how each waits.",
      "What is not installed is named, with what installs it; what fails is named and left out."
    })
public final class CompareCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;
  @Mixin
  private BenchOptions options;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,64,1K,4K,16K,64K,1M",
      description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Option(
      names = "--rate-sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8",
      description = {"Message sizes of the rate, as in --sizes.", "Default: ${DEFAULT-VALUE}."})
  private Sizes rateSizes;

  @Option(
      names = "--buffers",
      paramLabel = "LIST",
      split = ",",
      converter = Memory.Converter.class,
      description = {
        "Where our messages lie at both ends: native, array (double[]), shared (job.allocate).",
        "Default: native; beside it, for the bandwidth of the first core, array and shared."
      })
  private List<Memory> memories;

  @Mixin
  private WayOptions ways;

  @Option(
      names = "--untouched",
      description = {
        "Messages are neither written before they are sent nor read after they came: their content stays in the"
            + " caches of both CPUs. Without it they are, within the time, those of the peers too."
      })
  private boolean untouched;

  @Option(
      names = "--peers",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Peers to measure: openmpi, mpich, ucx, openmpi-java, aeron, agrona, pipe, unix, tcp; none for us alone.",
        "Default: all that are installed."
      })
  private List<String> names;

  @Option(
      names = "--hosts",
      paramLabel = "N",
      description = {
        "Measure between hosts, of which there are 2: namespaces on this machine, with a network, a host name and a"
            + " /dev/shm each, which are gone at the end. Needs root, and the programs ip, unshare and nsenter."
      })
  private Integer hosts;

  @Option(
      names = "--per-host",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "1,2",
      description = {"With --hosts: ranks on each of them that make collectives.", "Default: ${DEFAULT-VALUE}."})
  private List<Integer> perHost;

  @Option(
      names = "--calls",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "barrier,bcast,allreduce,allgather,alltoall",
      description = {
        "With --hosts: the collectives that are measured; none for messages alone.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> calls;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = {
        "Measure nothing; draw the page of --html from figures that --csv wrote to this file in an earlier run."
      })
  private Path from;

  @Option(
      names = "--mpi-jar",
      paramLabel = "FILE",
      description = "The mpi.jar of Open MPI's Java bindings.")
  private Path mpiJar;

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    if (from != null) {
      return draw();
    }
    if (hosts != null) {
      return options.checked(this::betweenHosts).run(options);
    }
    List<Peer> peers = options.checked(() -> Peers.chosen(Peers.all(SearchPath.here(), mpiJar), names));
    try {
      Cpus cpus = options.chosenCpus();
      List<CorePair> cores = options.corePairs();
      try (Report report = new Report(options)) {
        new Compare(options, wanted(), report).run(cpus, cores, peers);
      }
      return CommandLine.ExitCode.OK;
    } catch (BenchException | IOException e) {
      throw new CommandFailure(CommandLine.ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private BetweenHosts betweenHosts() {
    MeasureOptions.require(hosts == Hosts.COUNT,
        "--hosts must be %d, the number of hosts that can be made here, not %d".formatted(Hosts.COUNT, hosts));
    MeasureOptions.require(options.ranks() == Hosts.COUNT,
        "-n has no meaning with --hosts: messages go between two ranks, and --per-host tells of collectives");
    MeasureOptions.require(memories == null && ways.all().isEmpty() && !untouched,
        "--buffers, --lmt and --untouched have no meaning with --hosts");
    for (int ranks : perHost) {
      MeasureOptions.require(ranks >= 1 && ranks <= BetweenHosts.MOST_PER_HOST,
          "--per-host must be numbers from 1 to %d, not %d".formatted(BetweenHosts.MOST_PER_HOST, ranks));
    }
    Sizes.words(sizes.bytes(), 16 << 20);
    return new BetweenHosts(sizes.bytes(), rateSizes.bytes(), perHost.stream().distinct().sorted().toList(),
        BetweenHosts.chosen(calls), Peers.chosenOnHosts(names));
  }

  /** The page of stored figures. */
  private int draw() {
    if (options.html() == null) {
      throw new ParameterException(spec.commandLine(), "--from draws a page; --html must say where it goes");
    }
    if (options.csv() != null || options.json() != null) {
      throw new ParameterException(spec.commandLine(), "--from measures nothing, so there are no figures for "
          + (options.csv() != null ? "--csv" : "--json"));
    }
    try (Output output = options.output()) {
      List<String> stored = Files.readAllLines(from);
      List<String> origin = Figures.origin(stored);
      List<String> notes = new ArrayList<>(List.of("drawn from " + from.getFileName()
          + (origin.isEmpty() ? ", which does not tell on what machine it was measured" : ", which tells of it:")));
      notes.addAll(origin);
      output.html(Report.page("adrastea bench compare, stored figures", stored, notes));
      return CommandLine.ExitCode.OK;
    } catch (NoSuchFileException e) {
      throw cannotDraw("there is no such file", e);
    } catch (IOException e) {
      throw cannotDraw(OutputFile.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw cannotDraw(e.getMessage(), e);
    }
  }

  private ParameterException cannotDraw(String reason, Exception cause) {
    return new ParameterException(
        spec.commandLine(), "--from: cannot draw '%s': %s".formatted(from, reason), cause);
  }

  private Compare.Wanted wanted() {
    List<Memory> asked = memories == null ? null : memories.stream().distinct().toList();
    List<String> each = ways.all();
    return new Compare.Wanted(sizes.bytes(), rateSizes.bytes(), asked, each, untouched);
  }
}
