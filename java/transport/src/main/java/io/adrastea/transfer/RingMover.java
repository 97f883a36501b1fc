package io.adrastea.transfer;

import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import io.adrastea.ring.CopyRing;
import io.adrastea.atomic.Words;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.space.RemoteMemory;
import java.lang.foreign.MemorySegment;

/**
 * Two copies: the sender copies into a ring in shared memory while the receiver copies out of it (double buffering,
 * [MPICH2 2007, 3.2]). For whatever cannot be reached from outside, Java arrays above all. The receiver makes the ring,
 * one for each pair and direction, and the sender reaches it by its place in the segment's file.
 *
 * <p>
 * The bytes of a ring are one stream: each CTS promises a stretch of it to a transfer, as soon as the message is
 * matched, so that the next follows the last without a pause. Both ends go through each stretch to its end, also one
 * whose buffer is gone: it copies nothing then, and tells the other end.
 */
final class RingMover implements Mover {
  private static final int TRIES = 64; // for the other end, before the rest of the engine has its turn
  private static final long STEP = 1 << 18;

  /**
   * Elements of a datatype with gaps go through the first bytes of a ring, or through all of a shorter one: their
   * memory fills twice as many cache lines as bytes are sent, or more, and a whole ring beside it would not stay in the
   * second cache. Others go there where that was found to take less ({@link Way#RING_FRONT}).
   */
  static final int FRONT_BYTES = 1 << 18;

  /** How far one end of a transfer is. */
  static final class State {
    private MemorySegment ring; // null: none; or the first bytes of one
    private int chunk; // bytes that are copied before they show
    private boolean cleared; // what the stretches before left in the ring does not lie in the way
    private long start; // of its stretch, in bytes since the ring's start
    private long count; // bytes of this end since the ring's start
    private long position; // next byte of the message for this end to copy
    private long end; // behind the last of them
    private long ahead; // sending: bytes that lie at the stream's end before a stretch of it is promised
    private Transfer next; // behind this one in the stream

    void clear() {
      ring = null;
      ahead = 0;
    }
  }

  /** The ring of one pair and direction, and the transfers that go through it, in the order of their stretches. */
  private static final class Stream {
    MemorySegment ring; // null: none yet
    MemorySegment front; // the first bytes of it
    long place; // in the segment's file
    long promised; // bytes since the ring's start
    long lastBytes; // of what the last stretch goes through
    int lastChunk; // bytes of a chunk of it; 0: a later message went another way
    Transfer ahead; // whose first bytes lie behind the last stretch; null: there are none
    Transfer first;
    Transfer last;

    /** A ring of which no stretch is promised yet. */
    void begin(MemorySegment whole, long at) {
      ring = whole;
      front = whole.asSlice(0, Math.min(whole.byteSize(), CopyRingDescriptor.BYTES + FRONT_BYTES));
      place = at;
      promised = 0;
      lastBytes = whole.byteSize();
      lastChunk = 0;
      ahead = null;
    }

    /** Where the next stretch is likely to be. */
    MemorySegment next() {
      return lastBytes == ring.byteSize() ? ring : front;
    }

    void add(Transfer transfer) {
      transfer.ring.next = null;
      if (first == null) {
        first = transfer;
      } else {
        last.ring.next = transfer;
      }
      last = transfer;
    }

    /** Takes one out, wherever it is; nothing when it is not here. */
    void remove(Transfer transfer) {
      Transfer before = null;
      for (Transfer at = first; at != null; before = at, at = at.ring.next) {
        if (at == transfer) {
          unlink(before, at);
          return;
        }
      }
    }

    private void unlink(Transfer before, Transfer transfer) {
      if (before == null) {
        first = transfer.ring.next;
      } else {
        before.ring.next = transfer.ring.next;
      }
      if (last == transfer) {
        last = before;
      }
    }
  }

  private final Spaces spaces;
  private final SharedHeap heap;
  private final RemoteMemory memory;
  private final TransferSettings settings;
  private final Stream[] in; // by peer; null: nothing came from it yet
  private final Stream[] out;
  private final Stretch local = new Stretch();

  RingMover(Transfers.Resources resources) {
    this.spaces = resources.spaces();
    this.heap = resources.heap();
    this.memory = resources.memory();
    this.settings = resources.settings();
    this.in = new Stream[resources.ranks()];
    this.out = new Stream[in.length];
  }

  private Stream stream(Transfer transfer) {
    return stream(transfer.sending ? out : in, transfer.peer);
  }

