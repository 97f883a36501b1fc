package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.send.Bursts;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The collectives of one communicator by messages on its internal context, for members that do not all share memory.
 * What each member sends and receives says a schedule ({@link Plans}), which {@link Rounds} run; what is outstanding is
 * in {@link MessageQueue}.
 */
public final class MessageCollectives implements Collectives {
  private final Gate gate;
  private final Set<Collectives> open;
  private final int rank; // in the communicator
  private final Members members;
  private final Ending ending;
  private final Agreement agreement; // null: a member takes no active messages
  private final MessageQueue queue; // inside the gate, as all that follows
  private final MessageWait wait;
  private final Call blocking;
  private final Contiguous scalar = new Contiguous(MemorySegment.ofArray(new long[1]), 0, Long.BYTES);
  private Thread inside; // a blocking call; null: none is
  private boolean interrupted; // at the barrier, which the next one goes on with

  /**
   * Makes the collectives of a communicator.
   *
   * @param outstanding the communicators that have collectives outstanding
   * @param open those of all communicators that have been called: they are to be ended with the engine
   * @param agreements those of all communicators; null: a member takes no active messages
   * @param internal the communicator's context for them
   * @param plans the schedules of its calls
   * @param rank this one's number among its members
   */
  public MessageCollectives(
      Resources resources, Waits waits, Bursts bursts, Operations operations, Outstanding outstanding,
      Set<Collectives> open, AgreementMessages agreements, Context internal, Plans plans, int rank) {
    this.members = internal.members();
    this.gate = resources.gate();
    this.open = open;
    this.rank = rank;
    this.ending = new Ending(members, rank, resources.liveness());
    this.queue =
        new MessageQueue(
            plans, operations, bursts, resources.liveness(), internal,
            members, rank, ending, outstanding);
    this.wait = new MessageWait(resources, waits, members, rank, ending, queue, this::requireStartable);
    this.blocking = wait.pool().make(Form.BLOCKING);
    this.agreement = agreements == null ? null : agreement(resources, waits, agreements, internal);
  }

  private Agreement agreement(Resources resources, Waits waits, AgreementMessages agreements, Context internal) {
    MessageSteps steps = new MessageSteps(resources, agreements, members, internal.number(), rank);
    agreements.open(steps);
    return new Agreement(resources, waits, members, rank, steps);
  }

  @Override
  public boolean haveEnded() {
    return ending.hasCome();
  }

  @Override
  public void isOut(int member) {
    queue.isOut(member);
    if (agreement != null) {
      agreement.isOut(member);
    }
  }

  @Override
  public Agreement agreement() {
    return agreement;
  }

