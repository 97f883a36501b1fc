package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Parents;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.CollectiveException;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Makes an intercommunicator, as one rank takes part in it. The ranks of a group tell each other which leader and which
 * tag they name. Then the leaders meet, by messages in the communicator that both are in: each tells the ranks of its
 * group; the lower one makes a communicator of both groups, its own first, and tells where that is; the higher one
 * tells that it has heard. Last each tells its group.
 *
 * <p>
 * A leader that cannot go on, since a rank of its group died or named something else, or since it was interrupted, says
 * so in place of what it would tell next, and its group hears of it likewise: nobody waits for a rank that has given
 * up. What it leaves behind of the other leader's messages has the number of their meeting, and is passed over in the
 * next one.
 */
public final class IntercommunicatorMaking {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** What is told: words of {@link CommunicatorMaking}, and the ranks of a group by their numbers in the job. */
  private static final int MAKING = 0;

  private static final int MEETING = CommunicatorMaking.BYTES;
  private static final int WHAT = MEETING + Integer.BYTES;
  private static final int IS_FIRST = WHAT + Integer.BYTES; // 1: the group that is told comes first
  private static final int MAKER = IS_FIRST + Integer.BYTES; // its number among the ranks of both groups
  private static final int IN_BOTH = MAKER + Integer.BYTES; // job rank, of an OVERLAP
  private static final int COUNT = IN_BOTH + Integer.BYTES;
  private static final int SLOT = COUNT + Integer.BYTES; // where that of the group's communicator lies
  private static final int SLOT_ID = SLOT + Long.BYTES;
  private static final int SLOT_OWNER = SLOT_ID + Integer.BYTES;
  private static final int RANKS = SLOT_OWNER + Integer.BYTES;

  /** As {@code WHAT}: the rank that tells it cannot go on. */
  private static final int GAVE_UP = 0;

  private static final int TOLD = 1;
  private static final int OVERLAP = 2;

  private final CommunicatorState local;
  private final Collectives collectives;
  private final int localLeader;
  private final CommunicatorState peer; // null: this rank is not the leader, as far as it knows
  private final int remoteLeader;
  private final int tag;
  private CommunicatorMaking making; // null: it is not known yet what to make
  private int meeting; // of the leaders; 0: there was none
  private boolean owes; // the other leader waits for what this one tells next

  private IntercommunicatorMaking(
      CommunicatorState local, int localLeader, CommunicatorState peer, int remoteLeader, int tag) {
    this.local = local;
    this.collectives = local.forNew("Intercommunicator.create");
    this.localLeader = localLeader;
    this.peer = peer;
    this.remoteLeader = remoteLeader;
    this.tag = tag;
  }

  /**
   * The communicator of the ranks of both groups.
   *
   * @param first how many of its ranks, the first ones, are one group
   */
  public record Union(CommunicatorState state, int first) {}

  /**
   * Makes the communicator of the ranks of two groups. All of them call this.
   *
   * @param peer communicator that both leaders are in; of others than the leader not looked at
   * @param remoteLeader rank there; of others than the leader not looked at
   */
  public static Union make(
      CommunicatorState local, int localLeader, CommunicatorState peer, int remoteLeader, int tag) {
    local.requireOpen("Intercommunicator.create");
    if (localLeader < 0 || localLeader >= local.size()) {
      throw new ArgumentException(Reason.RANK,
          "local leader %d; the local communicator has ranks 0 to %d".formatted(localLeader, local.size() - 1));
    }
    Communicators.requireTag(tag);
    boolean leads = localLeader == local.rank();
    if (leads) {
      requireMeeting(local, peer, remoteLeader);
    }
    return new IntercommunicatorMaking(local, localLeader, leads ? peer : null, remoteLeader, tag).make();
  }

  /** Refuses another leader that this one cannot meet. */
  private static void requireMeeting(CommunicatorState local, CommunicatorState peer, int remoteLeader) {
    Objects.requireNonNull(peer, "the communicator that both leaders are in is null; the leader is to name it")
        .requireOpen("Intercommunicator.create");
    if (peer.engine() != local.engine()) {
      throw new ArgumentException(Reason.GROUP,
          "the communicator that both leaders are in is of another job; both are to be of one membership in a job");
    }
    if (remoteLeader < 0 || remoteLeader >= peer.size() || remoteLeader == peer.rank()) {
      throw new ArgumentException(Reason.RANK,
          "remote leader %d; the communicator that both leaders are in has ranks 0 to %d, of which %d leads this group"
              .formatted(remoteLeader, peer.size() - 1, peer.rank()));
    }
    peer.requireNotRevoked("Intercommunicator.create");
    int self = peer.jobRank(peer.rank());
    Numbering both = Numbering.of(peer.numbering().jobSize(), self, peer.jobRank(remoteLeader));
    peer.requireAble(both, "Intercommunicator.create");
  }

