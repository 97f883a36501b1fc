package io.adrastea.engine.failure;

import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.group.Members;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which ranks are gone, as one rank knows it: those found missing, and those that the program has been told of; and
 * what that means for an operation among the members of a communicator. Asked about every 100 ms of a wait, never on
 * the fast path. Ranks are job ranks.
 */
public final class Liveness {
  private static final System.Logger LOGGER = System.getLogger(Liveness.class.getName());

  /** All are there. */
  public static final int NONE = -1;

  private static final int ANY = -1; // rank

  private static final int OTHERS = 64; // asked for beside those that are waited for

  private final Peers peers;
  private final int self;
  private final boolean multithreaded;
  private final int[] asked; // ranks that are asked for one by one; the links of the others list who has gone
  private final boolean[] gone; // those found missing, which do not come back
  private final List<Integer> departed = new ArrayList<>(); // the same, in the order in which they were found
  private final boolean[] told; // failed ranks that the handler was told of; guarded by this
  private volatile IntConsumer handler; // of failures; null: nobody is to be told
  private int next; // of those asked: the one that the next check begins with
  private BooleanSupplier sendsToItself = () -> false;

  /**
   * Begins with no rank gone, as one rank sees it.
   *
   * @param multithreaded threads of this rank may be in calls at a time: while one waits, another may send to its own
   * rank
   */
  public Liveness(Peers peers, boolean multithreaded) {
    this.peers = peers;
    this.self = peers.self();
    this.multithreaded = multithreaded;
    this.gone = new boolean[peers.size()];
    this.told = new boolean[peers.size()];
    this.asked = peers.unlisted();
    int above = (int) IntStream.of(asked).filter(rank -> rank < self).count();
    this.next = above == asked.length ? 0 : above; // not all begin with the same
  }

  /** Names what tells whether messages of this rank to itself are still to be sent, in whole or in part. */
  public void serve(BooleanSupplier sendsToItself) {
    this.sendsToItself = sendsToItself;
  }

  /**
   * The rank whose absence keeps something with this peer, one of the members or any, from ever completing; -1: none.
   */
  public int missing(Members members, int peer) {
    return peer == ANY ? missingOfAny(members) : missing(peer);
  }

  /** The peer, which is no wildcard, when its absence keeps something with it from ever completing; -1: it is there. */
  public int missing(int peer) {
    if (!gone[peer] && !peers.isPresent(peer)) {
      add(peer);
    }
    return gone[peer] ? peer : NONE;
  }

  private void add(int rank) {
    if (!gone[rank]) {
      gone[rank] = true;
      departed.add(rank);
    }
  }

  /** Takes up which ranks the links list as gone: what has changed, however many ranks there are. */
  private void takeDeparted() {
    for (int rank = peers.nextDeparted(); rank >= 0; rank = peers.nextDeparted()) {
      if (rank != self) {
        add(rank);
      }
    }
  }

  /** Finds out which of these members are gone: the ranks of links that list nobody are asked for. */
  private void look(Numbering numbering) {
    takeDeparted();
    for (int rank : asked) {
      if (numbering.contains(rank)) {
        missing(rank);
      }
    }
  }

  /** Whether the memory of a rank's process is there: also when the rank has left, and its process goes on. */
  public boolean isReachable(int peer) {
    return peers.isReachable(peer);
  }

  /** Whether the process of a rank is about to end, as far as can be told: its memory goes first. */
  public boolean isEnding(int peer) {
    return peers.isEnding(peer);
  }

  /**
   * Checks ranks that nobody may be waiting for here, so that ranks that died are known to all: those that links list,
   * and some of the others in turn. In a large job all ranks together check everybody.
   */
  public void sample() {
    takeDeparted();
    for (int left = Math.min(OTHERS, asked.length); left > 0; left--) {
      missing(asked[next]);
      next = next + 1 == asked.length ? 0 : next + 1;
    }
  }

  /** Ranks that have failed, as of now. Any thread may ask, whoever has the gate. */
  public List<Integer> failed() {
    return others(rank -> !peers.isPresent(rank) && hasFailed(rank));
  }

  /** Members that have failed, as of now. Any thread may ask, whoever has the gate. */
  public List<Integer> failed(Numbering numbering) {
    return failed().stream().filter(numbering::contains).toList();
  }

  /**
   * Members that have failed, as of now; a wildcard among these members goes on without those ranks from now on. Any
   * thread may call, whoever has the gate.
   */
  public List<Integer> acknowledgeFailed(Members members) {
    return acknowledged(members, failed(members.numbering()));
  }

  /** Ranks that have left in order, as of now. Any thread may ask, whoever has the gate. */
  public List<Integer> left() {
    return others(rank -> !peers.isPresent(rank) && !hasFailed(rank));
  }

  /** Members that have left in order, as of now. Any thread may ask, whoever has the gate. */
  public List<Integer> left(Numbering numbering) {
    return left().stream().filter(numbering::contains).toList();
  }

  /**
   * Members that have left in order, as of now; the program knows of them from now on. Any thread may call, whoever has
   * the gate.
   */
  public List<Integer> acknowledgeLeft(Members members) {
    return acknowledged(members, left(members.numbering()));
  }

  private static List<Integer> acknowledged(Members members, List<Integer> gone) {
    members.acknowledge(gone);
    return gone;
  }

  private List<Integer> others(IntPredicate which) {
    return IntStream.range(0, peers.size()).filter(rank -> rank != self && which.test(rank)).boxed().toList();
  }

  private boolean hasFailed(int rank) {
    return peers.link(rank).hasFailed(rank);
  }

