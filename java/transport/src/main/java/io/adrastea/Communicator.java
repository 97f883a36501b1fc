package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.comm.CollectiveCalls;
import io.adrastea.comm.CommunicatorState;
import io.adrastea.comm.Communicators;
import io.adrastea.comm.LocalRanks;
import io.adrastea.comm.NeighborCalls;
import io.adrastea.comm.NeighborEdges;
import io.adrastea.comm.Placement;
import io.adrastea.comm.Shrinking;
import io.adrastea.comm.TypeMap;
import io.adrastea.core.Spaces;
import io.adrastea.engine.Engine;
import io.adrastea.engine.ZeroCopy;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Condition;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.SegmentException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A group of ranks that exchange messages among themselves. Messages are matched by source and tag; between two ranks
 * they do not overtake each other (MPI's rules [MPICH2 2007, 3.1]).
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "communicator"}
 *
 * <p>
 * The calls that it has in common with an {@link Intercommunicator}, messages and collectives among them, are told of
 * in {@link AnyCommunicator}.
 */
public final class Communicator implements AnyCommunicator {
  /**
   * Receive from whoever sends. Fails when any rank of the communicator has failed whose failure is not acknowledged
   * ({@link #acknowledgeFailedRanks}), or no other rank is there any more ({@link #acknowledgeLeftRanks}).
   */
  public static final int ANY_SOURCE = -1;

  /** Receive whatever the tag. */
  public static final int ANY_TAG = -1;

  /**
   * No rank (MPI's null process), for the neighbour that there is not at an edge: a send to it, or a receive or a probe
   * from it, is complete at once, moves nothing, and has a status of source {@code NO_RANK}, {@link #ANY_TAG} and 0
   * bytes. {@link #claim} and {@link #burst} refuse it, since nobody would have what is written.
   */
  public static final int NO_RANK = Operation.NO_RANK;

  /**
   * The number of a rank that a communicator does not have, see {@link #rankOf}, and of elements of which the last is
   * not whole, see {@link Status#count}: no call takes it.
   */
  public static final int UNDEFINED = CommunicatorState.UNDEFINED;

  /** In {@link #split}: this rank is in none of the new communicators. */
  public static final int NO_COLOR = LocalRanks.NO_COLOR;

  private static final TypeMap LONGS = Datatype.LONG.map(); // what a reduction of one number combines
  private static final TypeMap DOUBLES = Datatype.DOUBLE.map();

  private static final long LEAST_ASIDE_BYTES = 1 << 10;
  private static final long KEPT_ASIDE_BYTES = 1 << 20;

  private final CommunicatorState state; // below are those parts of it that calls of one message read
  private final Engine engine;
  private final Spaces spaces; // of the core of the job: it packs
  private final Condition<Request[]> anyRequest; // that one of several is complete
  private final ZeroCopy zeroCopy;
  private final Numbering numbering;
  private final Members members;
  private final int rank;
  private int size; // UNDEFINED: closed, and every number is too high
  private final Context messages;
  private final CollectiveCalls collectives; // null: some member takes part in none
  private final CommunicatorRequests started;
  private final CommunicatorRequests persistent;
  private final boolean multithreaded;
  private final Buffers buffers; // of the job
  private final boolean checksTypes; // then whatever has a type goes as a payload, which tells it
  private final Burst[] bursts; // of the job, by job rank
  private final Request own = new Request();
  private MemorySegment aside; // for what sendrecvReplace sends; null: none yet
  private final Status.Latest latest;
  private Shrinking shrinking; // null: none was begun yet

  /** Makes the face of the communicator of all ranks of a job. */
  Communicator(CommunicatorState world, boolean multithreaded) {
    this(world, new Buffers(), new Burst[world.size()], multithreaded);
  }

  private Communicator(CommunicatorState state, Buffers buffers, Burst[] bursts, boolean multithreaded) {
    this.state = state;
    this.engine = state.engine();
    this.spaces = engine.spaces();
    this.zeroCopy = engine.zeroCopy();
    this.anyRequest = Engine.anyOf(Request::pending);
    this.numbering = state.numbering();
    this.members = state.members();
    this.rank = state.rank();
    this.size = numbering.size();
    this.multithreaded = multithreaded;
    this.buffers = buffers;
    this.checksTypes = engine.checksTypes();
    this.bursts = bursts;
    this.latest = new Status.Latest(Status.EMPTY, numbering);
    this.messages = state.messages();
    this.collectives = state.collectives() == null
        ? null
        : new CollectiveCalls(state.collectives(), spaces, rank, size, multithreaded);
    this.started = new CommunicatorRequests(this, this, collectives, Form.STARTED, null);
    this.persistent = new CommunicatorRequests(this, this, collectives, Form.PREPARED, null);
  }

  /**
   * Makes a communicator of some ranks of a job; each of them does, the others do not.
   *
   * @param group ranks of that job, this one among them
   * @param number 1 to 65535; the members take the same one, which none of them uses for another communicator
   * @param generation 0 to 16383; the next one when the number is used again
   * @throws IllegalArgumentException when the group is of another job, this rank is not in it, or there is no such
   * number or generation
   * @throws IllegalStateException when the number is in use
   */
  static Communicator of(Job job, Numbering numbering, int number, int generation) {
    Communicator world = job.world();
    if (numbering.jobSize() != world.size) {
      throw new ArgumentException(Reason.GROUP,
          "a group of a job of %d ranks; this job has %d".formatted(numbering.jobSize(), world.size));
    }
    if (!numbering.contains(world.rank)) {
      throw new ArgumentException(Reason.GROUP,
          "rank %d is not among %s; only members make a communicator".formatted(world.rank, numbering));
    }
    if (number <= 0 || number >= Context.NUMBERS || generation < 0 || generation >= Context.GENERATIONS) {
      throw new ArgumentException(Reason.OTHER,
          "number %d, generation %d of a communicator; allowed are numbers 1 to %d, generations 0 to %d"
              .formatted(number, generation, Context.NUMBERS - 1, Context.GENERATIONS - 1));
    }
    return world.face(world.state.open(numbering, Context.id(number, generation)));
  }

