package io.adrastea.core.pure;

import io.adrastea.barrier.Barrier;
import io.adrastea.coll.Member;
import io.adrastea.core.Batch;
import io.adrastea.core.Core;
import io.adrastea.link.Inbound;
import io.adrastea.core.Sleeper;
import io.adrastea.core.SlotMember;
import io.adrastea.datatype.Program;
import io.adrastea.queue.Intent;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * The core in Java alone: opening and closing. Twin of {@code channel/adr_channel.c}; the rest is in files named as in
 * C.
 */
final class PureCore implements Core, Sleeper {
  private final PureState state;
  private final PureBoxes boxes;
  private final PureSender sender;
  private final PurePoller poller;
  private final PureReceiver receiver;
  private final PureReclaim reclaim;
  private final Barrier barrier;
  private final PureSleep sleep;

  PureCore(Segment segment, int rank) {
    this.state = new PureState(segment, rank);
    this.boxes = new PureBoxes(state);
    this.sender = new PureSender(state, boxes);
    this.poller = new PurePoller(state);
    this.receiver = new PureReceiver(state, poller);
    this.reclaim = new PureReclaim(state, segment, poller);
    this.barrier = new Barrier(segment);
    this.sleep = new PureSleep(state, segment.geometry(), new RunningCpu());
  }

  @Override
  public int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    return sender.trySend(destination, kind, match, totalLength, source, offset, length);
  }

  @Override
  public int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length) {
    return sender.trySendElements(destination, match, program, memory, offset, count, length);
  }

  @Override
  public long claim(int destination, int kind, long match, long totalLength, long length) {
    return sender.claim(destination, kind, match, totalLength, length);
  }

  @Override
  public int commit(int destination) {
    return sender.commit(destination);
  }

  @Override
  public int abort(int destination) {
    return sender.abort(destination);
  }

  @Override
  public int beginBurst(int destination) {
    return sender.beginBurst(destination);
  }

  @Override
  public int endBurst(int destination) {
    return sender.endBurst(destination);
  }

  @Override
  public int poll(int first, Inbound inbound) {
    return poller.poll(first, inbound);
  }

  @Override
  public int pollBatch(int first, Batch batch) {
    return poller.pollBatch(first, batch);
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    return receiver.take(destination, offset, length);
  }

  @Override
  public int release() {
    return receiver.release();
  }

  @Override
  public int way(int destination, long length) {
    return sender.way(destination, length);
  }

  @Override
  public int releaseBatch(int count, boolean more) {
    return receiver.releaseBatch(count, more);
  }

  @Override
  public int retain() {
    return receiver.retain();
  }

  @Override
  public int releaseRetained(int source, long place) {
    return receiver.releaseRetained(source, place);
  }

  @Override
  public int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound) {
    return receiver.receive(match, mask, source, destination, offset, capacity, spins, inbound);
  }

  @Override
  public int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int spins, Inbound inbound) {
    return receiver.receiveElements(match, mask, source, program, memory, offset, count, capacity, spins, inbound);
  }

  @Override
  public int openBox(int source) {
    return boxes.openBox(source);
  }

  @Override
  public int refuseBox(int source) {
    return boxes.refuseBox(source);
  }

  @Override
  public int reclaim() {
    return reclaim.reclaim();
  }

  @Override
  public int barrierArrive() {
    return barrier.arrive();
  }

  @Override
  public int barrierWait(int spins) {
    return barrier.await(spins);
  }

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return new Member(slot, self, state.rankCount, this);
  }

  @Override
  public Sleeper sleeper() {
    return this;
  }

  @Override
  public int enableSenderFence() {
    return 0; // it wakes nobody
  }

  @Override
  public long announceSleep() {
    sender.endTries();
    return NOSYS; // no futex: a rank that waits on this core naps
  }

  @Override
  public int sleep(long word, long nanos) {
    return NOSYS;
  }

  @Override
  public int endSleep() {
    return 0;
  }

  @Override
  public int giveWay(long now) {
    return sleep.giveWay(now);
  }

  @Override
  public int worksUntil(long time) {
    return sleep.worksUntil(time);
  }

  @Override
  public int wasGivenWay(long since) {
    return sleep.wasGivenWay(since);
  }

  @Override
  public int avoidSharedCpu(int other) {
    return NOSYS; // Java sends no thread elsewhere
  }

  @Override
  public int wake(int rank) {
    return NOSYS; // the rank table says so, and sleepers of its job sleep for short stretches
  }

  @Override
  public void close() {
    sleep.close();
    // Else the cell, like all that this rank has of others, comes back once it is gone.
    if (!Intent.isOpen(state.memory, state.self)) {
      poller.retire();
    }
  }
}
