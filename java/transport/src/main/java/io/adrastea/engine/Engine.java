package io.adrastea.engine;

import io.adrastea.config.Tunable;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.active.ActiveReceiver;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.core.Sleeper;
import io.adrastea.core.Spaces;
import io.adrastea.engine.collective.AgreementMessages;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.MessageCollectives;
import io.adrastea.engine.collective.Outstanding;
import io.adrastea.engine.collective.Plans;
import io.adrastea.engine.collective.SlotCollectives;
import io.adrastea.engine.control.ControlHandler;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.control.Notices;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.layout.ControlType;
import io.adrastea.payload.Payload;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationPool;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.receive.Bypass;
import io.adrastea.engine.receive.MessagePoll;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Bursts;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.engine.step.Steppers;
import io.adrastea.engine.symmetric.SymmetricHeaps;
import io.adrastea.engine.window.Windows;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.ProgressLoop;
import io.adrastea.wait.Waits;
import io.adrastea.error.TimeLimitException;
import io.adrastea.peers.Nodes;
import io.adrastea.peers.Peers;
import io.adrastea.peers.Slots;
import io.adrastea.ranktable.Capability;
import io.adrastea.spread.Hierarchy;
import io.adrastea.spread.LinkClass;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * Messages of one rank: starts operations, moves them on, waits for them. Everything that takes time happens inside the
 * calls, unless there is a {@link ProgressLoop}. Arguments are checked by the caller. Ranks are job ranks, those of a
 * {@link Context}'s communicator where there is one.
 *
 * <p>
 * Sources: [Nemesis 2006, 2.1] and [MPICH2 2007, 3.1] (pending sends, unexpected messages), [MPICH2 2007, 3.3]
 * (posted-receive bypass).
 */
public final class Engine {
  final Gate gate;
  final Liveness liveness;
  final Movement movement;
  final Sender sender;
  final Receiver receiver;
  private final ControlMessages control;
  private final Notices notices;
  private final ActiveMessages active;
  private final AgreementMessages agreements;
  private final Windows windows;
  private final SymmetricHeaps symmetricHeaps;
  private final Rendezvous rendezvous;
  private final Bypass bypass;
  final Progress progress;
  private final GivenUp givenUp;
  final FailureDetector detector;
  final Waits waits;
  final Completion completion;
  private final BarrierWait barrier;
  private final ProbeWait probe;
  private final EngineEnd end;
  private final ZeroCopy zeroCopy;
  private final Resources resources;
  final MessagePoll poll;
  final OperationPool pool;
  private final int quickBytes; // messages up to here are tried at once, as one piece, whichever rank they are for
  private final Set<Collectives> openCollectives = new HashSet<>(); // inside the gate
  private final Outstanding outstandingCollectives;

