package io.adrastea.comm;

import io.adrastea.contextid.CommunicatorSlot;
import io.adrastea.contextid.Origin;
import io.adrastea.contextid.Parents;
import io.adrastea.engine.Engine;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.match.Context;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.RevokedException;
import io.adrastea.peers.Slots;
import java.lang.foreign.MemorySegment;

/**
 * A communicator below its face: which ranks it has, the contexts of its messages, its slot where its members of this
 * node have one, and what its ranks do together, there or by messages. The face knows what a program hands in; this
 * knows jobs, engines and slots.
 */
public final class CommunicatorState {
  /** The number of a rank that a communicator does not have. */
  public static final int UNDEFINED = Integer.MIN_VALUE;

  private final Engine engine;
  private final LocalRanks localRanks;
  private final int id; // 0: it has all ranks of the job
  private final CommunicatorSlot slot; // null: it has none of its own on this node
  private final Lineage lineage; // null: it is that of all ranks, or its members are not asked
  private final Numbering numbering;
  private final Members members;
  private final int rank;
  private final Context messages;
  private final Context internal; // of what ranks tell each other inside a call of all of them; null: between groups
  private final Collectives collectives; // null: between groups, or a member takes part in none by messages
  private final Agreement agreement; // null: between groups, or a member takes part in none by messages
  private final boolean inSlot; // collectives and agreements; else by messages
  private final boolean tellsOut; // that it closes the communicator, since no slot here does
  private final boolean counts; // at the barrier: a link has one of just these ranks
  private final InternalMessages inner; // null: between groups
  private final Entrance byCollectives = new Entrance(); // to what its collectives tell of
  private final Entrance byMessages = new Entrance();
  private Members facing; // of the messages between two groups that end with this one; null: there are none
  private volatile boolean declined; // this rank makes no more out of it; where a slot does not tell
  private boolean closed;

  /** Makes the communicator of all ranks of a job. */
  public CommunicatorState(Engine engine, LocalRanks localRanks, int jobRank, int jobSize) {
    this(engine, localRanks, null, null, jobRank, Numbering.world(jobSize), 0, false);
  }

  private CommunicatorState(
      Engine engine, LocalRanks localRanks, CommunicatorSlot slot, Lineage lineage, int rank, Numbering numbering,
      int id, boolean between) {
    this.engine = engine;
    this.localRanks = localRanks;
    this.id = id;
    this.slot = slot;
    this.lineage = lineage;
    this.numbering = numbering;
    this.members =
        new Members(numbering, id == 0 ? "world" : "communicator " + Context.communicator(id));
    this.rank = rank;
    this.messages = engine.open(between ? Context.between(id) : Context.number(id, false), members);
    this.internal = between ? null : engine.open(Context.number(id, true), members);
    Slots slots = slot == null && id != 0 ? null : engine.slots(members);
    this.tellsOut = slot == null && lineage != null;
    this.inSlot = slots != null;
    if (!inSlot && lineage != null) {
      members.askedBy(jobRank -> localRanks.farRanks().ask(lineage, jobRank));
    }
    if (inSlot) {
      MemorySegment place = slot == null ? slots.worldSlot() : slot.memory();
      this.collectives = engine.collectives(slots, members, rank, place);
    } else {
      this.collectives = between || !engine.haveMatching(members) ? null : engine.collectives(internal, rank);
    }
    this.agreement = collectives == null ? null : collectives.agreement();
    if (agreement != null) {
      members.revokedBy(agreement::isRevoked);
    }
    if (slot != null) {
      members.settledBy(slot::settle);
    }
    if (!between) {
      localRanks.farRanks().opened(this);
    }
    this.counts = id == 0 && engine.hasBarrier();
    this.inner = between ? null : new InternalMessages(engine, internal, numbering);
  }

  /** Makes another communicator of this rank, whose members have agreed on that id, and which has no slot. */
  public CommunicatorState open(Numbering numbers, int id) {
    return open(numbers, id, null, null);
  }

  /** Makes another communicator of this rank, whose members have agreed on that slot. */
  CommunicatorState open(Numbering numbers, CommunicatorSlot agreed) {
    return open(numbers, agreed.id(), agreed, null);
  }

  /**
   * Makes another communicator of this rank, whose members have agreed on that id.
   *
   * @param agreed its slot; null: it has none on this node
   * @param parents what it is made out of; null: nobody asks for members that do not come
   */
  CommunicatorState open(Numbering numbers, int ofMembers, CommunicatorSlot agreed, Parents parents) {
    int number = numbers.rankOf(numbering.jobRank(rank));
    Lineage line = parents == null ? null : lineageOf(ofMembers, parents);
    return new CommunicatorState(engine, localRanks, agreed, line, number, numbers, ofMembers, false);
  }

