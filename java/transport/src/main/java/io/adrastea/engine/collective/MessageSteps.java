package io.adrastea.engine.collective;

import io.adrastea.coll.SlotAgreement;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.wait.Gate;
import java.util.Arrays;

/**
 * Agreements by messages: uniform consensus with a coordinator and a perfect failure detector [Cachin, Guerraoui and
 * Rodrigues 2011, 5.3]. Model: {@code message_agreement.pml}.
 *
 * <p>
 * The first member that lives is the coordinator. Each member that comes sends it a vote. When all that live have
 * voted, it proposes what follows from the votes; the members accept that and say so; when all that live have accepted,
 * it is decided, and the coordinator tells them. When a coordinator dies, the members vote again, for the next one.
 * That one has accepted whatever could have been decided before, since nothing is decided that a living member has not
 * accepted; so it proposes what it has accepted last, and asks for votes only where it has accepted nothing.
 *
 * <p>
 * A member accepts what comes whether a thread of it is in the call or not, and so a member that was interrupted, or
 * has gone on, keeps nobody from the end longer than its next call of any kind. Each message brings the decision before
 * the one that it is about. So a member that is behind learns that, and nobody needs to keep more than the last one:
 * nothing but a mismatch is decided without the vote of each member that lives.
 *
 * <p>
 * A member that has closed the communicator is as one that has died; it tells those that wait for it, or ask it.
 */
final class MessageSteps implements AgreementSteps, AgreementMessages.Taker {
  // Kinds of what is proposed: the number of a step, or
  private static final int NONE = 3;
  private static final int MISMATCH = 4; // the steps of two members above, which are in the word

  private static final int FIRST_SHIFT = 8; // of the step of the first of these, in the kind
  private static final int SECOND_SHIFT = 16; // and of the second
  private static final int STEP = 0xFF;

  private final AgreementMessages messages;
  private final Gate gate;
  private final Liveness liveness;
  private final Members members;
  private final int number; // of the internal context
  private final int rank; // in the communicator
  private final int size;
  private final long[] header = new long[AgreementMessages.WORDS];
  private final boolean[] closed; // by member
  private final long[] come; // by member: the last agreement that it has voted in
  private final int[] step; // likewise: its step
  private final int[] flags;
  private final boolean[] hasAccepted; // by member: what this one has proposed
  private final boolean[] asked; // by member: for its vote
  private long sequence; // of the agreement that the program is in, or was in last
  private AgreementStep called; // by that
  private int foundKind = NONE; // what was decided in it; the next may be decided before the program looks
  private long found;
  private long decided; // the last agreement that is known to be decided
  private int kind = NONE; // of that decision
  private long word;
  private int proposer = Liveness.NONE; // of what was accepted for the agreement behind that; none: nothing was
  private int acceptedKind;
  private long accepted;
  private boolean proposes; // it was this member
  private int told = Liveness.NONE; // the member that this one's vote went to
  private boolean isAwaited; // another member has asked for a vote
  private int other;
  private boolean isUndecided; // this member is to propose
  private volatile boolean revoked;

