package io.adrastea.bench.collectives;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a collective is called. */
enum Form {
  /** As it comes: the call returns when this rank has done its part. */
  BLOCKING(""),
  /** Started, then waited for. */
  STARTED("started"),
  /** Prepared once for each buffer and root; then started and waited for. */
  PERSISTENT("persistent"),
  /** Some, each started and waited for before the next. */
  IN_TURN("16 in turn"),
  /** As many, all started before the first is waited for. */
  OUTSTANDING("16 outstanding"),
  /** As {@link #STARTED}, by the ranks of the three that follow. */
  ALONE("alone"),
  /** No call, but computing for about as long as one takes. */
  COMPUTE("compute"),
  /** Started, then the computing, then waited for. */
  BOTH("both"),
  /** As {@link #BOTH}, while a thread of each rank moves calls on. */
  THREAD("both with thread");

  private static final int SOME = 16;

  private final String title;

  Form(String title) {
    this.title = title;
  }

  /** The forms that a word of an option stands for. */
  static List<Form> of(String word) {
    return switch (word) {
      case "blocking" -> List.of(BLOCKING);
      case "started" -> List.of(STARTED);
      case "persistent" -> List.of(PERSISTENT);
      case "outstanding" -> List.of(IN_TURN, OUTSTANDING);
      case "overlap" -> List.of(ALONE, COMPUTE, BOTH, THREAD);
      default -> throw new IllegalArgumentException(
          "there is no form '%s'; allowed are blocking, started, persistent, outstanding, overlap".formatted(word));
    };
  }

  /** Returns the form of a word in a command; empty: it is {@link #BLOCKING}. */
  static Optional<Form> ofCommand(String word) {
    return Arrays.stream(values()).filter(form -> form != BLOCKING && form.command().equals(word)).findFirst();
  }

  /** Its word in a command. */
  String command() {
    return name().toLowerCase(Locale.ROOT).replace("_", "");
  }

  /** What tables call it; empty: nothing. */
  String title() {
    return title;
  }

  /** So many calls are timed as one. */
  int calls() {
    return this == IN_TURN || this == OUTSTANDING ? SOME : 1;
  }

  /** Whether ranks of it have joined for several threads, whether they have them or not. */
  boolean isOverlap() {
    return compareTo(ALONE) >= 0;
  }

  /** Whether it computes. */
  boolean computes() {
    return compareTo(COMPUTE) >= 0;
  }

  /** The one whose time its own is told in; none for those told otherwise. */
  Optional<Form> base() {
    return switch (this) {
      case STARTED, PERSISTENT -> Optional.of(BLOCKING);
      case OUTSTANDING -> Optional.of(IN_TURN);
      default -> Optional.empty();
    };
  }
}