  /**
   * The messages of an intercommunicator whose members are those of this communicator: to and from the other group, by
   * the numbers that its ranks have there. There are no collectives in it, and it ends with this one ({@link #close}).
   *
   * @param other ranks of the other group
   * @param number this rank's in its own group
   */
  public CommunicatorState between(Numbering other, int number) {
    CommunicatorState between = new CommunicatorState(engine, localRanks, null, null, number, other, id, true);
    between.members.revokedBy(members::isRevoked);
    facing = between.members;
    return between;
  }

  public Engine engine() {
    return engine;
  }

  public LocalRanks localRanks() {
    return localRanks;
  }

  public Numbering numbering() {
    return numbering;
  }

  public Members members() {
    return members;
  }

  public int rank() {
    return rank;
  }

  /** Number of ranks, also when it is closed. */
  public int size() {
    return numbering.size();
  }

  int jobRank(int ofRank) {
    return numbering.jobRank(ofRank);
  }

  /** The context of the program's messages. */
  public Context messages() {
    return messages;
  }

  /** The collectives; null: some member takes part in none by messages, or they are messages between groups. */
  public Collectives collectives() {
    return collectives;
  }

  /** The messages by which ranks make another communicator; null: between groups. */
  InternalMessages inner() {
    return inner;
  }

  /** Number and generation. */
  int id() {
    return id;
  }

  /** The slot that all ranks share, as others that are made out of this see it; null: there is none. */
  CommunicatorSlot slot() {
    if (!inSlot) {
      return null;
    }
    return id == 0 ? localRanks.slotOfWorld() : slot;
  }

  /** What members of a communicator that is made out of this one tell each other by in shared memory. */
  Origin[] origins(boolean tellsByCollectives) {
    CommunicatorSlot own = slot();
    return own == null
        ? new Origin[0]
        : new Origin[] {localRanks.origin(own, tellsByCollectives, numbering.jobRanks())};
  }

  /** A member on this node, by its local rank, never comes. Called inside the gate. */
  void nearIsOut(int localRank) {
    if (slot != null) {
      slot.isOut(localRank);
    }
  }

  /**
   * The lineage of a communicator that is made out of this one. Where collectives tell of it, it comes to be only when
   * all members are in this one, so nobody has to be asked about what this one was made out of.
   */
  Lineage lineageOf(int made, Parents parents) {
    boolean allAreIn = parents.byCollectives() || parents == Parents.NONE || inSlot;
    return new Lineage(made, parents, allAreIn ? null : lineage);
  }

  /** The way of this rank into communicators that are made out of this one. */
  Entrance entrance(boolean ofCollectives) {
    return ofCollectives ? byCollectives : byMessages;
  }

  /**
   * Whether this rank makes nothing out of this communicator any more; from then on it does not. Called inside the
   * gate.
   *
   * @param ofCollectives nothing that its collectives tell of; else nothing that messages do
   */
  boolean makesNoMore(boolean ofCollectives) {
    boolean over =
        closed || declined || members.isRevoked() || ofCollectives && collectives != null && collectives.haveEnded();
    return over && entrance(ofCollectives).close();
  }

  /** Waits for all ranks. */
  public void barrier() {
    if (counts) {
      engine.barrier(members);
    } else {
      if (collectives == null) {
        requireSlot("barrier");
      }
      collectives.barrier();
    }
  }

  /** Whether all members share memory, and a slot in it. */
  boolean isInSlot() {
    return inSlot;
  }

  /** What the ranks that live agree on; refuses ranks that neither share memory nor take active messages. */
  public Agreement agreement(String call) {
    requireOpen(call);
    if (agreement == null) {
      requireSlot(call); // which throws
    }
    return agreement;
  }

  /** The collectives by which all ranks agree on other communicators. */
  public Collectives forNew(String call) {
    requireAble(numbering, call);
    requireMakes(call);
    return collectives;
  }

  /** Refuses a call of ranks that do not all share memory. */
  public void requireSlot(String call) {
    requireOpen(call);
    localRanks.requireShared(numbering, call);
    requireAble(numbering, call);
    if (!inSlot) {
      throw new IllegalStateException("%s in %s, which has no place in shared memory".formatted(call, this));
    }
  }

  /** Refuses members that cannot take part in what all ranks call. */
  void requireAble(Numbering some, String call) {
    requireOpen(call);
    localRanks.requireAble(numbering, some, call);
  }

