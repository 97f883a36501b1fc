package io.adrastea.bench.collectives;

import io.adrastea.Data;
import io.adrastea.bench.collectives.Collective.Row;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * How long the parts are that ranks give each other, and where they lie. Parts that differ have one shape: those with
 * an even number have half of the elements, the others one and a half times as many; of one element, none and two. The
 * number is that of the rank whose part it is; where each rank gives each other one, the sum of both numbers.
 *
 * @param rank whose input and output these are
 * @param elements doubles of a part, of uneven ones in the middle
 */
record Parts(Collective collective, int ranks, int rank, int elements) {
  /** Doubles that one rank gives another. */
  int part(int from, int to) {
    if (!collective.isUneven()) {
      return elements;
    }
    int number = numberOf(from, to);
    return number % 2 == 0 ? elements / 2 : 2 * elements - elements / 2;
  }

  private int numberOf(int from, int to) {
    if (collective.in() == Row.ALL) {
      return collective.out() == Row.ALL ? from + to : to;
    }
    return from;
  }

  /** Where it begins in its giver's input, in doubles. */
  long givenAt(int from, int to) {
    long at = 0;
    for (int before = 0; collective.in() == Row.ALL && before < to; before++) {
      at += part(from, before);
    }
    return at;
  }

  /** Where it begins in its taker's output. */
  long takenAt(int from, int to) {
    long at = 0;
    for (int before = 0; collective.out() == Row.ALL && before < from; before++) {
      at += part(before, to);
    }
    return at;
  }

  /** Doubles of this rank's input, if it gives any. */
  long input() {
    return switch (collective.in()) {
      case NOTHING -> 0;
      case ONE -> part(rank, 0);
      case ALL -> givenAt(rank, ranks);
    };
  }

  /** Doubles of this rank's output, if it takes any apart from its input. */
  long output() {
    return switch (collective.out()) {
      case NOTHING -> 0;
      case ONE -> part(0, rank);
      case ALL -> takenAt(ranks, rank);
    };
  }

  /** What is given to a call: a buffer of this rank's input, in parts where those differ. */
  Data given(Data buffer) {
    return collective.isUneven() && collective.in() == Row.ALL
        ? inParts(buffer, to -> part(rank, to), to -> givenAt(rank, to))
        : buffer;
  }

  /** What is taken from a call: a buffer of this rank's output, in parts where those differ. */
  Data taken(Data buffer) {
    return collective.isUneven() && collective.out() == Row.ALL
        ? inParts(buffer, from -> part(from, rank), from -> takenAt(from, rank))
        : buffer;
  }

  private Data inParts(Data buffer, IntToLongFunction length, IntToLongFunction at) {
    return Data.parts(buffer, IntStream.range(0, ranks).mapToLong(length).toArray(),
        IntStream.range(0, ranks).mapToLong(at).toArray());
  }
}