  /** Makes the face of another communicator of this rank; null where there is none. */
  Communicator face(CommunicatorState made) {
    return made == null ? null : new Communicator(made, buffers, bursts, multithreaded);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return numbering.size();
  }

  @Override
  public Group group() {
    return Group.of(engine, numbering.jobRank(rank), numbering);
  }

  /** What stands below the face. */
  CommunicatorState state() {
    return state;
  }

  /** The views of arrays, which all communicators of the job share. */
  Buffers views() {
    return buffers;
  }

  /** The group as the engine has it. */
  Numbering numbering() {
    return numbering;
  }

  @Override
  public String name() {
    return members.label();
  }

  @Override
  public void setName(String name) {
    members.label(Objects.requireNonNull(name, "the name of a communicator is null"));
  }

  @Override
  public Communicator dup() {
    return face(Communicators.dup(state));
  }

  @Override
  public StartedDup<Communicator> idup() {
    return idup(made -> made);
  }

  /** Starts a duplicate; {@code kind} makes of it what the program gets. */
  <T extends AutoCloseable> StartedDup<T> idup(Function<Communicator, T> kind) {
    Communicators.Started started = Communicators.startDup(state);
    StartedDup<T> dup =
        new StartedDup<>(
            name(), started.call(), () -> kind.apply(face(started.made().get())), started.givenUp());
    dup.request().begin(this, dup.progress());
    return dup;
  }

  @Override
  public Communicator split(int color, int key) {
    return face(Communicators.split(state, state.forNew("split"), color, key));
  }

  /**
   * Makes communicators of the ranks that share memory: those of one node. All ranks of this communicator call it, or,
   * to be in none of them, {@code split(NO_COLOR, key)} (MPI_Comm_split_type with MPI_UNDEFINED).
   *
   * @param key as of {@link #split}
   * @return the communicator of this rank's node, to be closed
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitNode(int key) {
    return face(Communicators.split(state, state.forNew("splitNode"), state.localRanks().node(), key));
  }

  /**
   * Makes communicators of the ranks whose CPUs ({@link Job#cpus}) share a cache, the last one before memory. All ranks
   * of this communicator call it, or {@code split(NO_COLOR, key)}, as of {@link #splitNode}. It reads the topology of
   * the node, which takes milliseconds.
   *
   * @param key as of {@link #split}
   * @return the communicator of the ranks at this rank's cache, to be closed; null: this rank may run on CPUs of
   *   several caches, or the system tells of none
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitCache(int key) {
    return face(Communicators.split(state, state.forNew("splitCache"), state.localRanks().cacheColor(), key));
  }

  /**
   * Makes communicators of the ranks whose CPUs ({@link Job#cpus}) are on one NUMA node. All ranks of this communicator
   * call it, or {@code split(NO_COLOR, key)}, as of {@link #splitNode}. It reads the topology of the node, which takes
   * milliseconds.
   *
   * @param key as of {@link #split}
   * @return the communicator of the ranks on this rank's NUMA node, to be closed; null: this rank may run on CPUs of
   *   several
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitNuma(int key) {
    return face(Communicators.split(state, state.forNew("splitNuma"), state.localRanks().numaColor(), key));
  }

  /**
   * Makes a communicator of some ranks of this one. Those ranks call it, with the same arguments, and no others, which
   * may do something else meanwhile; several subsets may be made at a time by threads that name different tags.
   *
   * @param tag 0 to 536,870,911; tells subsets apart that are made at the same time
   * @param ranks of this communicator, in the order that they are to have; the lowest one takes the number for all
   * @return the communicator, to be closed
   * @throws IllegalArgumentException when there is no such tag or rank, a rank is named twice, or the calling one is
   * not named; nothing was begun
   * @throws RevokedException when this communicator was revoked
   * @throws CollectiveException when the lowest of the ranks has named others, or another order, or this rank has given
   * up to make a communicator out of this one before
   * @throws CapabilityException as {@link #dup}
   * @throws AdrasteaException as there
   * @throws SegmentException as there, on the lowest of the ranks
   * @throws RankFailedException when the lowest of the ranks died or left
   * @throws IllegalStateException as {@link #dup}
   * @throws InterruptedWaitException when the thread is interrupted while it waits for the lowest of the ranks: this
   * rank has given up, which the others learn in the new communicator, and makes no more communicators out of this one
   * but by {@link #shrink}
   */
  public Communicator subset(int tag, int... ranks) {
    Communicators.requireTag(tag);
    state.requireNotRevoked("subset");
    Numbering some = Numbering.of(numbering.jobSize(), group().incl(ranks).jobRanks());
    return face(Communicators.subset(state, tag, some));
  }