  /**
   * @param number of the communicator's internal context
   * @param rank this one's number among the members
   */
  MessageSteps(Resources resources, AgreementMessages messages, Members members, int number, int rank) {
    this.messages = messages;
    this.gate = resources.gate();
    this.liveness = resources.liveness();
    this.members = members;
    this.number = number;
    this.rank = rank;
    this.size = members.numbering().size();
    this.closed = new boolean[size];
    this.come = new long[size];
    this.step = new int[size];
    this.flags = new int[size];
    this.hasAccepted = new boolean[size];
    this.asked = new boolean[size];
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int size() {
    return size;
  }

  // What goes out

  private void send(int member, int what, long about, int aKind, long aWord, int by) {
    boolean isNext = about == decided + 1;
    header[AgreementMessages.COMMUNICATOR] = number;
    header[AgreementMessages.WHAT] = what;
    header[AgreementMessages.SEQUENCE] = about;
    header[AgreementMessages.KIND] = aKind;
    header[AgreementMessages.WORD] = aWord;
    header[AgreementMessages.PROPOSER] = by;
    header[AgreementMessages.BEFORE_KIND] = isNext ? kind : NONE;
    header[AgreementMessages.BEFORE_WORD] = isNext ? word : 0;
    messages.post(members.numbering().jobRank(member), header);
  }

  private void sendAll(int what, long about, int aKind, long aWord) {
    for (int member = 0; member < size; member++) {
      if (member != rank && !isGone(member)) {
        send(member, what, about, aKind, aWord, rank);
      }
    }
  }

  // What comes

  @Override
  public void take(int source, long... words) {
    int member = members.numbering().rankOf(source);
    if (member < 0) {
      return;
    }
    long about = words[AgreementMessages.SEQUENCE];
    int theirs = (int) words[AgreementMessages.KIND];
    long value = words[AgreementMessages.WORD];
    int by = (int) words[AgreementMessages.PROPOSER];
    if (about - 1 > decided && words[AgreementMessages.BEFORE_KIND] != NONE) {
      learn(about - 1, (int) words[AgreementMessages.BEFORE_KIND], words[AgreementMessages.BEFORE_WORD]);
    }
    switch ((int) words[AgreementMessages.WHAT]) {
      case AgreementMessages.VOTE -> takeVote(member, about, theirs, (int) value);
      case AgreementMessages.ASK -> isAwaited |= about == decided + 1;
      case AgreementMessages.PROPOSE -> takeProposal(member, about, theirs, value, by);
      case AgreementMessages.ACCEPT -> hasAccepted[member] |= proposes && about == decided + 1 && by == rank;
      case AgreementMessages.DECIDE -> {
        if (about == decided + 1) {
          learn(about, theirs, value);
        }
      }
      case AgreementMessages.CLOSED -> closed[member] = true;
      case AgreementMessages.REVOKED -> hearRevoked();
      default -> {}
    }
    goOn();
  }

  private void takeVote(int member, long about, int theirs, int value) {
    if (about <= decided) {
      send(member, AgreementMessages.DECIDE, decided, kind, word, rank);
    } else if (about == decided + 1) {
      come[member] = about;
      step[member] = theirs;
      flags[member] = value;
    }
  }

  /** One that is dead may have proposed before what another has proposed: that is not accepted any more. */
  private void takeProposal(int member, long about, int theirs, long value, int by) {
    if (about == decided + 1 && by >= proposer) {
      proposer = by;
      acceptedKind = theirs;
      accepted = value;
      proposes = false;
    }
    if (about <= decided || about == decided + 1 && by == proposer) {
      send(member, AgreementMessages.ACCEPT, about, NONE, 0, by);
    }
  }

  /**
   * Another member has decided. Those that have voted here take this one for the coordinator: the other may be dead,
   * and may not have told them.
   */
  private void learn(long about, int aKind, long aWord) {
    for (int member = 0; member < size; member++) {
      if (member != rank && come[member] == decided + 1 && !isGone(member)) {
        send(member, AgreementMessages.DECIDE, about, aKind, aWord, rank);
      }
    }
    conclude(about, aKind, aWord);
  }

  /** An agreement is decided; what there is for the next one begins. */
  private void conclude(long about, int aKind, long aWord) {
    if (about == sequence) {
      foundKind = aKind;
      found = aWord;
    }
    decided = about;
    kind = aKind;
    word = aWord;
    proposer = Liveness.NONE;
    proposes = false;
    told = Liveness.NONE;
    isAwaited = false;
    Arrays.fill(asked, false);
  }

  // How it goes on

  private boolean isGone(int member) {
    return closed[member] || liveness.isGone(members.numbering().jobRank(member));
  }

  /** The first member that lives, as far as this one knows. */
  private int coordinator() {
    int first = 0;
    while (first != rank && isGone(first)) {
      first++;
    }
    return first;
  }

  /** Does what this member can do for the agreement that is not decided. */
  private void goOn() {
    isUndecided = false;
    int first = coordinator();
    if (first == rank) {
      coordinate();
    } else {
      other = first;
      if (come[rank] == decided + 1 && told != first) {
        told = first;
        send(first, AgreementMessages.VOTE, decided + 1, step[rank], flags[rank], rank);
      }
    }
  }

  private void coordinate() {
    if (proposes) {
      endProposal();
      return;
    }
    if (proposer != Liveness.NONE) {
      propose(acceptedKind, accepted);
      return;
    }
    int voter = voter(Liveness.NONE);
    int differs = voter == Liveness.NONE ? voter : voter(step[voter]);
    if (differs != Liveness.NONE) {
      propose(MISMATCH | step[voter] << FIRST_SHIFT | step[differs] << SECOND_SHIFT,
          Integer.toUnsignedLong(voter) | (long) differs << Integer.SIZE);
      return;
    }
    int late = firstWithoutVote();
    if (late != Liveness.NONE) {
      other = late;
    } else if (step[rank] == AgreementStep.PROPOSED.ordinal()) {
      isUndecided = true; // the program's call proposes
    } else {
      propose(step[rank], flagsOfAll());
    }
  }

  /** The first member that has voted by another step; none. */
  private int voter(int thanStep) {
    for (int member = 0; member < size; member++) {
      if (come[member] == decided + 1 && step[member] != thanStep) {
        return member;
      }
    }
    return Liveness.NONE;
  }

  private int firstWithoutVote() {
    for (int member = 0; member < size; member++) {
      if (come[member] != decided + 1 && (member == rank || !isGone(member))) {
        return member;
      }
    }
    return Liveness.NONE;
  }

  private long flagsOfAll() {
    int all = -1;
    for (int member = 0; member < size; member++) {
      all &= come[member] == decided + 1 ? flags[member] : -1;
    }
    return Integer.toUnsignedLong(all);
  }

  private void propose(int aKind, long aWord) {
    proposes = true;
    proposer = rank;
    acceptedKind = aKind;
    accepted = aWord;
    Arrays.fill(hasAccepted, false);
    sendAll(AgreementMessages.PROPOSE, decided + 1, aKind, aWord);
    endProposal();
  }

  /** It is decided when all that live have accepted. */
  private void endProposal() {
    for (int member = 0; member < size; member++) {
      if (member != rank && !hasAccepted[member] && !isGone(member)) {
        other = member;
        return;
      }
    }
    sendAll(AgreementMessages.DECIDE, decided + 1, acceptedKind, accepted);
    conclude(decided + 1, acceptedKind, accepted);
  }

  /**
   * Finds out about members that this one waits for, whether a thread of it does or not: about the coordinator, or as
   * the coordinator about all that have not come so far. One that does not come may have closed the communicator.
   */
  @Override
  public void check() {
    if (!isUnderWay()) {
      return;
    }
    for (int first = coordinator(); first != rank && isMissing(first);) {
      first = coordinator();
    }
    if (coordinator() == rank) {
      for (int member = 0; member < size; member++) {
        if (member != rank && !isGone(member) && isLate(member) && !isMissing(member) && !proposes && !asked[member]) {
          asked[member] = true;
          send(member, AgreementMessages.ASK, decided + 1, NONE, 0, rank);
        }
      }
    }
    goOn();
  }

  /** Whether this member knows of one that waits for the next decision. */
  private boolean isUnderWay() {
    return isAwaited || proposer != Liveness.NONE || voter(Liveness.NONE) != Liveness.NONE;
  }

  private boolean isLate(int member) {
    return proposes ? !hasAccepted[member] : come[member] != decided + 1;
  }

  private boolean isMissing(int member) {
    return liveness.missing(members.numbering().jobRank(member)) != Liveness.NONE;
  }

  // What the call asks

  @Override
  public void begin(AgreementStep next, int ofThis) {
    sequence++;
    called = next;
    if (sequence > decided) {
      come[rank] = sequence;
      step[rank] = next.ordinal();
      flags[rank] = ofThis;
      goOn();
    } else { // it is a mismatch, as all that was decided without this one
      foundKind = sequence == decided ? kind : NONE;
      found = word;
    }
  }

  @Override
  public int look() {
    if (sequence > decided) {
      return isUndecided ? SlotAgreement.UNDECIDED : SlotAgreement.AWAITED;
    }
    if (foundKind == called.ordinal()) {
      return SlotAgreement.DECIDED;
    }
    int first = (int) found;
    boolean firstDiffers = foundKind == NONE ? first != rank : (foundKind >>> FIRST_SHIFT & STEP) != called.ordinal();
    other = firstDiffers ? first : (int) (found >>> Integer.SIZE);
    return SlotAgreement.MISMATCH;
  }

  @Override
  public int other() {
    return other;
  }

  @Override
  public long decision() {
    return found;
  }

  @Override
  public boolean lives(int member) {
    return member == rank || come[member] == decided + 1 && !isMissing(member) && !closed[member];
  }

  @Override
  public boolean propose(long proposal) {
    propose(AgreementStep.PROPOSED.ordinal(), proposal);
    isUndecided = false;
    return true;
  }

  @Override
  public void revoke() {
    gate.enter();
    try {
      hearRevoked();
    } finally {
      gate.exit();
    }
  }

  /** Each member that hears of it passes it on, so that all hear whoever dies. */
  private void hearRevoked() {
    if (!revoked) {
      revoked = true;
      sendAll(AgreementMessages.REVOKED, 0, NONE, 0);
    }
  }

  @Override
  public boolean isRevoked() {
    return revoked;
  }

  @Override
  public boolean hasClosed(int member) {
    return closed[member];
  }

  @Override
  public void isOut(int member) {
    closed[member] = true;
    goOn();
  }

  @Override
  public void end() {
    messages.close(this);
    if (!gate.isEnded() && isUnderWay()) {
      sendAll(AgreementMessages.CLOSED, 0, NONE, 0);
    }
  }
}