  public Engine(Resources resources) {
    this.resources = resources;
    this.gate = resources.gate();
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    EngineSettings settings = resources.settings();
    Peers peers = resources.peers();
    this.quickBytes = (int) Math.min(peers.pieceBytes(), settings.large().eager().least());
    Sleeper sleeper = peers.sleeper();
    int rank = peers.self();
    Steppers steppers = new Steppers();
    Bursts bursts = new Bursts(peers, steppers);
    this.control = new ControlMessages(peers, liveness, steppers, bursts::sentUrgently);
    this.notices = new Notices(control);
    this.rendezvous = new Rendezvous(resources, control, steppers, bursts::sentUrgently);
    Members all = new Members(Numbering.world(peers.size()), "all ranks of the job");
    ActiveReceiver activeReceiver = new ActiveReceiver(resources, control, all);
    this.receiver = new Receiver(resources, rendezvous, control, activeReceiver);
    this.sender = new Sender(resources, bursts, rendezvous, steppers);
    liveness.serve(() -> !sender.isClear(rank));
    this.waits =
        new Waits(sleeper, gate, resources.table(), rank, movement, resources.wordSleepers(),
            settings.waiting().hangNanos());
    if (resources.isOversubscribed()) {
      sleeper.enableSenderFence();
    }
    this.progress = new Progress(receiver, sender, rendezvous, steppers, waits);
    this.outstandingCollectives = new Outstanding(steppers, progress::wakeThread);
    this.active =
        new ActiveMessages(resources, all, activeReceiver, steppers, waits, bursts::sentUrgently,
            progress::wakeThread);
    this.agreements = new AgreementMessages(active, receiver::isOver);
    this.windows = new Windows(resources, waits, active, steppers, progress::wakeThread,
        () -> progress.hasThread() ? null : startThread());
    this.symmetricHeaps = new SymmetricHeaps(resources, waits);
    this.givenUp = new GivenUp(receiver);
    this.detector =
        new FailureDetector(
            resources, progress, receiver, rendezvous, control, notices, active, agreements, givenUp);
    this.poll = new MessagePoll(peers, receiver, sender, steppers);
    this.bypass = new Bypass(resources, receiver, sender, rendezvous, steppers, waits);
    this.completion =
        new Completion(resources, progress, receiver, sender, rendezvous, waits, bypass, control, detector);
    this.pool = completion.pool();
    this.barrier = new BarrierWait(resources, bursts, waits);
    this.probe = new ProbeWait(peers, receiver, liveness, movement);
    waits.serve(detector);
    this.end =
        new EngineEnd(resources, receiver, sender, rendezvous, control, notices, active, openCollectives, waits,
            progress::endThread);
    this.zeroCopy = new ZeroCopy(this);
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(Context context, int destination, int tag, MemorySegment buffer, long offset, long length) {
    gate.enter();
    try {
      long match = context.match(tag);
      if (length > quickBytes
          || !sender.isClear(destination)
          || !sender.trySend(destination, match, buffer, offset, length)) {
        sendSlowly(context, destination, match, buffer, offset, length);
      }
    } finally {
      gate.exit();
    }
  }

  private void sendSlowly(
      Context context, int destination, long match, MemorySegment buffer, long offset, long length) {
    boolean quick = length <= pieceBytes(destination) && !rendezvous.applies(destination, buffer, offset, length);
    if (!quick || !sender.isClear(destination) || !sendSoon(destination, match, buffer, offset, length)) {
      Operation operation = pool.send(context.members(), destination, match);
      operation.describe(buffer, offset, length);
      completion.complete(operation);
    }
  }

  /**
   * Tries for a little while: a receiver at work makes room in about the time that a pending send takes to be set up.
   */
  private boolean sendSoon(int destination, long match, MemorySegment buffer, long offset, long length) {
    int tries = gate.isExclusive() ? gate.waiter().polls() : 0;
    while (!sender.trySend(destination, match, buffer, offset, length)) {
      if (tries-- <= 0) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /** Sends a payload and waits until a receive has matched the message, and its memory can be used again. */
  public void sendSynchronously(Context context, int destination, int tag, Payload payload) {
    gate.enter();
    try {
      Operation operation = take(Operation.Kind.SYNCHRONOUS_SEND, context, destination, tag);
      operation.describe(payload);
      completion.complete(operation);
    } finally {
      gate.exit();
    }
  }

  /** Sends a payload as one message and waits until its memory can be used again. */
  public void send(Context context, int destination, int tag, Payload payload) {
    gate.enter();
    try {
      long match = context.match(tag);
      if (!sender.isClear(destination) || !sender.trySend(destination, match, payload)) {
        Operation operation = pool.send(context.members(), destination, match);
        operation.describe(payload);
        completion.complete(operation);
      }
    } finally {
      gate.exit();
    }
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length, Receive.Result result) {
    gate.enter();
    try {
      if (!bypass.receiveAtOnce(context, source, tag, buffer, offset, length, result)) {
        receiveSlowly(context, source, tag, buffer, offset, length, result);
      }
    } finally {
      gate.exit();
    }
  }

  private void receiveSlowly(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length, Receive.Result result) {
    Waiter waiter = waits.beginWait(source);
    bypass.countPolls();
    boolean tries = bypass.mayReceive(context, source, tag);
    boolean large = tries && rendezvous.expects(length);
    boolean found = tries && bypass.receive(waiter, large, context, source, tag, buffer, offset, length, result);
    if (found && !large) {
      return;
    }
    Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
    operation.describe(buffer, offset, length);
    operation.await();
    if (found) {
      waiter.found();
      operation.activate();
      bypass.begin(operation);
    } else {
      completion.begin(operation);
    }
    completion.complete(operation, waiter, result);
  }

  /** Receives a message into a payload; {@code result} tells what. */
  public void receive(Context context, int source, int tag, Payload payload, Receive.Result result) {
    gate.enter();
    try {
      if (!bypass.receiveAtOnce(context, source, tag, payload, result)) {
        receiveSlowly(context, source, tag, payload, result);
      }
    } finally {
      gate.exit();
    }
  }

  private void receiveSlowly(Context context, int source, int tag, Payload payload, Receive.Result result) {
    Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
    operation.describe(payload);
    operation.await();
    completion.begin(operation);
    bypass.countPolls();
    completion.complete(operation, waits.beginWait(source), result);
  }

  /** Whether a message that fits is there, without receiving it. */
  public boolean probeNow(Context context, int source, int tag, Receive.Result result) {
    gate.enter();
    try {
      progress.step();
      boolean found = probe.find(context, source, tag, result);
      if (!found) {
        detector.pollInVain();
      }
      return found;
    } finally {
      gate.exit();
    }
  }

  /**
   * Waits for a message that fits, without receiving it.
   *
   * @param nanos the longest wait; {@link Long#MAX_VALUE}: there is no limit
   * @throws TimeLimitException when none has come within so long
   */
  public void probe(Context context, int source, int tag, Receive.Result result, long nanos) {
    gate.enter();
    try {
      awaitMessage(context, source, tag, nanos);
      probe.find(context, source, tag, result);
    } finally {
      gate.exit();
    }
  }

  /** Most bytes of a message of one piece, and of a claim, to a rank. */
  int pieceBytes(int destination) {
    return resources.peers().pieceBytes(destination);
  }

  /** Waits until a message that fits is there. Inside the gate. */
  void awaitMessage(Context context, int source, int tag, long nanos) {
    Waiter waiter = waits.beginWait(source);
    Receive wanted = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    context.beginProbe();
    try {
      waits.await(probe, wanted, waiter);
    } finally {
      context.endProbe();
      waiter.limitAt(0);
      pool.give(wanted);
    }
  }

  /** What packs and copies for this rank. */
  public Spaces spaces() {
    return resources.spaces();
  }

  /** Whether receivers are told the types of messages, and compare them. */
  public boolean checksTypes() {
    return resources.checksTypes();
  }

  /** Places for collectives among these members; null: they do not all share memory, or cannot take part. */
  public Slots slots(Members members) {
    Peers peers = resources.peers();
    boolean able =
        members.numbering().jobRanks()
            .allMatch(
                rank -> peers.sharesSlots(rank)
                    && peers.abilities(rank).has(Capability.COLLECTIVES));
    return able ? peers.slots() : null;
  }

  /**
   * The collectives of a communicator, and its agreements.
   *
   * @param slots of the link that reaches its members
   * @param rank of this one among them
   * @param slot of the communicator, as it is mapped here
   */
  public Collectives collectives(Slots slots, Members members, int rank, MemorySegment slot) {
    return new SlotCollectives(resources, waits, sender.bursts(), outstandingCollectives, openCollectives, slots,
        members, rank, slot);
  }

  /**
   * The collectives of a communicator whose members do not all share memory, and its agreements, unless a member takes
   * no active messages.
   *
   * @param internal the communicator's context for them
   * @param rank of this one among its members
   */
  public Collectives collectives(Context internal, int rank) {
    Nodes nodes = resources.peers().nodes();
    Hierarchy hierarchy = Hierarchy.of(internal.members().numbering().jobRanks().map(nodes::node).toArray());
    boolean exact = "exact".equals(Tunable.REDUCE.word());
    gate.enter();
    try {
      return new MessageCollectives(resources, waits, sender.bursts(), completion, outstandingCollectives,
          openCollectives, haveAll(internal.members(), Capability.ACTIVE) ? agreements : null, internal,
          new Plans(hierarchy, LinkClass.SOCKETS, exact, rank), rank);
    } finally {
      gate.exit();
    }
  }

  /** What this rank tells others that nobody waits for. */
  public Notices notices() {
    return notices;
  }

  /** Sends {@link #notices} now. */
  public void sendNotices() {
    gate.enter();
    try {
      notices.send();
    } finally {
      gate.exit();
    }
  }

  /** Names what takes in the control messages of a type. */
  public void handle(ControlType type, ControlHandler handler) {
    control.register(type.number(), handler);
  }

  /** Whether this rank has a context open. Called inside the gate, as by a handler of control messages. */
  public boolean isOpen(int number) {
    return receiver.contexts().isOpen(number);
  }

  /** Whether a context has ended here. Called inside the gate, as {@link #isOpen}. */
  public boolean hasEnded(int number) {
    return receiver.contexts().hasEnded(number);
  }

  /** Whether all members take messages by source and tag. */
  public boolean haveMatching(Members members) {
    return haveAll(members, Capability.MATCHING);
  }

  private boolean haveAll(Members members, Capability capability) {
    Peers peers = resources.peers();
    return members.numbering().jobRanks().allMatch(rank -> peers.abilities(rank).has(capability));
  }

  /** Whether a link has a barrier of all ranks of the job. */
  public boolean hasBarrier() {
    return resources.peers().barrier() != null;
  }

  /** Waits for all ranks of the job, at the barrier of the link that has one. */
  public void barrier(Members all) {
    gate.enter();
    try {
      barrier.run(all);
    } finally {
      gate.exit();
    }
  }

  /** Begins to hold back what the calling thread sends to {@code destination}. */
  public void beginBurst(Members members, int destination) {
    gate.enter();
    try {
      sender.bursts().begin(members, destination);
    } finally {
      gate.exit();
    }
  }

  /** Whether anything moves on; not once the job was left, or its progress thread has failed. Any thread may ask. */
  public boolean isOpen() {
    return gate.isOpen();
  }

  /** Refuses when the job was left. */
  public void requireOpen() {
    gate.requireOpen();
  }

  /** Shows what was held back, and holds nothing back any more. */
  public void endBurst(int destination) {
    gate.enter();
    try {
      sender.bursts().end(destination);
    } finally {
      gate.exit();
    }
  }

  /** Messages that handlers of the receivers take in. */
  public ActiveMessages active() {
    return active;
  }

  /** Whether several threads may use it at a time. */
  public boolean isMultithreaded() {
    return resources.settings().isMultithreaded();
  }

  /** The symmetric heaps that this rank takes part in. */
  public SymmetricHeaps symmetricHeaps() {
    return symmetricHeaps;
  }

  /** The windows of this rank. */
  public Windows windows() {
    return windows;
  }

  public ZeroCopy zeroCopy() {
    return zeroCopy;
  }

  /**
   * Starts a send that the caller waits for later.
   *
   * @return null: it has gone out, without an operation
   */
  public Operation startSend(
      Context context, int destination, int tag, MemorySegment buffer, long offset, long length) {
    gate.enter();
    try {
      long match = context.match(tag);
      return length <= quickBytes
          && sender.isClear(destination)
          && sender.trySend(destination, match, buffer, offset, length)
              ? null
              : startSendSlowly(context, destination, match, buffer, offset, length);
    } finally {
      gate.exit();
    }
  }

  private Operation startSendSlowly(
      Context context, int destination, long match, MemorySegment buffer, long offset, long length) {
    boolean untried = length > quickBytes && length <= pieceBytes(destination) && sender.isClear(destination);
    if (untried
        && !rendezvous.applies(destination, buffer, offset, length)
        && sender.trySend(destination, match, buffer, offset, length)) {
      return null;
    }
    Send operation = pool.send(context.members(), destination, match);
    operation.describe(buffer, offset, length);
    completion.beginAlone(operation);
    if (!operation.isComplete() || operation.failure() != null) {
      return operation;
    }
    pool.give(operation);
    return null;
  }

  /**
   * Starts a receive that the caller waits for later.
   *
   * @param result tells what was received, if it is all there already
   * @return null: it was received, without an operation
   */
  public Operation startReceive(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length, Receive.Result result) {
    gate.enter();
    try {
      return bypass.receiveIfThere(context, source, tag, buffer, offset, length, result)
          ? null
          : startReceiveSlowly(context, source, tag, buffer, offset, length);
    } finally {
      gate.exit();
    }
  }

  private Operation startReceiveSlowly(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length) {
    Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
    operation.describe(buffer, offset, length);
    completion.beginAlone(operation);
    return operation;
  }

  /** Starts an operation of any kind on a payload that the caller waits for later. */
  public Operation start(Operation.Kind kind, Context context, int peer, int tag, Payload payload) {
    gate.enter();
    try {
      Operation operation = take(kind, context, peer, tag);
      operation.describe(payload);
      completion.beginAlone(operation);
      return operation;
    } finally {
      gate.exit();
    }
  }

  /** A persistent operation on a payload, idle: it is not given back to the pool. */
  public Operation prepare(Operation.Kind kind, Context context, int peer, int tag, Payload payload) {
    gate.requireOpen();
    requireAble(kind, context.members(), peer);
    Operation operation = pool.make(kind, context.members(), peer, context.match(tag), Context.mask(tag));
    operation.describe(payload);
    return operation;
  }

  private Operation take(Operation.Kind kind, Context context, int peer, int tag) {
    requireAble(kind, context.members(), peer);
    return pool.take(kind, context.members(), peer, context.match(tag), Context.mask(tag));
  }

  /** Refuses a synchronous send to a rank that cannot say when it has matched one. */
  private void requireAble(Operation.Kind kind, Members members, int peer) {
    if (kind == Operation.Kind.SYNCHRONOUS_SEND && peer != Operation.NO_RANK) {
      rendezvous.requireSynchronous(members, peer);
    }
  }

  /**
   * Makes the condition that one of several is complete, for {@link #await(Condition, Object)}: once, for any number of
   * waits.
   *
   * @param pending what an entry is about; null: the entry is passed over
   */
  public static <T> Condition<T[]> anyOf(Function<T, Pending> pending) {
    return new AnyOf<>(pending);
  }

  /** Waits until a condition is met that any rank may bring about. */
  public <T> void await(Condition<T> condition, T subject) {
    gate.enter();
    try {
      waits.await(condition, subject, waits.beginWait(Operation.ANY));
    } finally {
      gate.exit();
    }
  }

  /** Ranks that have failed, as of now. Any thread may ask. */
  public List<Integer> failedRanks() {
    gate.requireOpen();
    return liveness.failed();
  }

  /** Members that have failed, as of now. Any thread may ask. */
  public List<Integer> failedRanks(Members members) {
    gate.requireOpen();
    return liveness.failed(members.numbering());
  }

  /**
   * Members that have failed, as of now. The program goes on without them: what waits for any member fails for others
   * only. Any thread may call.
   */
  public List<Integer> acknowledgeFailedRanks(Members members) {
    gate.requireOpen();
    return liveness.acknowledgeFailed(members);
  }

  /** Ranks that have left in order, as of now. Any thread may ask. */
  public List<Integer> leftRanks() {
    gate.requireOpen();
    return liveness.left();
  }

  /** Members that have left in order, as of now. Any thread may ask. */
  public List<Integer> leftRanks(Members members) {
    gate.requireOpen();
    return liveness.left(members.numbering());
  }

  /** Members that have left in order, as of now, of which the program knows from now on. Any thread may call. */
  public List<Integer> acknowledgeLeftRanks(Members members) {
    gate.requireOpen();
    return liveness.acknowledgeLeft(members);
  }

  /** Makes the context of this number, see {@link Context#number}. */
  public Context open(int number, Members members) {
    gate.enter();
    try {
      givenUp.sweep();
      return receiver.open(number, members);
    } finally {
      gate.exit();
    }
  }

  /**
   * Ends the contexts of a communicator, and its collectives, all or none. What has come for them and was not received
   * is dropped.
   *
   * @param collectives null: it has none
   * @param ended is run once they have ended, inside the gate; it calls nothing of the engine
   * @throws IllegalStateException when a receive is posted, or a thread is in a probe, an agreement or a collective
   */
  public void close(Collectives collectives, Runnable ended, Context... contexts) {
    gate.enter();
    try {
      if (collectives != null) {
        collectives.requireIdle();
      }
      List<String> words = new ArrayList<>();
      for (Context context : contexts) {
        context.requireUnprobed();
        context.matching().describe(words);
      }
      if (!words.isEmpty()) {
        throw new IllegalStateException(
            "the communicator has receives outstanding: %s; complete or cancel them before it is closed"
                .formatted(String.join("; ", words)));
      }
      givenUp.end(collectives, ended, contexts);
      givenUp.sweep();
    } finally {
      gate.exit();
    }
  }

  /**
   * Ends the contexts of a communicator, and its collectives, once no receive is posted there, no collective is under
   * way and no thread is in a probe or an agreement, with {@link #endReleased} at the earliest; until then they go on,
   * but take no more.
   *
   * @param collectives null: it has none
   * @param ended is run once they have ended, inside the gate, by any call of this rank; it calls nothing of the engine
   */
  public void release(Collectives collectives, Runnable ended, Context... contexts) {
    gate.enter();
    try {
      givenUp.add(collectives, ended, contexts);
    } finally {
      gate.exit();
    }
  }

  /** Ends what was released and has nothing under way. */
  public void endReleased() {
    gate.enter();
    try {
      givenUp.sweep();
    } finally {
      gate.exit();
    }
  }

  /** Has a handler told of each rank that fails; null: nobody. */
  public void onRankFailure(IntConsumer handler) {
    gate.requireOpen();
    liveness.handler(handler);
  }

  /**
   * Starts a thread that moves things on until it is closed, at the latest with the engine. Only where many threads may
   * come in.
   *
   * @throws IllegalStateException when there is one, or only one thread at a time may come in
   */
  public ProgressLoop startProgressThread() {
    if (gate.isExclusive()) {
      throw new IllegalStateException(
          "a progress thread needs a job that several threads may use: join with "
              + "Job.builder().progressThread(), or with threads(ThreadLevel.MULTIPLE)");
    }
    gate.enter();
    try {
      int rank = resources.rank();
      if (progress.hasThread()) {
        throw new IllegalStateException(
            "rank %d has a progress thread; one is allowed: close it, or the windows with Option.PROGRESS_THREAD "
                .formatted(rank) + "that have it, before another is started");
      }
      return startThread();
    } finally {
      gate.exit();
    }
  }

  private ProgressLoop startThread() {
    Waiter waiter = resources.settings().waiting().waiter(true);
    ProgressLoop loop = new ProgressLoop(gate, waits, progress::step, waiter, resources.rank());
    progress.startThread(loop);
    return loop;
  }

  /** How the rank leaves, or fails. */
  public EngineEnd end() {
    return end;
  }
}
