package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a message gets from one end to the other, or only into a buffer. */
enum Way {
  /** Sent in one piece of the same bytes: what the others are compared with. */
  CONTIGUOUS("contiguous"),
  /** Sent by its datatype. */
  TYPE("by type"),
  /** Packed and unpacked by a loop that is written for its shape. */
  HAND("by hand"),
  /** Packed and unpacked by the library: what [SCI-MPICH 2002, 3.4] calls generic. */
  PACKED("packed"),
  /** A message for each block. */
  PIECEWISE("piecewise"),
  /** Packed by the library, and not sent. */
  PACK("pack"),
  /** Packed by the loop, and not sent. */
  LOOP("loop");

  private final String title;

  Way(String title) {
    this.title = title;
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** Whether there is no message. */
  boolean isAlone() {
    return this == PACK || this == LOOP;
  }

  /** Whether a case has it. */
  boolean isFor(Case one) {
    return one.group() == Group.NONCONTIG || (this != CONTIGUOUS && this != PIECEWISE);
  }

  /** What ranks are told. */
  Kind kind(Group group) {
    return kind(group.word() + "-" + name().toLowerCase(Locale.ROOT), isAlone());
  }

  /** What a run of several ways is called. */
  static Kind kind(String command, boolean alone) {
    return new Kind(command, Kind.Figure.TIME, alone ? 1 : 2, 1, List.of());
  }

  /** Returns the ways of a message. */
  static List<Way> sent() {
    return Arrays.stream(values()).filter(way -> !way.isAlone()).toList();
  }

  /** Returns the ways without a message. */
  static List<Way> packing() {
    return Arrays.stream(values()).filter(Way::isAlone).toList();
  }

  /** A way and a group by the command of their kind. */
  record Told(Group group, Way way) {
    static Optional<Told> of(String command) {
      return Arrays.stream(Group.values())
          .flatMap(group -> Arrays.stream(Way.values()).map(way -> new Told(group, way)))
          .filter(told -> told.way.kind(told.group).command().equals(command))
          .findFirst();
    }
  }
}
