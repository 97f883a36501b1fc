package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import io.adrastea.core.Core;
import io.adrastea.core.Cores;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The lines above the table: what was measured, on what, and how. */
public final class Heading {
  private static final String WORD = "%-9s%s";

  private Heading() {}

  static List<String> lines(Kind kind, List<Integer> sizes, List<Memory> memories, List<String> ways,
      RankedOptions options, Cpus cpus, Machine machine) {
    List<String> lines = new ArrayList<>();
    lines.add(what(kind));
    lines.addAll(of(machine));
    lines.add(WORD.formatted("ranks", who(kind, options.ranks(), cpus)));
    lines.add(WORD.formatted("CPUs", used(options.ranks(), cpus, canPin())));
    lines.addAll(method(options.rounds(), options.seconds(), options.warmUp()));
    lines.addAll(buffers(kind, sizes, memories));
    lines.addAll(ways(ways));
    lines.addAll(floor(kind));
    return lines;
  }

  /** The machine's lines. */
  public static List<String> of(Machine machine) {
    return List.of(
        WORD.formatted("machine", machine.cpu() + "; " + machine.kernel()),
        WORD.formatted("caches", machine.caches()),
        WORD.formatted("governor", machine.governor()),
        WORD.formatted("JVM", machine.jvm()));
  }

  /** How it was measured. */
  public static List<String> method(int rounds, double seconds, double warmUp) {
    return List.of(
        String.format(
            Locale.ROOT,
            "rounds   %d, each %s s per variant and size; warm-up %s s per variant, not counted",
            rounds,
            seconds,
            warmUp),
        String.format(
            Locale.ROOT,
            "batch    exchanges timed together, about %.0f us; percentiles are those of batches",
            Plan.BATCH_NANOS / 1000));
  }

  private static String what(Kind kind) {
    return "adrastea bench "
        + kind.command()
        + switch (kind.base()) {
          case "latency" -> ": send and recv, one way = round trip / 2";
          case "bandwidth" -> ": isend and irecv, a stream from rank to rank, median batch";
          case "bibandwidth" -> ": isend and irecv, both ways at once, sum of both, median batch";
          case "rate" -> ": send in a loop, recv in a loop, a stream of small messages, median batch";
          case "barrier" -> ": one barrier of all ranks; the floor is a whole round trip";
          case "copy" -> ": what the other CPU has just written, copied; only the copy is timed";
          default -> "";
        };
  }

  /**
   * Where messages lie, unless that is as always, whether they are touched, and in how many buffers they take turns.
   */
  public static List<String> buffers(Kind kind, List<Integer> sizes, List<Memory> memories) {
    List<String> lines = new ArrayList<>();
    if (!memories.equals(List.of(Memory.NATIVE))) {
      memories.forEach(memory -> lines.add(WORD.formatted("buffers", memory.meaning())));
    }
    if (kind.touches()) {
      lines.add("touched  before a send a word of each line is written, after a receive one is read, within the time;");
      lines.add(
          "         short messages whole; those of peers and floor likewise (of a copy, the reading is timed)");
    } else if (kind.isUntouched()) {
      lines.add("content  untouched: it never changes while time runs and stays in the caches of both CPUs");
    }
    if (kind.touches() || kind.isUntouched()) {
      lines.add("turns    messages take turns in " + turns(sizes));
    }
    return lines;
  }

  private static String turns(List<Integer> sizes) {
    String fewer = sizes.stream().filter(bytes -> Touched.buffers(bytes) < Touched.buffers(0))
        .map(bytes -> ", %d at %s".formatted(Touched.buffers(bytes), Sizes.text(bytes))).collect(Collectors.joining());
    return Touched.buffers(0) + " buffers on each side" + fewer
        + "; a window has one for each outstanding";
  }

  /** The ways of large messages, if they were asked for. */
  public static List<String> ways(List<String> ways) {
    return ways.isEmpty()
        ? List.of()
        : List.of(WORD.formatted("ways", Tunable.LMT.property() + " " + String.join(", ", ways)
            + ": ranks of their own for each, called by core/way"));
  }

  private static String who(Kind kind, int ranks, Cpus cpus) {
    int cpuCount = Math.min(cpus.used().size(), Math.max(2, ranks));
    boolean onePair = ranks == 2 || kind.equals(Kind.BARRIER);
    String pairs = onePair ? "" : " in " + ranks / 2 + " pairs at once, figures per pair";
    return ranks
        + pairs
        + (ranks > cpuCount ? "; they share the CPUs and yield to each other" : "");
  }

  /** Whether a rank can be pinned by one of this build's cores: the Java core has no way to. */
  private static boolean canPin() {
    return Cores.bindThread(-1) != Core.NOSYS; // No such CPU: nothing is pinned by asking.
  }

  static String used(int ranks, Cpus cpus, boolean canPin) {
    AllowedCpus used = new AllowedCpus(cpus.used().stream().limit(Math.max(2, ranks)).toList());
    String pinned =
        canPin
            ? used + " (floor and ranks are pinned)"
            : used + " (the floor is pinned; ranks are NOT, no core here can)";
    return pinned + ", allowed " + cpus.allowed();
  }

  private static List<String> floor(Kind kind) {
    List<String> lines = new ArrayList<>();
    for (Kind.Reference reference : kind.references()) {
      lines.add(WORD.formatted(reference.variant(), "two C processes, " + meaning(reference)));
    }
    if (kind.equals(Kind.COPY)) {
      lines.add("java     MemorySegment.copy; the ffm core copies with memcpy, as the floor does");
    }
    lines.add(
        "x floor  median over rounds of the ratio within the round, +- half the interquartile"
            + " range");
    return lines;
  }

  private static String meaning(Kind.Reference reference) {
    return switch (reference.command()) {
      case "slot" -> "ring of 64-byte slots, flag and payload in one line";
      case "line" -> "each writes its own line and spins on the other's";
      case "copy" -> "one copies with memcpy what the other wrote";
      case "bicopy" -> "each copies with memcpy what the other wrote, both at once";
      case "stream" -> "ring of 64-byte slots, one way, flag and payload in one line";
      default -> reference.command();
    };
  }
}
