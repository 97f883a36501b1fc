package io.adrastea.transfer;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.SplitDescriptor;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.foreign.MemorySegment;

/**
 * One copy, straight from the memory of one end to that of the other. By get the receiver copies; from a size on it
 * invites the sender to join in, and {@link Split} deals the parts out: the receiver takes them from the front, the
 * sender from the back, until the two meet. A sender that is busy elsewhere keeps nobody waiting. By put the sender
 * copies all, since the receiver cannot reach its memory.
 */
final class DirectMover implements Mover {
  private static final long STEP = 1 << 20; // most bytes of a step: about 100 microseconds

  /** How far one end of a transfer is. */
  static final class State {
    private long position; // next byte for this end to copy
    private long end; // behind the last of them
    private MemorySegment split; // null: one end copies all
    private long splitOffset;
    private int splitTag;

    void clear() {
      position = 0;
      end = 0;
      split = null;
    }
  }

  /** The word by which transfers from one peer are dealt out, one of them at a time. */
  private static final class SplitWord {
    MemorySegment memory; // null: not allocated yet
    long place; // in the segment's file
    int tag; // of the last transfer
    boolean busy;
  }

  private final RemoteMemory memory;
  private final SharedHeap heap;
  private final SplitWord[] words; // by peer

  DirectMover(Transfers.Resources resources) {
    this.memory = resources.memory();
    this.heap = resources.heap();
    this.words = new SplitWord[resources.ranks()];
    for (int peer = 0; peer < words.length; peer++) {
      words[peer] = new SplitWord();
    }
  }

