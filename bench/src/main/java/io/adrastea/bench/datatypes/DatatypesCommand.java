package io.adrastea.bench.datatypes;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CpuVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.measure.WayOptions;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.PeerOptions;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code bench datatypes}: reads what is asked for, measures, prints. */
@Command(
    name = "datatypes",
    defaultValueProvider = DatatypesDefaults.class,
    description = {
      "Messages that are not contiguous: by their datatype, packed by hand, packed by the library; beside Open MPI"
          + " (openmpi) and MPICH (mpich), which do the same. And packing alone, beside loops in C that are written for"
          + " each shape. --quick takes the first size of each shape and three blocks.",
      "Strided blocks (noncontig; SCI-MPICH 2002, Figs. 7 and 10) and the shapes of DDTBench: WRF, MILC, NAS LU and MG,"
          + " LAMMPS, SPECFEM3D, FFT2D.",
      "On cores ffm and java, unless --core names others. In the CSV the bench of a line is its case."
    })
public final class DatatypesCommand implements Callable<Integer> {
  private static final String TITLE =
      "adrastea bench datatypes: messages that are not contiguous, there and back, all variants in turn in each round";
  private static final String STRIDED = "noncontig";
  private static final List<String> LEGEND = List.of(
      "by type  one send and one recv of the datatype; by hand: packed and unpacked by a loop for this shape;",
      "         packed: by the library's pack and unpack; piecewise: a message for each block",
      "touched  before a send a word of each cache line that has bytes of the message is written, after a receive it",
      "         is read, within the time, at the peers too; memory takes turns in four copies, if they fit 64 MiB;",
      "         after each run every word that arrives is checked",
      "ratios   of the times in each round, median over rounds, +- half the interquartile range",
      "packing  not touched: the same memory is packed again, in turns",
      Series.STAR_MEANS);
  private static final List<String> LEAD = List.of(
      "Above 1 a variant takes longer than a send and a receive by datatype with our default core, in the tinted part"
          + " below it takes less. A band holds the middle half of the rounds.");
  private static final Effort QUICK = new Effort(2, 0.002, 0.1);
  private static final List<Integer> QUICK_BLOCKS = List.of(8, 128, 4096);

  @Mixin
  private MeasureOptions options;

