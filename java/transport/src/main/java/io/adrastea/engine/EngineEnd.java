package io.adrastea.engine;

import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.control.Notices;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.peers.Peers;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The end of the engine of one rank, which leaves or fails. Called from outside. */
public final class EngineEnd {
  private static final long DEPARTURE_TRY_NANOS = 1_000_000;
  private static final long FLUSH_NANOS = 1_000_000_000L;

  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final ControlMessages control;
  private final Notices notices;
  private final ActiveMessages active;
  private final Set<Collectives> openCollectives;
  private final Gate gate;
  private final Waits waits;
  private final Runnable endProgressThread;
  private final Peers peers;
  private final int rank;
  private boolean leaving; // a thread lets go of what the rank has; inside the gate

  EngineEnd(
      Resources resources, Receiver receiver, Sender sender, Rendezvous rendezvous, ControlMessages control,
      Notices notices, ActiveMessages active, Set<Collectives> openCollectives, Waits waits,
      Runnable endProgressThread) {
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.control = control;
    this.notices = notices;
    this.active = active;
    this.openCollectives = openCollectives;
    this.gate = resources.gate();
    this.waits = waits;
    this.peers = resources.peers();
    this.endProgressThread = endProgressThread;
    this.rank = resources.rank();
  }

  /**
   * Ends the engine.
   *
   * @param whole whether nothing was left half done; asked when no other thread is inside
   * @param failure closes the core and tells that the rank has failed; run when it cannot leave in order, before what
   * stands in the way is thrown
   * @return what was still on its way, in words; nothing where something was left half done
   */
  public List<String> close(BooleanSupplier whole, Runnable failure) {
    try {
      return end(whole, failure);
    } finally {
      endProgressThread.run();
    }
  }

  private List<String> end(BooleanSupplier whole, Runnable failure) {
    gate.enterUnchecked();
    try {
      gate.requireNotClosed();
      gate.close();
      gate.end(); // for all but this thread, which lets others in while it naps
      leaving = true;
      try {
        return leave(whole, failure);
      } finally {
        leaving = false;
      }
    } finally {
      gate.exit();
    }
  }

  private List<String> leave(BooleanSupplier whole, Runnable failure) {
    List<String> outstanding = new ArrayList<>();
    if (!whole.getAsBoolean()) {
      fail(failure);
      return outstanding;
    }
    try {
      letGo(outstanding);
      endCore();
    } catch (RuntimeException | Error e) {
      // The shared memory is corrupt, or there is no memory: nobody is to wait for this rank.
      fail(failure);
      throw e;
    }
    return outstanding;
  }

  /** The process goes on, and others may use its memory until they notice. */
  private void fail(Runnable departure) {
    try {
      receiver.delivery().loseAll();
      receiver.loseHeld();
      sender.claims().lose();
      rendezvous.transfers().pin();
    } finally {
      try {
        endCore();
      } finally {
        departure.run(); // whatever was thrown: others would wait for this rank
      }
    }
  }

  private void endCore() {
    try {
      List.copyOf(openCollectives).forEach(Collectives::end);
    } finally {
      waits.close(); // threads that sleep go on without the core
      gate.end();
    }
  }

  private void letGo(List<String> outstanding) {
    receiver.describeOutstanding(outstanding);
    sender.describeOutstanding(outstanding);
    rendezvous.transfers().describe(outstanding);
    control.describe(outstanding);
    active.describe(outstanding);
    openCollectives.forEach(collectives -> collectives.describe(outstanding));
    receiver.delivery().takeAllBack(outstanding);
    receiver.takeHeldBack(outstanding);
    sender.claims().close(outstanding);
    sender.bursts().close(outstanding);
    peers.sayWays();
    rendezvous.transfers().sayCosts();
    rendezvous.transfers().pin(); // before other threads come in, which give up what they waited for
    flush();
    active.close();
  }

  /** Sends what others wait for, for a while. */
  private void flush() {
    notices.send();
    long deadline = System.nanoTime() + FLUSH_NANOS;
    while (!(control.flush() & active.flush()) && System.nanoTime() - deadline < 0) {
      waits.nap();
    }
  }

  /**
   * Ends the engine of a rank that fails. Others clean up after the rank as soon as it is told that it failed, so that
   * is said only when no thread can be in the core any more: now or, while another thread is in a call, by a thread
   * that waits for the end of that call, which is near. (The call itself could do it on its way out, but then every
   * call would have to look whether it is to.)
   *
   * @param departure closes the core and tells; run once
   */
  public void abandon(Runnable departure) {
    gate.close();
    if (gate.isExclusive()) {
      // A thread that came in just before marks that without a fence, which would cost each call; it shows by then.
      long end = System.nanoTime() + DEPARTURE_TRY_NANOS;
      for (long left = DEPARTURE_TRY_NANOS; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left); // returns at once when the thread is interrupted
      }
    }
    if (!depart(departure)) {
      Thread.ofPlatform().name("adrastea-end-" + rank).daemon().start(() -> departLater(departure));
    }
    endProgressThread.run();
  }

  private boolean depart(Runnable departure) {
    if (!gate.tryEnterUnchecked()) {
      return false;
    }
    try {
      if (leaving) { // a thread that naps, and goes on with the core
        return false;
      }
      fail(departure);
    } finally {
      gate.exit();
    }
    return true;
  }

  private void departLater(Runnable departure) {
    while (!depart(departure)) {
      LockSupport.parkNanos(DEPARTURE_TRY_NANOS);
    }
  }
}
