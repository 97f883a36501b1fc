package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.core.Spaces;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.lmt.Cookie;
import io.adrastea.lmt.Cookies;
import io.adrastea.lmt.EagerLimits;
import io.adrastea.lmt.LmtSettings;
import io.adrastea.lmt.Mechanism;
import io.adrastea.lmt.Outlook;
import io.adrastea.lmt.Transfer;
import io.adrastea.lmt.Transfers;
import io.adrastea.lmt.Wire;
import io.adrastea.ranktable.RankTable;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Large messages between matching and memory (000 section 3.2): an RTS takes the place of the message in the order of its source and in
 * the lists of the receiver; once matched, the bytes go by {@link Transfers}. Nothing is copied for want of a posted receive.
 *
 * <p>Messages to the rank itself, and to ranks in C, are sent eagerly whatever their length.
 */
final class Rendezvous implements Wire {
  private static final long ENDING_NANOS = 50_000_000L;
  private static final long FLUSH_NANOS = 1_000_000_000L;

  private static final System.Logger LOGGER = System.getLogger(Rendezvous.class.getName());

  private final Core core;
  private final Liveness liveness;
  private final Controls controls;
  private final Transfers transfers;
  private final boolean[] speaks; // ranks that know of rendezvous
  private final IntPredicate gone; // made once
  private final EagerLimits eager;
  private final long leastEager;
  private final boolean reaches; // without a way into memory every buffer is as an array
  private final SharedHeap heap;
  private final boolean[] heard; // ranks that have sent something since the last message that might have been large
  private LargeReceives receives;
  private boolean expected; // the last message was large
  private final Cookie outgoing = new Cookie();
  private final Cookie incoming = new Cookie();

  /**
   * That of a rank.
   *
   * @param cellPayload most bytes of a message of one piece; with very small cells there is no rendezvous
   */
  Rendezvous(
      Core core,
      Spaces spaces,
      SharedHeap heap,
      SharedReach reach,
      LmtSettings settings,
      RankTable table,
      int rank,
      int cellPayload,
      Bursts bursts,
      Liveness liveness) {
    this.core = core;
    this.liveness = liveness;
    this.controls = new Controls(core, bursts, liveness, table.size());
    this.speaks = new boolean[table.size()];
    int[] pids = new int[table.size()];
    for (int other = 0; other < speaks.length; other++) {
      speaks[other] = other != rank && !table.isChannel(other) && cellPayload >= Cookies.LEAST_BYTES;
      pids[other] = table.addressablePid(other);
    }
    this.gone = peer -> liveness.missing(peer) != Liveness.NONE;
    this.eager = settings.eager();
    this.leastEager = eager.least();
    this.reaches = settings.reaches();
    this.heap = heap;
    this.heard = new boolean[table.size()];
    this.transfers = new Transfers(spaces, heap, reach, settings, this, cellPayload, pids);
  }

  /** Where messages that were fetched ahead go on to. */
  void serve(LargeReceives receives) {
    this.receives = receives;
  }

  /** Whether a message is sent only once its receive is known. */
  boolean applies(int destination, MemorySegment memory, long offset, long length) {
    return length > leastEager && speaks[destination] && length > limit(destination, memory, offset, length);
  }

  private long limit(int destination, MemorySegment memory, long offset, long length) {
    return eager.of(reaches ? place(memory, offset, length) : Outlook.Memory.ARRAY, reaches, heard[destination]);
  }

  private Outlook.Memory place(MemorySegment memory, long offset, long length) {
    if (!memory.isNative()) {
      return Outlook.Memory.ARRAY;
    }
    return heap.locate(memory, offset, length) >= 0 ? Outlook.Memory.SHARED : Outlook.Memory.NATIVE;
  }

  /** A message went to a rank; whether another is part of a stream depends on what comes from there now. */
  void sent(int destination, long length) {
    if (length > leastEager) {
      heard[destination] = false;
    }
  }

