package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.peer.JobBench;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.JobRun;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench collectives}: reads what is asked for, measures, prints. */
@Command(
    name = "collectives",
    defaultValueProvider = CollectivesDefaults.class,
    description = {
      "Collectives of all ranks, sums of doubles where something is combined, beside Open MPI (openmpi), Open MPI with"
          + " its shared-memory collectives coll_sm (openmpi-sm) and MPICH (mpich), which call them in the same loop.",
      "The time of a call goes from the last rank's begin to the last rank's end. Inputs are written anew before each"
          + " call, in up to four buffers in turn, and outputs are checked after it; neither counts.",
      "On cores ffm and java, unless --core names others. --warmup is for each collective, all of it before the first"
          + " of its forms and roots; the others share as much. It is longer where ranks share CPUs, by as many ranks"
          + " as a CPU has, and ends before that once the ranks' compilers are idle; a time at which they were not has"
          + " a star. In the CSV the bench of a line is call/ranks.",
      "A call with one root takes at most its warm-up for each core, and a second or two for each peer: with 8 ranks on"
          + " two CPUs some 10 s. Where ranks share CPUs, MPICH may take minutes for one call, since its ranks hardly"
          + " give way: --peers leaves it out. On a machine that others use all takes longer."
    })
public final class CollectivesCommand extends JobBench {
  private static final List<Integer> NO_BYTES = List.of(0);
  private static final int MOST_BYTES = 128 << 20; // of a buffer; divided among those that are used at once

