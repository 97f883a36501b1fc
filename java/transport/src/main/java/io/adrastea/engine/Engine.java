package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.core.Spaces;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages of one rank: starts operations, moves them on, waits for them. Everything that takes time happens inside
 * the calls, unless there is a {@link Helper}. Arguments are checked by the caller.
 *
 * <p>Sources: 000 section 3.1 (pending sends, unexpected messages), section 3.3 (posted-receive bypass).
 */
public final class Engine {
  private static final long DEPARTURE_LOOK_NANOS = 1_000_000;

  private final Core core;
  private final int cellPayload;
  private final int quickBytes; // messages up to here are tried at once, as one piece
  private final boolean bypass;
  private final Rendezvous rendezvous;
  private final Receiver receiver;
  private final Sender sender;
  private final Liveness liveness;
  private final Progress progress;
  private final ZeroCopy zeroCopy;
  private final BarrierWait barrier;
  private final OperationPool pool = new OperationPool();
  private final WaitPolicy waiting;
  private final Guard guard;
  private final Sleep sleep;
  private final Inbound inbound = new Inbound();
  private final int rank;
  private int cookieBytes; // of the RTS that was looked for and found
  private volatile Helper helper; // null: there was none

  /**
   * The engine of a rank.
   *
   * @param segment shared memory of its node
   * @param heap shared allocations of the rank
   * @param reach shared allocations of all ranks
   */
  public Engine(
      Core core,
      Spaces spaces,
      RankTable table,
      int rank,
      Segment segment,
      SharedHeap heap,
      SharedReach reach,
      EngineSettings settings) {
    Geometry geometry = segment.geometry();
    this.cellPayload = geometry.cellPayload();
    this.core = core;
    this.rank = rank;
    this.quickBytes = (int) Math.min(cellPayload, settings.large().eager().least());
    this.bypass = settings.bypass();
    this.liveness = new Liveness(table, rank);
    segment.regions().adviseBy(spaces::advise);
    Bursts bursts = new Bursts(core, table.size());
    this.rendezvous =
        new Rendezvous(core, spaces, heap, reach, settings.large(), table, rank, cellPayload, bursts, liveness);
    this.receiver = new Receiver(core, new Boxes(core, segment, rank), table.size(), segment.memory(), rendezvous);
    this.sender = new Sender(core, table.size(), segment.memory(), cellPayload, bursts, rendezvous, liveness);
    boolean crowded = table.isCrowded();
    this.waiting = settings.waiting();
    this.guard =
        settings.many() ? new LockGuard(() -> waiting.waiter(crowded)) : new SingleGuard(rank, waiting.waiter(crowded));
    int allCells = geometry.ranks() * geometry.cells();
    this.sleep = new Sleep(core, guard, rank, table.allWake());
    if (crowded) {
      core.fence();
    }
    this.progress = new Progress(core, receiver, sender, rendezvous, liveness, guard, sleep, rank, allCells, bypass);
    this.zeroCopy = new ZeroCopy(this, receiver, sender, progress, pool, cellPayload);
    this.barrier = new BarrierWait(core, progress, liveness, guard, rank);
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(int destination, long match, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      if ((length <= quickBytes || isQuick(destination, buffer, offset, length))
          && sender.isClear(destination)
          && (sender.trySend(destination, match, buffer, offset, length)
              || sendSoon(destination, match, buffer, offset, length))) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(false, destination, match, -1L, buffer, offset, length);
      complete(operation);
    } finally {
      guard.exit();
    }
  }

  private boolean isQuick(int destination, MemorySegment buffer, long offset, long length) {
    return length <= cellPayload && !rendezvous.applies(destination, buffer, offset, length);
  }

