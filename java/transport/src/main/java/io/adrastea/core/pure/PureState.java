package io.adrastea.core.pure;

import static io.adrastea.layout.BoxMessageDescriptor.BYTES;
import static io.adrastea.layout.RankEntryDescriptor.DOORBELL_ACTIVE_OFFSET;

import io.adrastea.link.Inbound;
import io.adrastea.fastbox.Inbox;
import io.adrastea.fastbox.Outbox;
import io.adrastea.queue.Intent;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What a channel consists of, private to its rank. Twin of {@code struct adr_channel} in
 * {@code channel/adr_channel_state.h}.
 */
final class PureState {
  /** Where the piece at hand lies: nowhere, there is none. */
  static final int PLACE_NONE = 0;

  static final int PLACE_BOX = 1;

  /** A cell at the front of the receive queue, still in it. */
  static final int PLACE_QUEUE = 2;

  /** A cell at the front of the receive queue whose piece was taken: it leaves the queue at the next poll. */
  static final int PLACE_SPENT = 3;

  /** A cell that had come early, out of the queue. */
  static final int PLACE_EARLY = 4;

  final View view;
  final MemorySegment memory;
  final int rank;
  final int rankCount;
  final int cellPayload;
  final int boxLimit;
  final boolean boxLearns; // which long messages go by fastbox is found out; else all up to the limit
  final int boxThreshold;
  final int ringBytes;
  final int allCells; // of the job
  final long mostEarly; // pieces by which a cell can be before its turn
  final long self; // this rank's entry, for its intents
  final long receiveQueue;
  final long active; // offset of this rank's bitmap
  final long[] freeQueues; // of all ranks
  final Outflow[] out;
  final Inflow[] in;
  final CellPool pool;
  final Inbound inbound = new Inbound(); // the piece at hand, read once

  int place = PLACE_NONE;
  int turn; // source whose fastbox is polled first in a general poll
  int polls; // general ones, counted
  int scanAt; // from which of them on all fastboxes are to be scanned
  int earlyCount; // cells set aside, of all sources
  int retainedCount; // cells held
  boolean batchFound; // the last poll for a batch found something
  int told; // pieces of the batch at hand, that at hand first; 0: there is none
  long toldEnd; // where the fastbox goes on behind them
  long toldHeader; // of the last one
  long header; // of the message at hand, when it is in a fastbox
  int owner; // of the cell at hand, when it is in one
  long spent; // a cell that could not leave the queue yet, since its successor was not linked; 0: none
  int spentOwner;

  PureState(Segment segment, int rank) {
    Geometry geometry = segment.geometry();
    this.view = new View(segment);
    this.memory = segment.memory();
    this.rank = rank;
    this.rankCount = geometry.ranks();
    this.cellPayload = geometry.cellPayload();
    this.boxLimit = geometry.boxes().limit();
    this.boxLearns = geometry.boxes().learns();
    this.boxThreshold = geometry.boxes().threshold();
    this.ringBytes = geometry.boxes().ringBytes();
    this.self = Intent.of(geometry, rank);
    this.receiveQueue = geometry.receiveQueueOffset(rank);
    this.allCells = geometry.ranks() * geometry.cells();
    this.mostEarly = geometry.cells() + ringBytes / BYTES;
    this.active = geometry.rankEntryOffset(rank) + DOORBELL_ACTIVE_OFFSET;
    this.freeQueues = new long[rankCount];
    this.out = new Outflow[rankCount];
    this.in = new Inflow[rankCount];
    this.pool = new CellPool(segment, view, rank);
    for (int other = 0; other < rankCount; other++) {
      freeQueues[other] = geometry.freeQueueOffset(other);
      out[other] = outflow(geometry, other);
      in[other] = inflow(geometry, other);
    }
  }

  private Outflow outflow(Geometry geometry, int other) {
    long doorbell = geometry.rankEntryOffset(other) + DOORBELL_ACTIVE_OFFSET + wordOf(rank);
    Outbox box = new Outbox(memory, geometry.boxEntryOffset(other, rank), ringBytes);
    return new Outflow(box, geometry.receiveQueueOffset(other), doorbell, geometry.boxRingOffset(other, rank),
        rank > other);
  }

  private Inflow inflow(Geometry geometry, int other) {
    Inbox box = new Inbox(memory, geometry.boxEntryOffset(rank, other), ringBytes);
    return new Inflow(box, geometry.boxRingOffset(rank, other));
  }

  /** Where in a bitmap the word with a rank's bit is. */
  static long wordOf(int rank) {
    return (long) (rank / Long.SIZE) * Long.BYTES;
  }

  /** A rank's bit in its word. */
  static long bitOf(int rank) {
    return 1L << rank; // the shift counts modulo 64
  }

  boolean isRank(int number) {
    return number >= 0 && number < rankCount;
  }

  boolean atHand() {
    return place != PLACE_NONE && place != PLACE_SPENT;
  }

  /** The way to one destination. Twin of {@code struct adr_outflow}. */
  static final class Outflow {
    /** A claim is open. */
    static final int BARRED_CLAIM = 1;

    /** The destination has left or failed. */
    static final int BARRED_GONE = 2;

    final Outbox box;
    final long receiveQueue;
    final long doorbell; // offset of the word of its bitmap that this rank's bit is in
    final long ring; // where the ring lies once the destination has made it
    final BoxCosts[] costs = new BoxCosts[BoxCosts.CLASSES]; // by size class

    long sequence; // of the next piece
    long lineEnd; // messages of fewer bytes may be put on a line at once; 0: none
    long heard; // pieces that had come from there when a next message was last prepared for
    int full; // tries in a row that found the fastbox full
    int barred; // BARRED_…; 0: messages go
    int burial; // how far this rank is with taking its cells back from a destination that is gone
    boolean burst;
    boolean streams; // long messages have followed one another, and nothing has come in between
    boolean asked; // for a fastbox
    int byQueue; // messages that could have gone by fastbox, had there been one

    // while a claim is open
    long claimedCell; // 0: the claim is in the fastbox
    int claimedLength;

    Outflow(Outbox box, long receiveQueue, long doorbell, long ring, boolean doubled) {
      this.box = box;
      this.receiveQueue = receiveQueue;
      this.doorbell = doorbell;
      this.ring = ring;
      Arrays.setAll(costs, any -> new BoxCosts(System::nanoTime, doubled));
    }

    boolean isClaimed() {
      return (barred & BARRED_CLAIM) != 0;
    }

    boolean isGone() {
      return (barred & BARRED_GONE) != 0;
    }

    /** To be called when what it depends on has changed: box made, barred, burst, position, reader behind. */
    void allowLines(int boxLimit) {
      boolean allowed = box.isOpen() && barred == 0 && !burst && !box.isBehind() && box.isAtLine();
      lineEnd = allowed ? Math.min(boxLimit, Outbox.HEAD) + 1 : 0;
    }
  }

  /** The way from one source. Twin of {@code struct adr_inflow}. */
  static final class Inflow {
    final Inbox box;
    final long ring; // where the ring lies once this rank has made it
    long expected; // sequence of the next piece in order
    long early; // cells that came before their turn, by sequence; linked through next
    long asked; // pieces that had gone there when a wait for an answer began last

    Inflow(Inbox box, long ring) {
      this.box = box;
      this.ring = ring;
    }
  }
}
