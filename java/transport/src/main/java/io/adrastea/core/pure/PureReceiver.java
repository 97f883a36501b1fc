package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.NOMSG;
import static io.adrastea.core.Core.WANTED;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.core.Inbound;
import io.adrastea.fastbox.Inbox;
import io.adrastea.layout.BoxSlotDescriptor;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * Receiving in one call: a whole small message, waited for, looked at and taken. Twin of
 * {@code channel/adr_channel_receive.c}.
 */
final class PureReceiver {
  private final PureState state;
  private final PureLook look;
  private final PureTaker taker;
  private final MemorySegment memory;
  private final Inflow[] inflows;

  PureReceiver(PureState state, PureLook look, PureTaker taker) {
    this.state = state;
    this.look = look;
    this.taker = taker;
    this.memory = state.memory;
    this.inflows = state.in;
  }

  private static boolean matches(long found, long match, long mask) {
    return ((found ^ match) & mask) == 0;
  }

  /** Receives the message that the fastbox of {@code source} shows, if it is the one asked for. */
  private int receiveBox(
      Inflow in, int source, long header, long match, long mask, MemorySegment to, long at, long capacity,
      Inbound inbound) {
    long slot = in.box.slot();
    long found = Words.loadLong(memory, slot + BoxSlotDescriptor.MATCH_OFFSET);
    int length = (int) (header & BoxSlotDescriptor.LENGTH_MASK);
    if (!matches(found, match, mask) || length > capacity) {
      return NOMSG;
    }
    long[] words = inbound.words();
    words[Inbound.SOURCE] = source;
    words[Inbound.MATCH] = found;
    ShortCopy.copy(memory, slot + BoxSlotDescriptor.BYTES, to, at, length);
    in.expected++;
    in.box.end(header);
    return length;
  }

  /** Whether the piece at hand is the whole message that is asked for. */
  private static boolean wanted(Inbound in, long match, long mask, int source, long capacity) {
    return in.kind() == KIND_FIRST
        && matches(in.match(), match, mask)
        && (source < 0 || in.source() == source)
        && in.length() == in.totalLength()
        && in.length() <= capacity;
  }

  private int receivePiece(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, Inbound inbound) {
    int status = look.nextPiece(source);
    if (status != 1) {
      return status == WANTED ? NOMSG : status;
    }
    Inbound in = state.inbound;
    if (!wanted(in, match, mask, source, capacity)) {
      return NOMSG;
    }
    inbound.words()[Inbound.SOURCE] = in.words()[Inbound.SOURCE];
    inbound.words()[Inbound.MATCH] = in.words()[Inbound.MATCH];
    int length = in.length();
    status = taker.take(destination, offset, length);
    return status < 0 ? status : length;
  }

  /**
   * Waits for the next message of one source, looking at its fastbox and at the queue's front. AGAIN: a general look is
   * to decide.
   */
  private int receiveFrom(
      long match, long mask, int source, MemorySegment to, long at, long capacity, int spins, Inbound inbound) {
    Inflow in = inflows[source];
    Inbox box = in.box;
    long header = box.look(in.expected);
    if (header == 0) {
      box.tell();
      do {
        if (--spins <= 0 || MpscQueue.peek(state.view, state.receiveQueue) != 0) {
          return AGAIN;
        }
        Cadence.pause(Cadence.LOOK_PAUSES);
        header = box.look(in.expected);
      } while (header == 0);
      expectAnswer(state.out[source]);
    }
    return header < 0 ? CORRUPT : receiveBox(in, source, header, match, mask, to, at, capacity, inbound);
  }

  private static void expectAnswer(Outflow out) {
    if (!out.isClaimed()) { // else somebody's message is being written there
      out.box.expectAnswer();
    }
  }

  private int receiveAny(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound) {
    int status;
    while ((status = receivePiece(match, mask, source, destination, offset, capacity, inbound)) == AGAIN
        && --spins > 0) {
      Thread.onSpinWait();
    }
    return status;
  }

  int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound) {
    if (source >= state.rankCount) {
      return INVAL;
    }
    if (source >= 0 && inflows[source].box.isOpen() && state.place == PLACE_NONE && state.earlyCount == 0) {
      int status = receiveFrom(match, mask, source, destination, offset, capacity, spins, inbound);
      if (status != AGAIN) {
        return status;
      }
      spins = 0;
    }
    return receiveAny(match, mask, source, destination, offset, capacity, spins, inbound);
  }
}