  /** Tries for a little while: a receiver at work makes room in about the time that a pending send takes to be set up. */
  private boolean sendSoon(int destination, long match, MemorySegment buffer, long offset, long length) {
    for (int looks = guard.isExclusive() ? guard.waiter().looks() : 0; looks > 0; looks--) {
      Thread.onSpinWait();
      if (sender.trySend(destination, match, buffer, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Sends parts as one message and waits until they can be used again. */
  public void send(int destination, long match, Parts parts) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(false, destination, match, -1L, parts);
      complete(operation);
    } finally {
      guard.exit();
    }
  }

  private void complete(Operation operation) {
    operation.awaited = true;
    begin(operation);
    settle(operation);
    finish(operation);
  }

  /** Waits for completion. When the wait itself throws, nothing is left of the operation. */
  void settle(Operation operation) {
    try {
      progress.settle(operation);
    } catch (RuntimeException | Error e) {
      if (progress.abandon(operation, e)) {
        pool.give(operation);
      }
      throw e;
    }
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    enter();
    try {
      boolean looks = bypass && guard.isExclusive() && receiver.mayBypass(source, match, mask);
      boolean large = looks && rendezvous.expects(length);
      boolean found = looks && bypass(large, source, match, mask, buffer, offset, length, result);
      if (found && !large) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(true, source, match, mask, buffer, offset, length);
      operation.awaited = true;
      if (found) {
        operation.activate();
        receiver.begin(operation, rendezvous.taken(inbound.source(), inbound.match(), cookieBytes));
      } else {
        begin(operation);
      }
      settle(operation);
      result.set(operation.source, operation.tag, operation.messageLength);
      finish(operation);
    } finally {
      guard.exit();
    }
  }

  /** Receives a message into parts; {@code result} tells what. */
  public void receive(int source, long match, long mask, Parts parts, Received result) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(true, source, match, mask, parts);
      operation.awaited = true;
      begin(operation);
      settle(operation);
      result.set(operation.source, operation.tag, operation.messageLength);
      finish(operation);
    } finally {
      guard.exit();
    }
  }

  /**
   * Receives straight from fastbox or queue without posting (000 section 3.3). False: something else is next; the receive is to be
   * posted.
   *
   * @param large the RTS of a large message is looked for, rather than a message
   */
  private boolean bypass(
      boolean large, int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    sender.progress(); // a message that is always there must not keep pending sends waiting
    Waiter waiter = progress.beginWait();
    while (true) {
      int looks = progress.looks(waiter);
      int status =
          large
              ? rendezvous.receiveOffer(match, mask, source, looks, inbound)
              : core.receive(match, mask, source, buffer, offset, length, looks, inbound);
      if (status >= 0) {
        cookieBytes = status;
        rendezvous.heard(inbound.source());
        result.set(inbound.source(), (int) inbound.match(), status); // a large one sets it anew when it is there
        return true;
      }
      if (status != Core.AGAIN) {
        return false; // another message, or an error that the next poll tells
      }
      sender.progress();
      moveTransfers();
      if (waiter.isDrowsy()) {
        return false; // to be posted: who sleeps is to find whatever comes
      }
      waiter.idle();
      progress.requireOpen();
      if (waiter.isTimeToCheck()) {
        return false; // to be posted: who waits that long looks after those who are gone
      }
    }
  }

  private void moveTransfers() {
    if (!rendezvous.isIdle()) {
      rendezvous.progress();
    }
  }