  /** Refuses to make another one of a communicator that was revoked. */
  public void requireNotRevoked(String call) {
    if (members.isRevoked()) {
      throw new RevokedException(
          "%s of rank %d: the communicator was revoked; allowed on it are agree() and shrink()".formatted(call, rank));
    }
  }

  /** Refuses to make another one of a communicator out of which this rank has given up to make one. */
  void requireMakes(String call) {
    engine.requireOpen();
    CommunicatorSlot own = slot();
    if (declined || own != null && own.hasDeclined(rank)) {
      throw new CollectiveException(
          rank,
          numbering.jobRank(rank),
          ("%s of rank %d in %s: this rank has given up the making of a communicator out of it, so the others wait for "
              + "it in no other one; make it out of another one, such as shrink() returns")
              .formatted(call, rank, members.label()));
    }
  }

  /**
   * This rank gives up the making of a communicator out of this one, and cannot tell the others in the new one. They
   * learn it from this one, and so this rank makes no more of it, since they could not tell which it gave up.
   */
  void decline(Throwable cause) {
    CommunicatorSlot own = slot();
    try {
      if (own == null) {
        declined = true;
      } else {
        own.decline(rank);
      }
    } catch (RuntimeException more) { // the job was left meanwhile, which tells them too
      cause.addSuppressed(more);
    }
  }

  /** Ends the communicator for this rank once nothing is under way on it any more; no call takes it from now on. */
  public void release() {
    requireEnds("release");
    engine.release(collectives, this::leave, messages, internal);
    closed = true;
    engine.endReleased();
    tell();
  }

  /** Gives it up together with the messages {@link #between} two groups. */
  public void release(CommunicatorState between) {
    between.requireOpen("release");
    engine.release(collectives, this::leave, messages, internal, between.messages);
    closed = true;
    between.closed = true;
    engine.endReleased();
    tell();
  }

  /** Tells others now, where messages tell that this rank is out. */
  private void tell() {
    if (tellsOut) {
      engine.sendNotices();
    }
  }

  private static void forgetSlot(Members members) {
    boolean revoked = members.isRevoked();
    members.revokedBy(() -> revoked);
    members.settledBy(() -> {});
  }

  /**
   * Keeps memory of this rank's shared heap that members use until all of them have closed the communicator, or are
   * gone: it is freed then, at the latest when another communicator is made or closed.
   *
   * @param whenOver is run before, and waits for nothing
   */
  public void keep(Runnable whenOver, MemorySegment... allocated) {
    slot.keep(whenOver, allocated);
  }

  /** Ends the communicator for this rank, which waits for nobody. */
  public void close() {
    requireEnds("close");
    engine.close(collectives, () -> {
      closed = true;
      leave();
    }, messages, internal);
    tell();
  }

  /** Ends it together with the messages {@link #between} two groups. */
  public void close(CommunicatorState between) {
    between.requireOpen("close");
    engine.close(collectives, () -> {
      closed = true;
      between.closed = true;
      leave();
    }, messages, internal, between.messages);
    tell();
  }

  /** Refuses to end the communicator of all ranks, or one that has ended. */
  private void requireEnds(String call) {
    if (id == 0) {
      throw new IllegalStateException("the communicator of all ranks ends with the job; close the job");
    }
    requireOpen(call);
  }

  /**
   * Its contexts have ended: the others learn that this rank is out. The slot may then be another communicator's, so
   * what is still under way here asks it nothing any more.
   */
  private void leave() {
    forgetSlot(members);
    if (facing != null) {
      forgetSlot(facing);
    }
    if (slot != null) {
      slot.keepStages(collectives == null ? null : collectives.ownedStages());
      localRanks.close(slot, localRanks.memberOf(numbering));
    } else if (tellsOut) {
      localRanks.farRanks().tellOut(id);
    }
    endMaking();
  }

  /** This thread makes nothing out of it any more. */
  void endMaking() {
    if (closed) {
      localRanks.farRanks().closed(this);
    }
  }

  public boolean isOpen() {
    return !closed;
  }

  /** Refuses a communicator that is closed. */
  public void requireOpen(String call) {
    if (closed) {
      throw new IllegalStateException(
          "%s of rank %d in %s: the communicator is closed; it has no ranks any more"
              .formatted(call, rank, members.label()));
    }
  }

  @Override
  public String toString() {
    return "%s: rank %d of %d%s".formatted(members.label(), rank, numbering.size(), closed ? ", closed" : "");
  }
}
