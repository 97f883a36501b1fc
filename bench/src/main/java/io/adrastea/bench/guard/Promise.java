package io.adrastea.bench.guard;

import io.adrastea.bench.measure.CpuPair.Distance;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Ratio;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A bound on the ratio of a variant to the floor, or to the best of its own ranks that a setting forces to a way.
 *
 * @param kind latency and barrier (times slower than the floor), bandwidth and rate (part of the floor's), or the time
 * of a collective of two ranks; messages are touched
 * @param variant a core, and where its messages lie if not in native memory: {@code ffm-shared}; of a rate, {@code ffm
 * poll} receives by polls with a handler
 * @param sizes the sizes of messages in bytes, in ascending order: one, or all powers of two between two of them; the
 * bound holds at each by itself
 * @param bound {@code at most} or {@code at least}
 * @param ratio the value that holds
 * @param placements of the two CPUs that it is made for
 * @param leastFloor nanoseconds: it is not made for a machine whose floor is less. A core's own instructions take their
 * time however soon a line is across, so what is a small part of 100 ns is a multiple of 20
 * @param against {@code floor}, or {@code settings}: the least time per message among ranks with one {@link Forced}
 * setting each
 */
record Promise(Kind kind, String variant, List<Integer> sizes, String bound, double ratio, Set<Distance> placements,
    int leastFloor, String against) {
  /** What a ratio is one to. */
  static final String FLOOR = "floor";
  static final String SETTINGS = "settings";

  private static final String MOST = "at most";
  private static final String LEAST = "at least";
  private static final String COLLECTIVE = "coll-";
  private static final String MOVING = "-moving"; // another root in each call
  private static final int FIELDS = 8;

  /** Refuses a bound that is not valid. */
  Promise {
    sizes = List.copyOf(sizes);
    placements = Set.copyOf(placements);
    if (!Set.of(MOST, LEAST).contains(bound)) {
      throw new IllegalArgumentException("'" + bound + "' is no bound");
    }
    if (!Set.of(FLOOR, SETTINGS).contains(against) || against.equals(SETTINGS) && bound.equals(LEAST)) {
      throw new IllegalArgumentException(bound + " a ratio to '" + against + "' is no promise");
    }
  }

  /**
   * Reads {@code bench,variant,bytes,bound,ratio,placements,floor,against}; bytes as in {@code 8} or {@code 512-4096},
   * placements with blanks between.
   *
   * @throws IllegalArgumentException when the line is not a promise
   */
  static Promise parse(String line) {
    String[] words = line.split(",");
    if (words.length != FIELDS) {
      throw new IllegalArgumentException("'" + line + "' is no promise");
    }
    return new Promise(
        kind(words[0]),
        words[1],
        sizes(words[2]),
        words[3],
        Double.parseDouble(words[4]),
        Stream.of(words[5].split(" ")).map(Promise::placement).collect(Collectors.toSet()),
        Integer.parseInt(words[6]),
        words[7]);
  }

  /** One size, or the powers of two from one to another. */
  private static List<Integer> sizes(String text) {
    String[] ends = text.split("-", -1);
    int first = Integer.parseInt(ends[0]);
    int last = Integer.parseInt(ends[ends.length - 1]);
    boolean range = ends.length == 2 && first < last && Integer.bitCount(first) == 1 && Integer.bitCount(last) == 1;
    if (ends.length != 1 && !range) {
      throw new IllegalArgumentException("'" + text + "' is neither a size nor two powers of two in ascending order");
    }
    return range ? IntStream.iterate(first, bytes -> bytes <= last, bytes -> 2 * bytes).boxed().toList()
        : List.of(first);
  }

  private static Distance placement(String title) {
    return Stream.of(Distance.values())
        .filter(distance -> distance.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + title + "' is no placement"));
  }

  private static Kind kind(String command) {
    return switch (command) {
      case "latency" -> Kind.LATENCY;
      case "bandwidth" -> Kind.BANDWIDTH;
      case "rate" -> Kind.RATE;
      case "barrier" -> Kind.BARRIER;
      case "bcast" -> Kind.time(COLLECTIVE + command + MOVING);
      case "allreduce", "allgather", "alltoall" -> Kind.time(COLLECTIVE + command);
      default -> throw new IllegalArgumentException("'" + command + "' is not guarded");
    };
  }

  /** The promise at those of its sizes that are among these; nothing where none is. */
  Optional<Promise> at(List<Integer> some) {
    List<Integer> left = sizes.stream().filter(some::contains).toList();
    return left.isEmpty() ? Optional.empty()
        : Optional.of(new Promise(kind, variant, left, bound, ratio, placements, leastFloor, against));
  }

  /** Whether it is about a collective, called as {@code bench collectives} calls it. */
  boolean isOfCollective() {
    return kind.command().startsWith(COLLECTIVE);
  }

  /** What is measured, as its line has it. */
  String bench() {
    return isOfCollective() ? kind.command().replace(COLLECTIVE, "").replace(MOVING, "") : kind.command();
  }

  /** Where the messages lie. */
  Memory memory() {
    return Arrays.stream(Memory.values())
        .filter(memory -> memory != Memory.NATIVE && ranks().endsWith(memory.suffix()))
        .findFirst()
        .orElse(Memory.NATIVE);
  }

  /**
   * The variant without what it does otherwise than another one on the same ranks: {@code ffm poll} is of {@code ffm}.
   */
  String ranks() {
    return variant.replaceFirst(" .*", "");
  }

  /** Its ranks without what {@link #memory} adds. */
  String core() {
    return ranks().substring(0, ranks().length() - memory().suffix().length());
  }

  /**
   * Whether what was measured keeps it. The median of the rounds' ratios decides; but three quarters of them have to
   * break a promise against settings, since of several figures that are alike the least is less by chance.
   */
  boolean keptBy(Ratio measured) {
    double decides = forcesSettings() ? measured.low() : measured.median();
    return bound.equals(MOST) ? decides <= ratio : decides >= ratio;
  }

  /** Whether it is made for two CPUs that lie so. */
  boolean isFor(Distance placement) {
    return placements.contains(placement);
  }

  /** Whether it is made for a machine with this floor, in nanoseconds. */
  boolean isFor(double floor) {
    return floor >= leastFloor;
  }

  /** What it is made for, in words. */
  String madeFor() {
    String where =
        placements.size() == Distance.values().length
            ? "any two CPUs"
            : Stream.of(Distance.values()).filter(placements::contains).map(Distance::title)
                .collect(Collectors.joining(", "));
    return leastFloor == 0 ? where : where + "; floor of " + leastFloor + " ns and more";
  }

  /** The bound and its ratio as in {@code at most 5.5}. */
  String limit() {
    return String.format(Locale.ROOT, "%s %s", bound, ratio);
  }

  /** What the ratio is one to, in words. */
  String reference() {
    return forcesSettings() ? "the best forced setting" : "the floor";
  }

  /** Whether ranks are needed that have one forced setting each. */
  boolean forcesSettings() {
    return against.equals(SETTINGS);
  }

  /** Its sizes as its line has them. */
  String bytes() {
    return sizes.size() == 1 ? "" + sizes.getFirst() : sizes.getFirst() + "-" + sizes.getLast();
  }

  /** A row of the table in the document. */
  String markdown() {
    return "| %s | %s | %s | %s | %s | %s |".formatted(bench(), variant, bytes(), limit(), reference(),
        madeFor());
  }
}