  /** Starts a send or receive that the caller waits for later. */
  public Operation start(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(receive, peer, match, mask, buffer, offset, length);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** Starts a send or receive of parts that the caller waits for later. */
  public Operation start(boolean receive, int peer, long match, long mask, Parts parts) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(receive, peer, match, mask, parts);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** A persistent operation, idle: it is not given back to the pool. */
  public Operation prepare(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    progress.requireOpen();
    Operation operation = new Operation();
    operation.describe(receive, peer, match, mask, buffer, offset, length);
    return operation;
  }

  /** Starts a persistent operation. */
  public void start(Operation operation) {
    enter();
    try {
      beginAlone(operation);
    } finally {
      guard.exit();
    }
  }

  /** Nobody waits for the operation yet, but perhaps the helper can go on with it. */
  private void beginAlone(Operation operation) {
    begin(operation);
    Helper now = helper;
    if (now != null && !operation.isComplete()) {
      now.wake();
      sleep.rouse();
    }
  }

  void begin(Operation operation) {
    if (!operation.receive) {
      sender.claims().requireNone(operation.peer);
    }
    operation.activate();
    try {
      if (operation.receive) {
        receiver.start(operation);
      } else {
        sender.start(operation);
      }
    } catch (RuntimeException e) {
      operation.fail(e); // its parts are free again
      throw e;
    }
  }

  /** Moves things on; whether {@code operation} is complete. */
  public boolean test(Operation operation) {
    enter();
    try {
      if (!operation.isComplete()) {
        progress.stepOfTest();
      }
      if (!operation.isComplete()) {
        progress.lookAround(operation);
      }
      return operation.isComplete();
    } finally {
      guard.exit();
    }
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  public void await(Operation operation) {
    enter();
    try {
      progress.settle(operation);
    } finally {
      guard.exit();
    }
  }

  /** Reports the failure of a complete operation, if there was one; gives it back to the pool unless it is persistent. */
  public void report(Operation operation, boolean persistent) {
    enter();
    try {
      if (persistent) {
        RuntimeException failure = operation.failure;
        operation.failure = null;
        operation.state = Operation.State.IDLE;
        raise(failure);
      } else {
        finish(operation);
      }
    } finally {
      guard.exit();
    }
  }

  /** Gives a complete operation back to the pool, and throws its failure, if there was one. */
  void finish(Operation operation) {
    RuntimeException failure = operation.failure;
    pool.give(operation);
    raise(failure);
  }

  private static void raise(RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /** Begins a wait for one of several operations, which the caller tests in turn. */
  public void beginWait() {
    enter();
    try {
      progress.beginWait();
    } finally {
      guard.exit();
    }
  }

  /** Ends such a wait. */
  public void endWait() {
    enter();
    try {
      progress.endWait(guard.waiter());
    } finally {
      guard.exit();
    }
  }

  /** One step of such a wait in which none was complete; whether it is time to {@link #check} them. */
  public boolean pauseWait() {
    enter();
    try {
      return progress.rest();
    } finally {
      guard.exit();
    }
  }

  /** Fails {@code operation} if those it depends on are gone. */
  public void check(Operation operation) {
    enter();
    try {
      progress.check(operation);
    } finally {
      guard.exit();
    }
  }

  /** Takes an operation back if nothing of it has happened; whether it was. A cancelled operation is complete. */
  public boolean cancel(Operation operation) {
    enter();
    try {
      if (!operation.isActive()) {
        return false;
      }
      boolean taken = operation.receive ? receiver.withdraw(operation) : sender.withdraw(operation);
      if (taken) {
        operation.cancelled = true;
        operation.received(Operation.ANY, Operation.ANY, 0);
        operation.complete();
      }
      return taken;
    } finally {
      guard.exit();
    }
  }

  /** Whether a message that fits is there, without receiving it. */
  public boolean probeNow(int source, long match, long mask, Received result) {
    enter();
    try {
      progress.step();
      boolean found = progress.find(source, match, mask, result);
      if (!found) {
        progress.lookAroundInPassing();
      }
      return found;
    } finally {
      guard.exit();
    }
  }

  /** Waits for a message that fits, without receiving it. */
  public void probe(int source, long match, long mask, Received result) {
    enter();
    try {
      progress.probe(source, match, mask, result);
    } finally {
      guard.exit();
    }
  }

  /** Waits until all ranks have come here. */
  public void barrier() {
    enter();
    try {
      barrier.run();
    } finally {
      guard.exit();
    }
  }

  /** Ranks that have failed, as of now. Any thread may ask. */
  public List<Integer> failedRanks() {
    progress.requireOpen();
    return liveness.failed();
  }

  /** Has a handler told of each rank that fails; null: nobody. */
  public void onRankFailure(IntConsumer handler) {
    progress.requireOpen();
    liveness.notices().handler(handler);
  }

  /** Messages read and written in place. */
  public ZeroCopy zeroCopy() {
    return zeroCopy;
  }

  /** Begins to hold back what the calling thread sends to {@code destination}. */
  public void beginBurst(int destination) {
    enter();
    try {
      sender.bursts().begin(destination);
    } finally {
      guard.exit();
    }
  }

  /** Shows what was held back, and holds nothing back any more. */
  public void endBurst(int destination) {
    enter();
    try {
      sender.bursts().end(destination);
    } finally {
      guard.exit();
    }
  }

  void enter() {
    guard.enter();
    try {
      progress.requireOpen();
    } catch (IllegalStateException e) {
      guard.exit();
      throw e;
    }
  }

  void exit() {
    guard.exit();
  }

  /**
   * Starts a thread that moves things on until it is closed, at the latest with the engine. Only where many threads may come in.
   *
   * @throws IllegalStateException when there is one
   */
  public Helper startHelper() {
    enter();
    try {
      if (helper != null && helper.isOpen()) {
        throw new IllegalStateException(
            "rank %d has a progress thread; one is allowed: close it before another is started".formatted(rank));
      }
      helper = Helper.start(this, rank, waiting.waiter(true));
      return helper;
    } finally {
      guard.exit();
    }
  }

  /**
   * A step of the helper, if no other thread is inside, which moves things on by itself; whether anything moved.
   *
   * @param alone no other thread was here lately: the helper rests when nothing moved
   */
  boolean moveOn(Waiter waiter, boolean alone) {
    if (!guard.enterIfFree()) {
      return false;
    }
    try {
      return progress.isOpen() && progress.stepOfHelper(waiter, alone);
    } catch (RuntimeException | Error e) {
      if (progress.isOpen()) { // else it is the end of the job that is told
        progress.fail(e);
      }
      return false;
    } finally {
      guard.exit();
    }
  }

  boolean isOpen() {
    return progress.isOpen();
  }

  /** How often a thread has come in. */
  int entries() {
    return guard.entries();
  }

  /** Wakes the threads of this rank that sleep. */
  void rouse() {
    guard.enter();
    try {
      sleep.rouse();
    } finally {
      guard.exit();
    }
  }

  /** Whether other threads wait to come in. */
  boolean isWanted() {
    return guard.isWanted();
  }

  private void endHelper() {
    if (helper != null) { // no other is started once the engine is closed
      helper.close();
    }
  }

  /** Ends the engine; what was still on its way, in words. */
  public List<String> close() {
    try {
      return end();
    } finally {
      endHelper();
    }
  }

  private List<String> end() {
    guard.enter();
    try {
      progress.requireNotClosed();
      progress.close();
      List<String> outstanding = new ArrayList<>();
      receiver.describeOutstanding(outstanding);
      sender.describeOutstanding(outstanding);
      rendezvous.describeOutstanding(outstanding);
      receiver.held().close(outstanding);
      sender.claims().close(outstanding);
      sender.bursts().close(outstanding);
      rendezvous.close();
      sleep.close();
      progress.end();
      return outstanding;
    } finally {
      guard.exit();
    }
  }

  /**
   * Ends the engine of a rank that fails. Others clean up after the rank as soon as it is told that it failed, so that is said only when no
   * thread can be in the core any more: now or, while another thread is in a call, by a thread that waits for the end of that call, which
   * is near. (The call itself could do it on its way out, but then every call would have to look whether it is to.)
   *
   * @param departure closes the core and tells; run once
   */
  public void abandon(Runnable departure) {
    progress.close();
    if (!depart(departure)) {
      Thread.ofPlatform().name("adrastea-end-" + rank).daemon().start(() -> departLater(departure));
    }
    endHelper();
  }

  private boolean depart(Runnable departure) {
    if (!guard.tryEnter()) {
      return false;
    }
    try {
      sleep.close(); // who sleeps goes on without the core
      progress.end();
      departure.run();
    } finally {
      guard.exit();
    }
    return true;
  }

  private void departLater(Runnable departure) {
    while (!depart(departure)) {
      LockSupport.parkNanos(DEPARTURE_LOOK_NANOS);
    }
  }
}
