package io.adrastea.bench.collectives;

import static io.adrastea.bench.collectives.Collective.Row.ALL;
import static io.adrastea.bench.collectives.Collective.Row.NOTHING;
import static io.adrastea.bench.collectives.Collective.Row.ONE;
import static io.adrastea.bench.collectives.Collective.Trait.FOLDS;
import static io.adrastea.bench.collectives.Collective.Trait.FROM_ROOT;
import static io.adrastea.bench.collectives.Collective.Trait.TO_ROOT;
import static io.adrastea.bench.collectives.Collective.Trait.UNEVEN;

import io.adrastea.bench.measure.Choice;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What is called by all ranks, and what goes into it and comes out; {@code adr_mpi_collectives.c} has the same. */
enum Collective {
  BARRIER(NOTHING, NOTHING), BCAST(ONE, NOTHING, FROM_ROOT), ALLREDUCE(ONE, ONE, FOLDS), ALLGATHER(ONE, ALL), REDUCE(
      ONE, ONE, TO_ROOT, FOLDS), REDUCE_SCATTER_BLOCK(ALL, ONE, FOLDS), REDUCE_SCATTER(ALL, ONE, FOLDS,
          UNEVEN), SCAN(ONE, ONE, FOLDS), EXSCAN(ONE, ONE, FOLDS), GATHER(ONE, ALL, TO_ROOT), SCATTER(ALL, ONE,
              FROM_ROOT), ALLTOALL(ALL, ALL), ALLGATHERV(ONE, ALL, UNEVEN), GATHERV(ONE, ALL, TO_ROOT,
                  UNEVEN), SCATTERV(ALL, ONE, FROM_ROOT, UNEVEN), ALLTOALLV(ALL, ALL, UNEVEN);

  /** The word of an option for all of them. */
  static final String EACH = "all";

  /** What a rank's input, or its output, holds. */
  enum Row {
    NOTHING, ONE,
    /** A part for each rank, or of each. */
    ALL
  }

  /** What not all have. */
  enum Trait {
    /** One rank has all input. */
    FROM_ROOT,
    /** One rank has all output. */
    TO_ROOT,
    /** Parts are combined. */
    FOLDS,
    /** Parts differ in length. */
    UNEVEN
  }

  private final Row in;
  private final Row out;
  private final Set<Trait> traits;

  Collective(Row in, Row out, Trait... traits) {
    this.in = in;
    this.out = out;
    this.traits = Set.of(traits);
  }

  /** Its name in options and tables. */
  String word() {
    String[] words = name().toLowerCase(Locale.ROOT).split("_");
    return words[0] + Arrays.stream(words).skip(1)
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining());
  }

  Row in() {
    return in;
  }

  Row out() {
    return out;
  }

  /** Whether one rank differs from the others. */
  boolean isRooted() {
    return traits.contains(FROM_ROOT) || traits.contains(TO_ROOT);
  }

  boolean folds() {
    return traits.contains(FOLDS);
  }

  boolean isUneven() {
    return traits.contains(UNEVEN);
  }

  /** Whether there is anything to move. */
  boolean hasBytes() {
    return this != BARRIER;
  }

  /** Whether a rank has an input. */
  boolean gives(int rank, int root) {
    return in != NOTHING && (!traits.contains(FROM_ROOT) || rank == root);
  }

  /** Whether a rank gets anything from other ranks, or from itself. */
  boolean takes(int rank, int root) {
    return hasBytes() && (!traits.contains(TO_ROOT) || rank == root);
  }

  /** Returns of how many ranks, from the first one on, the inputs are combined at a rank. */
  int folded(int rank, int ranks) {
    return switch (this) {
      case SCAN -> rank + 1;
      case EXSCAN -> rank;
      default -> ranks;
    };
  }

  /** Reads a word of an option: one of them, or all. */
  static List<Collective> of(String word) {
    return new Choice<>("collective", List.of(values()), Collective::word, EACH).named(word);
  }
}
