package io.adrastea.transfer;

import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;

/**
 * Which path a large message takes: chosen by its receiver, from what both buffers allow and both ranks can. The static
 * rules decide without a message as well ({@link #select}).
 */
public final class PathSelector {
  private static final int ALLOWED_SHIFT = 8; // in an RTS, above the flags of the buffer
  private static final int ABLE_SHIFT = 16;

  /** Where a buffer lies. */
  public enum Memory {
    /**
     * Native memory that nobody can free meanwhile: of the global or an automatic arena, or of the waiting thread's
     * own.
     */
    NATIVE(Exposure.ADDRESS | Exposure.LASTING),
    /** A shared allocation of its rank. */
    SHARED(Exposure.SHARED | Exposure.LASTING),
    /** A Java array. */
    ARRAY(0);

    private final int exposure;

    Memory(int exposure) {
      this.exposure = exposure;
    }
  }

  /**
   * One end of a message.
   *
   * @param memory where its buffer lies
   * @param allowed set of paths that its settings allow, see {@link TransferSettings#paths()}
   * @param able set of paths by which it can reach the other end's memory, as far as that memory allows
   */
  public record End(Memory memory, int allowed, int able) {}

  /**
   * What a message takes.
   *
   * @param receiver what the receiver copies through; null: it does not copy
   * @param sender what the sender copies through; null: it does not copy
   */
  public record Selection(Path receiver, Path sender) {}

  /**
   * What a large message of so many bytes would take.
   *
   * @param splitBytes least length of which both ends copy parts; 0: none
   */
  public static Selection select(End sender, End receiver, long bytes, long splitBytes) {
    int allowed = Path.spaces(sender.allowed & receiver.allowed);
    Space reading = Exposure.reader(sender.memory.exposure, allowed & receiver.able);
    Space writing = Exposure.writer(receiver.memory.exposure, allowed & sender.able);
    return switch (way(reading, writing)) {
      case Cookie.GET -> new Selection(Path.through(reading),
          isSplit(writing, bytes, splitBytes) ? Path.through(writing) : null);
      case Cookie.PUT -> new Selection(null, Path.through(writing));
      default -> new Selection(Path.RING, Path.RING);
    };
  }

  /**
   * Who copies: the receiver if it can ({@link Cookie#GET}), else the sender if it can ({@link Cookie#PUT}), else both
   * through a ring ({@link Cookie#RING}).
   */
  private static int way(Space reading, Space writing) {
    return reading != null ? Cookie.GET : writing != null ? Cookie.PUT : Cookie.RING;
  }

  private static boolean isSplit(Space writing, long bytes, long splitBytes) {
    return writing != null && splitBytes != 0 && bytes >= splitBytes && bytes <= Split.MOST_BYTES;
  }

  private final RemoteMemory memory;
  private final int allowed; // paths that the settings of this rank allow
  private final long splitBytes;

  /** That of one rank; refuses settings that ask for a path which the rank does not have. */
  PathSelector(Transfers.Context context) {
    TransferSettings settings = context.settings();
    this.memory = context.memory();
    this.allowed = settings.paths();
    this.splitBytes = settings.splitBytes();
    settings.requireAble(memory.able() | Path.RING.bit(), context.spaces());
  }

  /** What the sender of a message tells of its buffer and of itself. */
  int offers(Transfer transfer) {
    int usable = memory.usable(transfer.peer) | Path.RING.bit();
    return transfer.own.flags() | allowed << ALLOWED_SHIFT | usable << ABLE_SHIFT;
  }

  /** Receiver: whether the message lies in a shared allocation that may be used. */
  boolean isShared(Transfer transfer) {
    return transfer.remote.isShared() && Path.SHARED.isIn(allowed(transfer));
  }

  /** What the settings of both ends allow. */
  private int allowed(Transfer transfer) {
    return allowed & transfer.remote.flags() >>> ALLOWED_SHIFT;
  }

  /** Receiver: chooses what each end could copy the message through, and who does. */
  void choose(Transfer transfer) {
    int both = Path.spaces(allowed(transfer));
    int senderAble = both & transfer.remote.flags() >>> ABLE_SHIFT;
    transfer.reading =
        Exposure.reader(transfer.remote.flags(), both & memory.reaching(transfer.peer, transfer.remote));
    transfer.own.segment(writesAttached(transfer, senderAble) ? memory.segment() : 0);
    transfer.writing =
        Exposure.writer(transfer.own.flags(), senderAble & memory.reachedBy(transfer.peer, transfer.own));
    transfer.way = way(transfer.reading, transfer.writing);
  }

  /** Receiver: whether the sender is asked to copy a part of what the receiver could copy alone. */
  boolean splits(Transfer transfer) {
    return isSplit(transfer.writing, transfer.wanted, splitBytes);
  }

  /** Whether the sender may be asked to write to this rank's memory by XPMEM. */
  private boolean writesAttached(Transfer transfer, int senderAble) {
    boolean open = transfer.own.isAddress() && Space.XPMEM.isIn(senderAble);
    return open && (transfer.reading == null || splitBytes != 0 && transfer.wanted >= splitBytes);
  }
}
