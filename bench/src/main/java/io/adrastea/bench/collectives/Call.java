package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A collective as it is measured.
 *
 * @param root the number of a rank, or {@link #MOVING}; empty where there is none
 */
record Call(Collective collective, String root, Form form) {
  /** Another rank in each call. */
  static final String MOVING = "moving";

  private static final String START = "coll";

  /** Each of the collectives in each form, the rooted ones with each root. */
  static List<Call> all(List<Collective> collectives, List<String> roots, List<Form> forms) {
    List<Call> calls = new ArrayList<>();
    for (Form form : forms) {
      for (Collective one : collectives) {
        (one.isRooted() ? roots : List.of("")).forEach(root -> calls.add(new Call(one, root, form)));
      }
    }
    return calls;
  }

  /** The call of a command. */
  static Optional<Call> of(String command) {
    List<String> words = Arrays.asList(command.split("-"));
    if (words.size() < 2 || !words.get(0).equals(START)) {
      return Optional.empty();
    }
    Optional<Form> form = Form.ofCommand(words.get(1));
    List<String> rest = words.subList(form.isPresent() ? 2 : 1, words.size());
    return Arrays.stream(Collective.values())
        .filter(one -> rest.size() == (one.isRooted() ? 2 : 1) && one.word().equals(rest.get(0)))
        .map(one -> new Call(one, one.isRooted() ? rest.get(1) : "", form.orElse(Form.BLOCKING)))
        .findFirst();
  }

  /** What ranks are told, ours and those of a peer; a time is that of one of the form's calls. */
  Kind kind() {
    String command = START + (form == Form.BLOCKING ? "" : "-" + form.command()) + "-" + collective.word()
        + (root.isEmpty() ? "" : "-" + root);
    return new Kind(command, Kind.Figure.TIME, form.calls(), 1, List.of());
  }

  /** What tables call it. */
  String title() {
    return collective.word() + (form.title().isEmpty() ? "" : " " + form.title())
        + (root.isEmpty() || root.equals(MOVING) ? "" : " root " + root);
  }

  /** Returns the same call in another form. */
  Call in(Form other) {
    return new Call(collective, root, other);
  }

  /** Returns the same call with another root. */
  Call from(String other) {
    return new Call(collective, other, form);
  }

  /** The root of the call of this number; -1: there is none. */
  int rootOf(int number, int ranks) {
    if (root.isEmpty()) {
      return -1;
    }
    return (root.equals(MOVING) ? number : Integer.parseInt(root)) % ranks;
  }
}
