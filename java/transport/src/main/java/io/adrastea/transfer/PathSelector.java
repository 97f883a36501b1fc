package io.adrastea.transfer;

import io.adrastea.core.Spaces;

/**
 * Which path a large message takes: chosen by its receiver, from what both buffers allow and both ranks can. The static
 * rules decide without a message as well ({@link #select}). An object holds what one rank knows of each peer.
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
    int allowed = sender.allowed & receiver.allowed;
    Path reading = reading(sender.memory.exposure, allowed & receiver.able);
    Path writing = writing(receiver.memory.exposure, allowed & sender.able);
    return switch (way(reading, writing)) {
      case Cookie.GET -> new Selection(reading, isSplit(writing, bytes, splitBytes) ? writing : null);
      case Cookie.PUT -> new Selection(null, writing);
      default -> new Selection(Path.RING, Path.RING);
    };
  }

  /**
   * What the receiver copies through; null: it cannot.
   *
   * @param sender how the sender's buffer can be reached: flags of {@link Exposure}
   * @param usable paths that both settings allow, and that work for the receiver
   */
  static Path reading(int sender, int usable) {
    if ((sender & Exposure.SHARED) != 0 && Path.SHARED.isIn(usable)) {
      return Path.SHARED;
    }
    if ((sender & Exposure.ADDRESS) == 0) {
      return null;
    }
    return Path.XPMEM.isIn(usable) ? Path.XPMEM : Path.CMA.isIn(usable) ? Path.CMA : null;
  }

  /**
   * What the sender copies through; null: it cannot. Memory that could be freed meanwhile is never written from
   * outside.
   *
   * @param receiver how the receiver's buffer can be reached: flags of {@link Exposure}
   * @param usable paths that both settings allow, and that work for the sender
   */
  static Path writing(int receiver, int usable) {
    return (receiver & Exposure.LASTING) == 0 ? null : reading(receiver, usable);
  }

  /**
   * Who copies: the receiver if it can ({@link Cookie#GET}), else the sender if it can ({@link Cookie#PUT}), else both
   * through a ring ({@link Cookie#RING}).
   */
  static int way(Path reading, Path writing) {
    return reading != null ? Cookie.GET : writing != null ? Cookie.PUT : Cookie.RING;
  }

  private static boolean isSplit(Path writing, long bytes, long splitBytes) {
    return writing != null && splitBytes != 0 && bytes >= splitBytes && bytes <= Split.MOST_BYTES;
  }

  private final RemoteMemories memories;
  private final Wire wire;
  private final int allowed; // paths that the settings of this rank allow
  private final int able; // those of them by which it can copy
  private final long splitBytes;
  private final int[] refused; // paths that failed, by peer
  private final boolean[] probed; // whether CMA was tried, by peer

  /** That of one rank; refuses settings that ask for a path which the rank does not have. */
  PathSelector(Transfers.Context context, RemoteMemories memories, Wire wire) {
    TransferSettings settings = context.settings();
    int has = memories.able();
    settings.requireAble(has, context.spaces());
    this.memories = memories;
    this.wire = wire;
    this.allowed = settings.paths();
    this.able = allowed & has;
    this.splitBytes = settings.splitBytes();
    this.refused = new int[context.pids().length];
    this.probed = new boolean[context.pids().length];
  }

  private int able() {
    return memories.hasXpmem() ? able : able & ~Path.XPMEM.bit();
  }

  /** What the sender of a message tells of its buffer and of itself. */
  int offers(Transfer transfer) {
    int usable = able() & ~refused[transfer.peer];
    return transfer.own.flags | allowed << ALLOWED_SHIFT | usable << ABLE_SHIFT;
  }

  /** Receiver: whether the message lies in a shared allocation that may be used. */
  boolean isShared(Transfer transfer) {
    return transfer.remote.isShared() && Path.SHARED.isIn(allowed(transfer));
  }

  /** What the settings of both ends allow. */
  private int allowed(Transfer transfer) {
    return allowed & transfer.remote.flags >>> ALLOWED_SHIFT;
  }

  /** Receiver: chooses what each end could copy the message through, and who does. */
  void choose(Transfer transfer) {
    int both = allowed(transfer);
    int senderAble = both & transfer.remote.flags >>> ABLE_SHIFT;
    transfer.reading = reading(transfer.remote.flags, both & able() & readable(transfer));
    transfer.own.segment = writesAttached(transfer, senderAble) ? memories.segment() : 0;
    transfer.writing = writing(transfer.own.flags, senderAble & writable(transfer));
    transfer.way = way(transfer.reading, transfer.writing);
  }

  /** Receiver: whether the sender is asked to copy a part of what the receiver could copy alone. */
  boolean splits(Transfer transfer) {
    return isSplit(transfer.writing, transfer.wanted, splitBytes);
  }

  /** Whether the sender may be asked to write to this rank's memory by XPMEM. */
  private boolean writesAttached(Transfer transfer, int senderAble) {
    boolean open = transfer.own.isAddress() && Path.XPMEM.isIn(senderAble);
    return open && (transfer.reading == null || splitBytes != 0 && transfer.wanted >= splitBytes);
  }

  /** What works from the sender's memory to here. CMA is tried before it is relied on. */
  private int readable(Transfer transfer) {
    int peer = transfer.peer;
    if (transfer.remote.isAddress() && !probed[peer] && Path.CMA.isIn(able)) {
      probed[peer] = true;
      long status = memories.tryCma(peer, transfer.remote.vector.startAt(0));
      if (status == Spaces.PERM || status == Spaces.NOSYS) {
        refuse(peer, Path.CMA, (int) status);
      }
    }
    int exported = transfer.remote.segment > 0 ? Path.all() : ~Path.XPMEM.bit();
    return ~refused[peer] & exported;
  }

  /** What works from the sender to this rank's memory. */
  private int writable(Transfer transfer) {
    int exported = transfer.own.segment > 0 ? Path.all() : ~Path.XPMEM.bit();
    int addressed = memories.isAddressable(transfer.peer) ? Path.all() : ~Path.CMA.bit();
    return ~refused[transfer.peer] & exported & addressed;
  }

  /** Takes this path to a peer no more. */
  void avoid(int peer, Path path) {
    refused[peer] |= path.bit();
  }

  /** Takes this path to a peer no more, and says so the first time. */
  void refuse(int peer, Path path, int errno) {
    if (!path.isIn(refused[peer])) {
      avoid(peer, path);
      wire.refused(peer, path, errno);
    }
  }
}