  /** Something came from a rank. */
  void heard(int source) {
    heard[source] = true;
  }

  /** Sends the RTS of a send; false: there is no room now. */
  boolean start(Operation send) {
    if (transfers.isFull()) {
      return false;
    }
    Transfer transfer = transfers.send(send, send, send.peer, send.length, outgoing);
    int bytes = outgoing.bytes();
    long match = send.match | CellDescriptor.MATCH_TRANSFER;
    int taken = core.trySend(send.peer, CellDescriptor.KIND_FIRST, match, bytes, outgoing.memory(), 0, bytes);
    if (taken != bytes) {
      transfers.drop(transfer);
      if (taken != Core.AGAIN) {
        throw Receiver.corrupt("core error " + -taken);
      }
      return false;
    }
    send.transfer = transfer;
    return true;
  }

  /** Whether what poll found is a message of a transfer. */
  static boolean isMessage(long match) {
    return (match & CellDescriptor.MATCH_TRANSFER) != 0;
  }

  /** Whether the next message for a receive of so many bytes is likely to be large: the last one was. */
  boolean expects(long capacity) {
    return expected && capacity > leastEager;
  }

  /** An ordinary message was received. */
  void surprised() {
    expected = false;
  }

  /** Waits for the RTS of a message, as {@link Core#receive} waits for a message; to be followed by {@link #offered}. */
  int receiveOffer(long match, long mask, int source, int looks, Inbound inbound) {
    long rts = match | CellDescriptor.MATCH_TRANSFER;
    return core.receive(rts, mask, source, incoming.memory(), 0, incoming.memory().byteSize(), looks, inbound);
  }

  /** Waits for a message about the transfer of an operation, and takes it in; false: nothing came, or something else. */
  boolean receiveControl(Operation operation, int looks, Inbound inbound) {
    int peer = operation.transfer.peer();
    int bytes =
        core.receive(
            Controls.MATCH, Controls.MASK, peer, incoming.memory(), 0, incoming.memory().byteSize(), looks, inbound);
    if (bytes >= 0) {
      taken(peer, inbound.match(), bytes);
    }
    return bytes >= 0;
  }

  /** Takes a message of a transfer in. The transfer of an RTS is to be matched; null: it was another. */
  Transfer accept(Inbound piece) {
    if (piece.kind() != CellDescriptor.KIND_FIRST
        || piece.length() != piece.totalLength()
        || piece.length() > incoming.memory().byteSize()) {
      throw Receiver.corrupt("rank %d sent a cookie of %d bytes".formatted(piece.source(), piece.totalLength()));
    }
    int source = piece.source();
    if (!speaks[source]) {
      throw Receiver.corrupt("rank %d sent a tag below zero".formatted(source));
    }
    long match = piece.match();
    int status = core.take(incoming.memory(), 0, piece.length());
    if (status < 0) {
      throw Receiver.corrupt("core error " + -status);
    }
    return taken(source, match, piece.length());
  }

  /** The message is in {@code incoming}. */
  Transfer taken(int source, long match, int bytes) {
    Transfer transfer = null;
    boolean sound = incoming.filled(bytes);
    if (sound && Controls.isControl(match)) {
      sound = transfers.received(source, Controls.type(match), incoming);
    } else if (sound) {
      transfer = transfers.offered(source, match & ~CellDescriptor.MATCH_TRANSFER, incoming);
      sound = transfer != null;
      expected = true;
      heard[source] = true;
    }
    if (!sound) {
      throw Receiver.corrupt("rank %d sent a cookie that is none".formatted(source));
    }
    return transfer;
  }

  /** The message of a transfer is for this receive, which has its memory. */
  void receive(Operation receive, Transfer transfer) {
    receive.transfer = transfer;
    transfers.receive(receive, receive, receive.length, transfer);
  }

