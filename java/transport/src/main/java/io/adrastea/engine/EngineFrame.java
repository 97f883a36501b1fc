package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.wait.WaitPolicy;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * What the engine of a rank is made of, the way in and out, and its end. A base rather than a part, since each small
 * message goes through it.
 */
public abstract sealed class EngineFrame permits StartedOperations {
  final Core core;
  final int cellPayload;
  final int quickBytes; // messages up to here are tried at once, as one piece
  final Rendezvous rendezvous;
  final Receiver receiver;
  final Sender sender;
  final Progress progress;
  final Abandonment abandonment;
  final Lookout lookout;
  final Waits waits;
  final Bypass bypass;
  final Completion completion;
  final Probes probes;
  final BarrierWait barrier;
  final OperationPool pool = new OperationPool();
  final Gate gate;
  final HelperSeat helper;
  private final Liveness liveness;
  private final EngineEnd end;

  /** That of a rank. */
  EngineFrame(Surroundings around, EngineSettings settings) {
    Segment segment = around.segment();
    RankTable table = around.table();
    int rank = around.rank();
    Geometry geometry = segment.geometry();
    this.cellPayload = geometry.cellPayload();
    this.core = around.core();
    this.liveness = new Liveness(table, rank, settings.many());
    segment.regions().adviseBy(around.spaces()::advise);
    this.quickBytes = (int) Math.min(cellPayload, settings.large().eager().least());
    Bursts bursts = new Bursts(core, table.size());
    this.rendezvous = new Rendezvous(around, settings.large(), bursts, liveness);
    this.receiver = new Receiver(around, rendezvous, liveness);
    this.sender = new Sender(around, quickBytes, bursts, rendezvous, liveness);
    liveness.serve(() -> !sender.isClear(rank));
    boolean crowded = settings.waiting().isCrowded(table.isCrowded());
    WaitPolicy waiting = settings.waiting();
    this.gate = new Gate(rank, settings.threads(), () -> waiting.waiter(crowded));
    Sleep sleep = new Sleep(core.sleeper(), gate, rank, table.allWake());
    if (crowded) {
      core.sleeper().enableSenderFence();
    }
    this.progress = new Progress(receiver, sender, rendezvous, sleep);
    this.abandonment = new Abandonment(progress, receiver, sender, rendezvous, gate);
    this.lookout =
        new Lookout(core, progress, abandonment, rendezvous, liveness, gate, receiver, geometry);
    gate.serve(lookout::pollAtWork);
    HangReport hang = new HangReport(table, rank, settings.waiting().hangNanos(), !settings.many());
    this.waits =
        new Waits(progress, rendezvous, bursts, lookout, gate, sleep, new Patience(rank, rendezvous), hang);
    this.bypass = new Bypass(core, receiver, sender, rendezvous, waits, gate, settings.bypass());
    this.completion = new Completion(waits, bypass, lookout, liveness);
    this.probes = new Probes(receiver.matching(), waits, lookout, liveness);
    this.barrier = new BarrierWait(core, waits, liveness, gate, rank);
    this.helper = new HelperSeat(waits, gate, sleep, settings.waiting(), rank);
    this.end = new EngineEnd(receiver, sender, rendezvous, gate, sleep, helper, rank);
  }

  final void enter() {
    gate.enter();
  }

  final void requireOpen() {
    gate.requireOpen();
  }

  final void exit() {
    gate.exit();
  }

  /** Ranks that have failed, as of now. Any thread may ask. */
  public final List<Integer> failedRanks() {
    requireOpen();
    return liveness.failed();
  }

  /**
   * The same, and the program goes on without them: what waits for any rank fails for others only. Any thread may call.
   */
  public final List<Integer> acknowledgeFailedRanks() {
    requireOpen();
    return liveness.acknowledge();
  }

  /** Has a handler told of each rank that fails; null: nobody. */
  public final void onRankFailure(IntConsumer handler) {
    requireOpen();
    liveness.notices().handler(handler);
  }

  /**
   * Starts a thread that moves things on until it is closed, at the latest with the engine. Only where many threads may
   * come in.
   *
   * @throws IllegalStateException when there is one
   */
  public final Helper startHelper() {
    gate.enter();
    try {
      return helper.start();
    } finally {
      gate.exit();
    }
  }

  /**
   * Ends the engine.
   *
   * @param failure closes the core and tells that the rank has failed; run when it cannot leave in order, before that
   * is thrown
   * @return what was still on its way, in words
   */
  public final List<String> close(BooleanSupplier whole, Runnable failure) {
    return end.close(whole, failure);
  }

  /**
   * Ends the engine of a rank that fails.
   *
   * @param departure closes the core and tells; run once, perhaps by another thread, when no thread can be in the core
   * any more
   */
  public final void abandon(Runnable departure) {
    end.abandon(departure);
  }
}