  /**
   * The number of a rank in the job.
   *
   * @param ofRank a rank of this communicator
   * @return its number in {@link Job#world}
   * @throws IllegalArgumentException when there is no such rank here
   */
  public int jobRank(int ofRank) {
    if (ofRank < 0 || ofRank >= numbering.size()) {
      throw new ArgumentException(Reason.RANK,
          "rank %d; this communicator has ranks 0 to %d".formatted(ofRank, numbering.size() - 1));
    }
    return numbering.jobRank(ofRank);
  }

  /**
   * The number here of a rank of the job.
   *
   * @param jobRank its number in {@link Job#world}
   * @return 0 to size − 1, or {@link #UNDEFINED} when it is not in this communicator
   */
  public int rankOf(int jobRank) {
    return jobRank >= 0 && jobRank < numbering.jobSize() && numbering.contains(jobRank) ? numbering.rankOf(jobRank)
        : UNDEFINED;
  }

  /**
   * The node that a rank is on. Ranks of one node share memory. Any thread may call, at any {@link ThreadLevel}.
   *
   * @param ofRank a rank of this communicator
   * @return number of the node in the job, from 0; where all ranks of the job are on one node always 0
   * @throws IllegalArgumentException when there is no such rank here
   */
  public int node(int ofRank) {
    return state.localRanks().node(jobRank(ofRank));
  }

  @Override
  public List<Integer> failedRanks() {
    return numbers(engine.failedRanks(members));
  }

  @Override
  public List<Integer> acknowledgeFailedRanks() {
    return numbers(engine.acknowledgeFailedRanks(members));
  }

  @Override
  public List<Integer> leftRanks() {
    return numbers(engine.leftRanks(members));
  }

  @Override
  public List<Integer> acknowledgeLeftRanks() {
    return numbers(engine.acknowledgeLeftRanks(members));
  }

  private List<Integer> numbers(List<Integer> jobRanks) {
    return jobRanks.stream().map(numbering::rankOf).sorted().toList();
  }

  @Override
  public void send(Data data, int destination, int tag) {
    if (!isPayload(Data.requireNonNull(data))) {
      sendFrom(data.memory(buffers), data.offset(), data.contiguousBytes(), destination, tag);
    } else if (requireSend(data, destination, tag)) {
      engine.send(messages, numbering.jobRank(destination), tag, payload(data));
    }
  }

  @Override
  public void send(Data whole, long first, long count, int destination, int tag) {
    if (isPayload(Data.requireNonNull(whole))) {
      send(part(whole, first, count), destination, tag);
    } else {
      sendFrom(whole.memory(buffers), whole.offset(first, count), whole.bytes(count), destination, tag);
    }
  }

  @Override
  public void send(MemorySegment segment, int destination, int tag) {
    sendFrom(segment, 0, bytes(segment), destination, tag);
  }

  @Override
  public void send(MemorySegment segment, long offset, long bytes, int destination, int tag) {
    Buffers.requireRange(segment, offset, bytes);
    sendFrom(segment, offset, bytes, destination, tag);
  }

  @Override
  public void ssend(Data data, int destination, int tag) {
    if (requireSend(data, destination, tag)) {
      engine.sendSynchronously(messages, numbering.jobRank(destination), tag, payload(data));
    }
  }

  @Override
  public Status recv(Data data, int source, int tag) {
    return isPayload(Data.requireNonNull(data))
        ? receivePayload(data, source, tag)
        : receiveInto(data.memory(buffers), data.offset(), data.contiguousBytes(), source, tag);
  }

  @Override
  public Status recv(Data whole, long first, long count, int source, int tag) {
    return isPayload(Data.requireNonNull(whole))
        ? recv(part(whole, first, count), source, tag)
        : receiveInto(whole.memory(buffers), whole.offset(first, count), whole.bytes(count), source, tag);
  }

  @Override
  public Status recv(Data data, int source, int tag, Duration limit) {
    long nanos = Request.nanos(limit);
    return irecv(data, source, tag, ownRequest()).complete(nanos);
  }

  @Override
  public Status recv(MemorySegment segment, int source, int tag) {
    return receiveInto(segment, 0, bytes(segment), source, tag);
  }

  @Override
  public Status recv(MemorySegment segment, long offset, long bytes, int source, int tag) {
    Buffers.requireRange(segment, offset, bytes);
    return receiveInto(segment, offset, bytes, source, tag);
  }

  @Override
  public Request isend(Data data, int destination, int tag, Request request) {
    Request.requireFree(request);
    if (!isPayload(Data.requireNonNull(data))) {
      return startSend(data.memory(buffers), data.offset(), data.contiguousBytes(), destination, tag, request);
    }
    requireSend(data, destination, tag);
    return start(Operation.Kind.SEND, data, destination, tag, request);
  }

  @Override
  public Request isend(Data whole, long first, long count, int destination, int tag, Request request) {
    Request.requireFree(request);
    return isPayload(Data.requireNonNull(whole))
        ? isend(part(whole, first, count), destination, tag, request)
        : startSend(
            whole.memory(buffers), whole.offset(first, count), whole.bytes(count), destination, tag, request);
  }

  @Override
  public Request isend(MemorySegment segment, int destination, int tag, Request request) {
    Request.requireFree(request);
    return startSend(segment, 0, bytes(segment), destination, tag, request);
  }

  @Override
  public Request isend(
      MemorySegment segment, long offset, long bytes, int destination, int tag, Request request) {
    Request.requireFree(request);
    Buffers.requireRange(segment, offset, bytes);
    return startSend(segment, offset, bytes, destination, tag, request);
  }

