package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.NOMSG;
import static io.adrastea.core.Core.WANTED;
import static io.adrastea.core.pure.PureState.PLACE_BOX;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.core.pure.PureState.PLACE_QUEUE;
import static io.adrastea.core.pure.PureState.PLACE_SPENT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.OWNER_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.link.Inbound;
import io.adrastea.core.JavaPacking;
import io.adrastea.core.pure.PureState.Inflow;
import io.adrastea.core.pure.PureState.Outflow;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.layout.BoxMessageDescriptor;
import io.adrastea.queue.MpscQueue;
import java.lang.foreign.MemorySegment;

/**
 * What becomes of the piece at hand: it is taken, released, or retained and released later, and its room goes back to
 * whose it is. And receiving in one call: a whole small message, waited for, found and taken. Twin of
 * {@code channel/adr_channel_receive.c}.
 */
final class PureReceiver {
  private final PureState state;
  private final PurePoller poller;
  private final MemorySegment memory;
  private final Inflow[] inflows;
  private final ProgramCursor cursor = new ProgramCursor(); // of elements that are received in one call

  PureReceiver(PureState state, PurePoller poller) {
    this.state = state;
    this.poller = poller;
    this.memory = state.memory;
    this.inflows = state.in;
  }

  /**
   * Ends with the piece at hand. A cell in the queue leaves it only when the next piece is wanted: then its two locked
   * instructions overlap with the peer's answer.
   */
  private int endPiece() {
    int place = state.place;
    if (place == PLACE_QUEUE) {
      state.place = PLACE_SPENT;
      return 0;
    }
    state.place = PLACE_NONE;
    if (place == PLACE_BOX) {
      inflows[state.inbound.source()].box.end(state.header);
      return 0;
    }
    return poller.giveBack(state.owner, state.inbound.place());
  }

  int take(MemorySegment destination, long offset, long length) {
    if (!state.atHand() || length < 0 || length > state.inbound.length()) {
      return INVAL;
    }
    ShortCopy.take(memory, state.inbound.payload(), destination, offset, (int) length);
    return endPiece();
  }

  int release() {
    return state.atHand() ? endPiece() : INVAL;
  }

  int releaseBatch(int count, boolean more) {
    if (count < 1 || state.place != PLACE_BOX) {
      return count == 1 && !more ? release() : INVAL;
    }
    int source = state.inbound.source();
    Inflow in = inflows[source];
    state.place = PLACE_NONE;
    boolean all = count == state.told && !more && !in.box.isRetaining();
    state.told = 0;
    if (all) {
      in.expected += count - 1;
      in.box.endAll(state.toldEnd, state.toldHeader);
      return 0;
    }
    in.box.end(state.header);
    for (int ended = 1; ended < count; ended++) {
      long header = in.box.poll(in.expected);
      if (header <= 0) {
        return CORRUPT; // it was there
      }
      in.expected++;
      in.box.end(header);
    }
    return !more || poller.pollBox(source) == 1 ? 0 : CORRUPT;
  }

  int retain() {
    if (!state.atHand()) {
      return INVAL;
    }
    if (state.place == PLACE_BOX) {
      inflows[state.inbound.source()].box.retain(state.header);
      state.place = PLACE_NONE;
      return 0;
    }
    if (state.place == PLACE_QUEUE) {
      long status = MpscQueue.advance(state.view, state.receiveQueue, state.inbound.place());
      if (status < 0) {
        return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
      }
    }
    state.place = PLACE_NONE;
    state.retainedCount++;
    return 0;
  }

  private int releaseCell(long cell) {
    if (state.retainedCount == 0 || !state.view.holds(cell)) {
      return INVAL;
    }
    int owner = Words.load(memory, cell + OWNER_OFFSET);
    if (!state.isRank(owner)) {
      return CORRUPT;
    }
    state.retainedCount--;
    return poller.giveBack(owner, cell);
  }

