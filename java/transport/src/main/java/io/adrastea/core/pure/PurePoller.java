package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.Core.WANTED;
import static io.adrastea.core.pure.PureState.PLACE_BOX;
import static io.adrastea.core.pure.PureState.PLACE_EARLY;
import static io.adrastea.core.pure.PureState.PLACE_NONE;
import static io.adrastea.core.pure.PureState.PLACE_QUEUE;
import static io.adrastea.core.pure.PureState.PLACE_SPENT;
import static io.adrastea.layout.CellDescriptor.*;

import io.adrastea.atomic.Words;
import io.adrastea.core.Batch;
import io.adrastea.link.Inbound;
import io.adrastea.core.pure.PureState.Inflow;
import io.adrastea.fastbox.Inbox;
import io.adrastea.layout.BoxMessageDescriptor;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.queue.MpscQueue;
import java.lang.foreign.MemorySegment;

/**
 * Finding the next piece: in the fastboxes that are marked, and now and then in all; at the receive queue's front; and
 * among the cells that came before their turn. Twin of {@code channel/adr_channel_poll.h} and {@code .c}. A poll finds
 * 1: a piece, which is at hand now; WANTED, AGAIN or CORRUPT.
 */
final class PurePoller {
  /** Polls of an active fastbox that find nothing before it counts as idle. */
  private static final int IDLE_POLLS = 1024;

  /** General polls from one scan of all fastboxes to the next. */
  private static final int SCAN_POLLS = 4096;

  /** What passEarly found, beside 1, AGAIN and CORRUPT: the queue's front is another cell now. */
  private static final int NEXT_CELL = 3;

  /**
   * Every so many general polls begin with the queue, so that busy fastboxes cannot keep it waiting, not even that of
   * {@code first}: a power of two.
   */
  private static final int QUEUE_TURN = 8;

  private final PureState state;
  private final MemorySegment memory;
  private final Inflow[] inflows;
  private final long[] piece; // the words of state.inbound

  PurePoller(PureState state) {
    this.state = state;
    this.memory = state.memory;
    this.inflows = state.in;
    this.piece = state.inbound.words();
  }