  @Override
  public Request issend(Data data, int destination, int tag, Request request) {
    Request.requireFree(request);
    requireSend(data, destination, tag);
    return start(Operation.Kind.SYNCHRONOUS_SEND, data, destination, tag, request);
  }

  @Override
  public Request irecv(Data data, int source, int tag, Request request) {
    Request.requireFree(request);
    if (!isPayload(Data.requireNonNull(data))) {
      return startReceive(data.memory(buffers), data.offset(), data.contiguousBytes(), source, tag, request);
    }
    requireReceive(data, source, tag);
    return start(Operation.Kind.RECEIVE, data, source, tag, request);
  }

  @Override
  public Request irecv(Data whole, long first, long count, int source, int tag, Request request) {
    Request.requireFree(request);
    return isPayload(Data.requireNonNull(whole))
        ? irecv(part(whole, first, count), source, tag, request)
        : startReceive(whole.memory(buffers), whole.offset(first, count), whole.bytes(count), source, tag, request);
  }

  @Override
  public Request irecv(MemorySegment segment, int source, int tag, Request request) {
    Request.requireFree(request);
    return startReceive(segment, 0, bytes(segment), source, tag, request);
  }

  @Override
  public Request irecv(
      MemorySegment segment, long offset, long bytes, int source, int tag, Request request) {
    Request.requireFree(request);
    Buffers.requireRange(segment, offset, bytes);
    return startReceive(segment, offset, bytes, source, tag, request);
  }

  @Override
  public Status sendrecv(Data send, int destination, int sendTag, Data recv, int source, int recvTag) {
    requireSend(send, destination, sendTag);
    Request receive = irecv(recv, source, recvTag, ownRequest());
    sendBeside(receive, send, destination, sendTag);
    return receive.complete(Long.MAX_VALUE);
  }

  @Override
  public Status sendrecvReplace(Data data, int destination, int sendTag, int source, int recvTag) {
    requireReceive(data, source, recvTag);
    boolean sends = requireSendTo(destination, sendTag);
    MemorySegment aside = sends ? aside(data) : MemorySegment.NULL;
    Request receive = irecv(data, source, recvTag, ownRequest());
    if (sends) {
      try {
        if (checksTypes) {
          sendBeside(receive, data.packedIn(aside), destination, sendTag);
        } else {
          sendBeside(receive, aside, 0, aside.byteSize(), destination, sendTag);
        }
      } catch (RuntimeException e) {
        this.aside = null; // the destination may still read it
        throw e;
      }
    }
    return receive.complete(Long.MAX_VALUE);
  }

  /** A copy of data, in memory that is kept for it unless it is large or several threads may come. */
  private MemorySegment aside(Data data) {
    long bytes = data.bytes();
    if (multithreaded || bytes > KEPT_ASIDE_BYTES) {
      MemorySegment copy = Arena.ofAuto().allocate(bytes);
      data.placement(buffers).copyTo(spaces, copy, 0);
      return copy;
    }
    if (aside == null || aside.byteSize() < bytes) {
      aside = Arena.ofAuto().allocate(Math.max(LEAST_ASIDE_BYTES, 2 * Long.highestOneBit(Math.max(1, bytes))));
    }
    MemorySegment copy = aside.asSlice(0, bytes);
    data.placement(buffers).copyTo(spaces, copy, 0);
    return copy;
  }

  @Override
  public Request sendInit(Data data, int destination, int tag) {
    requireSend(data, destination, tag);
    return prepare(Operation.Kind.SEND, data, destination, tag);
  }

  @Override
  public Request ssendInit(Data data, int destination, int tag) {
    requireSend(data, destination, tag);
    return prepare(Operation.Kind.SYNCHRONOUS_SEND, data, destination, tag);
  }

  @Override
  public Request recvInit(Data data, int source, int tag) {
    requireReceive(data, source, tag);
    return prepare(Operation.Kind.RECEIVE, data, source, tag);
  }

  @Override
  public void recv(int source, int tag, MessageHandler handler) {
    Objects.requireNonNull(handler, "the handler is null");
    Message message = recvMessage(source, tag);
    int generation = message.generation();
    try {
      handler.onMessage(message);
    } finally {
      release(message, generation);
    }
  }

  @Override
  public int poll(MessageHandler handler, int limit) {
    Objects.requireNonNull(handler, "the handler is null");
    if (limit < 1) {
      throw new ArgumentException(Reason.COUNT,
          "a limit of %d messages; allowed are 1 to %d".formatted(limit, Integer.MAX_VALUE));
    }
    requireOpen("poll");
    int count = 0;
    Receive found = zeroCopy.poll(messages, null);
    while (found != null) {
      Message message = Message.of(this, zeroCopy, found);
      int generation = message.generation();
      count += handBatch(message, generation, handler, limit - count);
      boolean held = message.isHeldSince(generation);
      if (count < limit && isUsable()) {
        found = held ? message.pollOn(messages) : zeroCopy.poll(messages, null);
      } else {
        release(message, generation);
        found = null;
      }
    }
    return count;
  }

  /** Hands a message to the handler of a poll, and then those behind it in its batch; how many. */
  private int handBatch(Message message, int generation, MessageHandler handler, int most) {
    int count = 0;
    do {
      count++;
      hand(message, generation, handler);
    } while (count < most && message.isHeldSince(generation) && isUsable() && message.goOn(messages));
    return count;
  }