  /** Names the handler that is told of each failed rank once, also of those that have failed before. */
  public synchronized void handler(IntConsumer handler) {
    Arrays.fill(told, false);
    this.handler = handler;
  }

  /** Ranks that are known to have failed and that the program is to be told of, which counts as done. */
  public List<Integer> untold() {
    return handler == null ? List.of() : takeUntold();
  }

  private synchronized List<Integer> takeUntold() {
    takeDeparted();
    List<Integer> untold =
        IntStream.concat(IntStream.of(asked), departed.stream().mapToInt(rank -> rank))
            .filter(rank -> !told[rank] && hasFailed(rank)).distinct().sorted().boxed().toList();
    untold.forEach(rank -> told[rank] = true);
    return untold;
  }

  /**
   * Calls the handler, on the calling thread, which has left the gate. What it throws is logged: it is nobody else's
   * failure.
   */
  public void tell(List<Integer> failed) {
    IntConsumer now = handler;
    for (int rank : failed) {
      try {
        if (now != null) {
          now.accept(rank);
        }
      } catch (Throwable e) { // also an error, and a checked exception that a handler in another language throws
        LOGGER.log(System.Logger.Level.WARNING, "the handler of rank failures threw for rank " + rank, e);
      }
    }
  }

  /** Whether this peer was found missing before: then nobody has to wait until the next check. */
  public boolean isGone(int peer) {
    return peer != ANY && gone[peer];
  }

  /** Whether any rank was found missing before. */
  public boolean isAnyGone() {
    return !departed.isEmpty();
  }

  /**
   * For a wildcard: a rank that failed might have been the sender, until the program has acknowledged its failure. When
   * nobody is there any more who could send, nor anything of this rank's own messages to itself is still to be sent, a
   * rank that left matters as well. Once the program has acknowledged all that are gone, another thread of this rank,
   * where there may be one, can still send to it.
   */
  private int missingOfAny(Members members) {
    Numbering numbering = members.numbering();
    look(numbering);
    boolean isMember = numbering.contains(self); // it is not in the remote group of an intercommunicator
    int there = numbering.size();
    int failed = NONE; // not acknowledged
    int left = NONE; // in order, and not acknowledged
    int known = NONE; // acknowledged
    for (int rank : departed) {
      if (numbering.contains(rank)) {
        there--;
        if (members.hasAcknowledged(rank)) {
          known = rank;
        } else if (hasFailed(rank)) {
          failed = first(numbering, failed, rank);
        } else {
          left = rank;
        }
      }
    }
    if (failed != NONE) {
      return failed;
    }
    boolean mayCome = isMember ? there > 1 || numbering.size() == 1 || sendsToItself.getAsBoolean() : there > 0;
    if (mayCome || left == NONE && isMember && multithreaded) {
      return NONE;
    }
    return left == NONE ? known : left;
  }

  /** The one of two ranks that comes first among the members; the first may be {@link #NONE}. */
  private static int first(Numbering numbering, int one, int other) {
    return one == NONE || numbering.rankOf(other) < numbering.rankOf(one) ? other : one;
  }

  /** The first of the members that has failed; -1: none. */
  public int failedOf(Numbering numbering) {
    look(numbering);
    int found = NONE;
    for (int rank : departed) {
      found = numbering.contains(rank) && hasFailed(rank) ? first(numbering, found, rank) : found;
    }
    return found;
  }

  /** For what takes all members: the first that failed or left; -1: none. */
  public int missingOfAll(Numbering numbering) {
    look(numbering);
    int found = NONE;
    for (int rank : departed) {
      found = numbering.contains(rank) ? first(numbering, found, rank) : found;
    }
    return found;
  }

  /** The failure of an operation among these members, which needs that rank. */
  public RankFailedException failure(Members members, int rank, Object operation) {
    return failure(members, rank, operation, "operations with other ranks go on");
  }

  /**
   * The failure of an operation among these members, which needs that rank and waits for {@code peer}.
   *
   * @param peer a rank, or any
   */
  public RankFailedException failure(Members members, int rank, int peer, Object operation) {
    if (peer != ANY) {
      return failure(members, rank, operation);
    }
    return failure(members, rank, operation, adviceOfAny(members, rank));
  }

  /** What a program can do whose wildcard this rank's absence has failed. */
  private String adviceOfAny(Members members, int rank) {
    if (hasFailed(rank) && !members.hasAcknowledged(rank)) {
      return "operations with other ranks go on, those with any after acknowledgeFailedRanks() of the communicator";
    }
    String alone = "no other rank is there any more";
    return multithreaded
        ? alone
            + "; after acknowledgeLeftRanks() of the communicator those with any wait for other threads of this rank"
        : alone;
  }

  private RankFailedException failure(Members members, int rank, Object operation, String rest) {
    Link link = peers.link(rank);
    boolean left = !link.hasFailed(rank);
    String reason = link.reason(rank);
    int number = members.numbering().rankOf(rank);
    String message =
        "rank %d (%sprocess %d%s) %s%s; %s %s%s cannot complete; %s"
            .formatted(
                number,
                number == rank ? "" : "job rank %d, ".formatted(rank),
                link.pid(rank),
                link.host(rank).isEmpty() ? "" : " on host " + link.host(rank),
                left ? "has left the job" : "has failed",
                reason.isEmpty() ? "" : ": " + reason,
                operation.toString().matches("[ae].*") ? "an" : "a",
                operation,
                operation instanceof String ? "" : ",", // an operation says more than its name
                rest);
    return left ? new RankLeftException(number, rank, message) : new RankFailedException(number, rank, message);
  }
}
