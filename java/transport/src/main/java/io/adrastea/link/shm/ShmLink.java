package io.adrastea.link.shm;

import io.adrastea.atomic.Words;
import io.adrastea.core.Batch;
import io.adrastea.core.Core;
import io.adrastea.link.Inbound;
import io.adrastea.core.SlotMember;
import io.adrastea.core.Sleeper;
import io.adrastea.datatype.Program;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.peers.BatchPoll;
import io.adrastea.peers.FusedReceive;
import io.adrastea.peers.LinkBarrier;
import io.adrastea.peers.NodeLink;
import io.adrastea.peers.Slots;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The link to the ranks of this rank's node: the core moves pieces, the rank table tells which are there, the segment
 * is where all of it lies. Below it, ranks are those of the node; this is where they are translated.
 */
public final class ShmLink implements NodeLink, FusedReceive, BatchPoll, LinkBarrier, Slots, Sleeper {
  /**
   * A core polls its queue at least every 8th time, however busy its fastboxes are; once more for a cell that it has
   * set aside.
   */
  private static final int POLLS_PER_CELL = 9;

  private static final int PIECES_PER_SLOT = 5; // four empty messages, and the turns of the queue

  private static final System.Logger LOGGER = System.getLogger(ShmLink.class.getName());

  private final Core core;
  private final Sleeper sleeper;
  private final RankTable table;
  private final Segment segment;
  private final MemorySegment memory;
  private final int self; // on the node
  private final int[] jobRanks; // by rank of the node; null: the node has all ranks, under the numbers of the job
  private final int[] nodeRanks; // by rank of the job, -1: not on this node; null: as above
  private Batch batch; // whose pieces are not all over, as far as the core knows; null: none

  /**
   * A link over what a rank has joined with.
   *
   * @param self rank on the node
   * @param jobRanks ranks of the node, as the job numbers them
   * @param size ranks of the job
   */
  public ShmLink(Core core, RankTable table, Segment segment, int self, int[] jobRanks, int size) {
    this.core = core;
    this.sleeper = core.sleeper();
    this.table = table;
    this.segment = segment;
    this.memory = segment.memory();
    this.self = self;
    boolean same = Arrays.equals(jobRanks, IntStream.range(0, size).toArray());
    this.jobRanks = same ? null : jobRanks.clone();
    this.nodeRanks = same ? null : inverse(jobRanks, size);
  }

  private static int[] inverse(int[] jobRanks, int size) {
    int[] nodeRanks = new int[size];
    Arrays.fill(nodeRanks, -1);
    for (int rank = 0; rank < jobRanks.length; rank++) {
      nodeRanks[jobRanks[rank]] = rank;
    }
    return nodeRanks;
  }

  @Override
  public String tellLink(int rank, String name) {
    int other = nodeRank(rank);
    long at = segment.geometry().boxEntryOffset(Math.min(self, other), Math.max(self, other))
        + BoxEntryDescriptor.LINK_OFFSET;
    // Relaxed: one of both is the first, and nothing else is read by that.
    Words.casRelaxedLong(memory, at, 0, letters(name));
    return name(Words.loadRelaxedLong(memory, at));
  }

  private static long letters(String name) {
    long word = 0;
    for (int i = 0; i < Math.min(name.length(), Long.BYTES); i++) {
      word |= (long) name.charAt(i) << i * Byte.SIZE;
    }
    return word;
  }

  private static String name(long letters) {
    StringBuilder name = new StringBuilder();
    for (long left = letters; left != 0; left >>>= Byte.SIZE) {
      name.append((char) (left & 0xff));
    }
    return name.toString();
  }

  private int nodeRank(int rank) {
    return nodeRanks == null ? rank : nodeRanks[rank];
  }

  private int jobRank(int nodeRank) {
    return jobRanks == null ? nodeRank : jobRanks[nodeRank];
  }

  @Override
  public int pieceBytes() {
    return segment.geometry().cellPayload();
  }

