package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.ranktable.RankTable;
import io.adrastea.shared.SharedReach;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Large messages between matching and memory (000 section 3.2): an RTS takes the place of the message in the order of
 * its source and in the lists of the receiver; once matched, the bytes go by {@link Transfers}. Nothing is copied for
 * want of a posted receive.
 *
 * <p>
 * Messages to the rank itself, and to ranks in C, are sent eagerly whatever their length.
 */
final class Rendezvous extends EagerRule {
  private final Core core;
  private final Liveness liveness;
  private final Controls controls;
  private final EngineWire wire;
  private final Transfers transfers;
  private final CookieInbox inbox;
  private final IntPredicate gone; // made once
  private final Cookie outgoing = new Cookie();

  /** That of a rank. With very small cells there is no rendezvous. */
  Rendezvous(Surroundings around, TransferSettings settings, Bursts bursts, Liveness liveness) {
    super(settings, around.heap(), around.table(), around.rank(), around.cellPayload());
    RankTable table = around.table();
    this.core = around.core();
    this.liveness = liveness;
    this.controls = new Controls(core, bursts, liveness, table.size());
    this.wire = new EngineWire(core, controls, liveness);
    this.gone = peer -> liveness.missing(peer) != Liveness.NONE;
    int[] pids = IntStream.range(0, table.size()).map(other -> table.addressablePid(other, around.rank())).toArray();
    this.transfers =
        new Transfers(around.spaces(), around.heap(), around.reach(), settings, wire, around.cellPayload(), pids);
    this.inbox = new CookieInbox(core, transfers, this);
  }

  /** Where messages that were fetched ahead go on to. */
  void serve(LargeReceives receives) {
    wire.serve(receives);
  }

  /** Sends the RTS of a send: 0, or what the core says; AGAIN: there is no room now. */
  int start(Operation send) {
    if (transfers.isFull()) {
      return Core.AGAIN;
    }
    Transfer transfer = transfers.send(send, send, send.peer, send.length, outgoing);
    int bytes = outgoing.bytes();
    long match = send.match | CellDescriptor.MATCH_TRANSFER;
    int taken = core.trySend(send.peer, CellDescriptor.KIND_FIRST, match, bytes, outgoing.memory(), 0, bytes);
    if (taken != bytes) {
      transfers.drop(transfer);
      return taken;
    }
    send.transfer = transfer;
    return 0;
  }

  /** Whether what poll found is a message of a transfer. */
  static boolean isMessage(long match) {
    return (match & CellDescriptor.MATCH_TRANSFER) != 0;
  }

  /** Waits for the RTS of a message, as {@link Core#receive} waits for a message; to be followed by {@link #taken}. */
  int receiveOffer(long match, long mask, int source, int looks, Inbound inbound) {
    reserve(Integer.MAX_VALUE);
    return inbox.receive(match | CellDescriptor.MATCH_TRANSFER, mask, source, looks, inbound);
  }

  /**
   * Waits for a message about the transfer of an operation, and takes it in; false: nothing came, or something else.
   */
  boolean receiveControl(Operation operation, int looks, Inbound inbound) {
    int peer = operation.transfer.peer();
    reserve(0);
    int bytes = inbox.receive(Controls.MATCH, Controls.MASK, peer, looks, inbound);
    if (bytes >= 0) {
      inbox.taken(peer, inbound.match(), bytes);
    }
    return bytes >= 0;
  }

  /** Takes a message of a transfer in: memory first. The transfer of an RTS is to be matched; null: it was another. */
  Transfer accept(Inbound piece) {
    reserve(piece.length());
    return inbox.accept(piece);
  }

  /** Takes memory for going on with a message that waits to be matched. */
  void reserve() {
    reserve(0);
  }

  private void reserve(int bytes) {
    transfers.reserve(bytes);
    controls.reserve();
  }

  /** As {@link #accept}, for what {@link #receiveOffer} has brought. */
  Transfer taken(int source, long match, int bytes) {
    return inbox.taken(source, match, bytes);
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

  /** Moves the transfers with one rank on, and no others; whether any moved. */
  boolean progressWith(int peer) {
    return transfers.progressWith(peer);
  }

  /** Gives up an operation whose peer is gone, or whose wait has failed; then its transfer may live on for a while. */
  void giveUp(Operation operation) {
    transfers.giveUp(operation.transfer, liveness.isGone(operation.transfer.peer()));
    operation.transfer = null;
  }

  /**
   * Asks the receiver of a large message to let go of it, unless it has begun to take it: then its send is cancelled.
   */
  void withdraw(Operation send) {
    transfers.withdraw(send.transfer);
  }

  /** Off the fast path: ends what only waits for ranks that are gone. */
  void check() {
    controls.check();
    transfers.reap(gone);
  }

  /** Before the rank leaves: keeps what others may still use. */
  void pin() {
    transfers.pin();
  }

  /** Before the rank leaves: sends what others wait for, as far as there is room; whether that is all. */
  boolean flush() {
    while (!controls.isIdle()) {
      controls.check();
      if (!controls.progress()) {
        return false;
      }
    }
    return true;
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
