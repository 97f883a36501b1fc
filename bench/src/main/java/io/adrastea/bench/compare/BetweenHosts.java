package io.adrastea.bench.compare;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.peer.JobFigures;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code bench compare --hosts}: messages between two ranks and collectives of more, each beside other ways over the
 * same network in the same rounds.
 *
 * @param sizes of messages, and of a collective's parts, in bytes
 * @param rateSizes of the rate
 * @param perHost how many ranks of each host make collectives
 * @param calls the collectives
 * @param peers the names of the MPIs
 */
record BetweenHosts(List<Integer> sizes, List<Integer> rateSizes, List<Integer> perHost, List<Call> calls,
    List<String> peers) {
  static final int MOST_PER_HOST = 16;

  private static final String TITLE = "adrastea bench compare --hosts 2: two hosts, all variants in turn in each round";
  private static final List<Integer> NO_BYTES = List.of(0);

  /** A collective; the word that ranks are told is that of {@code bench collectives}. */
  enum Call {
    BARRIER("coll-barrier"), BCAST("coll-bcast-moving"), ALLREDUCE("coll-allreduce"), ALLGATHER(
        "coll-allgather"), ALLTOALL("coll-alltoall");

    private final Kind kind;

    Call(String command) {
      this.kind = Kind.time(command);
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException when there is no call of a name
   */
  static List<Call> chosen(List<String> words) {
    List<String> known = Arrays.stream(Call.values()).map(Call::word).toList();
    for (String word : words) {
      if (!known.contains(word) && !word.equals("none")) {
        throw new IllegalArgumentException("there is no call '%s' for --hosts; calls are %s, or none"
            .formatted(word, String.join(", ", known)));
      }
    }
    return Arrays.stream(Call.values()).filter(call -> words.contains(call.word())).toList();
  }

  /** What was found of one thing, as a table has it. */
  private record Found(String word, Kind kind, JobFigures figures) {}

  Integer run(BenchOptions options) throws InterruptedException {
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    return options.write(output -> {
      output.text().println(TITLE);
      try (Hosts hosts = Hosts.make()) {
        heading(options, cpus).forEach(output::note);
        Effort effort = options.effort();
        List<Grid> grids = new ArrayList<>();
        List<Found> all = new ArrayList<>(messages(hosts, cores, cpus, effort, output));
        grids.add(show(grid("2 hosts with a rank each: messages", all), output));
        for (int ranks : calls.isEmpty() ? List.<Integer>of() : perHost) {
          List<Found> some = collectives(hosts, ranks * Hosts.COUNT, cores, cpus, effort, output);
          all.addAll(some);
          grids.add(show(grid("2 hosts with %d rank%s each: time of a call"
              .formatted(ranks, ranks == 1 ? "" : "s"), some), output));
        }
        finish(output, all, grids);
      }
    });
  }

  private List<String> heading(BenchOptions options, Cpus cpus) {
    List<String> lines = new ArrayList<>(Heading.of(Machine.here()));
    lines.add("hosts    2 on this machine: namespaces with a network, a name, IPC and /dev/shm each, joined by veth");
    lines.add("CPUs     " + cpus.used() + ", ranks are pinned; of two CPUs each host has one");
    lines.addAll(Heading.method(options.rounds(), options.seconds(), options.warmUp()));
    lines.add("c-loop, nio-loop  two processes that write to and read from a TCP socket and never block; beside a");
    lines.add("         collective c-loop sends a message each way at once, however many ranks there are");
    lines.add("openmpi  btl/tcp, and memory on a host; openmpi-ucx: pml/ucx over tcp alone;");
    lines.add("         openmpi-han: as openmpi, with coll/han; mpich: over UCX's tcp, and memory on a host");
    lines.add("figures  medians; ratios of the times in each round, ours to the other's: below 1 ours takes less;");
    lines.add("         the median over rounds, +- half the interquartile range");
    lines.add("calls    time from the last rank's begin to the last rank's end; bytes are those of one part");
    if (cpus.single()) {
      lines.add("warning: all ranks share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private List<Found> messages(Hosts hosts, List<CorePair> cores, Cpus cpus, Effort effort, Output output)
      throws IOException, BenchException, InterruptedException {
    List<Found> found = new ArrayList<>();
    try (JobRun run = new JobRun(Hosts.COUNT, cpus, hosts, output::note)) {
      run.addCores(cores, List.of(RankOptions.NONE));
      run.addPeers(Peers.onHosts(SearchPath.here(), hosts, Hosts.COUNT, Set.of(), peers));
      found.add(new Found("one way [us]", Kind.LATENCY, run.measure(Kind.LATENCY, "latency", sizes, effort)));
      found.add(new Found("bandwidth [MB/s]", Kind.BANDWIDTH, run.measure(Kind.BANDWIDTH, "bandwidth", sizes, effort)));
      found.add(new Found("rate [1000/s]", Kind.RATE, run.measure(Kind.RATE, "rate", rateSizes, effort)));
    }
    return found;
  }

  private List<Found> collectives(Hosts hosts, int ranks, List<CorePair> cores, Cpus cpus, Effort effort, Output output)
      throws IOException, BenchException, InterruptedException {
    List<Found> found = new ArrayList<>();
    Effort bounded = new Effort(effort.rounds(), effort.seconds(), effort.warmUp(), true);
    Set<Kind> kinds = calls.stream().map(call -> call.kind).collect(Collectors.toSet());
    try (JobRun run = new JobRun(ranks, cpus, hosts, output::note)) {
      run.addCores(cores, List.of(RankOptions.NONE));
      run.addPeers(Peers.onHosts(SearchPath.here(), hosts, ranks, kinds, peers));
      for (Call call : calls) {
        List<Integer> bytes = call == Call.BARRIER ? NO_BYTES : sizes;
        found.add(new Found(call.word() + " [us]", call.kind, run.measure(call.kind, call.word(), bytes, bounded)));
      }
    }
    return found;
  }

  private static Grid show(Grid grid, Output output) {
    output.text().println();
    Table.text(grid).forEach(output.text()::println);
    output.text().flush();
    return grid;
  }

  private static Grid grid(String caption, List<Found> all) {
    List<String> variants = all.stream().flatMap(one -> one.figures.variants().stream()).distinct().toList();
    List<String> head = new ArrayList<>(List.of("what", "bytes"));
    head.addAll(variants);
    Peers.loops().stream().filter(variants::contains).forEach(loop -> head.add("/" + loop));
    head.add("/best peer");
    return new Grid(caption, head, all.stream().flatMap(one -> rows(one, variants).stream()).toList());
  }

  private static List<List<String>> rows(Found one, List<String> variants) {
    JobFigures figures = one.figures;
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of(one.word, Sizes.text(bytes)));
      variants.forEach(variant -> row.add(
          figures.at(variant, bytes).map(series -> figure(one.kind, series)).orElse(JobFigures.NONE)));
      Optional<Series> base = figures.base(bytes);
      Peers.loops().stream().filter(variants::contains)
          .forEach(loop -> row.add(JobFigures.text(JobFigures.ratio(base, figures.at(loop, bytes)))));
      Optional<Series> peer = figures.bestPeer(bytes);
      Optional<Ratio> ratio = JobFigures.ratio(base, peer);
      row.add(JobFigures.text(ratio) + peer.map(series -> " " + series.variant()).orElse(""));
      rows.add(row);
    }
    return rows;
  }

  private static String figure(Kind kind, Series series) {
    double value = kind.isTime() ? series.nanos(50) / 1e3
        : kind.equals(Kind.RATE) ? series.messagesPerSecond() / 1e3 : series.megabytesPerSecond();
    return Table.number(value) + series.star();
  }

  private static void finish(Output output, List<Found> all, List<Grid> grids) throws IOException {
    all.stream().flatMap(one -> one.figures.results().legend().stream()).distinct().forEach(output::note);
    output.csv(Stream.concat(Stream.of(Csv.HEADER), all.stream().flatMap(one -> one.figures.csv().stream())).toList());
    output.html(new Page(TITLE, List.of(), List.of(), List.of(), grids, output.notes(), Set.of()));
  }
}