  private Union make() {
    MemorySegment told = newWords();
    try {
      requireAlike();
    } catch (RuntimeException | Error e) {
      if (peer != null) {
        begin();
        leave(e);
      }
      throw e;
    }
    if (peer != null) {
      lead(told);
    }
    try {
      tellGroup(told);
    } catch (RuntimeException | Error e) {
      if (making != null) {
        making.withdraw();
        making.stayOut(told, MAKING);
      }
      throw e;
    }
    return open(told);
  }

  /** Refuses ranks of a group that name different leaders or tags; all of them find the same one. */
  private void requireAlike() {
    MemorySegment own = MemorySegment.ofArray(new int[] {localLeader, tag});
    MemorySegment all = MemorySegment.ofArray(new int[2 * local.size()]);
    collectives.allgather(
        Form.BLOCKING, new Contiguous(own, 0, own.byteSize()), new Contiguous(all, 0, all.byteSize()), own.byteSize(),
        SlotMember.FOR_INTERCOMMUNICATOR);
    for (int rank = 1; rank < local.size(); rank++) {
      int leader = all.getAtIndex(INT, 2L * rank);
      int theirs = all.getAtIndex(INT, 2L * rank + 1);
      if (leader != all.getAtIndex(INT, 0) || theirs != all.getAtIndex(INT, 1)) {
        throw new CollectiveException(
            rank,
            local.jobRank(rank),
            ("Intercommunicator.create of rank %d: rank %s names leader %d and tag %d, and rank %s leader %d and tag "
                + "%d; all ranks of a group name the same")
                .formatted(local.rank(), name(rank), leader, theirs, name(0), all.getAtIndex(INT, 0),
                    all.getAtIndex(INT, 1)));
      }
    }
  }

  private String name(int rank) {
    return local.numbering().name(local.jobRank(rank));
  }

  private MemorySegment newWords() {
    return MemorySegment.ofArray(new long[(RANKS + local.numbering().jobSize() * Integer.BYTES) / Long.BYTES + 1]);
  }

  private void tellGroup(MemorySegment told) {
    collectives.bcast(
        Form.BLOCKING, new Contiguous(told, 0, told.byteSize()), localLeader, SlotMember.FOR_INTERCOMMUNICATOR);
  }

  /** Finds out what this leader's group is to be told; when that cannot be, tells it so, and throws why. */
  private void lead(MemorySegment told) {
    begin();
    try {
      meet(told);
    } catch (RuntimeException | Error e) {
      if (making != null) {
        making.withdraw();
      }
      leave(e);
      evenIfInterrupted(e, () -> tellGroup(newWords())); // zeros: GAVE_UP
      throw e;
    }
  }

  private void begin() {
    meeting = peer.inner().nextMeeting(remoteLeader, tag);
    owes = true;
  }

  /** Tells the other leader that this one gives up, if it waits for something. */
  private void leave(Throwable cause) {
    if (owes) {
      evenIfInterrupted(cause, () -> tell(GAVE_UP, newWords()));
    }
  }