  @Override
  public int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    return core.trySend(nodeRank(destination), kind, match, totalLength, source, offset, length);
  }

  @Override
  public int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length) {
    return core.trySendElements(nodeRank(destination), match, program, memory, offset, count, length);
  }

  @Override
  public long claim(int destination, int kind, long match, long totalLength, long length) {
    return core.claim(nodeRank(destination), kind, match, totalLength, length);
  }

  @Override
  public MemorySegment room(int destination) {
    return memory;
  }

  @Override
  public int commit(int destination) {
    return core.commit(nodeRank(destination));
  }

  @Override
  public int abort(int destination) {
    return core.abort(nodeRank(destination));
  }

  @Override
  public int beginBurst(int destination) {
    return core.beginBurst(nodeRank(destination));
  }

  @Override
  public int endBurst(int destination) {
    return core.endBurst(nodeRank(destination));
  }

  @Override
  public int poll(int first, Inbound inbound) {
    int settled = batch == null ? 0 : endBatch();
    if (settled < 0) {
      return settled;
    }
    int from = first < 0 ? first : nodeRank(first);
    int status = core.poll(from, inbound);
    while (status == Core.WANTED) { // each source wants one at most once
      makeBox(inbound.source());
      status = core.poll(from, inbound);
    }
    if (status == Core.PIECE) {
      inbound.cameBy(jobRank(inbound.source()), memory);
    }
    return status;
  }

  /**
   * Makes a fastbox for a sender that wants one, or refuses where there is no room for more: the queue does as well.
   */
  private void makeBox(int source) {
    try {
      segment.reserveBox(self, source);
      core.openBox(source);
    } catch (SegmentException | OutOfMemoryError e) {
      core.refuseBox(source);
    }
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    return core.take(destination, offset, length);
  }

  @Override
  public int release() {
    return core.release();
  }

  @Override
  public int retain() {
    return core.retain();
  }

  @Override
  public int releaseRetained(int source, long place) {
    int settled = batch == null ? 0 : endBatch();
    return settled < 0 ? settled : core.releaseRetained(nodeRank(source), place);
  }

  @Override
  public FusedReceive fused() {
    return this;
  }

  @Override
  public BatchPoll batches() {
    return this;
  }

  @Override
  public int pollBatch(Batch batch) {
    int settled = this.batch == null ? 0 : endBatch();
    if (settled < 0) {
      return settled;
    }
    int count = core.pollBatch(-1, batch);
    while (count == 0) { // each source wants a fastbox at most once
      makeBox((int) batch.words()[Inbound.SOURCE]);
      count = core.pollBatch(-1, batch);
    }
    if (count > 0) {
      batch.begin(count, jobRank((int) batch.words()[Inbound.SOURCE]), memory);
      this.batch = batch;
    }
    return count;
  }

  @Override
  public int endBatch() {
    Batch ended = batch;
    if (ended == null) {
      return 0;
    }
    batch = null;
    ended.close();
    int status = ended.passed() == 0 ? 0 : core.releaseBatch(ended.passed(), ended.hasMore());
    return status == 0 && ended.isLent() ? core.retain() : status;
  }

  @Override
  public int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int polls,
      Inbound inbound) {
    int settled = batch == null ? 0 : endBatch();
    if (settled < 0) {
      return settled;
    }
    int from = source < 0 ? source : nodeRank(source);
    int status = core.receive(match, mask, from, destination, offset, capacity, polls, inbound);
    if (jobRanks != null && status >= 0) {
      inbound.source(jobRank(inbound.source()));
    }
    return status;
  }

  @Override
  public int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int polls, Inbound inbound) {
    int settled = batch == null ? 0 : endBatch();
    if (settled < 0) {
      return settled;
    }
    int from = source < 0 ? source : nodeRank(source);
    int status =
        core.receiveElements(match, mask, from, program, memory, offset, count, capacity, polls, inbound);
    if (jobRanks != null && status >= 0) {
      inbound.source(jobRank(inbound.source()));
    }
    return status;
  }

  @Override
  public LinkBarrier barrier() {
    return (segment.worldChoices() & SlotDescriptor.COUNTER_BARRIER) != 0 ? this : null;
  }

  @Override
  public int arrive() {
    return core.barrierArrive();
  }

  @Override
  public int await(int polls) {
    return core.barrierWait(polls);
  }

  @Override
  public Slots slots() {
    return this;
  }

  @Override
  public MemorySegment worldSlot() {
    int ranks = segment.geometry().ranks();
    return memory.asSlice(segment.geometry().worldSlotOffset(), SlotDescriptor.bytes(ranks));
  }

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return core.slotMember(slot, self);
  }

  @Override
  public void sayWays() {
    for (int to = 0; LOGGER.isLoggable(Level.DEBUG) && to < segment.geometry().ranks(); to++) {
      if (core.way(to, 0) == Core.WAY_BOX) {
        LOGGER.log(Level.DEBUG, "to rank %d, messages that are waited for: %s".formatted(jobRank(to), ways(to)));
      }
    }
  }

  /**
   * Describes where the way of messages to a rank of the node changes, as in {@code fastbox, from 4,097 bytes cells}.
   */
  private String ways(int to) {
    StringBuilder words = new StringBuilder("fastbox");
    int limit = segment.geometry().boxes().limit();
    int last = Core.WAY_BOX;
    for (long length = BoxSettings.STREAM_BYTES; length <= 2L * limit; length *= 2) {
      long least = Math.min(length, limit) + 1;
      int way = core.way(to, least);
      if (way != last) {
        words.append(", from %,d bytes %s".formatted(least, way == Core.WAY_BOX ? "fastbox" : "cells"));
        last = way;
      }
    }
    return words.toString();
  }

  @Override
  public boolean isPresent(int rank) {
    return table.isPresent(nodeRank(rank));
  }

  @Override
  public boolean hasFailed(int rank) {
    return table.state(nodeRank(rank)) == RankEntryDescriptor.STATE_FAILED;
  }

  @Override
  public boolean isReachable(int rank) {
    return table.isProcessPresent(nodeRank(rank));
  }

  @Override
  public boolean isEnding(int rank) {
    int pid = table.addressablePid(nodeRank(rank), self);
    return pid != 0 && ProcessIdentity.isEnding(pid);
  }

  @Override
  public String reason(int rank) {
    return table.reason(nodeRank(rank));
  }

  @Override
  public long pid(int rank) {
    return table.pid(nodeRank(rank));
  }

  @Override
  public int repair() {
    int settled = endBatch(); // what is over is read, and the room of a rank that is gone can be given back
    return settled < 0 ? settled : core.reclaim();
  }

  @Override
  public int mostPieces() {
    Geometry geometry = segment.geometry();
    return POLLS_PER_CELL * geometry.ranks() * geometry.cells() + PIECES_PER_SLOT * geometry.boxes().slots();
  }

  /** There is nothing to watch: a rank that sends in shared memory rings the sleeper itself. */
  @Override
  public void watch(Runnable wake) {}

  @Override
  public void endWatch() {}

  /** How the rank itself sleeps and wakes others, with ranks as the job numbers them. */
  @Override
  public int enableSenderFence() {
    return sleeper.enableSenderFence();
  }

  @Override
  public long announceSleep() {
    return sleeper.announceSleep();
  }

  @Override
  public int sleep(long word, long nanos) {
    return sleeper.sleep(word, nanos);
  }

  @Override
  public int endSleep() {
    return sleeper.endSleep();
  }

  @Override
  public int wake(int rank) {
    return sleeper.wake(nodeRank(rank));
  }

  @Override
  public int giveWay(long now) {
    return sleeper.giveWay(now);
  }

  @Override
  public int worksUntil(long time) {
    return sleeper.worksUntil(time);
  }

  @Override
  public int wasGivenWay(long since) {
    return sleeper.wasGivenWay(since);
  }

  @Override
  public int avoidSharedCpu(int other) {
    int rank = nodeRank(other);
    return rank < 0 ? Core.NOSYS : sleeper.avoidSharedCpu(rank);
  }

  /** The core is the joined rank's, which closes it when the rank leaves. */
  @Override
  public void close() {}
}
