package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.RevokedException;

/**
 * Why one rank takes no more collectives in a communicator: it was closed or revoked, a member is gone, or a collective
 * could not be completed. The first failure is told to the call that it ends, and the reason to each call after it.
 */
final class Ending {
  private final Members members;
  private final int rank; // in the communicator
  private final Liveness liveness;
  private boolean closed;
  private boolean givenUp; // it is to be closed once what is under way is over
  private boolean revoked;
  private int culprit = Liveness.NONE; // job rank because of which there are no more
  private String reason; // what that rank did; null: it is gone

  Ending(Members members, int rank, Liveness liveness) {
    this.members = members;
    this.rank = rank;
    this.liveness = liveness;
  }

  /** Whether there are no more collectives. */
  boolean hasCome() {
    return closed || revoked || culprit != Liveness.NONE;
  }

  /** Whether another collective may be called. */
  boolean takesMore() {
    return !givenUp && !hasCome();
  }

  /** From now on no collective can be called; what is under way goes on. */
  void giveUp() {
    givenUp = true;
  }

  /** From now on there are no collectives, since this rank closes the communicator. */
  void close() {
    closed = true;
  }

  /** Refuses a call of a communicator that this rank has closed. */
  void requireOpen(int kind, int element) {
    if (closed || givenUp) {
      throw new IllegalStateException(
          "%s of rank %d in %s: the communicator is closed; it has no ranks any more"
              .formatted(Call.name(kind, element), rank, members.label()));
    }
  }

  /** Refuses a call after the last one. */
  void requireNone(String name) {
    if (hasCome()) {
      throw refusal(name);
    }
  }

  /** From now on there are no collectives, because of a member. */
  void comes(int member, String why) {
    culprit = members.numbering().jobRank(member);
    reason = why;
  }

  /** What a call is told that comes afterwards, or that is outstanding when another one fails. */
  RuntimeException refusal(String name) {
    if (revoked) {
      return revoked(name);
    }
    return reason == null
        ? liveness.failure(members, culprit, name)
        : new CollectiveException(
            members.numbering().rankOf(culprit), culprit,
            "%s of rank %d: this communicator takes no more collectives, since %s; make another one of its members"
                .formatted(name, rank, reason));
  }

  /** From now on there are none, since the communicator is revoked. */
  void comesRevoked() {
    revoked = true;
  }

  boolean isRevoked() {
    return revoked;
  }

  private RuntimeException revoked(String name) {
    return new RevokedException(
        "%s of rank %d cannot be completed: the communicator was revoked; allowed on it are agree() and shrink()"
            .formatted(name, rank));
  }

  /** A member is gone that a call waits for. */
  RuntimeException gone(int jobRank, String name) {
    culprit = jobRank;
    return liveness.failure(members, jobRank, name);
  }

  /** Memory of a member cannot be reached, for so long that it cannot be that the member is about to be found dead. */
  RuntimeException unreachable(Call call, int other, int error) {
    return notCompleted(call, other, "memory of rank %s could not be %s (error %d)"
        .formatted(name(other), call.writes() ? "written" : "read", error));
  }

  /** The job rank that is gone, because of which there are no more; none where a rank that is there is the reason. */
  int gone() {
    return reason == null ? culprit : Liveness.NONE;
  }

  /** A member calls something else. */
  RuntimeException mismatch(Call call, int other, String calls) {
    return notCompleted(call, other, mismatch(name(other), theirs(call, calls)));
  }

  /** A member gives another number of bytes than this one expects. */
  RuntimeException mismatch(Call call, int other, long given, long expected) {
    return notCompleted(
        call, other, "rank %s gives %d bytes to rank %d, which expects %d; both are to say the same number"
            .formatted(name(other), given, rank, expected));
  }

  /** A member does not take what this one gives. */
  RuntimeException untaken(Call call, int other, long given) {
    return notCompleted(
        call, other, "rank %d gives %d bytes to rank %s, which expects none; both are to say the same number"
            .formatted(rank, given, name(other)));
  }

  /** What a member sent, or passed on, is not what is sent in this call. */
  RuntimeException malformed(Call call, int other) {
    return notCompleted(call, other, malformed(name(other)));
  }

