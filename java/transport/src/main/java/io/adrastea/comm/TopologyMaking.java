package io.adrastea.comm;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.error.CollectiveException;
import io.adrastea.mapping.Places;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A topology that is being made: what the ranks of its parent tell each other for that, in collectives of the parent
 * that are named as parts of such a call, and the communicator that comes of it.
 */
public final class TopologyMaking {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int PLACES = 1; // behind the word that all have alike
  private static final int KINDS_OF_PLACES = 3;
  private static final int MORE = PLACES + KINDS_OF_PLACES;

  private final CommunicatorState parent;
  private final Collectives collectives;
  private final String call;
  private long[][] told; // by rank

  public TopologyMaking(CommunicatorState parent, String call) {
    this.parent = parent;
    this.collectives = parent.forNew(call);
    this.call = call;
  }

  /**
   * Makes sure that all ranks call the same, and tells them two numbers of this one.
   *
   * @param same a hash of the arguments that all ranks have alike
   * @param reorders whether {@link #places} is asked afterwards
   * @throws CollectiveException on all ranks, when one of them has others
   */
  public void agree(long same, boolean reorders, long first, long second) {
    int[] place = reorders ? parent.localRanks().place() : new int[KINDS_OF_PLACES];
    long[] own = {same, place[0], place[1], place[2], first, second};
    long[] all = new long[parent.size() * own.length];
    MemorySegment mine = MemorySegment.ofArray(own);
    MemorySegment theirs = MemorySegment.ofArray(all);
    collectives.allgather(
        Form.BLOCKING, new Contiguous(mine, 0, mine.byteSize()), new Contiguous(theirs, 0, theirs.byteSize()),
        mine.byteSize(), SlotMember.FOR_SPLIT);
    told = new long[parent.size()][];
    Arrays.setAll(told, rank -> Arrays.copyOfRange(all, rank * own.length, (rank + 1) * own.length));
    for (int rank = 0; rank < told.length; rank++) {
      if (told[rank][0] != same) {
        throw differs(
            rank,
            "makes another topology, or another one of its kind; all ranks call the same with the same arguments");
      }
    }
  }

  /** Makes the exception that this rank and another one do not agree. */
  CollectiveException differs(int rank, String how) {
    return new CollectiveException(
        rank, parent.jobRank(rank),
        "%s at rank %d: rank %s %s".formatted(call, parent.rank(), parent.numbering().name(parent.jobRank(rank)), how));
  }

  /** What a rank has told as its first number, or its second. */
  int told(int rank, int index) {
    return (int) told[rank][MORE + index];
  }

  /** Where the first ranks of the parent run. */
  public Places places(int ranks) {
    int[][] where = new int[ranks][KINDS_OF_PLACES];
    for (int rank = 0; rank < ranks; rank++) {
      for (int kind = 0; kind < KINDS_OF_PLACES; kind++) {
        where[rank][kind] = (int) told[rank][PLACES + kind];
      }
    }
    return Places.of(where);
  }

  /** Tells all ranks numbers of one of them; returns them. */
  int[] tell(int root, int count, int... own) {
    MemorySegment words = MemorySegment.ofArray(parent.rank() == root ? own : new int[count]);
    collectives.bcast(Form.BLOCKING, new Contiguous(words, 0, words.byteSize()), root, SlotMember.FOR_DUP);
    return words.toArray(INT);
  }

  /**
   * Makes the communicator.
   *
   * @param order by its ranks, the ranks of the parent
   * @return null: this rank is not in it
   */
  public CommunicatorState ordered(int... order) {
    int place = place(order);
    return place == CommunicatorState.UNDEFINED ? split(LocalRanks.NO_COLOR, parent.rank()) : split(0, place);
  }

  /**
   * The place of this rank in an order of ranks of the parent; {@link CommunicatorState#UNDEFINED}: it is left out.
   */
  public int place(int... order) {
    int self = parent.rank();
    for (int place = 0; place < order.length; place++) {
      if (order[place] == self) {
        return place;
      }
    }
    return CommunicatorState.UNDEFINED;
  }

  /** Makes communicators of the ranks of each color. */
  public CommunicatorState split(int color, int key) {
    return Communicators.split(parent, collectives, color, key);
  }

  /** The order in which the ranks of the parent stay as they are. */
  public static int[] sameOrder(int ranks) {
    int[] order = new int[ranks];
    Arrays.setAll(order, rank -> rank);
    return order;
  }
}
