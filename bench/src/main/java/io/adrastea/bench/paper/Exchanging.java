package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ways of an alltoall: those of messages that [MVAPICH 2006, 4.3] compares, and the collective of a communicator. */
enum Exchanging {
  /** It is made of messages, none of which goes by a buffer of its pair of ranks. */
  CELLS("messages by cells", "alltoall-messages", Map.of("adrastea.box.lines", "0")),
  /** It is made of messages. */
  MESSAGES("messages", "alltoall-messages", Map.of()),
  /** It is made without messages. */
  COLLECTIVE("collective", "alltoall", Map.of());

  private final String title;
  private final Kind kind;
  private final Map<String, String> settings;

  Exchanging(String title, String command, Map<String, String> settings) {
    this.title = title;
    this.kind = Kind.time(command);
    this.settings = settings;
  }

  /** The one whose kind has that command; the first of those whose kinds are the same. */
  static Optional<Exchanging> of(String command) {
    return Arrays.stream(values()).filter(one -> one.kind.command().equals(command)).findFirst();
  }

  static List<String> titles() {
    return Arrays.stream(values()).map(Exchanging::title).toList();
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** What the ranks are told to run. */
  Kind kind() {
    return kind;
  }

  /** What the ranks are started with. */
  Map<String, String> settings() {
    return settings;
  }
}