  /** Puts the message that an inbox shows at hand. */
  private int acceptBox(int source, long header) {
    Inflow in = inflows[source];
    long message = in.box.message();
    long length = header & BoxMessageDescriptor.LENGTH_MASK;
    state.place = PLACE_BOX;
    state.header = header;
    state.told = 0;
    in.box.notIdle();
    piece[Inbound.SOURCE] = source;
    piece[Inbound.KIND] = KIND_FIRST;
    piece[Inbound.MATCH] = Words.loadLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET);
    piece[Inbound.LENGTH] = length;
    piece[Inbound.TOTAL_LENGTH] = length;
    piece[Inbound.PAYLOAD] = message + BoxMessageDescriptor.BYTES;
    piece[Inbound.SEQUENCE] = in.expected++ & BoxMessageDescriptor.SEQUENCE_MASK;
    piece[Inbound.PLACE] = -1 - in.box.position();
    return 1;
  }

  /** Polls the fastbox of one source, which is open. */
  int pollBox(int source) {
    Inflow in = inflows[source];
    long header = in.box.poll(in.expected);
    if (header > 0) {
      return acceptBox(source, header);
    }
    return header == 0 ? AGAIN : CORRUPT;
  }

  /** Polls the fastboxes in turn. */
  private int pollBoxes() {
    if (state.polls - state.scanAt >= 0) {
      state.scanAt = state.polls + SCAN_POLLS;
      scan();
    }
    int turn = state.turn; // the one behind the last that had something: all get their turn
    int status = pollMarked(turn, inflows.length);
    return status == AGAIN && turn != 0 ? pollMarked(0, turn) : status;
  }

  /** Polls the queue, once the spent cell has left it. */
  private int pollQueue() {
    int retired = state.spent == 0 ? 0 : retire();
    if (retired < 0) {
      return retired;
    }
    long cell = MpscQueue.peek(state.view, state.receiveQueue);
    return cell == 0 ? AGAIN : acceptFront(cell);
  }

  /** A general poll, when no piece is at hand. */
  private int pollAll(int first) {
    int status = AGAIN;
    if (state.earlyCount != 0) {
      status = pollEarly();
    }
    boolean queueFirst = (state.polls++ & QUEUE_TURN - 1) == 0;
    if (status == AGAIN && queueFirst) {
      status = pollQueue();
    }
    if (status == AGAIN && first >= 0 && inflows[first].box.isOpen()) {
      status = pollBox(first);
    }
    if (status == AGAIN) {
      status = pollBoxes();
    }
    if (status == AGAIN && !queueFirst) {
      status = pollQueue();
    }
    return status;
  }

  /** 1: a piece is at hand, the next one in order of some source; WANTED, AGAIN or CORRUPT. */
  int nextPiece(int first) {
    if (state.place == PLACE_SPENT) {
      int status = retire();
      if (status == CORRUPT) {
        return status;
      }
    }
    return state.place != PLACE_NONE ? 1 : pollAll(first);
  }

  /** Gives a cell back to its owner. */
  int giveBack(int owner, long cell) {
    return MpscQueue.enqueue(state.view, state.freeQueues[owner], state.self, cell);
  }

  /**
   * Takes the spent cell, if there is one, out of the queue and gives it back: 0, CORRUPT, or AGAIN: its successor is
   * not linked yet; only the queue waits for that.
   */
  int retire() {
    if (state.place == PLACE_SPENT) {
      state.spent = piece[Inbound.PLACE];
      state.spentOwner = state.owner;
      state.place = PLACE_NONE;
    }
    long cell = state.spent;
    if (cell == 0) {
      return 0;
    }
    long status = MpscQueue.advance(state.view, state.receiveQueue, cell);
    if (status < 0) {
      return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
    }
    state.spent = 0;
    return giveBack(state.spentOwner, cell);
  }

  /** Whether a link of the receive queue is missing, behind which there may be messages. */
  boolean isBlocked() {
    if (state.atHand()) {
      return false;
    }
    if (retire() == AGAIN) {
      return true;
    }
    // SYNC queue-tail: acquire, pairs with the swap of an enqueuer that has not stored `head` yet.
    return MpscQueue.peek(state.view, state.receiveQueue) == 0
        && Words.loadAcquireLong(memory, state.receiveQueue + MpscQueueDescriptor.TAIL_OFFSET) != 0;
  }

  private int takeMarkAway(int source) {
    inflows[source].box.notIdle();
    long word = state.active + PureState.wordOf(source);
    long bit = PureState.bitOf(source);
    // SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; the poll below is not moved
    // before it.
    Words.andAcqRelLong(memory, word, ~bit);
    int status = pollBox(source);
    if (status != AGAIN) {
      // Relaxed: our own mark, which only we take for a sign that something is there.
      Words.orRelaxedLong(memory, word, bit);
    }
    return status;
  }

  /**
   * An active box with nothing in it. After a while its mark is taken away; a message that came in between is seen by
   * the poll after that, or by the next scan.
   */
  private int noteIdle(int source) {
    Inbox box = inflows[source].box;
    box.tell();
    return box.noteIdle() < IDLE_POLLS ? AGAIN : takeMarkAway(source);
  }

  private int pollMarkedBox(int source) {
    if (!inflows[source].box.isOpen()) {
      piece[Inbound.SOURCE] = source;
      return WANTED;
    }
    int status = pollBox(source);
    return status == AGAIN ? noteIdle(source) : status;
  }

  /**
   * Polls the fastboxes whose bits are set, from rank {@code from} up to, not including, {@code to}: the others are not
   * touched.
   */
  private int pollMarked(int from, int to) {
    int first = from / Long.SIZE;
    for (int word = first; word * Long.SIZE < to; word++) {
      // Relaxed: a bit is a hint where to poll; what is found there is acquired.
      long bits = Words.loadRelaxedLong(memory, state.active + (long) word * Long.BYTES);
      bits &= word == first ? -1L << from : -1L; // the shift counts modulo 64
      for (; bits != 0; bits &= bits - 1) {
        int source = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        if (source >= to) {
          return AGAIN;
        }
        int status = pollMarkedBox(source);
        if (status != AGAIN) {
          state.turn = source + 1 < inflows.length ? source + 1 : 0;
          return status;
        }
      }
    }
    return AGAIN;
  }

  /** Peeks into all fastboxes, and marks those in which something came without a mark. */
  private void scan() {
    for (int source = 0; source < inflows.length; source++) {
      Inflow in = inflows[source];
      if (in.box.isOpen() && in.box.peek(in.expected) != 0) {
        // Relaxed: our own mark; its message was acquired above. By a read-modify-write no mark of others is lost.
        Words.orRelaxedLong(memory, state.active + PureState.wordOf(source), PureState.bitOf(source));
      }
    }
  }

  private int acceptCell(long cell, int place) {
    int source = Words.load(memory, cell + SOURCE_OFFSET);
    int owner = Words.load(memory, cell + OWNER_OFFSET);
    int length = Words.load(memory, cell + LENGTH_OFFSET);
    int kind = Words.load(memory, cell + KIND_OFFSET);
    long sequence = Words.loadLong(memory, cell + SEQUENCE_OFFSET);
    long totalLength = Words.loadLong(memory, cell + TOTAL_LENGTH_OFFSET);
    piece[Inbound.SOURCE] = source;
    if (!state.isRank(source)
        || !state.isRank(owner)
        || Integer.compareUnsigned(length, state.cellPayload) > 0
        || totalLength < length
        || kind < KIND_FIRST
        || kind > KIND_ABORT) {
      return CORRUPT;
    }
    Inflow in = inflows[source];
    if (sequence != in.expected) {
      return Long.compareUnsigned(sequence - in.expected, state.mostEarly) <= 0 ? AGAIN : CORRUPT;
    }
    in.expected++;
    state.place = place;
    state.owner = owner;
    piece[Inbound.KIND] = kind;
    piece[Inbound.MATCH] = Words.loadLong(memory, cell + MATCH_OFFSET);
    piece[Inbound.LENGTH] = length;
    piece[Inbound.TOTAL_LENGTH] = totalLength;
    piece[Inbound.PAYLOAD] = cell + BYTES;
    piece[Inbound.SEQUENCE] = sequence & BoxMessageDescriptor.SEQUENCE_MASK;
    piece[Inbound.PLACE] = cell;
    return 0;
  }

  private long sequenceOf(long cell) {
    return Words.loadLong(memory, cell + SEQUENCE_OFFSET);
  }

  private void insert(int source, long before, long cell, long after) {
    Words.storeRelaxedLong(memory, cell + NEXT_OFFSET, after); // ours alone now: it is in no queue
    if (before == 0) {
      inflows[source].early = cell;
    } else {
      Words.storeRelaxedLong(memory, before + NEXT_OFFSET, cell);
    }
    state.earlyCount++;
  }

  /**
   * Sets the cell at the queue's front aside for its source alone, in the order of sequences. Rare: only a repaired
   * queue has its cells out of order. 1, AGAIN or CORRUPT.
   */
  private int setAside(int source, long cell) {
    if (state.earlyCount >= state.allCells) {
      // More than there are: somebody rewrites links and numbers meanwhile, so that the same ones come again.
      return CORRUPT;
    }
    long status = MpscQueue.advance(state.view, state.receiveQueue, cell);
    if (status < 0) {
      return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
    }
    long sequence = sequenceOf(cell);
    long after = inflows[source].early;
    long before = 0;
    for (int steps = 0; after != 0; steps++) {
      if (!state.view.holds(after) || steps > state.earlyCount) {
        return CORRUPT;
      }
      long found = sequenceOf(after);
      if (found == sequence) {
        return CORRUPT; // a queue that goes in a circle would be walked for ever
      }
      if (Long.compareUnsigned(found, sequence) > 0) {
        break;
      }
      before = after;
      after = Words.loadRelaxedLong(memory, after + NEXT_OFFSET);
    }
    insert(source, before, cell, after);
    return 1;
  }

  /** Finds a cell set aside whose turn it is. */
  private int pollEarly() {
    for (Inflow in : inflows) {
      long cell = in.early;
      if (cell == 0) {
        continue;
      }
      if (!state.view.holds(cell)) {
        return CORRUPT;
      }
      long next = Words.loadRelaxedLong(memory, cell + NEXT_OFFSET);
      int status = acceptCell(cell, PLACE_EARLY);
      if (status != AGAIN) {
        in.early = next;
        state.earlyCount--;
        return status < 0 ? status : 1;
      }
    }
    return AGAIN;
  }

  /**
   * A cell that is early: what comes before it is in the fastbox, whose writer was done with it before it linked the
   * cell. If not, the cell waits aside. 1 (a piece is at hand), NEXT_CELL, AGAIN or CORRUPT.
   */
  private int passEarly(long cell) {
    int source = (int) piece[Inbound.SOURCE];
    if (inflows[source].box.isOpen()) {
      int status = pollBox(source);
      if (status != AGAIN) {
        return status;
      }
    }
    int status = setAside(source, cell);
    return status == 1 ? NEXT_CELL : status;
  }

  /**
   * Puts the piece in the cell at the queue's front at hand, as peek has told it, or goes on to the cells behind it.
   */
  private int acceptFront(long cell) {
    do {
      if (cell < 0) {
        return CORRUPT;
      }
      int status = acceptCell(cell, PLACE_QUEUE);
      if (status == 0) {
        return 1;
      }
      status = status == AGAIN ? passEarly(cell) : status;
      if (status != NEXT_CELL) {
        return status;
      }
      cell = MpscQueue.peek(state.view, state.receiveQueue);
    } while (cell != 0);
    return AGAIN;
  }

  int poll(int first, Inbound inbound) {
    if (first >= state.rankCount) {
      return INVAL;
    }
    int status = nextPiece(first);
    if (status == 1) {
      System.arraycopy(state.inbound.words(), 0, inbound.words(), 0, 8);
    } else if (status == WANTED) {
      inbound.words()[Inbound.SOURCE] = state.inbound.words()[Inbound.SOURCE];
    }
    return status;
  }

  /** Notes where the batch ends, for a call that ends with all of it at once. Returns how many pieces it has. */
  private int noteBatch(int count, long end, long header) {
    state.told = count;
    state.toldEnd = end;
    state.toldHeader = header;
    return count;
  }

  /**
   * Tells of the whole messages that lie behind the piece at hand in its fastbox, of about half the ring at most, which
   * its writer lacks until the batch is over; moves nothing. How many pieces there are, that at hand among them. (C
   * also fetches the lines behind a full batch, for which Java has no instruction.)
   */
  private int tellBehind(long[] words) {
    int source = state.inbound.source();
    Inflow in = inflows[source];
    long position = in.box.endOf(in.box.position(), state.header);
    long last = state.header;
    for (int count = 0;; count++) {
      long sequence = in.expected + count;
      boolean ends = count == Batch.MOST - 1 || position - in.box.position() >= state.ringBytes >> 1;
      long header = ends ? 0 : in.box.peekBehind(position, sequence);
      if (header == 0) {
        return noteBatch(1 + count, position, last);
      }
      last = header;
      long message = in.box.messageAt(position);
      long length = header & BoxMessageDescriptor.LENGTH_MASK;
      int at = (count + 1) * Inbound.WORDS;
      words[at + Inbound.SOURCE] = source;
      words[at + Inbound.KIND] = KIND_FIRST;
      words[at + Inbound.MATCH] = Words.loadLong(memory, message + BoxMessageDescriptor.MATCH_OFFSET);
      words[at + Inbound.LENGTH] = length;
      words[at + Inbound.TOTAL_LENGTH] = length;
      words[at + Inbound.PAYLOAD] = message + BoxMessageDescriptor.BYTES;
      words[at + Inbound.SEQUENCE] = sequence & BoxMessageDescriptor.SEQUENCE_MASK;
      words[at + Inbound.PLACE] = -1 - position;
      position = in.box.endOf(position, header);
    }
  }

  int pollBatch(int first, Batch batch) {
    if (first >= state.rankCount) {
      return INVAL;
    }
    int status = nextPiece(first);
    if (status == AGAIN && state.batchFound) { // the line is about to be written: not to be taken away now
      Cadence.pause(Cadence.LOOK_PAUSES);
      status = nextPiece(first);
    }
    state.batchFound = status == 1;
    if (status == 1 || status == WANTED) {
      System.arraycopy(piece, 0, batch.words(), 0, Inbound.WORDS);
    }
    if (status != 1 || state.place != PLACE_BOX) {
      return status == WANTED ? 0 : status;
    }
    return tellBehind(batch.words());
  }
}