  private static void hand(Message message, int generation, MessageHandler handler) {
    try {
      handler.onMessage(message);
    } catch (RuntimeException | Error e) {
      release(message, generation);
      throw e;
    }
  }

  /** Gives a message back that was handed to a handler, unless that has done so. */
  private static void release(Message message, int generation) {
    if (message.isHeldSince(generation)) {
      message.release();
    }
  }

  /** Whether neither the job was left nor the communicator closed, as a handler may have done. */
  private boolean isUsable() {
    return size != UNDEFINED && zeroCopy.isOpen();
  }

  @Override
  public Message recvMessage(int source, int tag) {
    requireReceiveFrom(source, tag);
    return Message.of(this, zeroCopy, zeroCopy.receive(messages, numbering.jobRank(source), tag));
  }

  @Override
  public Message tryRecvMessage(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return recvMessage(source, tag);
    }
    Receive received = zeroCopy.tryReceive(messages, numbering.jobRank(source), tag);
    return received == null ? null : Message.of(this, zeroCopy, received);
  }

  @Override
  public Message mprobe(int source, int tag) {
    return takeMessage(source, tag, Long.MAX_VALUE);
  }

  @Override
  public Message mprobe(int source, int tag, Duration limit) {
    return takeMessage(source, tag, Request.nanos(limit));
  }

  private Message takeMessage(int source, int tag, long nanos) {
    return requireReceiveFrom(source, tag)
        ? Message.ofHeld(this, zeroCopy, zeroCopy.probe(messages, numbering.jobRank(source), tag, nanos))
        : recvMessage(source, tag);
  }

  @Override
  public Message improbe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return recvMessage(source, tag);
    }
    Receive held = zeroCopy.probeNow(messages, numbering.jobRank(source), tag);
    return held == null ? null : Message.ofHeld(this, zeroCopy, held);
  }

  @Override
  public Claim claim(int destination, int tag, long bytes) {
    requireClaim(destination, tag);
    return Claim.of(zeroCopy, zeroCopy.claim(messages, numbering.jobRank(destination), tag, bytes));
  }

  @Override
  public Claim tryClaim(int destination, int tag, long bytes) {
    requireClaim(destination, tag);
    Send claimed = zeroCopy.tryClaim(messages, numbering.jobRank(destination), tag, bytes);
    return claimed == null ? null : Claim.of(zeroCopy, claimed);
  }

  @Override
  public Burst burst(int destination) {
    requireRank(destination, "burst");
    int jobRank = numbering.jobRank(destination);
    engine.beginBurst(members, jobRank);
    Burst burst = bursts[jobRank];
    if (burst == null || !burst.isOf(this)) {
      burst = new Burst(this, destination, jobRank);
      bursts[jobRank] = burst;
    }
    return burst.begin();
  }

  @Override
  public Status probe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.probe(messages, numbering.jobRank(source), tag, result, Long.MAX_VALUE);
    return statusOf(result);
  }

  @Override
  public Status probe(int source, int tag, Duration limit) {
    long nanos = Request.nanos(limit);
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.probe(messages, numbering.jobRank(source), tag, result, nanos);
    return statusOf(result);
  }

  @Override
  public Status iprobe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    return engine.probeNow(messages, numbering.jobRank(source), tag, result) ? statusOf(result) : null;
  }

  @Override
  public void barrier() {
    state.barrier();
  }

  @Override
  public void bcast(Data data, int root) {
    collectives("bcast").bcast(Form.BLOCKING, placement(data), root);
  }

  /**
   * Broadcasts one number of the root, like {@link #bcast}.
   *
   * @param value the root's; that of the others is not looked at
   * @param root rank whose value it is
   * @return the root's value, at all ranks
   * @throws RuntimeException as there
   */
  public double bcast(double value, int root) {
    return collectives("bcast").bcast(value, root);
  }

  /**
   * Broadcasts one integer of the root, like {@link #bcast}.
   *
   * @param value the root's; that of the others is not looked at
   * @param root rank whose value it is
   * @return the root's value, at all ranks
   * @throws RuntimeException as there
   */
  public long bcast(long value, int root) {
    return collectives("bcast").bcast(value, root);
  }

  @Override
  public void allreduce(Data in, Data out, Op op) {
    collectives("allreduce").allreduce(Form.BLOCKING, placement(in), placement(out), Op.map(op));
  }

  /**
   * Reduces and broadcasts in place, like {@code allreduce(Data.IN_PLACE, inOut, op)}.
   *
   * @param inOut this rank's elements, which become the result
   * @param op the operator
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void allreduce(Data inOut, Op op) {
    collectives("allreduce").allreduce(Form.BLOCKING, Placement.IN_PLACE, placement(inOut), Op.map(op));
  }

  /**
   * Combines one number of each rank, like {@link #allreduce(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result, at all ranks
   * @throws RuntimeException as there
   */
  public double allreduce(double value, Op op) {
    return collectives("allreduce").allreduce(value, Op.map(op), DOUBLES);
  }

  /**
   * Combines one integer of each rank, like {@link #allreduce(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result, at all ranks
   * @throws RuntimeException as there
   */
  public long allreduce(long value, Op op) {
    return collectives("allreduce").allreduce(value, Op.map(op), LONGS);
  }

  @Override
  public void reduce(Data in, Data out, Op op, int root) {
    collectives("reduce").reduce(Form.BLOCKING, placement(in), placement(out), Op.map(op), root);
  }

  /**
   * Combines one number of each rank, like {@link #reduce(Data, Data, Op, int)}.
   *
   * @param value this rank's
   * @param op the operator
   * @param root rank that gets the result
   * @return the result at the root; at the others the value handed in
   * @throws RuntimeException as there
   */
  public double reduce(double value, Op op, int root) {
    return collectives("reduce").reduce(value, Op.map(op), root, DOUBLES);
  }

  /**
   * Combines one integer of each rank, like {@link #reduce(Data, Data, Op, int)}.
   *
   * @param value this rank's
   * @param op the operator
   * @param root rank that gets the result
   * @return the result at the root; at the others the value handed in
   * @throws RuntimeException as there
   */
  public long reduce(long value, Op op, int root) {
    return collectives("reduce").reduce(value, Op.map(op), root, LONGS);
  }

  /**
   * Scans: each element of a rank's output becomes {@code x0 op x1 op … op xr}, where {@code xi} is that element of
   * rank i's input, and r is the rank itself; combined as in {@link #allreduce(Data, Data, Op)}. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operator has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void scan(Data in, Data out, Op op) {
    collectives("scan").scan(Form.BLOCKING, placement(in), placement(out), Op.map(op));
  }

  /**
   * Combines one number of each rank up to this one, like {@link #scan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result for this rank
   * @throws RuntimeException as there
   */
  public double scan(double value, Op op) {
    return collectives("scan").scan(value, Op.map(op), DOUBLES);
  }

  /**
   * Combines one integer of each rank up to this one, like {@link #scan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result for this rank
   * @throws RuntimeException as there
   */
  public long scan(long value, Op op) {
    return collectives("scan").scan(value, Op.map(op), LONGS);
  }

  /**
   * Scans without the rank's own elements: each element of a rank's output becomes {@code x0 op x1 op … op x(r−1)},
   * where {@code xi} is that element of rank i's input, and r is the rank itself; combined as in
   * {@link #allreduce(Data, Data, Op)}. Nothing comes before rank 0, whose output stays as it is. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all; that of rank 0 is not written
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operator has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void exscan(Data in, Data out, Op op) {
    collectives("exscan").exscan(Form.BLOCKING, placement(in), placement(out), Op.map(op));
  }

  /**
   * Combines one number of each rank before this one, like {@link #exscan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result for this rank. Rank 0, which nothing comes before, gets what leaves every value as it is: 0 of a
   *   sum, 1 of a product, the greatest value there is of a minimum, the least one of a maximum, the like of logical
   *   and bitwise operators; of {@link Op#REPLACE} and an operator of the program's own, of which none is known, the
   *   value handed in
   * @throws RuntimeException as there
   */
  public double exscan(double value, Op op) {
    return collectives("exscan").exscan(value, Op.map(op), DOUBLES);
  }

  /**
   * Combines one integer of each rank before this one, like {@link #exscan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operator
   * @return the result for this rank. Rank 0, which nothing comes before, gets what leaves every value as it is: 0 of a
   *   sum, 1 of a product, the greatest value there is of a minimum, the least one of a maximum, the like of logical
   *   and bitwise operators; of {@link Op#REPLACE} and an operator of the program's own, of which none is known, the
   *   value handed in
   * @throws RuntimeException as there
   */
  public long exscan(long value, Op op) {
    return collectives("exscan").exscan(value, Op.map(op), LONGS);
  }

  @Override
  public void reduceScatterBlock(Data in, Data out, Op op) {
    collectives("reduceScatterBlock").reduceScatterBlock(Form.BLOCKING, placement(in), placement(out),
        Op.map(op));
  }

  @Override
  public void reduceScatter(Data in, Data out, Op op) {
    collectives("reduceScatter").reduceScatter(Form.BLOCKING, placement(in), placement(out), Op.map(op));
  }

  @Override
  public void allgather(Data in, Data out) {
    collectives("allgather").allgather(Form.BLOCKING, placement(in), placement(out));
  }

  @Override
  public void gather(Data in, Data out, int root) {
    collectives("gather").gather(Form.BLOCKING, placement(in), placement(out), root);
  }

  @Override
  public void scatter(Data in, Data out, int root) {
    collectives("scatter").scatter(Form.BLOCKING, placement(in), placement(out), root);
  }

  @Override
  public void alltoall(Data in, Data out) {
    collectives("alltoall").alltoall(Form.BLOCKING, placement(in), placement(out));
  }

  /**
   * {@code started().scan(in, out, op)}.
   *
   * @param in as of {@link #scan(Data, Data, Op)}
   * @param out as of {@link #scan(Data, Data, Op)}
   * @param op as of {@link #scan(Data, Data, Op)}
   * @return its request, active
   * @throws RuntimeException as {@link CommunicatorRequests#scan}
   */
  public Request iscan(Data in, Data out, Op op) {
    return started().scan(in, out, op);
  }

  /**
   * {@code persistent().scan(in, out, op)}.
   *
   * @param in as of {@link #scan(Data, Data, Op)}
   * @param out as of {@link #scan(Data, Data, Op)}
   * @param op as of {@link #scan(Data, Data, Op)}
   * @return its request, inactive
   * @throws RuntimeException as {@link CommunicatorRequests#scan}
   */
  public Request scanInit(Data in, Data out, Op op) {
    return persistent().scan(in, out, op);
  }

  /**
   * {@code started().exscan(in, out, op)}.
   *
   * @param in as of {@link #exscan(Data, Data, Op)}
   * @param out as of {@link #exscan(Data, Data, Op)}
   * @param op as of {@link #exscan(Data, Data, Op)}
   * @return its request, active
   * @throws RuntimeException as {@link CommunicatorRequests#exscan}
   */
  public Request iexscan(Data in, Data out, Op op) {
    return started().exscan(in, out, op);
  }

  /**
   * {@code persistent().exscan(in, out, op)}.
   *
   * @param in as of {@link #exscan(Data, Data, Op)}
   * @param out as of {@link #exscan(Data, Data, Op)}
   * @param op as of {@link #exscan(Data, Data, Op)}
   * @return its request, inactive
   * @throws RuntimeException as {@link CommunicatorRequests#exscan}
   */
  public Request exscanInit(Data in, Data out, Op op) {
    return persistent().exscan(in, out, op);
  }

  @Override
  public CommunicatorRequests started() {
    return started;
  }

  @Override
  public CommunicatorRequests started(Request mine) {
    CollectiveRequests kept = Request.requireNonNull(mine).callsOf(this);
    return kept == null
        ? mine.keep(new CommunicatorRequests(this, this, collectives, Form.STARTED, mine))
        : (CommunicatorRequests) kept;
  }

  @Override
  public CommunicatorRequests persistent() {
    return persistent;
  }

  /** The neighbour collectives of a topology on this communicator. */
  NeighborCalls neighborCalls(NeighborEdges sources, NeighborEdges destinations) {
    return new NeighborCalls(collectives("a topology"), rank, size, sources, destinations);
  }

  /**
   * The collectives of this communicator, as a program calls them; refuses a call of ranks that do not all share
   * memory.
   */
  CollectiveCalls collectives(String call) {
    if (collectives == null) {
      state.requireSlot(call); // which throws
    }
    return collectives;
  }

  @Override
  public void revoke() {
    state.agreement("revoke").revoke();
  }

  @Override
  public int agree(int flags) {
    return state.agreement("agree").agree(flags);
  }

  @Override
  public Communicator shrink() {
    if (shrinking == null) {
      shrinking = new Shrinking(state);
    }
    return face(shrinking.run());
  }

  @Override
  public String toString() {
    return state.toString();
  }

  Condition<Request[]> anyRequest() {
    return anyRequest;
  }

  Engine engine() {
    return engine;
  }

  /** What a receive has got, whose last status was {@code last}, which is returned again where it is equal. */
  Status statusOf(Receive receive, Status last) {
    int source = numbering.rankOf(receive.source());
    return last.isOf(source, receive.tag(), receive.messageLength())
        ? last
        : latest.of(source, receive.tag(), receive.messageLength());
  }

  @Override
  public void release() {
    try {
      state.release();
    } finally {
      noteIfClosed();
    }
  }

  /** Gives it up together with the messages between two groups, see {@link CommunicatorState#between}. */
  void release(Communicator between) {
    try {
      state.release(between.state);
    } finally {
      noteIfClosed();
      between.noteIfClosed();
    }
  }

  @Override
  public void close() {
    try {
      state.close();
    } finally {
      noteIfClosed();
    }
  }

  /** Ends it together with the messages between two groups, see {@link CommunicatorState#between}. */
  void close(Communicator between) {
    try {
      state.close(between.state);
    } finally {
      noteIfClosed();
      between.noteIfClosed();
    }
  }

  private void noteIfClosed() {
    if (!state.isOpen()) {
      size = UNDEFINED;
    }
  }

  /** The job is left: no view of a buffer is needed any more. */
  void forgetBuffers() {
    buffers.clear();
  }

  /** Refuses a communicator that is closed. */
  void requireOpen(String call) {
    if (size == UNDEFINED) {
      state.requireOpen(call);
    }
  }

  /**
   * The request for a receive inside a call: the one that is kept for that, unless another thread may use it or a
   * failed call has left it active.
   */
  private Request ownRequest() {
    return multithreaded || own.isActive() ? new Request() : own;
  }

  /** Sends; when that fails, nothing is left of the receive. */
  private void sendBeside(
      Request receive, MemorySegment memory, long offset, long length, int destination, int tag) {
    try {
      sendFrom(memory, offset, length, destination, tag);
    } catch (RuntimeException e) {
      throw afterReceive(receive, e);
    }
  }

  /** Sends; when that fails, nothing is left of the receive. */
  private void sendBeside(Request receive, Data send, int destination, int tag) {
    try {
      send(send, destination, tag);
    } catch (RuntimeException e) {
      throw afterReceive(receive, e);
    }
  }

  /** Takes a receive back, or waits for its end if its message has begun to come. */
  private static RuntimeException afterReceive(Request receive, RuntimeException cause) {
    try {
      receive.cancel();
      receive.complete(Long.MAX_VALUE);
    } catch (RuntimeException more) {
      cause.addSuppressed(more);
    }
    return cause;
  }

  private void sendFrom(MemorySegment memory, long offset, long length, int destination, int tag) {
    if (requireSend(memory, destination, tag)) {
      engine.send(messages, numbering.jobRank(destination), tag, memory, offset, length);
    }
  }

  private Status receiveInto(MemorySegment memory, long offset, long length, int source, int tag) {
    if (!requireReceive(memory, source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.receive(messages, numbering.jobRank(source), tag, memory, offset, length, result);
    return statusOf(result);
  }

  private Request startSend(
      MemorySegment memory, long offset, long length, int destination, int tag, Request request) {
    return requireSend(memory, destination, tag)
        ? request.begin(this,
            engine.startSend(messages, numbering.jobRank(destination), tag, memory, offset, length))
        : request.beginComplete(this, Status.EMPTY);
  }

  private Request startReceive(MemorySegment memory, long offset, long length, int source, int tag, Request request) {
    if (!requireReceive(memory, source, tag)) {
      return request.beginComplete(this, Status.OF_NOBODY);
    }
    Operation operation =
        engine.startReceive(messages, numbering.jobRank(source), tag, memory, offset, length, latest);
    return operation == null ? request.beginComplete(this, latest.status()) : request.begin(this, operation);
  }

  private Status receivePayload(Data data, int source, int tag) {
    if (!requireReceive(data, source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.receive(messages, numbering.jobRank(source), tag, payload(data), result);
    return statusOf(result);
  }

  /** Starts an operation whose arguments were checked. */
  private Request start(Operation.Kind kind, Data data, int peer, int tag, Request request) {
    int jobRank = numbering.jobRank(peer);
    return request.begin(this, engine.start(kind, messages, jobRank, tag, payload(data)));
  }

  /** A persistent request for an operation whose arguments were checked. */
  private Request prepare(Operation.Kind kind, Data data, int peer, int tag) {
    int jobRank = numbering.jobRank(peer);
    return new Request(this,
        engine.prepare(kind, messages, jobRank, tag, data.placement(buffers).lastingPayload(spaces)));
  }

  /** Where the engine notes what a call has received. */
  Status.Latest result() {
    return multithreaded ? latest.forThisCall() : latest;
  }

  Status statusOf(Status.Latest result) {
    Status status = result.status();
    if (multithreaded) {
      latest.keep(status);
    }
    return status;
  }

  /** Whether data goes as a {@link #payload}, rather than as the memory that it is in. */
  boolean isPayload(Data data) {
    return data.isScattered() || checksTypes && data.type() != null;
  }

  /** A slice of data that goes as a payload; refuses what is no memory at all. */
  private Data part(Data whole, long first, long count) {
    whole.placement(buffers).requireUsable(multithreaded);
    return whole.part(first, count);
  }

  Payload payload(Data data) {
    return data.placement(buffers).payload(spaces);
  }

  /** What collectives know of data; null of null, which they refuse. */
  Placement placement(Data data) {
    return data == null ? null : data.placement(buffers);
  }

  private static long bytes(MemorySegment buffer) {
    return Buffers.requireNonNull(buffer).byteSize();
  }

  private boolean requireSend(MemorySegment memory, int destination, int tag) {
    Buffers.requireUsable(memory, multithreaded);
    return requireSendTo(destination, tag);
  }

  /** Whether there is somebody to send to. */
  private boolean requireSendTo(int destination, int tag) {
    requireTag(tag, false);
    return destination >= 0 && destination < size || isNobody(destination, "destination", "NO_RANK (-2)");
  }

  /** Out of line: a number that is no rank's stands for nobody, or is refused. */
  private boolean isNobody(int peer, String role, String others) {
    requireOpen("source".equals(role) ? "a receive" : "a send");
    if (peer != NO_RANK) {
      throw new ArgumentException(Reason.RANK,
          "%s %d; this communicator has ranks 0 to %d, and %s".formatted(role, peer, size - 1, others));
    }
    engine.requireOpen();
    return false;
  }

  /** Refuses what is not the number of a rank, for what only a rank can have. */
  private void requireRank(int destination, String what) {
    if (destination == NO_RANK) {
      throw new ArgumentException(Reason.RANK,
          "a %s to NO_RANK, where nobody has what is written; send to it, which is complete at once".formatted(what));
    }
    if (destination < 0 || destination >= size) {
      requireOpen("a " + what);
      throw new ArgumentException(Reason.RANK,
          "destination %d; this communicator has ranks 0 to %d".formatted(destination, size - 1));
    }
  }

  private boolean requireReceive(MemorySegment memory, int source, int tag) {
    Buffers.requireWritable(memory, multithreaded);
    return requireReceiveFrom(source, tag);
  }

  /** Whether there is somebody to receive from. */
  private boolean requireReceiveFrom(int source, int tag) {
    requireTag(tag, true);
    return source >= ANY_SOURCE && source < size
        || isNobody(source, "source", "ANY_SOURCE (-1) and NO_RANK (-2)");
  }

  private void requireClaim(int destination, int tag) {
    requireRank(destination, "claim");
    requireTag(tag, false);
  }

  private static void requireTag(int tag, boolean orAny) {
    if (tag < 0 && !(orAny && tag == Communicator.ANY_TAG)) {
      throw new ArgumentException(Reason.TAG,
          "tag %d; allowed are 0 to %d%s".formatted(tag, Integer.MAX_VALUE, orAny ? ", and ANY_TAG (-1)" : ""));
    }
  }

  private boolean requireSend(Data data, int destination, int tag) {
    if (Data.requireNonNull(data).isScattered()) {
      data.placement(buffers).requireUsable(multithreaded);
    } else {
      Buffers.requireUsable(data.memory(buffers), multithreaded);
    }
    return requireSendTo(destination, tag);
  }

  /** Refuses data that cannot be received into now. */
  void requireReceivable(Data data) {
    if (Data.requireNonNull(data).isScattered()) {
      data.placement(buffers).requireReceivable(multithreaded);
    } else {
      Buffers.requireWritable(data.memory(buffers), multithreaded);
    }
  }

  private boolean requireReceive(Data data, int source, int tag) {
    requireReceivable(data);
    return requireReceiveFrom(source, tag);
  }
}