  private static void evenIfInterrupted(Throwable cause, Runnable last) {
    boolean interrupted = Thread.interrupted();
    try {
      last.run();
    } catch (RuntimeException more) { // then those that wait for this rank find out by themselves
      cause.addSuppressed(more);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void meet(MemorySegment told) {
    boolean makes = peer.rank() < remoteLeader;
    int[] own = local.numbering().jobRanks().toArray();
    MemorySegment words = newWords();
    putRanks(words, own);
    putSlot(words, local);
    if (makes) {
      tell(TOLD, words);
      hear(told);
    } else {
      hear(told);
      tell(TOLD, words);
    }
    told.set(INT, IS_FIRST, makes ? 1 : 0);
    int[] others = ranks(told);
    int inBoth = IntStream.of(others).filter(local.numbering()::contains).findFirst().orElse(Numbering.NONE);
    if (inBoth != Numbering.NONE) {
      owes = false; // the other leader finds it too
      told.set(INT, WHAT, OVERLAP);
      told.set(INT, IN_BOTH, inBoth);
    } else if (makes) {
      makeForBoth(told);
    } else {
      hearOfIt(told);
    }
  }

  /** The lower leader's part: tells where it is, and waits until the other has heard. */
  private void makeForBoth(MemorySegment told) {
    making = makingOf(told, localLeader);
    told.set(INT, MAKER, localLeader);
    MemorySegment.copy(making.words(), 0, told, MAKING, CommunicatorMaking.BYTES);
    MemorySegment words = newWords();
    MemorySegment.copy(told, MAKING, words, MAKING, CommunicatorMaking.BYTES);
    tell(TOLD, words);
    owes = false;
    if (making.failure() == null) {
      hear(words);
    }
  }

  /** The higher leader's part. */
  private void hearOfIt(MemorySegment told) {
    int maker = union(told).rankOf(peer.jobRank(remoteLeader));
    making = makingOf(told, maker);
    told.set(INT, MAKER, maker);
    MemorySegment words = newWords();
    hear(words);
    MemorySegment.copy(words, 0, told, MAKING, CommunicatorMaking.BYTES);
    if (CommunicatorMaking.isMade(words, MAKING)) {
      tell(TOLD, newWords());
    }
    owes = false;
  }

  private void tell(int what, MemorySegment words) {
    words.set(INT, MEETING, meeting);
    words.set(INT, WHAT, what);
    peer.inner().tell(remoteLeader, InternalMessages.OF_LEADERS + tag, words);
  }

  /** Waits for what the other leader tells in this meeting. */
  private void hear(MemorySegment words) {
    do {
      peer.inner().hear(remoteLeader, InternalMessages.OF_LEADERS + tag, words);
    } while (words.get(INT, MEETING) - meeting < 0); // one that this rank has given up
    if (words.get(INT, WHAT) != TOLD || words.get(INT, MEETING) != meeting) {
      owes = false;
      throw new AdrasteaException(
          ("Intercommunicator.create of rank %d: rank %s, the leader of the other group, has given up,"
              + " and has thrown why")
              .formatted(local.rank(), peer.numbering().name(peer.jobRank(remoteLeader))));
    }
  }

  private static void putRanks(MemorySegment words, int... jobRanks) {
    words.set(INT, COUNT, jobRanks.length);
    MemorySegment.copy(jobRanks, 0, words, INT, RANKS, jobRanks.length);
  }

  private static void putSlot(MemorySegment words, CommunicatorState ofGroup) {
    CommunicatorSlot slot = ofGroup.slot();
    words.set(INT, SLOT_ID, ofGroup.id());
    words.set(LONG, SLOT, slot == null ? 0 : slot.offset());
    words.set(INT, SLOT_OWNER, slot == null ? 0 : slot.owner());
  }

  /** What is made of both groups; in it a rank learns from the slots of both which of their ranks have given up. */
  private CommunicatorMaking makingOf(MemorySegment told, int maker) {
    int[] others = ranks(told);
    Numbering union = union(told);
    Numbering own = local.numbering();
    Parents parents = new Parents(local.id(), told.get(INT, SLOT_ID), rank -> !own.contains(rank), true);
    if (!local.localRanks().shareSlots(union)) {
      return new CommunicatorMaking(local, union, maker, parents);
    }
    CommunicatorSlot remote =
        local.localRanks()
            .look(told.get(INT, SLOT_ID), told.get(INT, SLOT_OWNER), told.get(LONG, SLOT), others.length);
    return new CommunicatorMaking(
        local,
        union,
        maker,
        parents,
        local.localRanks().origin(local.slot(), true, local.numbering().jobRanks()),
        local.localRanks().origin(remote, true, IntStream.of(others)));
  }

  /** Refuses what no rank of this library tells. */
  private int[] ranks(MemorySegment words) {
    int count = words.get(INT, COUNT);
    int jobSize = local.numbering().jobSize();
    if (count < 1 || count > jobSize) {
      throw new AdrasteaException(
          "Intercommunicator.create of rank %d: a group of %d ranks was told of; the job has %d"
              .formatted(local.rank(), count, jobSize));
    }
    return words.asSlice(RANKS, (long) count * Integer.BYTES).toArray(INT);
  }

  /** The ranks of both groups, of which the group that is told comes first or second. */
  private Numbering union(MemorySegment told) {
    IntStream own = local.numbering().jobRanks();
    IntStream others = IntStream.of(ranks(told));
    boolean isFirst = told.get(INT, IS_FIRST) != 0;
    return Numbering.of(
        local.numbering().jobSize(),
        (isFirst ? IntStream.concat(own, others) : IntStream.concat(others, own)).toArray());
  }

  /** What this rank, which does not lead, comes in to; where it cannot, the others are told. */
  private CommunicatorMaking ofGroup(MemorySegment told) {
    try {
      return makingOf(told, told.get(INT, MAKER));
    } catch (RuntimeException | Error e) {
      local.decline(e);
      throw e;
    }
  }

  /** Opens what the group was told of. */
  private Union open(MemorySegment told) {
    switch (told.get(INT, WHAT)) {
      case TOLD -> {
        if (making == null) {
          making = ofGroup(told);
        }
        int others = told.get(INT, COUNT);
        return new Union(
            making.open(told, MAKING), told.get(INT, IS_FIRST) != 0 ? local.size() : others);
      }
      case OVERLAP -> {
        int twice = told.get(INT, IN_BOTH);
        throw new CollectiveException(
            local.numbering().rankOf(twice),
            twice,
            "Intercommunicator.create of rank %d: rank %s is in both groups; a rank can be in one of them"
                .formatted(local.rank(), local.numbering().name(twice)));
      }
      default -> throw new AdrasteaException(
          "Intercommunicator.create of rank %d: rank %s, the leader of its group, has given up, and has thrown why"
              .formatted(local.rank(), name(localLeader)));
    }
  }
}