  /** A member has said that it cannot go on. */
  RuntimeException broken(Call call, int other) {
    return notCompleted(call, other, broken(name(other)));
  }

  /** A member has closed the communicator, or does not come to it. */
  RuntimeException closed(Call call, int other) {
    return notCompleted(call, other, closed(name(other)));
  }

  /** A member has said so before this rank's next call. */
  void comesBroken(int other) {
    comesUnlessFailed(other, broken(name(other)));
  }

  /** A member called something else before this rank's next call. */
  void comesMismatch(int other, String calls) {
    comesUnlessFailed(other, mismatch(name(other), calls));
  }

  private void comesUnlessFailed(int other, String why) {
    int failed = liveness.failedOf(members.numbering());
    if (failed == Liveness.NONE) {
      comes(other, why);
    } else {
      culprit = failed;
    }
  }

  /**
   * The core cannot go on with a call.
   *
   * @param status of the core
   * @param other the member because of which
   * @param told the core's words of the call
   */
  RuntimeException failure(Call call, int status, int other, long[] told) {
    String name = call.name();
    if (status == SlotMember.REVOKED) {
      revoked = true;
      return revoked(name);
    }
    if (other < 0 || other >= members.numbering().size()) {
      return CoreStatus.corrupt("core error %d in the %s".formatted(-status, name));
    }
    int failed = liveness.failedOf(members.numbering());
    boolean said = status == SlotMember.BROKEN || status == SlotMember.MISMATCH; // before it may have left
    int gone = failed == Liveness.NONE && !said ? liveness.missing(members.numbering().jobRank(other)) : failed;
    if (gone != Liveness.NONE) { // that is why
      return gone(gone, name);
    }
    RuntimeException failure = notCompleted(call, other, words(call, status, name(other), told));
    return said || status == SlotMember.CLOSED
        ? failure
        : CoreStatus.corrupt("core error %d in the %s".formatted(-status, name));
  }

  /** Where a member has failed that is the reason: the other one may have known of it before. */
  private RuntimeException notCompleted(Call call, int other, String why) {
    int failed = liveness.failedOf(members.numbering());
    if (failed != Liveness.NONE) {
      return gone(failed, call.name());
    }
    comes(other, why);
    return new CollectiveException(
        other, culprit, "%s of rank %d cannot be completed: %s".formatted(call, rank, why));
  }

  /** A member as messages name it. */
  private String name(int member) {
    return members.name(members.numbering().jobRank(member));
  }

  private static String mismatch(String other, String calls) {
    return "rank %s calls %s; all call the same ones in the same order, with the same root, size, type and operator"
        .formatted(other, calls);
  }

  private static String closed(String other) {
    return "rank %s has closed the communicator, or gave up while it was made".formatted(other);
  }

  private static String malformed(String other) {
    return "rank %s has written what no correct rank writes".formatted(other);
  }

  private static String broken(String other) {
    return "rank %s cannot go on with a collective: see what its call threw".formatted(other);
  }

  private String words(Call call, int status, String other, long[] told) {
    if (status == SlotMember.MISMATCH && told[SlotMember.EXPECTED] < 0) {
      return "rank %d gives %d bytes to rank %s, which expects none; both are to say the same number".formatted(rank,
          told[SlotMember.GIVEN], other);
    }
    if (status == SlotMember.MISMATCH && told[SlotMember.GIVEN] != told[SlotMember.EXPECTED]) {
      return "rank %s gives %d bytes to rank %d, which expects %d; both are to say the same number".formatted(other,
          told[SlotMember.GIVEN], rank, told[SlotMember.EXPECTED]);
    }
    return switch (status) {
      case SlotMember.MISMATCH -> mismatch(other, theirs(call, Call.words(told)));
      case SlotMember.BROKEN -> broken(other);
      case SlotMember.CLOSED -> closed(other);
      default -> malformed(other);
    };
  }

  private static String theirs(Call call, String calls) {
    if (!calls.equals(call.toString())) {
      return calls;
    }
    return call.kind() == SlotMember.REDUCE_SCATTER
        ? "that too, but with parts of other lengths"
        : "that too, but named another root before, or has other settings or another version of the library";
  }
}