  @Override
  public boolean preRecv(Transfer transfer, long from, long to, Cookie cts) {
    boolean put = transfer.chosen.driver == Cookie.PUT;
    State state = transfer.direct;
    state.position = from;
    state.end = to;
    if (put) {
      transfer.ends.copied();
    }
    if (put || !transfer.remote.isLasting()) {
      transfer.ends.letSenderTell();
    }
    if (!put && !split(transfer)) {
      return false;
    }
    cts.add(Cookie.pack(transfer.chosen.driver | transfer.chosen.writing.ordinal() << 8, 0));
    cts.add(from);
    cts.add(to);
    cts.add(put ? 0 : words[transfer.peer].place);
    cts.add(transfer.own.segment());
    cts.add(put ? 0 : state.splitTag);
    cts.add(transfer.own.flags() & Exposure.TYPED);
    cts.add(transfer.own);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    State state = transfer.direct;
    boolean there = memory.resolve(transfer.peer, transfer.remote);
    if (!there && transfer.chosen.driver == Cookie.GET) { // the receiver has copied all
      transfer.ends.copied();
      return;
    }
    if (!there) {
      throw new IllegalArgumentException(
          "rank %d does not stand to what it told of its datatype".formatted(transfer.peer));
    }
    memory.look(transfer.peer, transfer.chosen.writing); // before it takes a part, which the receiver would wait for
    if (transfer.chosen.driver == Cookie.GET) {
      join(transfer, cts.word(Cookie.PLACE), cts.low(Cookie.SPLIT_TAG));
    } else {
      state.position = 0;
      state.end = transfer.chosen.wanted;
      transfer.ends.letSenderTell();
    }
    transfer.remote.segment(cts.word(Cookie.RECEIVER_SEGMENT));
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.ends.isMoving()) {
      return false;
    }
    if (transfer.failure.status != 0) {
      stop(transfer);
    } else if (transfer.direct.split == null) {
      copyNext(transfer);
    } else {
      copyPart(transfer);
    }
    return true;
  }

  @Override
  public void end(Transfer transfer) {
    if (transfer.direct.split != null) {
      transfer.direct.split = null;
      if (!transfer.sending) {
        words[transfer.peer].busy = false;
      }
    }
  }

  /** Receiver: makes both ends copy, when that was chosen and no other transfer of this pair is split. */
  private boolean split(Transfer transfer) {
    SplitWord word = words[transfer.peer];
    if (!transfer.chosen.way.isSplit() || word.busy || !allocate(word)) {
      return false;
    }
    word.busy = true;
    word.tag = word.tag + 1 & 0xFFFF;
    State state = transfer.direct;
    state.split = word.memory;
    state.splitOffset = 0;
    state.splitTag = word.tag;
    Split.reset(word.memory, 0, word.tag);
    return true;
  }

  private boolean allocate(SplitWord word) {
    if (word.memory == null) {
      try {
        MemorySegment memory = heap.allocate(SplitDescriptor.BYTES, SplitDescriptor.BYTES);
        word.place = heap.offset(memory);
        word.memory = memory;
      } catch (SegmentException | OutOfMemoryError e) { // no room: one end copies all
        return false;
      }
    }
    return true;
  }

  /**
   * Sender: joins in.
   *
   * @param place of the receiver's split word, in the segment's file
   * @throws IllegalArgumentException when there is no such place
   */
  private void join(Transfer transfer, long place, int tag) {
    if ((place & SplitDescriptor.BYTES - 1) != 0) {
      throw new IllegalArgumentException("a split word at %d".formatted(place));
    }
    SharedReach.Mapping mapping = memory.shared(transfer.peer, place, SplitDescriptor.BYTES);
    transfer.direct.split = mapping.memory();
    transfer.direct.splitOffset = place - mapping.offset();
    transfer.direct.splitTag = tag;
  }

  /** One end copies all: copies its next step. */
  private void copyNext(Transfer transfer) {
    State state = transfer.direct;
    long bytes = Math.min(STEP, state.end - state.position);
    if (bytes > 0 && !copy(transfer, state.position, bytes, state.end)) {
      transfer.ends.copied();
      return;
    }
    state.position += bytes;
    if (state.position == state.end) {
      transfer.ends.copied();
    }
  }

  /** Both ends copy: copies a part, or ends when there is none left. */
  private void copyPart(Transfer transfer) {
    long part = take(transfer, false);
    if (part == Split.NOTHING) {
      endSplit(transfer);
      return;
    }
    letSenderTell(transfer);
    long start = Split.start(part);
    long end = Split.end(part, transfer.chosen.wanted);
    if (!copy(transfer, start, end - start, end)) {
      long rest = take(transfer, true); // the other end stops, or what is left goes another way with what failed
      if (rest != Split.NOTHING && transfer.failure.misses()) {
        transfer.failure.miss(Split.start(rest), Split.end(rest, transfer.chosen.wanted));
      }
      endSplit(transfer);
    }
  }

  private static long take(Transfer transfer, boolean rest) {
    State state = transfer.direct;
    return Split.take(state.split, state.splitOffset, state.splitTag, transfer.chosen.wanted, transfer.sending, rest);
  }

  /** The transfer has failed at one end or the other: this one takes what is left, and copies none of it. */
  private static void stop(Transfer transfer) {
    if (transfer.direct.split != null) {
      if (take(transfer, true) != Split.NOTHING) {
        letSenderTell(transfer);
      }
      endSplit(transfer);
    }
    transfer.ends.copied();
  }

  /** This end has taken a part: a sender with a part says when it is done. */
  private static void letSenderTell(Transfer transfer) {
    if (transfer.sending) {
      transfer.ends.letSenderTell();
    }
  }

  private static void endSplit(Transfer transfer) {
    transfer.ends.copied();
    if (!transfer.sending && Split.hasBack(transfer.direct.split, transfer.direct.splitOffset)) {
      transfer.ends.letSenderTell();
    }
  }

  /** What this end copies through. */
  private static Space space(Transfer transfer) {
    return transfer.sending ? transfer.chosen.writing : transfer.chosen.reading;
  }

  /**
   * Copies bytes of the message; false: it failed. Then nothing more is to be copied at this end: either the transfer
   * has failed, or what is missing, from {@code position} to {@code rest}, is to go through the ring.
   */
  private boolean copy(Transfer transfer, long position, long bytes, long rest) {
    int status = (int) Math.min(0, move(transfer, position, bytes));
    if (status == 0) {
      return true;
    }
    transfer.cursor.begin(transfer.payload.bytes()); // it stands anywhere
    // What failed at this end alone ends the transfer. A space that is refused does not: the ring takes its place.
    if (transfer.failure.status == 0 && memory.isRefused(transfer.peer, space(transfer), status)) {
      transfer.failure.miss(position, rest);
    } else {
      transfer.failure.set(status, null);
    }
    return false;
  }

  private long move(Transfer transfer, long position, long bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      Space space = space(transfer);
      transfer.payload.seek(transfer.cursor, position);
      return transfer.sending
          ? memory.write(transfer.peer, space, transfer.remote, position, transfer.payload, transfer.cursor, bytes)
          : memory.read(transfer.peer, space, transfer.remote, position, transfer.payload, transfer.cursor, bytes);
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.failure.set(Transfers.CANCELED, e);
      return Transfers.CANCELED;
    } catch (OutOfMemoryError e) { // both ends are told, as of any other failure
      transfer.failure.set(Transfers.NO_MEMORY, null);
      return Transfers.NO_MEMORY;
    } catch (IllegalArgumentException | SegmentException e) { // what the peer says of its shared memory cannot be
      transfer.failure.set(Transfers.CORRUPT, e);
      return Transfers.CORRUPT;
    }
  }
}