  private static Stream stream(Stream[] streams, int peer) {
    if (streams[peer] == null) {
      streams[peer] = new Stream();
    }
    return streams[peer];
  }

  @Override
  public boolean preRecv(Transfer transfer, long from, long to, Cookie cts) {
    Stream stream = stream(transfer);
    if (stream.ring == null && !make(stream, transfer)) {
      transfer.ends.copied();
      return false;
    }
    cts.add(Cookie.RING);
    cts.add(from);
    cts.add(to);
    cts.add(stream.place);
    cts.add(stream.ring.byteSize() - CopyRingDescriptor.BYTES);
    boolean front = transfer.chosen.way == Way.RING_FRONT || hasGaps(transfer);
    int chunk = transfer.chosen.way.chunk(settings.ringChunk());
    cts.add(Cookie.pack(chunk, front ? 1 : 0));
    cts.add(stream.promised);
    enter(stream, transfer, front, chunk, from, to);
    return true;
  }

  /** Whether elements with gaps are known to be at one end. */
  private static boolean hasGaps(Transfer transfer) {
    return transfer.payload instanceof Typed || transfer.remote.program() != null;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    Stream stream = stream(transfer);
    long bytes = cts.word(Cookie.RING_BYTES);
    reach(stream, transfer.peer, cts.word(Cookie.PLACE), bytes);
    if (cts.word(Cookie.RING_COUNT) != stream.promised) {
      throw new IllegalArgumentException("a stretch of a copy ring that does not follow the last");
    }
    int chunk = Math.clamp(Integer.highestOneBit(cts.low(Cookie.RING_CHUNK)), 64, (int) bytes);
    boolean front = cts.high(Cookie.RING_CHUNK) != 0;
    Transfer ahead = stream.ahead;
    enter(stream, transfer, front, chunk, cts.word(Cookie.FROM), cts.word(Cookie.TO));
    if (ahead == transfer && transfer.ring.ahead > 0 && transfer.failure.status == 0) {
      showAhead(transfer);
    }
  }

  /**
   * Sender: copies the first chunk of a message while its receiver is being asked, to where it goes if the next stretch
   * is its own; nothing unless the last message went by the ring, and all of the ring has been read. It shows when the
   * CTS has come. Where that says something else, the chunk was copied for nothing, in a time in which there was only
   * to wait.
   */
  void copyAhead(Transfer transfer) {
    Stream stream = stream(transfer);
    boolean likely = stream.ring != null && stream.lastChunk != 0 && stream.first == null
        && (stream.ahead == null || stream.ahead.ring.ahead == 0);
    boolean fits = transfer.payload instanceof Contiguous || transfer.payload instanceof Typed;
    if (!likely || transfer.length <= stream.lastChunk || !fits
        || !CopyRing.isDrained(stream.next(), stream.promised)) {
      return;
    }
    boolean interrupted = CopyInterrupt.isPending();
    try {
      MemorySegment ring = stream.next();
      long bytes = ring.byteSize() - CopyRingDescriptor.BYTES;
      long part = CopyRing.part(bytes, stream.lastChunk, stream.promised, stream.promised + transfer.length);
      long at = CopyRing.at(bytes, stream.promised);
      transfer.payload.seek(transfer.cursor, 0);
      if (transfer.payload instanceof Contiguous) {
        transfer.payload.stretch(transfer.cursor, local);
        MemorySegment.copy(local.memory(), local.offset(), ring, at, part);
      } else {
        transfer.payload.pack(transfer.cursor, ring, at, part);
      }
      stream.ahead = transfer;
      transfer.ring.ahead = part;
    } catch (IllegalStateException | WrongThreadException e) { // the buffer: told when it is asked for
      CopyInterrupt.forget(interrupted, e);
      transfer.cursor.begin(transfer.payload.bytes()); // it stands anywhere
    } catch (OutOfMemoryError e) { // the offer is on its way: there may be memory when it is asked for
      transfer.cursor.begin(transfer.payload.bytes());
    } finally {
      local.clear();
    }
  }

  /** Sender: shows what was copied ahead, if this is where it was copied to. */
  private static void showAhead(Transfer transfer) {
    State state = transfer.ring;
    if (state.cleared && state.position == 0) {
      long part = Math.min(state.ahead, state.end);
      state.position += part;
      state.count += part;
      CopyRing.show(state.ring, state.count);
    }
    state.ahead = 0;
  }

