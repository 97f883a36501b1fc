package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.send.Bursts;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.link.Link;
import io.adrastea.payload.Contiguous;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;

/**
 * The one blocking call of a communicator's collectives, which a thread is in until it is over. A barrier alone can be
 * interrupted, and goes on with the next one; any other call that is left in the middle is the last. Called inside the
 * gate.
 */
final class BlockingCall {
  private final Gate gate;
  private final Waits waits;
  private final Bursts bursts;
  private final Ending ending;
  private final CallQueue queue;
  private final CallWait wait;
  private final SlotMember member;
  private final int rank; // in the communicator
  private final Call call;
  private final Contiguous scalar = new Contiguous(MemorySegment.ofArray(new long[1]), 0, Long.BYTES);
  private Thread inside; // not null only while that thread waits here
  private boolean interrupted; // at the barrier, which the next one goes on with

  BlockingCall(
      Gate gate, Waits waits, Bursts bursts, Ending ending, CallQueue queue, CallWait wait, SlotMember member,
      int rank) {
    this.gate = gate;
    this.waits = waits;
    this.bursts = bursts;
    this.ending = ending;
    this.queue = queue;
    this.wait = wait;
    this.member = member;
    this.rank = rank;
    this.call = wait.pool().make(Form.BLOCKING);
  }

  /** The call, to be described. */
  Call call() {
    return call;
  }

  /** Memory of one element that comes and goes as a word. */
  Contiguous scalar() {
    return scalar;
  }

  /** The thread that waits here; null: none does. */
  Thread inside() {
    return inside;
  }

  /** Whether the next barrier goes on with one that was interrupted. */
  boolean isInterrupted() {
    return interrupted;
  }

  /** Refuses another call while a thread is in this one. */
  void requireLeft(String name) {
    if (inside != null) {
      throw another(name, rank, inside, call);
    }
  }

  /** A thread comes to a call while another one is in one. */
  static ConcurrentUseException another(String name, int rank, Thread inside, Call call) {
    return new ConcurrentUseException(
        ("thread '%s' came to the %s of rank %d while thread '%s' was waiting in its %s; one thread of a rank is in "
            + "a collective of a communicator at a time, others in those of other communicators")
            .formatted(Thread.currentThread().getName(), name, rank, inside.getName(), call.name()));
  }

  /** Refuses another call while a barrier that was interrupted is to be gone on with. */
  void requireEnded(String name) {
    if (interrupted) {
      throw new IllegalStateException(
          "rank %d is at a barrier that was interrupted; call barrier() to its end before the %s".formatted(rank,
              name));
    }
  }

  /** Runs what was described to its end: null. */
  Call run() {
    bursts.show();
    int status;
    try {
      status = !queue.hasWaiting() && call.isReady() ? call.begin(member, wait.polls()) : Link.BUSY;
    } catch (RuntimeException | Error e) { // memory that another thread has closed meanwhile
      lose(e);
      throw e;
    }
    if (status == 0) {
      call.end();
    } else {
      finish(status);
    }
    return null;
  }

  /** What was described has not begun, and cannot. */
  void lose(Throwable cause) {
    left(cause);
    call.end();
  }

  /** Goes on with the barrier that was interrupted. */
  void goOn() {
    interrupted = false;
    finish(Link.AGAIN);
  }

  /** Waits for the end of what was described, whose first crossing had this answer. */
  void finish(int status) {
    queue.hold();
    inside = Thread.currentThread();
    try {
      if (call.isIdle()) {
        call.start();
        if (status == Link.BUSY) {
          queue.enqueue(call);
        } else {
          queue.goOnWith(call, status);
        }
      }
      waits.await(wait, call, wait.beginWait());
      call.rethrow();
    } catch (RuntimeException | Error e) {
      left(e);
      throw e;
    } finally {
      inside = null;
      if (call.isComplete()) {
        call.end();
        queue.letGo();
      }
    }
  }

  /** What becomes of the communicator after an exception in the middle. */
  private void left(Throwable cause) {
    if (gate.isEnded()) {
      return; // and so is the core
    }
    if (call.kind() == SlotMember.BARRIER && !ending.hasCome()) {
      interrupted = true; // nothing was lost
      return;
    }
    queue.fail(call, cause);
  }
}