  @Override
  public void barrier() {
    gate.enter();
    try {
      requireLeft("barrier");
      if (interrupted) {
        finish();
      } else {
        run(Form.BLOCKING, SlotMember.BARRIER, 0, 0, 0, 0, null, null, 0, null);
      }
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call barrier(Form form) {
    gate.enter();
    try {
      return run(form, SlotMember.BARRIER, 0, 0, 0, 0, null, null, 0, null);
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call bcast(Form form, Payload data, int root, int purpose) {
    gate.enter();
    try {
      boolean gives = rank == root;
      return run(
          form, SlotMember.BCAST, root, data.bytes(), purpose, 0, null, gives ? data : null, 0, gives ? null : data);
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call fold(Form form, int kind, int root, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      return run(
          form, kind, combination.inPlaceOfRoot(kind, root), in.bytes(), combination.elements(kind), combination.op(),
          combination.folding(), in, 0, out);
    } finally {
      gate.exit();
    }
  }

  @Override
  public long fold(int kind, int root, long word, Combination combination) {
    return ofWord(
        kind, combination.inPlaceOfRoot(kind, root), word, combination.elements(kind), combination.op(),
        combination.folding(), kind != SlotMember.REDUCE || rank == root);
  }

  @Override
  public long bcast(long word, int root) {
    return ofWord(SlotMember.BCAST, root, word, 0, 0, null, rank != root);
  }

  private long ofWord(int kind, int root, long word, int element, int op, Folding folding, boolean takes) {
    gate.enter();
    try {
      requireStartable(kind, element); // before another thread's word is written over
      scalar.memory().set(ValueLayout.JAVA_LONG, 0, word);
      boolean gives = kind != SlotMember.BCAST || !takes;
      run(Form.BLOCKING, kind, root, Long.BYTES, element, op, folding, gives ? scalar : null, 0, takes ? scalar : null);
      return scalar.memory().get(ValueLayout.JAVA_LONG, 0);
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call allgather(Form form, Payload in, Payload out, long bytes, int purpose) {
    gate.enter();
    try {
      return run(form, SlotMember.ALLGATHER, 0, bytes, purpose, 0, null, in, in == out ? rank * bytes : 0, out);
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call exchange(
      Form form, int kind, int root, long bytes, Blocks gives, Blocks takes, int purpose, boolean stays, Payload in,
      Payload out) {
    gate.enter();
    try {
      if (gives == null && takes == null) {
        return run(form, kind, root, bytes, purpose, stays ? SlotMember.STAYS : 0, null, in, 0, out);
      }
      Call call = call(form, kind, purpose);
      call.describeParts(kind, root, bytes, purpose, stays, gives, takes);
      call.input(in, 0);
      call.output(out);
      return begun(call);
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call reduceAcross(
      Form form, Groups groups, int kind, int root, long bytes, Combination combination, Blocks blocks, Payload in,
      Payload out) {
    gate.enter();
    try {
      Call called = call(form, SlotMember.ALLTOALL, SlotMember.FOR_GROUPS + kind);
      GroupReduction reduction = form == Form.PREPARED ? wait.pool().makeReduction(groups, form)
          : wait.pool().takeReduction(groups);
      Call last = form == Form.BLOCKING ? called : reduction.last();
      reduction.describe(kind, root, bytes, combination, blocks);
      reduction.describe(last, in, out);
      Call begun = begun(last);
      if (form == Form.BLOCKING) {
        wait.pool().give(reduction);
      }
      return begun;
    } finally {
      gate.exit();
    }
  }

  @Override
  public Call reduceScatter(Form form, Blocks parts, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      int elements = combination.elements(SlotMember.REDUCE_SCATTER);
      Call call = call(form, SlotMember.REDUCE_SCATTER, elements);
      call.describeParts(parts, in.bytes(), elements, combination.op(), combination.folding());
      call.input(in, 0);
      call.output(out);
      return begun(call);
    } finally {
      gate.exit();
    }
  }

  /** @param at where in the input this rank's begins */
  private Call run(
      Form form, int kind, int root, long bytes, int element, int op, Folding folding, Payload in, long at,
      Payload out) {
    Call call = call(form, kind, element);
    call.describe(kind, root, bytes, element, op, folding);
    call.input(in, at);
    call.output(out);
    return begun(call);
  }

  /** The call of one that is to be described; refuses one that something stands in the way of. */
  private Call call(Form form, int kind, int element) {
    if (form == Form.PREPARED) {
      ending.requireOpen(kind, element);
      return wait.pool().make(form);
    }
    requireStartable(kind, element);
    return form == Form.BLOCKING ? blocking : wait.pool().take();
  }

  private void requireStartable(int kind, int element) {
    ending.requireOpen(kind, element);
    String name = Call.name(kind, element);
    requireLeft(name);
    if (interrupted) {
      throw new IllegalStateException(
          "rank %d is at a barrier that was interrupted; call barrier() to its end before the %s".formatted(rank,
              name));
    }
    open.add(this);
    if (members.isRevoked()) {
      ending.comesRevoked();
    }
    queue.hear();
    ending.requireNone(name);
  }

  /** Refuses another call while a thread is in a blocking one. */
  private void requireLeft(String name) {
    if (inside != null) {
      throw BlockingCall.another(name, rank, inside, blocking);
    }
  }

  /** Goes on with one that was described, as its form tells. */
  private Call begun(Call described) {
    switch (described.form()) {
      case BLOCKING -> {
        inside = Thread.currentThread();
        try {
          queue.begin(described);
        } finally {
          inside = null;
        }
        finish();
        return null;
      }
      case STARTED -> {
        return wait.started(described);
      }
      default -> {
        return described;
      }
    }
  }

  /** Waits for the end of the blocking call, which has begun. */
  private void finish() {
    interrupted = false;
    inside = Thread.currentThread();
    try {
      wait.await(blocking);
      blocking.rethrow();
    } catch (RuntimeException | Error e) {
      left(e);
      throw e;
    } finally {
      inside = null;
      if (blocking.isComplete()) {
        blocking.end();
      }
    }
  }

  /** What becomes of the communicator after an exception in the middle. */
  private void left(Throwable cause) {
    if (gate.isEnded()) {
      return; // and so is the engine
    }
    if (blocking.kind() == SlotMember.BARRIER && !ending.hasCome()) {
      interrupted = true; // nothing was lost
      return;
    }
    queue.fail(blocking, cause);
  }

  @Override
  public void requireIdle() {
    if (agreement != null) {
      agreement.requireIdle();
    }
    if (queue.hasStarted()) {
      List<String> words = new ArrayList<>();
      describe(words);
      throw SlotCollectives.outstanding(rank, words);
    }
    if (inside != null) {
      throw SlotCollectives.entered(inside, blocking, rank);
    }
  }

  @Override
  public boolean isIdle() {
    return !queue.hasStarted() && inside == null && (agreement == null || agreement.isIdle());
  }

  @Override
  public Pending firstStranded() {
    return queue.firstStranded();
  }

  @Override
  public void refuseMore() {
    ending.giveUp();
    if (agreement != null) {
      agreement.refuseMore();
    }
  }

  @Override
  public void describe(List<String> words) {
    queue.describe(words);
  }

  @Override
  public void end() {
    ending.close();
    open.remove(this);
    if (agreement != null) {
      agreement.end();
    }
    if (!gate.isEnded()) {
      queue.breakOff();
      queue.forget();
    }
  }

  @Override
  public MemorySegment ownedStages() {
    return null;
  }
}