  /** Lets a receive in place read the message where the sender has it; false: it is to be copied. */
  boolean lies(Operation receive, Transfer transfer) {
    SharedReach.Mapping mapping = transfers.inPlace(transfer);
    if (mapping == null) {
      return false;
    }
    receive.lies(mapping.memory(), Transfers.offsetIn(mapping, transfer), transfer.length());
    receive.moved = transfer.length();
    receive.transfer = transfer;
    return true;
  }

  /** A message read in place is given back. */
  void release(Transfer transfer) {
    transfers.release(transfer);
  }

  /** Moves transfers on; whether anything moved. */
  boolean progress() {
    boolean any = !controls.isIdle() && controls.progress();
    return transfers.isIdle() ? any : transfers.progress() | any;
  }

  @Override
  public void send(int peer, int type, Cookie cookie) {
    controls.send(peer, type, cookie);
  }

  @Override
  public void finished(Transfer transfer) {
    if (transfer.owner == Transfers.ORPHAN) {
      return;
    }
    Operation operation = (Operation) transfer.owner;
    operation.transfer = null;
    operation.moved = Math.min(transfer.length(), operation.length);
    if (transfer.status() != 0) {
      operation.fail(failure(operation, transfer));
    } else if (operation.receive) {
      Receiver.finish(operation);
    } else {
      operation.complete();
    }
    if (operation.partner != null) {
      receives.fetched(operation);
    }
  }

  private RuntimeException failure(Operation operation, Transfer transfer) {
    int status = transfer.status();
    if (transfer.cause() != null && status == Transfers.CANCELED) {
      return new AdrasteaException(
          "the buffer of a %s cannot be used any more: %s".formatted(operation, transfer.cause().getMessage()), transfer.cause());
    }
    if (status == Spaces.SRCH || isGone(transfer.peer(), status)) {
      return liveness.failure(transfer.peer(), operation);
    }
    return new AdrasteaException(
        switch (status) {
          case Transfers.CANCELED, Spaces.FAULT ->
              "rank %d gave up its end of a %s: its buffer was closed, or its memory is gone".formatted(transfer.peer(), operation);
          case Transfers.NO_MEMORY ->
              "a %s cannot be done: its receiver has no shared memory for a copy ring (adrastea.ring.bytes)".formatted(operation);
          default -> "a %s failed between the two ranks: error %d".formatted(operation, -status);
        },
        transfer.cause());
  }

  /** A process that ends loses its memory a little before it is known to be gone. */
  private boolean isGone(int peer, int status) {
    long deadline = System.nanoTime() + (status == Spaces.FAULT ? ENDING_NANOS : 0);
    while (liveness.missing(peer) == Liveness.NONE) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  @Override
  public void refused(int peer, Mechanism mechanism, int errno) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "large messages with rank {0} go through the copy ring: {1} is refused by the system (error {2})",
        peer,
        mechanism,
        -errno);
  }

  /** Gives up an operation whose peer is gone, or whose wait has failed; then its transfer may live on for a while. */
  void giveUp(Operation operation) {
    transfers.giveUp(operation.transfer, liveness.isGone(operation.transfer.peer()));
    operation.transfer = null;
  }

  /** Off the fast path: ends what only waits for ranks that are gone. */
  void check() {
    controls.check();
    transfers.reap(gone);
  }

  /** Before the rank leaves: sends what others wait for, for a while, and keeps what they may still use. */
  void close() {
    long deadline = System.nanoTime() + FLUSH_NANOS;
    while (!controls.isIdle() && System.nanoTime() - deadline < 0) {
      controls.check();
      controls.progress();
    }
    transfers.pin();
  }

  /** Whether nothing is to be moved on. */
  boolean isIdle() {
    return transfers.isIdle() && controls.isIdle();
  }

  /** Adds a description of each operation on its way to {@code words}. */
  void describeOutstanding(List<String> words) {
    transfers.describe(words);
  }
}