  private static final String TITLE =
      "adrastea bench collectives: all ranks call, all variants in turn in each round";
  private static final List<String> LEGEND = List.of(
      "time     of the slowest rank: all begin together (where each has a CPU), and the time goes from the last begin",
      "         to the last end; bytes are those of one part: what a rank gives one other, or all",
      "uneven   of reduceScatter and the v forms even ranks' parts have half of the bytes, odd ones' one and a half",
      "         times as many (of 8 bytes: 0 and 16); of alltoallv those of ranks whose sum is even, or odd",
      "root     another rank in each call; \"root 0\": always that one",
      "floor    up to 64 bytes the one-way time of a cache line, above a copy of what the other CPU has just written;",
      "         of two CPUs, however many ranks there are",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range",
      Series.STAR_MEANS);
  private static final List<String> LEAD = List.of(
      "Above 1 a variant takes longer than our default core, in the tinted part below it takes less. A band holds the"
          + " middle half of the rounds.");

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,1K,64K,1M",
      description = {
        "Bytes of a part, multiples of 8 from 8 to 16M, with K or M. Default: ${DEFAULT-VALUE}."
      })
  private Sizes sizes;

  @Option(
      names = "--calls",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "barrier,bcast,allreduce,allgather",
      description = {
        "What to call: barrier, bcast, allreduce, allgather, reduce, reduceScatterBlock, reduceScatter, scan, exscan,"
            + " gather, scatter, alltoall, allgatherv, gatherv, scatterv, alltoallv; all for each of them.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> collectives;

  @Option(
      names = "--form",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "blocking",
      description = {
        "How to call it: blocking; started (and waited for); persistent; outstanding: 16 that are started before the"
            + " first is waited for, beside 16 one after the other; overlap: one that is started, computing for as long"
            + " as one takes alone, and waited for, without and with a progress thread.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> forms;

  @Option(
      names = "--helpers",
      paramLabel = "LIST",
      description = {
        "CPUs of the ranks' progress threads in the form overlap, in turn. With --cpus 0,0 --helpers 1 two ranks"
            + " compute on one CPU, and what they have started is moved on by the other: on two CPUs that shows what"
            + " threads with a CPU of their own hide.",
        "Default: CPUs of --cpus behind those of the ranks, if there is one for each."
      })
  private String helpers;

  @Option(
      names = "--roots",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "moving,0",
      description = {
        "Roots of those calls that have one: moving, another rank in each call, and numbers of ranks.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<String> roots;

  @Option(
      names = "--buffers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "native",
      converter = Memory.Converter.class,
      description = {
        "Where our inputs and outputs lie: native, array (double[]), shared (job.allocate). Each is a variant with"
            + " ranks of its own. Default: ${DEFAULT-VALUE}."
      })
  private List<Memory> memories;

  private List<Integer> helperCpus = List.of(); // those of the option
  private List<Call> calls = List.of(); // those that are measured

  /** Creates the command for the command line. */
  public CollectivesCommand() {}

  @Override
  protected String title() {
    return TITLE;
  }

  @Override
  protected List<Peer> read(Cpus cpus) {
    calls = calls();
    helperCpus = helperCpus(cpus);
    Set<Kind> kinds = calls.stream()
        .filter(call -> call.form() != Form.THREAD) // which is ours alone
        .map(Call::kind)
        .collect(Collectors.toSet());
    return Peers.collectives(SearchPath.here(), kinds);
  }

  private List<Integer> helperCpus(Cpus cpus) {
    return helpers == null ? List.of() : Cpus.inOrder(helpers, cpus.allowed());
  }

  private List<Call> calls() {
    Sizes.words(sizes.bytes(), 16 << 20);
    int least = counts().getFirst();
    for (String root : roots) {
      MeasureOptions.require(root.equals(Call.MOVING) || root.matches("[0-9]{1,4}") && Integer.parseInt(root) < least,
          "--roots must be moving or numbers of ranks, with %d ranks 0 to %d, not '%s'"
              .formatted(least, least - 1, root));
    }
    List<Call> all = Call.all(
        collectives.stream().flatMap(word -> Collective.of(word).stream()).distinct().toList(),
        roots.stream().distinct().toList(),
        forms.stream().flatMap(word -> Form.of(word.strip()).stream()).distinct().toList());
    all.forEach(this::requireRoom);
    return all;
  }

  private void requireRoom(Call call) {
    int ranks = mostRanks();
    int bytes = sizes.bytes().getLast();
    Parts parts = new Parts(call.collective(), ranks, ranks - 1, bytes / Double.BYTES);
    long row = Math.max(parts.input(), parts.output()) * Double.BYTES;
    long most = MOST_BYTES / call.form().calls();
    MeasureOptions.require(row <= most,
        "%s of %d ranks with parts of %s needs %d bytes in each buffer of a rank; at most %s are allowed"
            .formatted(call.title(), ranks, Sizes.text(bytes), row, Sizes.text((int) most)));
  }

  @Override
  protected List<String> legend(Cpus cpus) {
    List<String> lines = new ArrayList<>(LEGEND);
    forms.stream().filter("overlap"::equals).findFirst().ifPresent(overlap -> lines.addAll(ofOverlap(cpus)));
    return lines;
  }

  private List<String> ofOverlap(Cpus cpus) {
    int ranks = mostRanks();
    return List.of(
        "hidden   the part of a call that cost no time behind computing: (alone + compute - both) / alone, median over",
        "         rounds; below 0: both together cost more. Computing takes the median time of a call alone, found",
        "         anew by each variant; where ranks share a CPU they compute one after the other, and the time of the",
        "         last one counts. All ranks of ours have joined with MULTIPLE",
        !helperCpus.isEmpty() ? "thread   each rank has a progress thread, on CPUs %s in turn".formatted(helperCpus)
            : Helper.haveCpus(ranks, cpus)
                ? "thread   each rank has a progress thread on a CPU of its own"
                : "thread   each rank has a progress thread that has NO CPU OF ITS OWN: %d ranks need %d (--cpus)"
                    .formatted(ranks, 2 * ranks));
  }

  @Override
  protected Shown measure(List<CorePair> cores, List<Peer> chosen, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException {
    List<FoundCall> found = new ArrayList<>();
    for (int ranks : counts()) {
      for (boolean overlap : List.of(false, true)) { // with ranks of their own
        List<Call> some = calls.stream().filter(call -> call.form().isOverlap() == overlap).toList();
        if (some.isEmpty()) {
          continue;
        }
        try (JobRun run = new JobRun(ranks, cpus, notes)) {
          run.addFloor("adrastea-floor", "line 8 1 1", program -> List.of(new FloorVariant(program)));
          run.addCores(cores, overlap ? List.of(helped(ranks, cpus)) : ownRanks());
          run.addPeers(chosen);
          Set<Collective> known = new HashSet<>();
          for (Call call : some) {
            Effort effort = effort(ranks, cpus, some, known.add(call.collective()));
            List<Integer> bytes = call.collective().hasBytes() ? sizes.bytes() : NO_BYTES;
            found.add(new FoundCall(call, run.measure(call.kind(), call.title(), bytes, effort)));
          }
        }
      }
    }
    return shown(found);
  }

  private RankOptions helped(int ranks, Cpus cpus) {
    return helperCpus.isEmpty() ? RankOptions.withHelpers(ranks, cpus)
        : RankOptions.withHelpers(ranks, cpus, helperCpus);
  }

  private List<RankOptions> ownRanks() {
    return memories.stream().distinct().map(RankOptions::of).toList();
  }

  /**
   * For one of some calls: ranks that share a CPU compile in turn. The first one of a collective has all of its
   * warm-up, since others are told in its time; they share as much.
   */
  private Effort effort(int ranks, Cpus cpus, List<Call> calls, boolean first) {
    int perCpu = Math.max(1, ranks / new HashSet<>(cpus.used()).size());
    long kinds = calls.stream().map(Call::collective).distinct().count();
    double warmUp = effort().warmUp() * perCpu;
    return new Effort(effort().rounds(), effort().seconds(), first ? warmUp : warmUp * kinds / calls.size(), true);
  }

  private static Shown shown(List<FoundCall> found) {
    List<Grid> grids = found.stream().map(one -> one.figures().ranks()).distinct()
        .map(ranks -> grid(ranks, found.stream().filter(one -> one.figures().ranks() == ranks).toList()))
        .toList();
    return new Shown(
        found.stream().map(FoundCall::figures).toList(),
        grids,
        Stream.concat(found.stream().flatMap(one -> one.said().stream()), beside(found)).toList(),
        Stream
            .concat(LEAD.stream(), found.stream().flatMap(one -> one.figures().results().legend().stream()).distinct())
            .toList(),
        found.stream().flatMap(one -> one.ratioChart().stream()).toList());
  }

  /** Calls beside each other: a moving root beside another one, a form beside that it is told in, what is hidden. */
  private static Stream<String> beside(List<FoundCall> found) {
    Map<Integer, Map<Call, FoundCall>> all = new HashMap<>();
    found.forEach(one -> all.computeIfAbsent(one.figures().ranks(), ranks -> new HashMap<>()).put(one.call(), one));
    return found.stream().flatMap(one -> beside(one, all.get(one.figures().ranks())).stream());
  }

  private static List<String> beside(FoundCall one, Map<Call, FoundCall> others) {
    List<String> lines = new ArrayList<>();
    Call call = one.call();
    call.form().base().map(base -> others.get(call.in(base))).flatMap(one::saidOver).ifPresent(lines::add);
    if (call.root().equals(Call.MOVING)) {
      others.values().stream()
          .filter(other -> !other.equals(one) && other.call().from(Call.MOVING).equals(call))
          .flatMap(other -> one.saidOver(other).stream())
          .forEach(lines::add);
    }
    if (call.form() == Form.BOTH || call.form() == Form.THREAD) {
      lines.addAll(one.saidHidden(others.get(call.in(Form.ALONE)), others.get(call.in(Form.COMPUTE))));
    }
    return lines;
  }

  private static Grid grid(int ranks, List<FoundCall> found) {
    List<String> variants = found.stream()
        .flatMap(one -> one.figures().variants().stream())
        .distinct()
        .toList();
    String base = found.get(0).figures().ours().stream().findFirst().orElse("ours");
    List<String> head = new ArrayList<>(List.of("call", "bytes"));
    variants.forEach(variant -> head.add(variant + (variant.equals(variants.get(0)) ? " [us]" : "")));
    head.addAll(List.of(base + "/better peer", base + "/floor"));
    return new Grid("%d ranks: time of a call, median".formatted(ranks), head,
        found.stream().flatMap(one -> one.rows(variants).stream()).toList());
  }
}
