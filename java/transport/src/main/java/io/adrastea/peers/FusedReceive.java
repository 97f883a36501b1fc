package io.adrastea.peers;

import io.adrastea.link.Inbound;
import io.adrastea.datatype.Program;
import io.adrastea.link.Link;
import java.lang.foreign.MemorySegment;

/** A receive that waits, matches and copies in one crossing, straight from where the message lies. */
public interface FusedReceive {
  /**
   * Waits for a whole small message for at most {@code polls} polls, and receives it when it is from {@code source}
   * (-1: any that the link reaches), its match equals {@code match} in the bits of {@code mask}, it came in one piece
   * and fits.
   *
   * @return its length, with {@code inbound} telling source and match; {@link Link#AGAIN}: nothing came;
   *   {@link Link#NOMSG}: something else is next and is left to poll
   */
  int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int polls,
      Inbound inbound);

  /**
   * Receives as {@link #receive} does, into elements of a datatype, unpacked from where the message lies.
   *
   * @return as of {@link #receive}; {@link Link#NOSYS}: it is to be polled for and unpacked by the caller
   */
  default int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int polls, Inbound inbound) {
    return Link.NOSYS;
  }
}
