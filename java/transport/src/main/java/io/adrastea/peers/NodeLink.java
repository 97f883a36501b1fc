package io.adrastea.peers;

import io.adrastea.datatype.Program;
import io.adrastea.link.Link;
import java.lang.foreign.MemorySegment;

/**
 * A link to ranks that this rank shares memory with. The bytes of large messages to them go through that memory; to
 * others they go over the link. What else only shared memory can do is asked for once, when the engine is made; a link
 * that cannot answers null.
 */
public interface NodeLink extends Link {
  /** So many letters of the name of a link count where two ranks compare by which one they reach each other. */
  int LETTERS = 8;

  /**
   * Sends a whole message of one piece, elements of a datatype, in one crossing.
   *
   * @param offset the origin of the first element
   * @param length bytes of all elements
   * @return its length, or as of {@link #claim}; {@link #NOSYS}: it is to be packed into room that is claimed
   */
  default int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length) {
    return NOSYS;
  }

  /**
   * Tells that this rank reaches another one by links of that name, unless the other has told of the two of them
   * before. To be called before either sends anything.
   *
   * @return the first {@link #LETTERS} letters of the name that was told first
   */
  default String tellLink(int rank, String name) {
    return name;
  }

  /** Whether the process of a rank runs, whose memory transfers may use: also when the rank has left. */
  boolean isReachable(int rank);

  /** Whether the process of a rank is about to end, as far as can be told. */
  boolean isEnding(int rank);

  /** Receives in one crossing; null: not on this link. */
  FusedReceive fused();

  /** Finds many messages in one crossing; null: not on this link. */
  default BatchPoll batches() {
    return null;
  }

  /**
   * A barrier of all the ranks that the link reaches, and this one, beside that of the collectives; null: there is
   * none.
   */
  LinkBarrier barrier();

  /** Places for collectives in the memory that this rank shares with all that the link reaches; null: none. */
  default Slots slots() {
    return null;
  }
}