  int releaseRetained(int source, long place) {
    if (!state.isRank(source)) {
      return INVAL;
    }
    return place < 0 ? inflows[source].box.release(-1 - place) : releaseCell(place);
  }

  private static boolean matches(long found, long match, long mask) {
    return ((found ^ match) & mask) == 0;
  }

  /**
   * Receives the message that the fastbox of {@code source} shows, if it is the one asked for. Apart from the wait, and
   * all of it in one method: what HotSpot inlines into a wait is what its polls call that find nothing, not what comes
   * after them.
   */
  private int receiveBox(
      Inflow in, int source, long header, boolean awaited, long match, long mask, MemorySegment to, long at,
      long capacity, Inbound inbound) {
    if (awaited) {
      expectAnswer(state.out[source]);
    }
    long message = in.box.message();
    long found = Words.loadLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET);
    int length = (int) (header & BoxMessageDescriptor.LENGTH_MASK);
    if (!matches(found, match, mask) || length > capacity) {
      return NOMSG;
    }
    long[] words = inbound.words();
    words[Inbound.SOURCE] = source;
    words[Inbound.MATCH] = found;
    ShortCopy.take(memory, message + BoxMessageDescriptor.BYTES, to, at, length);
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
    int status = poller.nextPiece(source);
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
    status = take(destination, offset, length);
    return status < 0 ? status : length;
  }

  /**
   * Pauses before the first look of a wait: more when something was sent to that source since the last one, and so an
   * answer is waited for. Two crossings lie before it, the question's and its own, and a look in between takes the line
   * from the peer, which has fetched it for its answer. (C also pushes the question down to the cache that both CPUs
   * share.)
   */
  private static int firstPauses(Inflow in, Outflow out) {
    if (in.asked == out.sequence) {
      return Cadence.LOOK_PAUSES;
    }
    in.asked = out.sequence;
    return Cadence.ANSWER * Cadence.LOOK_PAUSES;
  }

  /**
   * Waits for the next message of one source, polling its fastbox and the front of the queue. A header, below zero:
   * CORRUPT, or 0: a general poll is to decide.
   */
  private long awaitBox(Inflow in, Outflow out, int spins) {
    in.box.tell();
    int pauses = firstPauses(in, out);
    while (--spins > 0 && MpscQueue.peek(state.view, state.receiveQueue) == 0) {
      Cadence.pause(pauses);
      long header = in.box.poll(in.expected);
      if (header != 0) {
        return header;
      }
      pauses = Cadence.LOOK_PAUSES;
    }
    return 0;
  }

  /** The next message of one source, waited for. AGAIN: a general poll is to decide. */
  private int receiveFrom(
      long match, long mask, int source, MemorySegment to, long at, long capacity, int spins, Inbound inbound) {
    Inflow in = inflows[source];
    long header = in.box.poll(in.expected);
    boolean awaited = header == 0;
    if (awaited) {
      header = awaitBox(in, state.out[source], spins);
    }
    if (header > 0) {
      return receiveBox(in, source, header, awaited, match, mask, to, at, capacity, inbound);
    }
    return header == 0 ? AGAIN : CORRUPT;
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

  /**
   * Unpacked from where it lies.
   *
   * @throws RuntimeException when the memory of the elements was closed; the message is at hand
   */
  int receiveElements(
      long match, long mask, int source, Program program, MemorySegment elements, long offset, long count,
      long capacity, int spins, Inbound inbound) {
    // with room for no bytes it waits, and leaves what came where it lies
    int status = receive(match, mask, source, MemorySegment.NULL, 0, 0, spins, inbound);
    if (status != NOMSG) {
      return status;
    }
    status = poller.nextPiece(source);
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
    JavaPacking.unpack(program, cursor.begin(program, count), elements, offset, memory, in.payload(), length);
    status = endPiece();
    return status < 0 ? status : length;
  }
}
