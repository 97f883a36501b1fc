package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A collective as it is measured.
 *
 * @param root the number of a rank, or {@link #MOVING}; empty where there is none
 */
record Call(Collective collective, String root) {
  /** Another rank in each call. */
  static final String MOVING = "moving";

  private static final String PREFIX = "coll-";

  /** Each of the collectives, the rooted ones with each root. */
  static List<Call> all(List<Collective> collectives, List<String> roots) {
    List<Call> calls = new ArrayList<>();
    for (Collective one : collectives) {
      if (one.isRooted()) {
        roots.forEach(root -> calls.add(new Call(one, root)));
      } else {
        calls.add(new Call(one, ""));
      }
    }
    return calls;
  }

  /** The call of a command. */
  static Optional<Call> of(String command) {
    for (Collective one : Collective.values()) {
      String start = PREFIX + one.word();
      if (!one.isRooted() && command.equals(start)) {
        return Optional.of(new Call(one, ""));
      }
      if (one.isRooted() && command.startsWith(start + "-")) {
        return Optional.of(new Call(one, command.substring(start.length() + 1)));
      }
    }
    return Optional.empty();
  }

  /** What ranks are told, ours and those of a peer. */
  Kind kind() {
    return Kind.time(PREFIX + collective.word() + (root.isEmpty() ? "" : "-" + root));
  }

  /** What tables call it. */
  String title() {
    return collective.word() + (root.isEmpty() || root.equals(MOVING) ? "" : " root " + root);
  }

  /** The root of the call of this number; -1: there is none. */
  int rootOf(int number, int ranks) {
    if (root.isEmpty()) {
      return -1;
    }
    return (root.equals(MOVING) ? number : Integer.parseInt(root)) % ranks;
  }
}
