package io.adrastea.transfer;

import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Stretch;
import io.adrastea.ring.CopyRing;
import io.adrastea.atomic.Words;
import io.adrastea.core.CopyInterrupt;
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
final class RingMechanism implements Mechanism {
  private static final int TRIES = 64; // for the other end, before the rest of the engine has its turn
  private static final long STEP = 1 << 18;

  /** How far one end of a transfer is. */
  static final class State {
    private MemorySegment ring; // null: none
    private int chunk; // bytes that are copied before they show
    private long count; // bytes of this end since the ring's start
    private long position; // next byte of the message for this end to copy
    private long end; // behind the last of them
    private Transfer next; // behind this one in the stream

    void clear() {
      ring = null;
    }
  }

  /** The ring of one pair and direction, and the transfers that go through it, in the order of their stretches. */
  private static final class Stream {
    MemorySegment ring; // null: none yet
    long place; // in the segment's file
    long promised; // bytes since the ring's start
    Transfer first;
    Transfer last;

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
  private final Stream[] in; // by peer
  private final Stream[] out;
  private final Stretch local = new Stretch();

  RingMechanism(Transfers.Context context) {
    this.spaces = context.spaces();
    this.heap = context.heap();
    this.memory = context.memory();
    this.settings = context.settings();
    this.in = new Stream[context.ranks()];
    this.out = new Stream[in.length];
    for (int peer = 0; peer < in.length; peer++) {
      in[peer] = new Stream();
      out[peer] = new Stream();
    }
  }

  private Stream stream(Transfer transfer) {
    return transfer.sending ? out[transfer.peer] : in[transfer.peer];
  }

  @Override
  public boolean preRecv(Transfer transfer, long from, long to, Cookie cts) {
    Stream stream = stream(transfer);
    if (stream.ring == null && !make(stream, transfer)) {
      transfer.copied = true;
      return false;
    }
    cts.add(Cookie.RING);
    cts.add(from);
    cts.add(to);
    cts.add(stream.place);
    cts.add(stream.ring.byteSize() - CopyRingDescriptor.BYTES);
    cts.add(settings.ringChunk());
    cts.add(stream.promised);
    enter(stream, transfer, settings.ringChunk(), from, to);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    Stream stream = stream(transfer);
    long bytes = cts.word(Cookie.RING_BYTES);
    reach(stream, transfer.peer, cts.word(Cookie.PLACE), bytes);
    if (cts.word(Cookie.RING_COUNT) != stream.promised) {
      throw new IllegalArgumentException("a stretch of a copy ring that does not follow the last");
    }
    int chunk = (int) Math.clamp(Long.highestOneBit(cts.word(Cookie.RING_CHUNK)), 64, bytes);
    enter(stream, transfer, chunk, cts.word(Cookie.FROM), cts.word(Cookie.TO));
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
  private static void enter(Stream stream, Transfer transfer, int chunk, long from, long to) {
    State state = transfer.ring;
    state.ring = stream.ring;
    state.chunk = chunk;
    state.count = stream.promised;
    state.position = from;
    state.end = to;
    stream.promised += to - from;
    stream.add(transfer);
    transfer.started = true;
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.started || transfer.copied || stream(transfer).first != transfer) {
      return false;
    }
    State state = transfer.ring;
    long before = state.position;
    if (transfer.status == 0 && !copy(transfer)) {
      transfer.fail(Transfers.CORRUPT, null);
      if (!transfer.sending) {
        abandon(transfer.peer);
      }
    }
    if (transfer.status != 0 && (transfer.sending ? transfer.peerDone : transfer.told)) {
      // Not before the other end knows: what a sender shows then is no message, and room lets it end.
      skip(transfer);
    }
    transfer.copied = state.position == state.end || transfer.status == Transfers.CORRUPT;
    boolean telling = !transfer.sending && transfer.status != 0 && !transfer.told; // which comes next
    return state.position != before || transfer.copied || telling;
  }

  @Override
  public void end(Transfer transfer) {
    stream(transfer).remove(transfer);
    transfer.ring.ring = null;
  }

  /** The stream from a peer is broken: all that were promised a stretch fail, and the next message makes a new ring. */
  void abandon(int peer) {
    Stream stream = in[peer];
    for (Transfer transfer = stream.first; transfer != null; transfer = transfer.ring.next) {
      transfer.fail(Transfers.CORRUPT, null);
      transfer.copied = true;
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
        stream.place = heap.offset(ring);
        stream.ring = ring;
        return true;
      } catch (SegmentException e) {
        last = e;
      } catch (OutOfMemoryError e) {
        break;
      }
    }
    transfer.fail(Transfers.NO_MEMORY, last);
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
      stream.ring = mapping.memory().asSlice(place - mapping.offset(), whole);
      stream.place = place;
      stream.promised = 0;
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
        int moved = transfer.payload instanceof Contiguous ? copyStretch(transfer) : pack(transfer, until);
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
      transfer.fail(Transfers.CANCELED, e);
    } catch (OutOfMemoryError e) {
      transfer.fail(Transfers.NO_MEMORY, null);
    } finally {
      local.clear();
    }
    return true;
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
