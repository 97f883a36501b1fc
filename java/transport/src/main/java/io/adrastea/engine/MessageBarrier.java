package io.adrastea.engine;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The barrier of a communicator by messages, where no link has one of just its ranks: dissemination [MPICH2 2007, 3.4].
 * In round k each rank tells the rank 2^k behind it, and waits for the one 2^k before it; after the last round it knows
 * of all that they have arrived.
 *
 * <p>
 * A rank that failed ends the barrier of all ranks that see that; one that left ends the barrier of those that wait for
 * its message, since it may have left after all had arrived. A rank whose barrier has ended so says it to those that it
 * still owes a message, which goes on in their messages: so nobody waits for a rank that has given up. What failed once
 * fails again at each later call, since no rank comes back.
 */
public final class MessageBarrier implements Condition<Receive> {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int BYTES = Integer.BYTES;

  private final Engine engine;
  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final Context context;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final MemorySegment outgoing = MemorySegment.ofArray(new byte[BYTES]); // a job rank that is gone, or NONE
  private final MemorySegment incoming = MemorySegment.ofArray(new byte[BYTES]);
  private final Receive receive = new Receive(); // of this round
  private int round;
  private boolean sent; // the message of this round
  private boolean asked; // for that of the other rank
  private int broken = Liveness.NONE; // the job rank because of which no barrier can end well any more
  private Thread inside; // inside the gate, and not null only while that thread is at the barrier

  /** Makes the barrier of the communicator whose internal context it is. */
  public MessageBarrier(Engine engine, Context internal, int rank) {
    this.engine = engine;
    this.gate = engine.gate;
    this.waits = engine.waits;
    this.liveness = engine.liveness;
    this.movement = engine.movement;
    this.context = internal;
    this.members = internal.members();
    this.rank = rank;
    this.size = members.numbering().size();
    outgoing.set(INT, 0, Liveness.NONE);
  }

  /**
   * Returns when all ranks have arrived, or throws when one cannot any more. After an interrupt the next call goes on
   * where this one was.
   */
  public void run() {
    gate.enter();
    try {
      if (inside != null) {
        throw new ConcurrentUseException(
            ("thread '%s' came to the barrier of rank %d while thread '%s' was waiting at it; one thread of a rank "
                + "is there at a time").formatted(Thread.currentThread().getName(), rank, inside.getName()));
      }
      if (broken != Liveness.NONE) {
        throw failure();
      }
      engine.sender.bursts().show();
      inside = Thread.currentThread();
      try {
        pass();
      } finally {
        inside = null;
      }
    } finally {
      gate.exit();
    }
  }

  private void pass() {
    while (1 << round < size) {
      int distance = 1 << round;
      if (!sent) {
        tell((rank + distance) % size);
        sent = true;
      }
      hear((rank + size - distance) % size);
      sent = false;
      round++;
    }
    round = 0;
  }

  private void tell(int other) {
    Send send = engine.pool.send(members, jobRank(other), context.match(round));
    send.describe(outgoing, 0, BYTES);
    send.await();
    engine.completion.begin(send);
    engine.completion.settle(send);
    RuntimeException cause = send.failure();
    engine.pool.give(send);
    if (cause instanceof RankFailedException) {
      end(jobRank(other));
    } else if (cause != null) {
      throw cause;
    }
  }

  private void hear(int other) {
    int source = jobRank(other);
    if (!asked) {
      receive.ask(members, source, context.match(round), Context.mask(round));
      receive.describe(incoming, 0, BYTES);
      engine.completion.begin(receive);
      asked = true;
    }
    waits.await(this, receive, waits.beginWait(source));
    asked = false;
    int gone = incoming.get(INT, 0);
    if (gone != Liveness.NONE) {
      end(gone);
    }
  }

  @Override
  public boolean isMet(Receive wanted, int polls) {
    return wanted.isComplete();
  }

  @Override
  public boolean step(Receive wanted, Upkeep upkeep) {
    return engine.progress.step(wanted);
  }

  @Override
  public int missing(Receive wanted) {
    int failed = liveness.failedOf(members.numbering());
    return failed == Liveness.NONE ? liveness.missing(wanted.peer()) : failed;
  }

  @Override
  public void fail(Receive wanted, int gone) {
    engine.receiver.giveUp(wanted, liveness.failure(members, gone, "barrier"));
    asked = false;
    end(gone);
  }

  /** Long messages that are moved on meanwhile, as at the barrier of all ranks. */
  @Override
  public long moves(Receive wanted) {
    return movement.ofMessages(Operation.ANY);
  }

  @Override
  public Waiting waiting(Receive wanted) {
    return new Waiting(RankEntryDescriptor.IN_BARRIER, Operation.ANY, 0);
  }

  /** No barrier can end well any more: tells those that wait for this rank, without waiting for them, and throws. */
  private void end(int gone) {
    broken = gone;
    for (int left = sent ? round + 1 : round; 1 << left < size; left++) {
      MemorySegment word = MemorySegment.ofArray(new byte[BYTES]);
      word.set(INT, 0, gone);
      Send send = new Send();
      send.ask(members, jobRank((rank + (1 << left)) % size), context.match(left), Context.mask(left));
      send.describe(word, 0, BYTES);
      engine.completion.begin(send);
    }
    throw failure();
  }

  private RuntimeException failure() {
    return liveness.failure(members, broken, "barrier");
  }

  private int jobRank(int other) {
    return members.numbering().jobRank(other);
  }
}
