package io.adrastea.comm;

import io.adrastea.contextid.FarMembers;
import io.adrastea.contextid.Parents;
import io.adrastea.contextid.SlotPool;
import io.adrastea.engine.Engine;
import io.adrastea.engine.control.ControlHandler;
import io.adrastea.engine.control.Notices;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.match.Context;
import io.adrastea.layout.ControlType;
import io.adrastea.peers.Peers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What ranks that share no slot tell each other of a communicator. A member that has closed it tells a rank of the node
 * that has made it, which notes that beside the slot there: the number is free when all have. A member that waits for
 * another one asks it from time to time: one that has closed the communicator answers so, and one that never comes to
 * it, since it has given up what it was made out of. From then on it does not come any more ({@link Entrance}).
 */
final class FarRanks implements ControlHandler, FarMembers {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int IS_OUT = 0; // the words are this, and the id
  private static final int ASKS = 1; // these, and the parent
  private static final int ASKS_BY_COLLECTIVES = 2;
  private static final int WORDS = 3;
  private static final int REMEMBERED = 1024; // communicators that this rank has stayed out of

  private final Engine engine;
  private final Peers peers;
  private final boolean areThere; // some ranks of the job share no slot with this one
  private final Map<Integer, CommunicatorState> open = new ConcurrentHashMap<>(); // by id
  private final ArrayDeque<Integer> refused = new ArrayDeque<>(); // guarded by itself: ids, the last ones
  private SlotPool slots; // that of the rank

  FarRanks(Engine engine, Peers peers) {
    this.engine = engine;
    this.peers = peers;
    this.areThere = engine.slots(new Members(Numbering.world(peers.size()), "all ranks of the job")) == null;
  }

  /** Begins to hear of members, which are noted in slots of that pool. */
  void begin(SlotPool pool) {
    slots = pool;
    engine.handle(ControlType.MEMBER, this);
  }

  /** This rank has a communicator from now on. */
  void opened(CommunicatorState state) {
    if (areThere) {
      open.put(state.id(), state);
    }
  }

  /** This rank has closed a communicator, and makes nothing out of it any more, unless it is about to. */
  void closed(CommunicatorState state) {
    if (areThere && state.makesNoMore(true) && state.makesNoMore(false)) {
      open.remove(state.id(), state);
    }
  }

  @Override
  public boolean isGone(int jobRank) {
    return !peers.isPresent(jobRank);
  }

  @Override
  public void ask(int id, int parent, boolean byCollectives, int jobRank) {
    if (jobRank != peers.self() && !isGone(jobRank)) {
      engine.notices().add(() -> isGone(jobRank) ? Notices.NOBODY : jobRank, ControlType.MEMBER.number(),
          byCollectives ? ASKS_BY_COLLECTIVES : ASKS, id, parent);
    }
  }

  /** Asks a member of a communicator about it, and about those that it was made out of: it may be in none. */
  void ask(Lineage lineage, int jobRank) {
    for (Lineage one = lineage; one != null; one = one.before()) {
      ask(one.id(), one.parents().parentOf(jobRank), one.parents().byCollectives(), jobRank);
    }
  }

  /** Tells the node that has made a communicator that this rank has closed it. */
  void tellOut(int id) {
    engine.notices().add(() -> anyOf(Context.communicator(id) % peers.nodes().count()), ControlType.MEMBER.number(),
        IS_OUT, id, 0);
  }

  /** This rank, which was told of a communicator, does not come to it. */
  void refuse(int id) {
    synchronized (refused) {
      if (areThere && refused.size() == REMEMBERED) {
        refused.poll();
      }
      if (areThere) {
        refused.add(id);
      }
    }
  }

  /** A rank of that node that is there; not all ranks take the same one. */
  private int anyOf(int node) {
    int[] ranks = peers.nodes().ranksOf(node);
    for (int i = 0; i < ranks.length; i++) {
      int rank = ranks[(peers.self() + i) % ranks.length];
      if (!isGone(rank)) {
        return rank;
      }
    }
    return Notices.NOBODY;
  }

  @Override
  public void reserve() {
    // Answers are made when they are needed: who asks asks again.
  }

  @Override
  public boolean received(int source, int type, MemorySegment memory, int bytes) {
    if (bytes != WORDS * Integer.BYTES) {
      return false;
    }
    int what = memory.get(INT, 0);
    int id = memory.get(INT, Integer.BYTES);
    if (what == IS_OUT) {
      isOut(source, id);
    } else if (what == ASKS || what == ASKS_BY_COLLECTIVES) {
      if (amOut(id, memory.get(INT, 2 * Integer.BYTES), what == ASKS_BY_COLLECTIVES)) {
        engine.notices().add(() -> source, ControlType.MEMBER.number(), IS_OUT, id, 0);
        engine.notices().send();
      }
    } else {
      return false;
    }
    return true;
  }

  private void isOut(int source, int id) {
    CommunicatorState state = open.get(id);
    if (!peers.isOnNode(source)) {
      slots.farIsOut(id, source);
    } else if (state == null) {
      slots.isOut(id, peers.nodes().localRank(source));
    } else {
      state.nearIsOut(peers.nodes().localRank(source));
    }
    if (state != null && state.numbering().contains(source) && state.collectives() != null) {
      state.collectives().isOut(state.numbering().rankOf(source));
    }
  }

  /** Whether this rank has closed a communicator, or never comes to it. */
  private boolean amOut(int id, int parent, boolean byCollectives) {
    if (engine.isOpen(Context.number(id, true))) {
      return false;
    }
    boolean never = !isOver(id) && makesNoMore(parent, byCollectives);
    if (never) {
      refuse(id);
    }
    return never || isOver(id);
  }

  private boolean isOver(int id) {
    synchronized (refused) {
      return refused.contains(id) || engine.hasEnded(Context.number(id, true));
    }
  }

  /** Whether this rank makes nothing out of a communicator any more; one that it has not made yet it may still make. */
  private boolean makesNoMore(int parent, boolean byCollectives) {
    if (parent == Parents.NONE.one()) {
      return false;
    }
    CommunicatorState state = open.get(parent);
    return state == null ? isOver(parent) : state.makesNoMore(byCollectives);
  }
}
