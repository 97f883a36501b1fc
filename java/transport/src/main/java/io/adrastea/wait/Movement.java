package io.adrastea.wait;

import static io.adrastea.layout.RankEntryDescriptor.MOVES_COLLECTIVES;
import static io.adrastea.layout.RankEntryDescriptor.MOVES_MESSAGES;
import static io.adrastea.layout.RankEntryDescriptor.MOVES_SEVERAL;

import io.adrastea.ranktable.Moving;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import java.util.stream.IntStream;

/**
 * What moves of long messages and of collectives, at this rank and, as they tell, at the others of its node: a wait
 * that takes long is told of only when nothing has moved that it depends on.
 *
 * <p>
 * A rank that copies alone does so unseen by those that wait for it. So about every 100 ms one that has moved something
 * says in its entry of the rank table what it was of, and counts: a rank that waits looks there as often. It stands in
 * the word in which the rank tells what it waits for itself, since a rank that moves something stands in no circle.
 * Only steps of the rank's own are told, never that it has seen others move: else two that wait for each other would
 * keep each other going. Called inside the gate.
 */
public final class Movement {
  /** In the place of a local rank: it is on another node. */
  public static final int ELSEWHERE = -1;

  private static final int COUNT_SHIFT = 32;

  private final RankTable table;
  private final int localRank;
  private final int[] localRanks; // by their numbers in the job
  private final boolean allHere; // no rank is on another node
  private final int[] others; // job ranks of the other ranks of this node, which tell here
  private final long[] messages; // steps of long messages, by the rank at their other end
  private long steps; // the sum of these
  private int moves; // what has moved since it was told last: MOVES_…; 0: nothing
  private int what; // what they are of: a local rank plus 1, or a communicator
  private int count; // of tellings
  private boolean told; // the last look found something to tell
  private int tellings; // of waits

  /**
   * Makes the view of one rank.
   *
   * @param localRank this rank, on its node
   * @param localRanks those of all ranks of the job; {@link #ELSEWHERE}: such a one tells nothing here
   */
  public Movement(RankTable table, int localRank, int[] localRanks) {
    this.table = table;
    this.localRank = localRank;
    this.localRanks = localRanks;
    this.allHere = IntStream.of(localRanks).noneMatch(rank -> rank == ELSEWHERE);
    this.others =
        IntStream.range(0, localRanks.length)
            .filter(rank -> localRanks[rank] != ELSEWHERE && localRanks[rank] != localRank).toArray();
    this.messages = new long[localRanks.length];
  }

  /** Bytes of a long message to or from a rank have moved here. */
  public void message(int peer) {
    messages[peer]++;
    steps++;
    note(MOVES_MESSAGES, localRanks[peer] + 1);
  }

  /** Bytes of a collective have moved here, of the communicator of this number. */
  public void collective(int number) {
    note(MOVES_COLLECTIVES, number);
  }

  private void note(int nowMoves, int nowOf) {
    if (moves == 0) {
      moves = nowMoves;
      what = nowOf;
    } else if (moves != nowMoves || what != nowOf) {
      moves = MOVES_SEVERAL;
      what = 0;
    }
  }

  /** Tells the others what has moved since the last time. Called about every 100 ms. */
  public void tell() {
    told = moves != 0;
    if (told) {
      table.tell(localRank, Moving.word(moves, what, ++count));
      moves = 0;
    }
  }

  /**
   * Tells what this rank waits for, unless something moves here. The table has local ranks: a wait for a rank of
   * another node, or for any or all where there are such, stays out of it, since it proves no circle on this node.
   *
   * @param anew it did not stand there before, or something has moved since
   */
  void tell(Waiting waiting, boolean anew) {
    tellings += anew ? 1 : 0;
    if (!told) {
      table.tell(localRank, isHere(waiting.peer()) ? ofNode(waiting).word(tellings) : 0);
    }
  }

  private boolean isHere(int peer) {
    return peer < 0 ? allHere : localRanks[peer] != ELSEWHERE;
  }

  private Waiting ofNode(Waiting waiting) {
    return waiting.peer() < 0 ? waiting : waiting.withPeer(localRanks[waiting.peer()]);
  }

  /** This rank has waited for long, and does no more. */
  void withdraw() {
    table.tell(localRank, 0);
  }

  /**
   * A number that changes when bytes of a long message to or from this rank move, as far as is known; -1: any rank,
   * which looks at those of this node alone, since no other tells here.
   */
  public long ofMessages(int peer) {
    if (peer >= 0) {
      return messages[peer] + toldBy(peer);
    }
    long all = steps;
    for (int rank : others) {
      all += toldBy(rank);
    }
    return all;
  }

  private long toldBy(int peer) {
    return Moving.countOfMessages(word(peer), localRank) << COUNT_SHIFT;
  }

  /** A number that changes when a rank moves bytes of collectives of the communicator of this number. */
  public long ofCollectives(int rank, int number) {
    return Moving.countOfCollectives(word(rank), number);
  }

  /** What another rank says that it moves. */
  private long word(int rank) {
    int there = localRanks[rank];
    return there == ELSEWHERE || there == localRank ? 0 : table.moving(there);
  }
}