  /** Sender: a message went another way, and the next is likely to do the same. */
  void passedBy(int peer) {
    stream(out, peer).lastChunk = 0;
  }

  /** Receiver: whether no other transfer is ahead of this one, which may not be here yet. */
  boolean isNext(Transfer transfer) {
    Transfer first = stream(transfer).first;
    return first == null || first == transfer;
  }

  /** Whether a transfer has a stretch of its stream, and others are ahead of it. */
  boolean waits(Transfer transfer) {
    return transfer.ring.ring != null && stream(transfer).first != transfer;
  }

  /** The transfer whose turn it is in the stream of this one's pair and direction; null: none. */
  Transfer next(Transfer transfer) {
    return stream(transfer).first;
  }

  /** Gives a transfer the next stretch of the stream. */
  private static void enter(Stream stream, Transfer transfer, boolean front, int chunk, long from, long to) {
    State state = transfer.ring;
    state.ring = front ? stream.front : stream.ring;
    state.chunk = chunk;
    state.cleared = !transfer.sending || state.ring.byteSize() == stream.lastBytes;
    state.start = stream.promised;
    stream.lastBytes = state.ring.byteSize();
    stream.lastChunk = chunk;
    stream.ahead = null;
    state.count = stream.promised;
    state.position = from;
    state.end = to;
    stream.promised += to - from;
    stream.add(transfer);
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.ends.isMoving() || stream(transfer).first != transfer) {
      return false;
    }
    State state = transfer.ring;
    long before = state.position;
    if (transfer.failure.status == 0 && !copy(transfer)) {
      transfer.failure.set(Transfers.CORRUPT, null);
      if (!transfer.sending) {
        abandon(transfer.peer);
      }
    }
    if (transfer.failure.status != 0 && (transfer.sending ? transfer.ends.isPeerDone() : transfer.ends.isTold())) {
      // Not before the other end knows: what a sender shows then is no message, and room lets it end.
      skip(transfer);
    }
    boolean telling = !transfer.sending && transfer.failure.status != 0 && !transfer.ends.isTold(); // which comes next
    if (state.position == state.end || transfer.failure.status == Transfers.CORRUPT) {
      transfer.ends.copied();
    }
    return state.position != before || transfer.ends.isCopied() || telling;
  }

  @Override
  public void end(Transfer transfer) {
    stream(transfer).remove(transfer);
    transfer.ring.ring = null;
  }

  /** The stream from a peer is broken: all that were promised a stretch fail, and the next message makes a new ring. */
  void abandon(int peer) {
    Stream stream = stream(in, peer);
    for (Transfer transfer = stream.first; transfer != null; transfer = transfer.ring.next) {
      transfer.failure.set(Transfers.CORRUPT, null);
      transfer.ends.copied();
    }
    stream.ring = null;
    stream.promised = 0;
  }

  /**
   * Receiver: makes the stream's ring, a smaller one where there is no room for the one asked for; false: the transfer
   * has failed.
   */
  private boolean make(Stream stream, Transfer transfer) {
    SegmentException last = null;
    for (int bytes = settings.ringBytes(); bytes >= TransferSettings.LEAST_RING; bytes >>= 2) {
      try {
        MemorySegment ring = heap.allocate(CopyRingDescriptor.BYTES + (long) bytes, Split.PAGE);
        stream.begin(ring, heap.offset(ring));
        return true;
      } catch (SegmentException e) {
        last = e;
      } catch (OutOfMemoryError e) {
        break;
      }
    }
    transfer.failure.set(Transfers.NO_MEMORY, last);
    return false;
  }

  /**
   * Sender: reaches the receiver's ring; another than the last has a stream of its own.
   *
   * @param place of the ring's head in the segment's file
   * @param bytes of the ring behind its head
   * @throws IllegalArgumentException when that cannot be a ring
   */
  private void reach(Stream stream, int peer, long place, long bytes) {
    if (Long.bitCount(bytes) != 1 || bytes < TransferSettings.LEAST_RING || bytes > TransferSettings.MOST_RING
        || (place & Split.PAGE - 1) != 0) {
      throw new IllegalArgumentException("a copy ring of %d bytes at %d".formatted(bytes, place));
    }
    long whole = bytes + CopyRingDescriptor.BYTES;
    if (stream.ring == null || stream.place != place || stream.ring.byteSize() != whole) {
      SharedReach.Mapping mapping = memory.shared(peer, place, whole);
      stream.begin(mapping.memory().asSlice(place - mapping.offset(), whole), place);
    }
  }

  /** Copies what can be copied now, at most a step; false: the ring's head cannot be. */
  private boolean copy(Transfer transfer) {
    State state = transfer.ring;
    long until = Math.min(state.end, state.position + STEP);
    boolean interrupted = CopyInterrupt.isPending();
    try {
      for (int tries = 0; state.position < until && tries < TRIES; tries++) {
        transfer.payload.seek(transfer.cursor, state.position);
        int moved =
            !isCleared(state) ? 0
                : transfer.payload instanceof Contiguous ? copyStretch(transfer) : pack(transfer, until);
        if (moved > 0) {
          tries = 0;
        } else if (moved == 0) {
          Thread.onSpinWait();
        } else {
          return false;
        }
      }
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.failure.set(Transfers.CANCELED, e);
    } catch (OutOfMemoryError e) {
      transfer.failure.set(Transfers.NO_MEMORY, null);
    } finally {
      local.clear();
    }
    return true;
  }

  /**
   * Sender: whether its stretch may be written. A byte of the stream lies at another place in the front of a ring than
   * in the whole of it, so where one follows the other all that was there is to be read first.
   */
  private static boolean isCleared(State state) {
    state.cleared = state.cleared || CopyRing.isDrained(state.ring, state.start);
    return state.cleared;
  }

  /** Copies bytes of contiguous memory; as {@link Spaces#put} and {@link Spaces#take}. */
  private int copyStretch(Transfer transfer) {
    State state = transfer.ring;
    transfer.payload.stretch(transfer.cursor, local);
    long bytes = Math.min(local.bytes(), state.end - state.position);
    int moved =
        transfer.sending
            ? spaces.put(state.ring, state.chunk, state.count, local.memory(), local.offset(), bytes)
            : spaces.take(state.ring, state.chunk, state.count, local.memory(), local.offset(), bytes);
    if (moved > 0) {
      state.position += moved;
      state.count += moved;
    }
    return moved;
  }

  /**
   * Packs bytes of a payload that is not contiguous straight into the ring, and shows them chunk by chunk, or unpacks
   * them straight out of it: all that are there at once, since the columns of a matrix share cache lines, and a chunk
   * has only some of them. The result is as that of {@link #copyStretch}.
   */
  private static int pack(Transfer transfer, long until) {
    State state = transfer.ring;
    long bytes = state.ring.byteSize() - CopyRingDescriptor.BYTES;
    long can =
        transfer.sending ? CopyRing.room(state.ring, state.count) : CopyRing.there(state.ring, state.count);
    if (can < 0) {
      return (int) can;
    }
    long end = state.count + Math.min(Math.min(can, until - state.position), CopyRing.MOST);
    int moved = (int) (end - state.count);
    while (state.count != end) {
      long at = CopyRing.at(bytes, state.count);
      long part = CopyRing.part(bytes, transfer.sending ? state.chunk : bytes, state.count, end);
      if (transfer.sending) {
        transfer.payload.pack(transfer.cursor, state.ring, at, part);
        CopyRing.show(state.ring, state.count + part);
      } else {
        transfer.payload.unpack(transfer.cursor, state.ring, at, part);
        CopyRing.giveBack(state.ring, state.count + part);
      }
      state.position += part;
      state.count += part;
    }
    return moved;
  }

  /** The message is lost: its stretch of the stream is gone through without a copy. */
  private static void skip(Transfer transfer) {
    State state = transfer.ring;
    if (!isCleared(state)) {
      return;
    }
    long bytes = state.ring.byteSize() - CopyRingDescriptor.BYTES;
    // Acquire here and release below, as in CopyRing: what the other end has done with its bytes comes before that, and
    // we do nothing with them.
    long far =
        transfer.sending
            ? Words.loadAcquireLong(state.ring, CopyRingDescriptor.DRAINED_OFFSET) + bytes // SYNC ring-drained
            : Words.loadAcquireLong(state.ring, CopyRingDescriptor.FILLED_OFFSET); // SYNC ring-filled
    long skipped = Math.clamp(far - state.count, 0, state.end - state.position);
    state.position += skipped;
    state.count += skipped;
    long own = transfer.sending ? CopyRingDescriptor.FILLED_OFFSET : CopyRingDescriptor.DRAINED_OFFSET;
    Words.storeReleaseLong(state.ring, own, state.count); // SYNC ring-filled, ring-drained: whichever is ours
  }
}