  @Mixin
  private PeerOptions peers;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,16,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K",
      description = {
        "Blocks of noncontig in bytes, powers of two, with K. Default: ${DEFAULT-VALUE}."
      })
  private Sizes blocks;

  @Option(
      names = "--shapes",
      paramLabel = "LIST",
      split = ",",
      description = {
        "What to measure: noncontig, and names of shapes or what they begin with, as in WRF,NAS_MG_x.",
        "Default: all."
      })
  private List<String> shapes;

  @Option(
      names = "--buffers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "native",
      converter = Memory.Converter.class,
      description = {
        "Where our data lies: native, shared (job.allocate). Each is a variant with ranks of its own.",
        "Default: ${DEFAULT-VALUE}."
      })
  private List<Memory> memories;

  @Mixin
  private WayOptions ways;

  @Option(
      names = "--cpu",
      description = {
        "Also the CPU time of both ranks for a message, without that of polls which find nothing: what copying takes,"
            + " whoever copies. A row for each of our variants, by ranks of their own; ratios are those of CPU time."
      })
  private boolean cpu;

  @Option(
      names = "--measure",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "messages,packing",
      converter = Part.Converter.class,
      description = {
        "messages, there and back, and packing, alone, beside loops in C. Default: ${DEFAULT-VALUE}."
      })
  private List<Part> parts;

  /** Creates the command for the command line. */
  public DatatypesCommand() {}

  /** Runs of their own. */
  private enum Part {
    MESSAGES, PACKING;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads a part for the command line. */
    static final class Converter implements ITypeConverter<Part> {
      @Override
      public Part convert(String word) {
        return Arrays.stream(values())
            .filter(part -> part.word().equals(word.strip()))
            .findFirst()
            .orElseThrow(() -> new TypeConversionException(
                "'%s' is not measured; allowed are messages, packing".formatted(word)));
      }
    }
  }

  /** What is measured. */
  private record Asked(List<Case> strided, List<Case> shapes) {
    List<Case> all() {
      return Stream.concat(strided.stream(), shapes.stream()).toList();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    Asked asked = options.checked(this::asked);
    options.checked(this::checkMemories);
    List<Peer> chosen = options.checked(() -> peers(asked.all()));
    return options.write(output -> {
      output.text().println(TITLE);
      heading(cpus).forEach(output::note);
      print(output, measure(asked, cores, chosen, cpus, output::note));
    });
  }

  private Asked asked() {
    boolean strided = shapes == null || shapes.contains(STRIDED);
    List<Case> found = shapes == null
        ? Cases.shapes()
        : Cases.shapes(shapes.stream().filter(word -> !word.equals(STRIDED)).toList());
    List<Integer> sizes = peers.isQuick() ? QUICK_BLOCKS : blocks.bytes();
    return new Asked(strided ? sizes.stream().map(Cases::noncontig).toList() : List.of(),
        peers.isQuick() ? firsts(found) : found);
  }

  /** One case of each shape. */
  private static List<Case> firsts(List<Case> all) {
    List<Case> firsts = new ArrayList<>();
    for (Case one : all) {
      if (firsts.stream().noneMatch(first -> first.shape().equals(one.shape()))) {
        firsts.add(one);
      }
    }
    return firsts;
  }

  private boolean checkMemories() {
    if (memories.contains(Memory.ARRAY)) {
      throw new IllegalArgumentException(
          "--buffers: the shapes have elements of several types, which no one array holds; allowed are native, shared");
    }
    return true;
  }

  private List<Peer> peers(List<Case> cases) {
    List<Peer> all = Peers.datatypes(
        SearchPath.here(), DatatypesRun.peerKinds(), DatatypesRun.trial(cases.get(0), Way.HAND), Cases.words(cases));
    return peers.chosen(all);
  }

  private List<String> heading(Cpus cpus) {
    Effort effort = effort();
    List<String> lines = new ArrayList<>(Heading.of(Machine.here()));
    lines.add("ranks    2 on CPUs " + cpus.of(0, 0) + " and " + cpus.of(0, 1));
    lines.addAll(Heading.method(effort.rounds(), effort.seconds(), effort.warmUp()));
    lines.addAll(LEGEND);
    if (cpu) {
      lines.addAll(CpuVariant.LEGEND);
    }
    if (cpus.single()) {
      lines.add("warning: both sides share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private Effort effort() {
    return peers.isQuick() ? QUICK : options.effort();
  }

  private List<Found> measure(Asked asked, List<CorePair> cores, List<Peer> chosen, Cpus cpus,
      Consumer<String> notes) throws IOException, BenchException, InterruptedException {
    List<Found> found = new ArrayList<>();
    try (DatatypesRun run = new DatatypesRun(notes)) {
      List<RankOptions> each =
          RankOptions.each(memories.stream().distinct().toList(), ways.all());
      run.addCores(cores, each, cpus);
      if (parts.contains(Part.MESSAGES)) {
        if (cpu) {
          run.addMetered(cores, each, cpus);
        }
        run.addPeers(chosen, cpus);
        run.measure(asked.strided, Way.sent(), effort()).ifPresent(found::add);
        run.measure(asked.shapes, Way.sent(), effort()).ifPresent(found::add);
      }
      if (parts.contains(Part.PACKING)) {
        run.addLoops(asked.all(), cpus);
        run.measure(asked.strided, Way.packing(), effort()).ifPresent(found::add);
        run.measure(asked.shapes, Way.packing(), effort()).ifPresent(found::add);
      }
    }
    return found;
  }

  private void print(Output output, List<Found> found) throws IOException {
    List<FoundText> texts = found.stream().map(FoundText::new).toList();
    List<String> first = peers.isQuick() ? List.of(MeasureOptions.QUICK)
        : texts.stream().flatMap(text -> text.said().stream()).toList();
    List<String> others = peers.isQuick() ? List.of()
        : texts.stream().flatMap(text -> text.saidOfOthers().stream()).toList();
    texts.forEach(text -> Table.text(text.grid()).forEach(output.text()::println));
    output.text().println();
    first.forEach(output.text()::println);
    others.forEach(output.text()::println);
    output.text().flush();
    output.csv(Stream.concat(Stream.of(Csv.HEADER), texts.stream().flatMap(text -> text.csv().stream())).toList());
    output.html(new Page(
        TITLE,
        Stream.of(LEAD.stream(), found.stream().flatMap(one -> one.results().legend().stream()).distinct(),
            first.stream()).flatMap(one -> one).toList(),
        texts.stream().flatMap(text -> text.ratioCharts().stream()).toList(),
        texts.stream().flatMap(text -> text.charts().stream()).toList(),
        texts.stream().map(FoundText::grid).toList(),
        Stream.concat(others.stream(), output.notes().stream()).toList(),
        texts.stream().flatMap(text -> text.asides().stream()).collect(Collectors.toSet())));
  }
}
