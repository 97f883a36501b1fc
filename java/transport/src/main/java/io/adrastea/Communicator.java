package io.adrastea;

import io.adrastea.context.ContextSlot;
import io.adrastea.core.Spaces;
import io.adrastea.engine.Engine;
import io.adrastea.engine.MessageBarrier;
import io.adrastea.engine.ZeroCopy;
import io.adrastea.engine.collective.Agreement;
import io.adrastea.engine.collective.Collectives;
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
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import io.adrastea.link.Slots;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A group of ranks that exchange messages among themselves. Messages are matched by source and tag; between two ranks
 * they do not overtake each other (MPI's rules [MPICH2 2007, 3.1]).
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "communicator"}
 *
 * <p>
 * What is sent, and where a message goes, is {@link Data}: an array, a segment, a byte buffer, or an I/O vector of
 * several pieces of memory. {@code send}, {@code recv}, {@code isend} and {@code irecv} take a segment, and elements of
 * an array, as they are, too, and make no object for them. A send may be shorter than the data that receives it, never
 * longer. Messages are also read, and written, where they lie: {@link #recvMessage}, {@link #claim}.
 *
 * <p>
 * A large message ({@code adrastea.eager.bytes}) is not buffered: its bytes stay where they are until a receive has
 * matched it, and then go straight to the receiver's memory where the system allows it [MPICH2 2007, 3.2]. So a
 * blocking send of one returns when it was received, and two ranks that both send one before they receive wait for each
 * other: use {@link #sendrecv} or {@link #isend}. Fastest are {@link Job#allocate shared allocations}, then native
 * memory, then arrays. Operations that were started and are not waited for move on inside other calls only.
 *
 * <p>
 * All calls check their arguments before anything is sent, and throw: {@link NullPointerException},
 * {@link IllegalArgumentException} (rank, tag, read-only receive buffer), {@link IndexOutOfBoundsException} (offset,
 * count), {@link IllegalStateException} (closed arena, closed job), {@link WrongThreadException} (confined buffer),
 * {@link ConcurrentUseException}; calls that wait also {@link RankFailedException} when the peer died or left, and
 * receives {@link TruncationException}.
 *
 * <p>
 * An interrupt ends a wait with {@link InterruptedWaitException}; the interrupt stays set, and calls that need not wait
 * do not look at it. A receive, or a claim, is taken back then; one whose message has begun to come goes on to its end,
 * so that none is lost. A send of which nothing has gone out is taken back; one of which some pieces have is called
 * off, which its receiver gets as an exception. A large one, whose bytes its receiver may take at any moment, is taken
 * back once the receiver has noticed, in its next call; it goes on when a receive has matched it. A probe, a barrier or
 * {@link Request#await} leaves all as it is, and can be called again.
 *
 * <p>
 * The calling thread may be a virtual one, but a wait keeps its carrier: give ranks that wait platform threads, or ask
 * with {@link #iprobe}, {@link Request#test} and the like, which return at once.
 */
public final class Communicator implements AutoCloseable {
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
  public static final int UNDEFINED = Integer.MIN_VALUE;

  /** In {@link #split}: this rank is in none of the new communicators. */
  public static final int NO_COLOR = -1;

  private static final long LEAST_ASIDE_BYTES = 1 << 10;
  private static final long KEPT_ASIDE_BYTES = 1 << 20;

  private final Engine engine;
  private final Spaces spaces; // of the core of the job: it packs
  private final Condition<Request[]> anyRequest; // that one of several is complete
  private final ZeroCopy zeroCopy;
  private final Numbering numbering;
  private final Members members;
  private final int rank;
  private int size; // UNDEFINED: closed, and every number is too high
  private final Context messages;
  private final Context internal; // of what ranks tell each other inside a call of all of them; null: between groups
  private final CollectiveCalls collectives; // null: the members do not all share memory
  private final Agreement agreement; // null likewise
  private final boolean counts; // at the barrier: a link has one of just these ranks
  private final MessageBarrier barrier; // null: there is another
  private final boolean many;
  private final Buffers buffers; // of the job
  private final boolean checksTypes; // then whatever has a type goes as a payload, which tells it
  private final Burst[] bursts; // of the job, by job rank
  private final Request own = new Request();
  private MemorySegment aside; // for what sendrecvReplace sends; null: none yet
  private final Status.Latest latest;
  private final Communicators communicators; // of the job
  private final ContextSlot slot; // null: it has none of its own
  private final InternalMessages inner;
  private Communicators.Shrinking shrinking; // that was interrupted, or goes on; null: none

  /** Makes the communicator of all ranks of a job. */
  Communicator(Engine engine, Communicators communicators, int jobRank, int jobSize, boolean many) {
    this(
        engine, communicators, null, new Buffers(), new Burst[jobSize], jobRank, Numbering.world(jobSize), 0, false,
        many);
  }

  private Communicator(
      Engine engine,
      Communicators communicators,
      ContextSlot slot,
      Buffers buffers,
      Burst[] bursts,
      int rank,
      Numbering numbering,
      int id,
      boolean between,
      boolean many) {
    this.engine = engine;
    this.communicators = communicators;
    this.slot = slot;
    this.spaces = engine.spaces();
    this.zeroCopy = engine.zeroCopy();
    this.anyRequest = Engine.anyOf(Request::pending);
    this.numbering = numbering;
    this.members =
        new Members(numbering, id == 0 ? "world" : "communicator " + Context.communicator(id));
    this.rank = rank;
    this.size = numbering.size();
    this.many = many;
    this.buffers = buffers;
    this.checksTypes = engine.checksTypes();
    this.bursts = bursts;
    this.latest = new Status.Latest(Status.EMPTY, numbering);
    this.messages = engine.open(between ? Context.between(id) : Context.number(id, false), members);
    this.internal = between ? null : engine.open(Context.number(id, true), members);
    this.collectives = collectives(engine.slots(members), id);
    this.agreement = collectives == null ? null : engine.agreement(members, rank, place(engine.slots(members)));
    if (agreement != null) {
      members.revokedBy(agreement::isRevoked);
    }
    if (slot != null) {
      members.settledBy(slot::settle);
    }
    this.counts = id == 0 && engine.hasBarrier();
    this.barrier = collectives == null && !counts && !between ? new MessageBarrier(engine, internal, rank) : null;
    this.inner = new InternalMessages(engine, internal, numbering);
  }

  private MemorySegment place(Slots slots) {
    return slot == null ? slots.worldSlot() : slot.memory();
  }

  /** Makes the collectives that go through the slot of this communicator; null: it has none. */
  private CollectiveCalls collectives(Slots slots, int id) {
    if (slots == null || slot == null && id != 0) {
      return null;
    }
    return new CollectiveCalls(engine.collectives(slots, members, rank, place(slots)), spaces, buffers, rank, size,
        many);
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
      throw new IllegalArgumentException(
          "a group of a job of %d ranks; this job has %d".formatted(numbering.jobSize(), world.size));
    }
    if (!numbering.contains(world.rank)) {
      throw new IllegalArgumentException(
          "rank %d is not among %s; only members make a communicator".formatted(world.rank, numbering));
    }
    if (number <= 0 || number >= Context.NUMBERS || generation < 0 || generation >= Context.GENERATIONS) {
      throw new IllegalArgumentException(
          "number %d, generation %d of a communicator; allowed are numbers 1 to %d, generations 0 to %d"
              .formatted(number, generation, Context.NUMBERS - 1, Context.GENERATIONS - 1));
    }
    return world.with(null, numbering, Context.id(number, generation));
  }

  /** Makes another communicator of this rank. */
  private Communicator with(ContextSlot slot, Numbering numbering, int id) {
    int number = numbering.rankOf(this.numbering.jobRank(rank));
    return new Communicator(engine, communicators, slot, buffers, bursts, number, numbering, id, false, many);
  }

  /** Makes another communicator, whose members have agreed on that slot. */
  Communicator open(Numbering numbering, ContextSlot slot) {
    return with(slot, numbering, slot.id());
  }

  /**
   * The messages of an intercommunicator whose members are those of this communicator: to and from the other group, by
   * the numbers that its ranks have there. There are no collectives in it, and it ends with this one ({@link #close}).
   *
   * @param other ranks of the other group
   * @param number this rank's in its own group
   */
  Communicator between(Numbering other, int number) {
    Communicator between =
        new Communicator(engine, communicators, null, buffers, bursts, number, other, slot.id(), true, many);
    between.members.revokedBy(agreement::isRevoked);
    return between;
  }

  /**
   * This process's number here.
   *
   * @return 0 to size − 1
   */
  public int rank() {
    return rank;
  }

  /**
   * How many ranks there are here.
   *
   * @return 1 or more
   */
  public int size() {
    return numbering.size();
  }

  /**
   * The ranks of this communicator in their order, as a group to make others of. Also when it is closed.
   *
   * @return made anew at each call
   */
  public Group group() {
    return Group.of(engine, numbering.jobRank(rank), numbering);
  }

  /** The group as the engine has it. */
  Numbering numbering() {
    return numbering;
  }

  /**
   * What the communicator is called in {@link #toString}: for people, and on this rank alone.
   *
   * @return the name that {@link #setName} gave it; {@code world}, or {@code communicator} and its number, where none
   *   was given
   */
  public String name() {
    return members.label();
  }

  /**
   * Names the communicator on this rank.
   *
   * @param name what {@link #name} is to give
   * @throws NullPointerException when the name is null
   */
  public void setName(String name) {
    members.label(Objects.requireNonNull(name, "the name of a communicator is null"));
  }

  /**
   * Makes another communicator of the same ranks in the same order, whose messages do not mix with this one's: for a
   * library, which so keeps its messages apart from those of its caller. All ranks of this communicator call it. What
   * this one's failures acknowledged, its name and its messages are, the new one does not take over.
   *
   * @return the new communicator, to be closed
   * @throws CapabilityException when a rank shares no memory with this one, or takes part in no collective operation (C
   * ranks of {@code job.h}); nothing was begun
   * @throws AdrasteaException when all numbers of communicators are taken; on all ranks
   * @throws SegmentException when there is no room for its slot in shared memory, on rank 0; the others then get an
   * {@link AdrasteaException}
   * @throws RankFailedException when a rank died or left that this one waited for
   * @throws IllegalStateException when this communicator is closed, or the job was left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   */
  public Communicator dup() {
    return communicators.dup(this, forNew("dup"));
  }

  /**
   * Makes communicators of the ranks that name the same color. All ranks of this communicator call it.
   *
   * @param color 0 or more; {@link #NO_COLOR}: this rank is in none of them
   * @param key ranks with a lower one come first, those with the same one in the order that they have here
   * @return the communicator of this rank's color, to be closed; null for {@link #NO_COLOR}
   * @throws IllegalArgumentException when there is no such color; nothing was begun
   * @throws CapabilityException as {@link #dup}
   * @throws AdrasteaException as there, on the ranks of that color
   * @throws SegmentException as there
   * @throws RankFailedException when a rank died or left
   * @throws IllegalStateException as {@link #dup}
   * @throws InterruptedWaitException as there
   */
  public Communicator split(int color, int key) {
    return communicators.split(this, forNew("split"), color, key);
  }

  /**
   * Makes communicators of the ranks that share memory: those of one node. All ranks of this communicator call it.
   *
   * @param key as of {@link #split}
   * @return the communicator of this rank's node, to be closed
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitNode(int key) {
    return communicators.split(this, forNew("splitNode"), communicators.node(), key);
  }

  /**
   * Makes communicators of the ranks whose CPUs ({@link Job#cpus}) share a cache, the last one before memory. All ranks
   * of this communicator call it. It reads the topology of the node, which takes milliseconds.
   *
   * @param key as of {@link #split}
   * @return the communicator of the ranks at this rank's cache, to be closed; null: this rank may run on CPUs of
   *   several caches, or the system tells of none
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitCache(int key) {
    requireOpen("splitCache");
    return communicators.split(this, forNew("splitCache"), communicators.cacheColor(), key);
  }

  /**
   * Makes communicators of the ranks whose CPUs ({@link Job#cpus}) are on one NUMA node. All ranks of this communicator
   * call it. It reads the topology of the node, which takes milliseconds.
   *
   * @param key as of {@link #split}
   * @return the communicator of the ranks on this rank's NUMA node, to be closed; null: this rank may run on CPUs of
   *   several
   * @throws RuntimeException as {@link #split}
   */
  public Communicator splitNuma(int key) {
    requireOpen("splitNuma");
    return communicators.split(this, forNew("splitNuma"), communicators.numaColor(), key);
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
    return communicators.subset(this, inner, tag, ranks);
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
   * Ranks of this communicator that have failed: they gave up, or their processes are gone without having closed the
   * job, whatever the exit code. Looks at all of them now. Those that left in order ({@link #leftRanks}) are not among
   * them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers here, ascending, empty when none has; a list that does not change, and that of this moment
   *   only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> failedRanks() {
    return numbers(engine.failedRanks(members));
  }

  /**
   * Goes on without the ranks of this communicator that have failed. As long as a failure is not acknowledged every
   * receive and probe from {@link #ANY_SOURCE} fails with it, since the message might have come from that rank.
   * Afterwards they wait for the ranks that are there, and fail for a rank that fails later, until that is acknowledged
   * too; also one that is pending, if it has not failed yet. So a server whose clients may die acknowledges, and
   * receives again ({@code run --keep-going} keeps the launcher from ending the job). Clients that leave in order end
   * its receive once no other rank is there any more, see {@link #acknowledgeLeftRanks}:
   *
   * {@snippet :
   * while (!clients.isEmpty()) { // a Set of ranks
   *   try {
   *     answer(world.recv(request, ANY_SOURCE, REQUEST));
   *   } catch (RankLeftException e) {
   *     world.acknowledgeLeftRanks().forEach(clients::remove);
   *   } catch (RankFailedException e) {
   *     world.acknowledgeFailedRanks().forEach(clients::remove);
   *   }
   * }
   * }
   *
   * <p>
   * Or it acknowledges in the handler of {@link Job#onRankFailure}, which is called before a receive that waits fails:
   * then the one that the thread waits in goes on. Messages that a failed rank has sent are received all the same; one
   * that breaks off fails its receive, once. What needs a failed rank by its number, and the barrier, fail as before.
   * When no other rank is there any more, because each has failed or left, a receive from any fails, acknowledged or
   * not, since nobody could send; with {@link ThreadLevel#MULTIPLE} it waits for other threads of this rank, once all
   * others are acknowledged.
   *
   * <p>
   * Looks at all ranks now. An acknowledgement is this rank's alone, and this communicator's, and cannot be taken back.
   * Any thread may call, at any {@link ThreadLevel}, also from a handler. After MPIX_Comm_failure_ack and
   * MPIX_Comm_failure_get_acked of ULFM, MPI's User Level Failure Mitigation.
   *
   * @return all that have failed, and are acknowledged now: their numbers here, ascending, empty when none has; a list
   *   that does not change
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> acknowledgeFailedRanks() {
    return numbers(engine.acknowledgeFailedRanks(members));
  }

  /**
   * Ranks of this communicator that have left the job in order: they have closed it. Looks at all of them now. Those
   * that have failed ({@link #failedRanks}) are not among them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers here, ascending, empty when none has; a list that does not change, and that of this moment
   *   only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> leftRanks() {
    return numbers(engine.leftRanks(members));
  }

  /**
   * Says that the program knows of the ranks of this communicator that have left the job in order. A rank that leaves
   * keeps no receive from {@link #ANY_SOURCE} waiting that another rank can still end, so such a receive, or probe,
   * fails for ranks that left only when no other rank is there any more: with a {@link RankLeftException} if one of
   * these is not acknowledged, whatever the {@link ThreadLevel}. All that they had sent was received by then. After the
   * acknowledgement such a receive still fails, since nobody could send; but with {@link ThreadLevel#MULTIPLE} it waits
   * for other threads of this rank.
   *
   * <p>
   * Looks at all ranks now. An acknowledgement is this rank's alone, and this communicator's, and cannot be taken back.
   * Any thread may call, at any {@link ThreadLevel}, also from a handler of {@link Job#onRankFailure}.
   *
   * @return all that have left, and are acknowledged now: their numbers here, ascending, empty when none has; a list
   *   that does not change
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> acknowledgeLeftRanks() {
    return numbers(engine.acknowledgeLeftRanks(members));
  }

  private List<Integer> numbers(List<Integer> jobRanks) {
    return jobRanks.stream().map(numbering::rankOf).sorted().toList();
  }

  /**
   * Sends data; returns when its memory can be used again, which may be before it is received.
   *
   * @param data what is sent
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public void send(Data data, int destination, int tag) {
    if (!isPayload(Data.requireNonNull(data))) {
      sendFrom(data.memory(buffers), data.offset(), data.contiguousBytes(), destination, tag);
    } else if (requireSend(data, destination, tag)) {
      engine.send(messages, numbering.jobRank(destination), tag, payload(data));
    }
  }

  /**
   * Sends a segment, like {@link #send(Data, int, int)}.
   *
   * @param segment all of it is sent
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(MemorySegment segment, int destination, int tag) {
    sendFrom(segment, 0, bytes(segment), destination, tag);
  }

  /**
   * Sends bytes of a segment, like {@link #send(Data, int, int)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(MemorySegment segment, long offset, long bytes, int destination, int tag) {
    Data.requireRange(segment, offset, bytes);
    sendFrom(segment, offset, bytes, destination, tag);
  }

  /**
   * Sends elements of an array, like {@link #send(Data, int, int)} of {@code Data.of(array, offset, count)}, and makes
   * no object for them.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(byte[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 0, destination, tag);
  }

  /**
   * Sends elements of a {@code short[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(short[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 1, destination, tag);
  }

  /**
   * Sends elements of a {@code char[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(char[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 1, destination, tag);
  }

  /**
   * Sends elements of an {@code int[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(int[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 2, destination, tag);
  }

  /**
   * Sends elements of a {@code long[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(long[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 3, destination, tag);
  }

  /**
   * Sends elements of a {@code float[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(float[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 2, destination, tag);
  }

  /**
   * Sends elements of a {@code double[]}, like {@link #send(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void send(double[] array, int offset, int count, int destination, int tag) {
    sendElements(array, Data.requireArray(array).length, offset, count, 3, destination, tag);
  }

  /**
   * Sends data synchronously: returns when a receive has matched the message, and its memory can be used again. No
   * message is buffered for it, so it waits for ever where nobody receives; one to this rank itself needs a receive
   * that was started before, or that another thread calls. An interrupt takes it back once the receiver has noticed, if
   * no receive has matched it by then, as that of a large message. A matched probe and {@link #recvMessage} match, and
   * so does {@link #tryRecvMessage} once it has begun to fetch the message.
   *
   * @param data what is sent
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the link to that rank shares no memory, or the cells of the job are too
   * small
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  public void ssend(Data data, int destination, int tag) {
    if (requireSend(data, destination, tag)) {
      engine.sendSynchronously(messages, numbering.jobRank(destination), tag, payload(data));
    }
  }

  /**
   * Receives into data; returns when the message is there.
   *
   * @param data where the message goes; its length is the most that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws TruncationException when the message is longer than the data
   * @throws TypeMismatchException when the basic types of the message are others, and the job checks types
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Status recv(Data data, int source, int tag) {
    return isPayload(Data.requireNonNull(data))
        ? receivePayload(data, source, tag)
        : receiveInto(data.memory(buffers), data.offset(), data.contiguousBytes(), source, tag);
  }

  /**
   * Receives with a time limit, like {@link #recv(Data, int, int)}.
   *
   * @param data where the message goes
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param limit the longest wait for the message to begin to come; none where it is not above zero
   * @return source, tag and length
   * @throws TimeLimitException when none has come: nothing was received, and the memory is free
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(Data data, int source, int tag, Duration limit) {
    long nanos = Request.nanos(limit);
    return irecv(data, source, tag, ownRequest()).complete(nanos);
  }

  /**
   * Receives into a segment, like {@link #recv(Data, int, int)}.
   *
   * @param segment where the message goes; its length is the most that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(MemorySegment segment, int source, int tag) {
    return receiveInto(segment, 0, bytes(segment), source, tag);
  }

  /**
   * Receives into bytes of a segment, like {@link #recv(Data, int, int)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(MemorySegment segment, long offset, long bytes, int source, int tag) {
    Data.requireRange(segment, offset, bytes);
    return receiveInto(segment, offset, bytes, source, tag);
  }

  /**
   * Receives into elements of an array, like {@link #recv(Data, int, int)}, and makes no object for them.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(byte[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 0, source, tag);
  }

  /**
   * Receives into elements of a {@code short[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(short[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 1, source, tag);
  }

  /**
   * Receives into elements of a {@code char[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(char[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 1, source, tag);
  }

  /**
   * Receives into elements of an {@code int[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(int[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 2, source, tag);
  }

  /**
   * Receives into elements of a {@code long[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(long[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 3, source, tag);
  }

  /**
   * Receives into elements of a {@code float[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(float[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 2, source, tag);
  }

  /**
   * Receives into elements of a {@code double[]}, like {@link #recv(byte[], int, int, int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  public Status recv(double[] array, int offset, int count, int source, int tag) {
    return receiveElements(array, Data.requireArray(array).length, offset, count, 3, source, tag);
  }

  /**
   * Starts a send.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Request isend(Data data, int destination, int tag) {
    return isend(data, destination, tag, new Request());
  }

  /**
   * Starts a send like {@link #isend(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  public Request isend(Data data, int destination, int tag, Request request) {
    Request.requireFree(request);
    if (!isPayload(Data.requireNonNull(data))) {
      return startSend(data.memory(buffers), data.offset(), data.contiguousBytes(), destination, tag, request);
    }
    requireSend(data, destination, tag);
    return start(Operation.Kind.SEND, data, destination, tag, request);
  }

  /**
   * Starts a send of a segment, like {@link #isend(Data, int, int)}.
   *
   * @param segment not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  public Request isend(MemorySegment segment, int destination, int tag) {
    return isend(segment, destination, tag, new Request());
  }

  /**
   * Starts a send of a segment with a request of the caller's, like {@link #isend(Data, int, int, Request)}.
   *
   * @param segment not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(MemorySegment segment, int destination, int tag, Request request) {
    Request.requireFree(request);
    return startSend(segment, 0, bytes(segment), destination, tag, request);
  }

  /**
   * Starts a send of bytes of a segment, like {@link #isend(Data, int, int)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  public Request isend(MemorySegment segment, long offset, long bytes, int destination, int tag) {
    return isend(segment, offset, bytes, destination, tag, new Request());
  }

  /**
   * Starts a send of bytes of a segment with a request of the caller's, like {@link #isend(Data, int, int, Request)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(
      MemorySegment segment, long offset, long bytes, int destination, int tag, Request request) {
    Request.requireFree(request);
    Data.requireRange(segment, offset, bytes);
    return startSend(segment, offset, bytes, destination, tag, request);
  }

  /**
   * Starts a send of elements of an array, like {@link #isend(Data, int, int, Request)}: no object is made.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(byte[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 0, destination, tag, request);
  }

  /**
   * Starts a send of elements of a {@code short[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(short[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 1, destination, tag, request);
  }

  /**
   * Starts a send of elements of a {@code char[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(char[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 1, destination, tag, request);
  }

  /**
   * Starts a send of elements of an {@code int[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(int[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 2, destination, tag, request);
  }

  /**
   * Starts a send of elements of a {@code long[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(long[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 3, destination, tag, request);
  }

  /**
   * Starts a send of elements of a {@code float[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(float[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 2, destination, tag, request);
  }

  /**
   * Starts a send of elements of a {@code double[]}, like {@link #isend(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  public Request isend(double[] array, int offset, int count, int destination, int tag, Request request) {
    return startSendOf(array, Data.requireArray(array).length, offset, count, 3, destination, tag, request);
  }

  /**
   * Starts a synchronous send, which is complete when a receive has matched the message and its memory can be used
   * again, see {@link #ssend}. It cannot be cancelled once it is out.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the link to that rank shares no memory, or the cells of the job are too
   * small
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  public Request issend(Data data, int destination, int tag) {
    return issend(data, destination, tag, new Request());
  }

  /**
   * Starts a synchronous send like {@link #issend(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #issend(Data, int, int)}
   */
  public Request issend(Data data, int destination, int tag, Request request) {
    Request.requireFree(request);
    requireSend(data, destination, tag);
    return start(Operation.Kind.SYNCHRONOUS_SEND, data, destination, tag, request);
  }

  /**
   * Starts a receive.
   *
   * @param data not to be touched until completion
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be completed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Request irecv(Data data, int source, int tag) {
    return irecv(data, source, tag, new Request());
  }

  /**
   * Starts a receive like {@link #irecv(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be touched until completion
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  public Request irecv(Data data, int source, int tag, Request request) {
    Request.requireFree(request);
    if (!isPayload(Data.requireNonNull(data))) {
      return startReceive(data.memory(buffers), data.offset(), data.contiguousBytes(), source, tag, request);
    }
    requireReceive(data, source, tag);
    return start(Operation.Kind.RECEIVE, data, source, tag, request);
  }

  /**
   * Starts a receive into a segment, like {@link #irecv(Data, int, int)}.
   *
   * @param segment not to be touched until completion
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be completed
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  public Request irecv(MemorySegment segment, int source, int tag) {
    return irecv(segment, source, tag, new Request());
  }

  /**
   * Starts a receive into a segment with a request of the caller's, like {@link #irecv(Data, int, int, Request)}.
   *
   * @param segment not to be touched until completion
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(MemorySegment segment, int source, int tag, Request request) {
    Request.requireFree(request);
    return startReceive(segment, 0, bytes(segment), source, tag, request);
  }

  /**
   * Starts a receive into bytes of a segment, like {@link #irecv(Data, int, int)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be completed
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  public Request irecv(MemorySegment segment, long offset, long bytes, int source, int tag) {
    return irecv(segment, offset, bytes, source, tag, new Request());
  }

  /**
   * Starts a receive into bytes of a segment with a request of the caller's, like
   * {@link #irecv(Data, int, int, Request)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(
      MemorySegment segment, long offset, long bytes, int source, int tag, Request request) {
    Request.requireFree(request);
    Data.requireRange(segment, offset, bytes);
    return startReceive(segment, offset, bytes, source, tag, request);
  }

  /**
   * Starts a receive into elements of an array, like {@link #irecv(Data, int, int, Request)}: no object is made.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(byte[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 0, source, tag, request);
  }

  /**
   * Starts a receive into elements of a {@code short[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(short[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 1, source, tag, request);
  }

  /**
   * Starts a receive into elements of a {@code char[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(char[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 1, source, tag, request);
  }

  /**
   * Starts a receive into elements of an {@code int[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(int[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 2, source, tag, request);
  }

  /**
   * Starts a receive into elements of a {@code long[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(long[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 3, source, tag, request);
  }

  /**
   * Starts a receive into elements of a {@code float[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(float[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 2, source, tag, request);
  }

  /**
   * Starts a receive into elements of a {@code double[]}, like {@link #irecv(byte[], int, int, int, int, Request)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count the most elements that can be received
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  public Request irecv(double[] array, int offset, int count, int source, int tag, Request request) {
    return startReceiveInto(array, Data.requireArray(array).length, offset, count, 3, source, tag, request);
  }

  /**
   * Sends and receives at once; the two may have any partners, also each other.
   *
   * @param send what is sent
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param sendTag 0 or more
   * @param recv where the message goes; it must not overlap what is sent
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param recvTag 0 or more, or {@link #ANY_TAG}
   * @return what was received
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the buffer is read-only
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws TruncationException when the message is longer than the buffer
   * @throws TypeMismatchException when the basic types of the message are others, and the job checks types
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Status sendrecv(Data send, int destination, int sendTag, Data recv, int source, int recvTag) {
    requireSend(send, destination, sendTag);
    Request receive = irecv(recv, source, recvTag, ownRequest());
    sendBeside(receive, send, destination, sendTag);
    return receive.complete(Long.MAX_VALUE);
  }

  /**
   * Sends data and receives a message in its place; returns when both are done. What is sent is copied aside first,
   * since the message may come at once.
   *
   * @param data what is sent, and then what was received
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param sendTag tag of the message that is sent, 0 or more
   * @param source rank to receive from, {@link #ANY_SOURCE}, or {@link #NO_RANK}, which leaves the data as it is
   * @param recvTag tag of the message that is received, 0 or more, or {@link #ANY_TAG}
   * @return what was received
   * @throws RuntimeException as {@link #sendrecv}
   */
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
    if (many || bytes > KEPT_ASIDE_BYTES) {
      MemorySegment copy = Arena.ofAuto().allocate(bytes);
      data.copyTo(spaces, copy, 0);
      return copy;
    }
    if (aside == null || aside.byteSize() < bytes) {
      aside = Arena.ofAuto().allocate(Math.max(LEAST_ASIDE_BYTES, 2 * Long.highestOneBit(Math.max(1, bytes))));
    }
    MemorySegment copy = aside.asSlice(0, bytes);
    data.copyTo(spaces, copy, 0);
    return copy;
  }

  /**
   * Prepares a send that is started again and again.
   *
   * @param data sent anew at each start; of an I/O vector the entries that it has now
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return a persistent request, idle
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   */
  public Request sendInit(Data data, int destination, int tag) {
    requireSend(data, destination, tag);
    return prepare(Operation.Kind.SEND, data, destination, tag);
  }

  /**
   * Prepares a synchronous send that is started again and again, see {@link #ssend}.
   *
   * @param data sent anew at each start; of an I/O vector the entries that it has now
   * @param destination rank to send to, which may be this one, or {@link #NO_RANK}
   * @param tag 0 or more
   * @return a persistent request, idle
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the link to that rank shares no memory, or the cells of the job are too
   * small
   * @throws RuntimeException as {@link #sendInit}
   */
  public Request ssendInit(Data data, int destination, int tag) {
    requireSend(data, destination, tag);
    return prepare(Operation.Kind.SYNCHRONOUS_SEND, data, destination, tag);
  }

  /**
   * Prepares a receive that is started again and again.
   *
   * @param data filled anew at each start; of an I/O vector the entries that it has now
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return a persistent request, idle
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   */
  public Request recvInit(Data data, int source, int tag) {
    requireReceive(data, source, tag);
    return prepare(Operation.Kind.RECEIVE, data, source, tag);
  }

  /**
   * Waits for a message and hands it over where it lies, without a copy. It counts as received even when the handler
   * throws.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param handler called once, by this thread; what it throws is thrown on
   * @throws NullPointerException when an argument is null
   * @throws RuntimeException as {@link #recvMessage}
   */
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

  /**
   * Hands the messages that are there, whatever their source and tag, to a handler, one after the other, where they
   * lie, and waits for none: the receive of an event loop.
   *
   * {@snippet class = "io.adrastea.example.Examples" region = "poll"}
   *
   * <p>
   * Messages that came before anybody asked for them are first, in the order of their arrival. Those of one source come
   * in the order in which they were sent. What a receive matches that was started before goes to that receive. A
   * message that is not all here yet, since it is large or comes in pieces, is not handed now, and those behind it from
   * the same source wait for it; others do not. It moves on in every call.
   *
   * <p>
   * The handler may do what that of {@link #recv(int, int, MessageHandler)} may: receive, send, release the message
   * early, poll, leave the job, which ends this call. What it receives are the messages behind the one it was handed. A
   * message counts as received when the handler is called; when that throws, those behind it stay. A source that has
   * failed is no error here, as in {@link #iprobe}; a message of it that was cut short is, once.
   *
   * @param handler called by this thread; what it throws is thrown on; each message is valid until it returns
   * @param limit the most messages, 1 or more
   * @return how many the handler was handed, 0 to {@code limit}
   * @throws NullPointerException when the handler is null
   * @throws IllegalArgumentException when the limit is below 1
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when the sender of a message died or left before all of it was here
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
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

  /**
   * Waits for a message and leaves it where it lies, without a copy, until it is released.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be released, soon, since what it lies in is missing to its sender
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Message recvMessage(int source, int tag) {
    requireReceiveFrom(source, tag);
    return Message.of(this, zeroCopy, zeroCopy.receive(messages, numbering.jobRank(source), tag));
  }

  /**
   * Takes a message that is there whole and leaves it where it lies.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be released; null when none is there whole
   * @throws RuntimeException as {@link #recvMessage}
   */
  public Message tryRecvMessage(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return recvMessage(source, tag);
    }
    Receive received = zeroCopy.tryReceive(messages, numbering.jobRank(source), tag);
    return received == null ? null : Message.of(this, zeroCopy, received);
  }

  /**
   * Waits for a message and takes it without receiving it: a matched probe. Its source, tag and length are known then,
   * and no other receive or probe gets it, whatever threads there are; it is received by {@link Message#recv}, or read
   * where it lies after {@link Message#await}. An interrupt leaves all as it is.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be received or released
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Message mprobe(int source, int tag) {
    return takeMessage(source, tag, Long.MAX_VALUE);
  }

  /**
   * Waits for a message and takes it with a time limit, like {@link #mprobe(int, int)}.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param limit the longest wait
   * @return to be received or released
   * @throws TimeLimitException when none has come
   * @throws RuntimeException as {@link #mprobe(int, int)}
   */
  public Message mprobe(int source, int tag, Duration limit) {
    return takeMessage(source, tag, Request.nanos(limit));
  }

  private Message takeMessage(int source, int tag, long nanos) {
    return requireReceiveFrom(source, tag)
        ? Message.ofHeld(this, zeroCopy, zeroCopy.probe(messages, numbering.jobRank(source), tag, nanos))
        : recvMessage(source, tag);
  }

  /**
   * Takes a message that is there, or whose beginning is, without receiving it, see {@link #mprobe(int, int)}.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return to be received or released; null when none is there
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Message improbe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return recvMessage(source, tag);
    }
    Receive held = zeroCopy.probeNow(messages, numbering.jobRank(source), tag);
    return held == null ? null : Message.ofHeld(this, zeroCopy, held);
  }

  /**
   * Waits for room for a message, which is then written in place and committed. Sends that are pending for that rank go
   * first. Until commit or abort nothing else can be sent there.
   *
   * @param destination rank to send to, which may be this one
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell ({@code adrastea.cell.bytes})
   * @return to be committed or aborted
   * @throws IllegalArgumentException when there is no such rank or tag, it is {@link #NO_RANK}, or the length is not
   * allowed
   * @throws IllegalStateException when a claim for that rank is open, or the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Claim claim(int destination, int tag, long bytes) {
    requireClaim(destination, tag);
    return Claim.of(zeroCopy, zeroCopy.claim(messages, numbering.jobRank(destination), tag, bytes));
  }

  /**
   * Takes room for a message if it is there now, see {@link #claim}.
   *
   * @param destination rank to send to
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell
   * @return to be committed or aborted; null when there is no room, or other sends to that rank are pending
   * @throws RuntimeException as {@link #claim}
   */
  public Claim tryClaim(int destination, int tag, long bytes) {
    requireClaim(destination, tag);
    Send claimed = zeroCopy.tryClaim(messages, numbering.jobRank(destination), tag, bytes);
    return claimed == null ? null : Claim.of(zeroCopy, claimed);
  }

  /**
   * Begins a burst: what this thread sends to a rank until it is closed leaves together.
   *
   * @param destination rank to send to
   * @return to be closed
   * @throws IllegalStateException when a burst to that rank is open, or the job was left
   * @throws IllegalArgumentException when there is no such rank, or it is {@link #NO_RANK}
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
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

  /**
   * Waits for a message without receiving it; a receive with the same arguments gets it next.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return its source, tag and length
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Status probe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.probe(messages, numbering.jobRank(source), tag, result, Long.MAX_VALUE);
    return statusOf(result);
  }

  /**
   * Waits for a message with a time limit, like {@link #probe(int, int)}.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param limit the longest wait
   * @return its source, tag and length
   * @throws TimeLimitException when none has come
   * @throws RuntimeException as {@link #probe(int, int)}
   */
  public Status probe(int source, int tag, Duration limit) {
    long nanos = Request.nanos(limit);
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    engine.probe(messages, numbering.jobRank(source), tag, result, nanos);
    return statusOf(result);
  }

  /**
   * Tells of a message that is there, without receiving it. A source that has failed is no error here: a program that
   * asks again and again hears of it by {@link Job#onRankFailure} and {@link #failedRanks}.
   *
   * @param source rank to receive from, {@link #ANY_SOURCE} or {@link #NO_RANK}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return its source, tag and length; null when none is there
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public Status iprobe(int source, int tag) {
    if (!requireReceiveFrom(source, tag)) {
      return Status.OF_NOBODY;
    }
    Status.Latest result = result();
    return engine.probeNow(messages, numbering.jobRank(source), tag, result) ? statusOf(result) : null;
  }

  /**
   * Waits until all ranks of this communicator have called this [MPICH2 2007, 3.4]. What a rank wrote before, to shared
   * memory too, the others see afterwards. Messages move on meanwhile: sends that were started, and receives. After an
   * interrupt another call goes on where this one was.
   *
   * @throws RankFailedException when a rank died or left, so that it cannot come; another call fails likewise
   * @throws CollectiveException when a rank calls another collective here, or cannot go on with one
   * @throws ConcurrentUseException when another thread of this rank is in a collective of this communicator
   * @throws IllegalStateException when the job was left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws SegmentException when the shared memory is corrupt
   */
  public void barrier() {
    if (counts) {
      engine.barrier(members);
    } else if (collectives != null) {
      collectives.barrier();
    } else {
      requireOpen("barrier");
      barrier.run();
    }
  }

  /**
   * Starts a barrier: {@link #barrier}, whose end the request tells of. Any number of collectives may be outstanding on
   * a communicator, and end in any order; every rank starts and calls the same ones in the same order. They move on in
   * every call that waits or tests, and by the progress thread. A collective that waits comes after those that were
   * started before.
   *
   * @return its request, active
   * @throws RuntimeException as {@link #barrier}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request ibarrier() {
    return ibarrier(new Request());
  }

  /**
   * Starts a barrier like {@link #ibarrier()}, with a request of the caller's: no object is made.
   *
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ibarrier(Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ibarrier").barrier(Form.STARTED));
  }

  /**
   * Prepares a barrier for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @return its request, inactive
   * @throws RuntimeException as {@link #barrier}, before anything is begun
   */
  public Request barrierInit() {
    return new Request(this, collectives("barrierInit").barrier(Form.PREPARED));
  }

  /**
   * Broadcasts: all ranks of this communicator call this, and have the root's data then. May return at the root, and at
   * others, before all have it.
   *
   * <p>
   * This is a collective, and what is said here holds for all: every rank calls the same ones in the same order, with
   * the same root, number of bytes, type of elements and operation; where ranks see that they differ, they get a
   * {@link CollectiveException}, always with {@code adrastea.check=collectives}. Data may be of any kind at each rank,
   * and of any length. It moves through shared memory, without messages: so all ranks have to share it. Meanwhile
   * messages move on. One thread of a rank at a time is in a collective of a communicator. What ends in the middle, by
   * an interrupt or because a rank failed, was the last collective of this communicator: each further one says why.
   * Arguments that this rank alone can tell to be wrong are refused before anything is begun.
   *
   * @param data what is sent at the root, and where it goes at the others; of the same number of bytes at all
   * @param root rank whose data it is
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when there is no such rank, or the data is read-only where it is to be written
   * @throws CapabilityException when not all ranks share memory
   * @throws RankFailedException when a rank died or left, so that it cannot take part
   * @throws CollectiveException when a rank calls another collective here, or cannot go on with one
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to another thread
   * @throws ConcurrentUseException when another thread of this rank is in a collective of this communicator
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws SegmentException when the shared memory is corrupt, or has no room
   */
  public void bcast(Data data, int root) {
    collectives("bcast").bcast(Form.BLOCKING, data, root);
  }

  /**
   * Starts a broadcast: {@link #bcast}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param data what is sent at the root, and where it goes at the others
   * @param root rank whose data it is
   *
   * @return its request, active
   * @throws RuntimeException as {@link #bcast}, before anything is begun; what keeps it from its end is reported by the
   * request
   */
  public Request ibcast(Data data, int root) {
    return ibcast(data, root, new Request());
  }

  /**
   * Starts a broadcast like {@link #ibcast(Data, int)}, with a request of the caller's: no object is made.
   *
   * @param data what is sent at the root, and where it goes at the others
   * @param root rank whose data it is
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ibcast(Data data, int root, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ibcast").bcast(Form.STARTED, data, root));
  }

  /**
   * Prepares a broadcast for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param data what is sent at the root, and where it goes at the others
   * @param root rank whose data it is
   * @return its request, inactive
   * @throws RuntimeException as {@link #bcast}, before anything is begun
   */
  public Request bcastInit(Data data, int root) {
    return new Request(this, collectives("bcastInit").bcast(Form.PREPARED, data, root));
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

  /**
   * Reduces and broadcasts: each element of the output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is
   * that element of rank i's input; at all ranks. It is combined from the left, whatever the operation, so that results
   * are equal bit for bit at all ranks and from run to run. A collective, see {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operation has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #bcast}, and what an operation of the program's own throws: the others get a
   * {@link CollectiveException} then
   */
  public void allreduce(Data in, Data out, Op op) {
    collectives("allreduce").allreduce(Form.BLOCKING, in, out, op);
  }

  /**
   * Reduces and broadcasts in place, like {@code allreduce(Data.IN_PLACE, inOut, op)}.
   *
   * @param inOut this rank's elements, which become the result
   * @param op the operation
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void allreduce(Data inOut, Op op) {
    collectives("allreduce").allreduce(Form.BLOCKING, Data.IN_PLACE, inOut, op);
  }

  /**
   * Starts an allreduce: {@link #allreduce(Data, Data, Op)}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   *
   * @return its request, active
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}, before anything is begun; what keeps it from its
   * end is reported by the request
   */
  public Request iallreduce(Data in, Data out, Op op) {
    return iallreduce(in, out, op, new Request());
  }

  /**
   * Starts an allreduce like {@link #iallreduce(Data, Data, Op)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iallreduce(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("iallreduce").allreduce(Form.STARTED, in, out, op));
  }

  /**
   * Prepares an allreduce for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @return its request, inactive
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}, before anything is begun
   */
  public Request allreduceInit(Data in, Data out, Op op) {
    return new Request(this, collectives("allreduceInit").allreduce(Form.PREPARED, in, out, op));
  }

  /**
   * Combines one number of each rank, like {@link #allreduce(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result, at all ranks
   * @throws RuntimeException as there
   */
  public double allreduce(double value, Op op) {
    return collectives("allreduce").allreduce(value, op);
  }

  /**
   * Combines one integer of each rank, like {@link #allreduce(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result, at all ranks
   * @throws RuntimeException as there
   */
  public long allreduce(long value, Op op) {
    return collectives("allreduce").allreduce(value, op);
  }

  /**
   * Reduces: each element of the root's output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is that
   * element of rank i's input, combined from the left as in {@link #allreduce(Data, Data, Op)}: with the same bits
   * whichever rank is the root. A collective, see {@link #bcast}.
   *
   * @param in this rank's elements, or at the root {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes at the root, of as many elements of the same basic type; it overlaps the input
   * wholly or not at all. At the others it is not looked at, and may be null
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @param root rank that gets the result
   * @throws NullPointerException when an argument is null that is looked at
   * @throws IllegalArgumentException when there is no such rank, the operation has no meaning for the elements, those
   * of both sides differ, the output is read-only, or the input is in place at another rank than the root
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void reduce(Data in, Data out, Op op, int root) {
    collectives("reduce").reduce(Form.BLOCKING, in, out, op, root);
  }

  /**
   * Starts a reduce: {@link #reduce(Data, Data, Op, int)}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's elements, or at the root {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes at the root
   * @param op the operation
   * @param root rank that gets the result
   *
   * @return its request, active
   * @throws RuntimeException as {@link #reduce(Data, Data, Op, int)}, before anything is begun; what keeps it from its
   * end is reported by the request
   */
  public Request ireduce(Data in, Data out, Op op, int root) {
    return ireduce(in, out, op, root, new Request());
  }

  /**
   * Starts a reduce like {@link #ireduce(Data, Data, Op, int)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's elements, or at the root {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes at the root
   * @param op the operation
   * @param root rank that gets the result
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduce(Data in, Data out, Op op, int root, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ireduce").reduce(Form.STARTED, in, out, op, root));
  }

  /**
   * Prepares a reduce for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements, or at the root {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes at the root
   * @param op the operation
   * @param root rank that gets the result
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduce(Data, Data, Op, int)}, before anything is begun
   */
  public Request reduceInit(Data in, Data out, Op op, int root) {
    return new Request(this, collectives("reduceInit").reduce(Form.PREPARED, in, out, op, root));
  }

  /**
   * Combines one number of each rank, like {@link #reduce(Data, Data, Op, int)}.
   *
   * @param value this rank's
   * @param op the operation
   * @param root rank that gets the result
   * @return the result at the root; at the others the value handed in
   * @throws RuntimeException as there
   */
  public double reduce(double value, Op op, int root) {
    return collectives("reduce").reduce(value, op, root);
  }

  /**
   * Combines one integer of each rank, like {@link #reduce(Data, Data, Op, int)}.
   *
   * @param value this rank's
   * @param op the operation
   * @param root rank that gets the result
   * @return the result at the root; at the others the value handed in
   * @throws RuntimeException as there
   */
  public long reduce(long value, Op op, int root) {
    return collectives("reduce").reduce(value, op, root);
  }

  /**
   * Scans: each element of a rank's output becomes {@code x0 op x1 op … op xr}, where {@code xi} is that element of
   * rank i's input, and r is the rank itself; combined from the left, as in {@link #allreduce(Data, Data, Op)}. A
   * collective, see {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operation has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void scan(Data in, Data out, Op op) {
    collectives("scan").scan(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts a scan: {@link #scan(Data, Data, Op)}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   *
   * @return its request, active
   * @throws RuntimeException as {@link #scan(Data, Data, Op)}, before anything is begun; what keeps it from its end is
   * reported by the request
   */
  public Request iscan(Data in, Data out, Op op) {
    return iscan(in, out, op, new Request());
  }

  /**
   * Starts a scan like {@link #iscan(Data, Data, Op)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iscan(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("iscan").scan(Form.STARTED, in, out, op));
  }

  /**
   * Prepares a scan for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @return its request, inactive
   * @throws RuntimeException as {@link #scan(Data, Data, Op)}, before anything is begun
   */
  public Request scanInit(Data in, Data out, Op op) {
    return new Request(this, collectives("scanInit").scan(Form.PREPARED, in, out, op));
  }

  /**
   * Combines one number of each rank up to this one, like {@link #scan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result for this rank
   * @throws RuntimeException as there
   */
  public double scan(double value, Op op) {
    return collectives("scan").scan(value, op);
  }

  /**
   * Combines one integer of each rank up to this one, like {@link #scan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result for this rank
   * @throws RuntimeException as there
   */
  public long scan(long value, Op op) {
    return collectives("scan").scan(value, op);
  }

  /**
   * Scans without the rank's own elements: each element of a rank's output becomes {@code x0 op x1 op … op x(r−1)},
   * where {@code xi} is that element of rank i's input, and r is the rank itself; combined from the left, as in
   * {@link #allreduce(Data, Data, Op)}. Nothing comes before rank 0, whose output stays as it is. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all; that of rank 0 is not written
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operation has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void exscan(Data in, Data out, Op op) {
    collectives("exscan").exscan(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts an exscan: {@link #exscan(Data, Data, Op)}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   *
   * @return its request, active
   * @throws RuntimeException as {@link #exscan(Data, Data, Op)}, before anything is begun; what keeps it from its end
   * is reported by the request
   */
  public Request iexscan(Data in, Data out, Op op) {
    return iexscan(in, out, op, new Request());
  }

  /**
   * Starts an exscan like {@link #iexscan(Data, Data, Op)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iexscan(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("iexscan").exscan(Form.STARTED, in, out, op));
  }

  /**
   * Prepares an exscan for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @return its request, inactive
   * @throws RuntimeException as {@link #exscan(Data, Data, Op)}, before anything is begun
   */
  public Request exscanInit(Data in, Data out, Op op) {
    return new Request(this, collectives("exscanInit").exscan(Form.PREPARED, in, out, op));
  }

  /**
   * Combines one number of each rank before this one, like {@link #exscan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result for this rank. Rank 0, which nothing comes before, gets what leaves every value as it is: 0 of a
   *   sum, 1 of a product, the greatest value there is of a minimum, the least one of a maximum, the like of logical
   *   and bitwise operations; of {@link Op#REPLACE} and an operation of the program's own, of which none is known, the
   *   value handed in
   * @throws RuntimeException as there
   */
  public double exscan(double value, Op op) {
    return collectives("exscan").exscan(value, op);
  }

  /**
   * Combines one integer of each rank before this one, like {@link #exscan(Data, Data, Op)}.
   *
   * @param value this rank's
   * @param op the operation
   * @return the result for this rank. Rank 0, which nothing comes before, gets what leaves every value as it is: 0 of a
   *   sum, 1 of a product, the greatest value there is of a minimum, the least one of a maximum, the like of logical
   *   and bitwise operations; of {@link Op#REPLACE} and an operation of the program's own, of which none is known, the
   *   value handed in
   * @throws RuntimeException as there
   */
  public long exscan(long value, Op op) {
    return collectives("exscan").exscan(value, op);
  }

  /**
   * Reduces and scatters: the input of each rank has as many parts of equal length, one behind the other, as there are
   * ranks, and each element of rank r's output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is that
   * element of part r of rank i's input; combined from the left, as in {@link #allreduce(Data, Data, Op)}. A
   * collective, see {@link #bcast}.
   *
   * @param in this rank's elements for all ranks, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of the length of one part and the same basic type; it does not overlap the input.
   * In place it is as long as the input, and the result goes to its beginning, in place of part 0; what stands in the
   * other parts then is not defined
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operation has no meaning for the elements, the input is not as many times
   * as long as the output as there are ranks, or of another basic type, or the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void reduceScatterBlock(Data in, Data out, Op op) {
    collectives("reduceScatterBlock").reduceScatterBlock(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts a reduceScatterBlock: {@link #reduceScatterBlock(Data, Data, Op)}, whose end the request tells of. See
   * {@link #ibarrier()}.
   *
   * @param in this rank's elements for all ranks, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   *
   * @return its request, active
   * @throws RuntimeException as {@link #reduceScatterBlock(Data, Data, Op)}, before anything is begun; what keeps it
   * from its end is reported by the request
   */
  public Request ireduceScatterBlock(Data in, Data out, Op op) {
    return ireduceScatterBlock(in, out, op, new Request());
  }

  /**
   * Starts a reduceScatterBlock like {@link #ireduceScatterBlock(Data, Data, Op)}, with a request of the caller's: no
   * object is made.
   *
   * @param in this rank's elements for all ranks, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduceScatterBlock(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ireduceScatterBlock").reduceScatterBlock(Form.STARTED, in, out, op));
  }

  /**
   * Prepares a reduceScatterBlock for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements for all ranks, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes
   * @param op the operation
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduceScatterBlock(Data, Data, Op)}, before anything is begun
   */
  public Request reduceScatterBlockInit(Data in, Data out, Op op) {
    return new Request(this, collectives("reduceScatterBlockInit").reduceScatterBlock(Form.PREPARED, in, out, op));
  }

  /**
   * Reduces and scatters in parts of any lengths: like {@link #reduceScatterBlock}, but each rank's part is as long as
   * {@link Data#parts(Data, long[], long[])} says, also empty, and may lie anywhere in the input. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements for all ranks, in as many parts as there are ranks; part r is of the same length at
   * all ranks. Or {@link Data#IN_PLACE}: then the output has the parts
   * @param out where the result goes, of the length of this rank's part and the same basic type; it does not overlap
   * the input. In place it is the parts, which lie one behind the other from the first element on; the result goes to
   * their beginning, and what stands behind it then is not defined
   * @param op the operation, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operation has no meaning for the elements, there are not as many parts as
   * ranks, the output is not as long as this rank's, or of another basic type, or is read-only, parts in place lie
   * anywhere else, or among more than 32 ranks a few parts are so long (about 550 GB) that the rounds cannot be counted
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  public void reduceScatter(Data in, Data out, Op op) {
    collectives("reduceScatter").reduceScatter(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts a reduceScatter: {@link #reduceScatter(Data, Data, Op)}, whose end the request tells of. See
   * {@link #ibarrier()}.
   *
   * @param in this rank's elements for all ranks: {@link Data#parts(Data, long[], long[])}, or {@link Data#IN_PLACE}
   * @param out where the result goes
   * @param op the operation
   *
   * @return its request, active
   * @throws RuntimeException as {@link #reduceScatter(Data, Data, Op)}, before anything is begun; what keeps it from
   * its end is reported by the request
   */
  public Request ireduceScatter(Data in, Data out, Op op) {
    return ireduceScatter(in, out, op, new Request());
  }

  /**
   * Starts a reduceScatter like {@link #ireduceScatter(Data, Data, Op)}, with a request of the caller's: no object is
   * made.
   *
   * @param in this rank's elements for all ranks: {@link Data#parts(Data, long[], long[])}, or {@link Data#IN_PLACE}
   * @param out where the result goes
   * @param op the operation
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduceScatter(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ireduceScatter").reduceScatter(Form.STARTED, in, out, op));
  }

  /**
   * Prepares a reduceScatter for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's elements for all ranks: {@link Data#parts(Data, long[], long[])}, or {@link Data#IN_PLACE}
   * @param out where the result goes
   * @param op the operation
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduceScatter(Data, Data, Op)}, before anything is begun
   */
  public Request reduceScatterInit(Data in, Data out, Op op) {
    return new Request(this, collectives("reduceScatterInit").reduceScatter(Form.PREPARED, in, out, op));
  }

  /**
   * Gathers the data of all ranks at all of them, in the order of their numbers. A collective, see {@link #bcast}.
   *
   * @param in this rank's data, or {@link Data#IN_PLACE}: this rank's part of the output
   * @param out where it goes: as many equal parts, one behind the other, as there are ranks; or {@link Data#parts}, one
   * for each rank, as long as that one's data (by parts at all ranks or at none). It does not overlap the input
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the output has not a part for each rank, this rank's is not as long as the
   * input, parts overlap, or it is read-only
   * @throws CollectiveException when a rank gives another number of bytes than its part here is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  public void allgather(Data in, Data out) {
    collectives("allgather").allgather(Form.BLOCKING, in, out);
  }

  /**
   * Starts an allgather: {@link #allgather}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's data, or {@link Data#IN_PLACE}: this rank's part of the output
   * @param out where it goes
   *
   * @return its request, active
   * @throws RuntimeException as {@link #allgather}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request iallgather(Data in, Data out) {
    return iallgather(in, out, new Request());
  }

  /**
   * Starts an allgather like {@link #iallgather(Data, Data)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's data, or {@link Data#IN_PLACE}: this rank's part of the output
   * @param out where it goes
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iallgather(Data in, Data out, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("iallgather").allgather(Form.STARTED, in, out));
  }

  /**
   * Prepares an allgather for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's data, or {@link Data#IN_PLACE}: this rank's part of the output
   * @param out where it goes
   * @return its request, inactive
   * @throws RuntimeException as {@link #allgather}, before anything is begun
   */
  public Request allgatherInit(Data in, Data out) {
    return new Request(this, collectives("allgatherInit").allgather(Form.PREPARED, in, out));
  }

  /**
   * Gathers the data of all ranks at the root, in the order of their numbers. A collective, see {@link #bcast}; a rank
   * that is not the root may return before the root has its data.
   *
   * @param in this rank's data; at the root also {@link Data#IN_PLACE}: its part of the output
   * @param out at the root, where it goes: as many equal parts, one behind the other, as there are ranks; or
   * {@link Data#parts}, one for each rank, as long as that one's data. It does not overlap the input. The other ranks'
   * is not looked at, and may be null
   * @param root rank that takes it
   * @throws NullPointerException when the input is null, or the output at the root
   * @throws IllegalArgumentException when there is no such rank; at the root, when the output has not a part for each
   * rank, the root's own is not as long as its input, parts overlap, or it is read-only
   * @throws CollectiveException at the root, when a rank gives another number of bytes than its part is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  public void gather(Data in, Data out, int root) {
    collectives("gather").gather(Form.BLOCKING, in, out, root);
  }

  /**
   * Starts a gather: {@link #gather}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in this rank's data; at the root also {@link Data#IN_PLACE}
   * @param out where it goes, at the root
   * @param root rank that takes it
   * @return its request, active
   * @throws RuntimeException as {@link #gather}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request igather(Data in, Data out, int root) {
    return igather(in, out, root, new Request());
  }

  /**
   * Starts a gather like {@link #igather(Data, Data, int)}, with a request of the caller's: no object is made.
   *
   * @param in this rank's data; at the root also {@link Data#IN_PLACE}
   * @param out where it goes, at the root
   * @param root rank that takes it
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request igather(Data in, Data out, int root, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("igather").gather(Form.STARTED, in, out, root));
  }

  /**
   * Prepares a gather for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in this rank's data; at the root also {@link Data#IN_PLACE}
   * @param out where it goes, at the root
   * @param root rank that takes it
   * @return its request, inactive
   * @throws RuntimeException as {@link #gather}, before anything is begun
   */
  public Request gatherInit(Data in, Data out, int root) {
    return new Request(this, collectives("gatherInit").gather(Form.PREPARED, in, out, root));
  }

  /**
   * Scatters the root's data: each rank gets its part of it, in the order of their numbers. A collective, see
   * {@link #bcast}; the root, and others, may return before all have theirs.
   *
   * @param in at the root, what it gives: as many equal parts, one behind the other, as there are ranks; or
   * {@link Data#parts}, one for each rank. The other ranks' is not looked at, and may be null
   * @param out where this rank's part goes, as long as that; at the root also {@link Data#IN_PLACE}: its own part stays
   * in the input. It does not overlap the input
   * @param root rank whose data it is
   * @throws NullPointerException when the output is null, or the input at the root
   * @throws IllegalArgumentException when there is no such rank, or the output is read-only; at the root, when the
   * input has not a part for each rank, or its own is not as long as its output
   * @throws CollectiveException when the root gives another number of bytes than the output is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  public void scatter(Data in, Data out, int root) {
    collectives("scatter").scatter(Form.BLOCKING, in, out, root);
  }

  /**
   * Starts a scatter: {@link #scatter}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in what the root gives, at the root
   * @param out where this rank's part goes; at the root also {@link Data#IN_PLACE}
   * @param root rank whose data it is
   * @return its request, active
   * @throws RuntimeException as {@link #scatter}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request iscatter(Data in, Data out, int root) {
    return iscatter(in, out, root, new Request());
  }

  /**
   * Starts a scatter like {@link #iscatter(Data, Data, int)}, with a request of the caller's: no object is made.
   *
   * @param in what the root gives, at the root
   * @param out where this rank's part goes; at the root also {@link Data#IN_PLACE}
   * @param root rank whose data it is
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iscatter(Data in, Data out, int root, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("iscatter").scatter(Form.STARTED, in, out, root));
  }

  /**
   * Prepares a scatter for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in what the root gives, at the root
   * @param out where this rank's part goes; at the root also {@link Data#IN_PLACE}
   * @param root rank whose data it is
   * @return its request, inactive
   * @throws RuntimeException as {@link #scatter}, before anything is begun
   */
  public Request scatterInit(Data in, Data out, int root) {
    return new Request(this, collectives("scatterInit").scatter(Form.PREPARED, in, out, root));
  }

  /**
   * Exchanges data between all ranks: each gives another part to each, and takes another one of each; part i goes to
   * rank i, and comes from it. A collective, see {@link #bcast}.
   *
   * @param in what this rank gives: as many equal parts, one behind the other, as there are ranks; or
   * {@link Data#parts}, one for each rank. {@link Data#IN_PLACE}: the output, whose parts are exchanged
   * @param out where it goes, likewise: a part for each rank, as long as what that one gives. It does not overlap the
   * input
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when a side has not a part for each rank, this rank's part for itself is not as
   * long in the one as in the other, parts of the output overlap, or it is read-only
   * @throws CollectiveException when a rank gives another number of bytes than its part here is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  public void alltoall(Data in, Data out) {
    collectives("alltoall").alltoall(Form.BLOCKING, in, out);
  }

  /**
   * Starts an alltoall: {@link #alltoall}, whose end the request tells of. See {@link #ibarrier()}.
   *
   * @param in what this rank gives, or {@link Data#IN_PLACE}
   * @param out where it goes
   * @return its request, active
   * @throws RuntimeException as {@link #alltoall}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request ialltoall(Data in, Data out) {
    return ialltoall(in, out, new Request());
  }

  /**
   * Starts an alltoall like {@link #ialltoall(Data, Data)}, with a request of the caller's: no object is made.
   *
   * @param in what this rank gives, or {@link Data#IN_PLACE}
   * @param out where it goes
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ialltoall(Data in, Data out, Request request) {
    Request.requireFree(request);
    return request.begin(this, collectives("ialltoall").alltoall(Form.STARTED, in, out));
  }

  /**
   * Prepares an alltoall for a persistent request, which starts it again and again with the same buffers
   * ({@link Request#start}). Nothing is exchanged; all ranks start theirs in the same order among their collectives.
   *
   * @param in what this rank gives, or {@link Data#IN_PLACE}
   * @param out where it goes
   * @return its request, inactive
   * @throws RuntimeException as {@link #alltoall}, before anything is begun
   */
  public Request alltoallInit(Data in, Data out) {
    return new Request(this, collectives("alltoallInit").alltoall(Form.PREPARED, in, out));
  }

  /** The collectives by which all ranks agree on other communicators. */
  Collectives forNew(String call) {
    communicators.requireAble(this, numbering, call);
    Collectives own = collectives(call).collectives();
    requireMakes(call);
    return own;
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
      communicators.requireAble(this, numbering, call);
      throw new IllegalStateException("%s in %s, which has no place in shared memory".formatted(call, this));
    }
    return collectives;
  }

  /**
   * Revokes this communicator: all that its ranks wait for on it, and all collectives, end with
   * {@link RevokedException}, within a second and at every rank, also at those that have not noticed the failure that
   * this is called for [ULFM]. A rank that is in no call hears of it in its next wait or collective. What is allowed
   * from then on are {@link #agree}, {@link #shrink} and {@link #close}.
   *
   * @throws CapabilityException when not all ranks share memory
   * @throws IllegalStateException when this communicator is closed
   */
  public void revoke() {
    agreement("revoke").revoke();
  }

  /**
   * Agrees on flags: each bit of the result is set when every rank has set it that has come here before it died; at all
   * ranks that live the same, whoever dies meanwhile, at any step [ULFM]. Ranks that have failed or left, or have
   * closed the communicator, are not waited for. All others call it, also when the communicator is revoked, or no more
   * collectives are possible here. After an interrupt the next call goes on with it, with the flags of the first.
   *
   * @param flags this rank's
   * @return the flags that all have set
   * @throws CapabilityException when not all ranks share memory
   * @throws CollectiveException when a rank calls {@link #shrink} where others call this
   * @throws ConcurrentUseException when another thread of this rank is here
   * @throws IllegalStateException when this communicator is closed, the job was left, or this rank has to end a
   * {@link #shrink} first that was interrupted
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   */
  public int agree(int flags) {
    return agreement("agree").agree(flags);
  }

  /**
   * Makes a communicator of the ranks that live, in their order, whoever dies meanwhile [ULFM]: all of them get the
   * same. One that dies late may be in it still. All ranks that live call it, also when the communicator is revoked, or
   * no more collectives are possible here. After an interrupt the next call goes on with it.
   *
   * @return the new communicator, to be closed
   * @throws AdrasteaException when all numbers of communicators are taken; on all ranks
   * @throws SegmentException when there is no room for its slot, on the first rank that lives
   * @throws RuntimeException as {@link #agree}
   */
  public Communicator shrink() {
    return communicators.shrink(this, agreement("shrink"));
  }

  /** The shrink that has not ended; null: none. */
  Communicators.Shrinking shrinking() {
    return shrinking;
  }

  void shrinking(Communicators.Shrinking unfinished) {
    shrinking = unfinished;
  }

  /** The slot, as others that are made out of this see it; null: there is none. */
  ContextSlot slot() {
    return messages.number() == 0 ? communicators.slotOfWorld() : slot;
  }

  /** Refuses to make another one of a communicator that was revoked. */
  void requireNotRevoked(String call) {
    if (members.isRevoked()) {
      throw new RevokedException(
          "%s of rank %d: the communicator was revoked; allowed on it are agree() and shrink()".formatted(call, rank));
    }
  }

  /** Refuses to make another one of a communicator out of which this rank has given up to make one. */
  void requireMakes(String call) {
    engine.requireOpen();
    ContextSlot own = slot();
    if (own != null && own.hasDeclined(rank)) {
      throw new CollectiveException(
          rank,
          numbering.jobRank(rank),
          ("%s of rank %d in %s: this rank has given up the making of a communicator out of it, so the others wait for "
              + "it in no other one; make it out of another one, such as shrink() returns")
              .formatted(call, rank, name()));
    }
  }

  private Agreement agreement(String call) {
    communicators.requireAble(this, numbering, call);
    if (agreement == null) {
      throw new IllegalStateException("%s in %s, which has no place in shared memory".formatted(call, this));
    }
    return agreement;
  }

  @Override
  public String toString() {
    return "%s: rank %d of %d%s".formatted(name(), rank, numbering.size(), size == UNDEFINED ? ", closed" : "");
  }

  Communicators communicators() {
    return communicators;
  }

  InternalMessages inner() {
    return inner;
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

  /**
   * Ends this communicator on this rank, which is done with it; nobody is waited for. What the rank has not received is
   * dropped: small messages without a word, while the send of one that is not taken yet fails. Sends that were started
   * go on. When all its ranks have closed it, or are gone, its number and its slot are used for another one. What is
   * not closed ends with the job.
   *
   * @throws IllegalStateException when it is closed, receives that were started on it are not complete, or it is that
   * of all ranks, which {@link Job#close} ends
   */
  @Override
  public void close() {
    if (messages.number() == 0) {
      throw new IllegalStateException("the communicator of all ranks ends with the job; close the job");
    }
    requireOpen("close");
    close(messages, internal);
  }

  /** Ends it together with the messages {@link #between} two groups. */
  void close(Communicator between) {
    close(messages, internal, between.messages);
    between.size = UNDEFINED;
  }

  private void close(Context... contexts) {
    engine.close(collectives == null ? null : collectives.collectives(), contexts);
    size = UNDEFINED;
    if (slot != null) {
      slot.keepCells(collectives == null ? null : collectives.collectives().ownedCells());
      communicators.close(slot, rank);
    }
  }

  /** The job is left: no view of a buffer is needed any more. */
  void forgetBuffers() {
    buffers.clear();
  }

  boolean isOpen() {
    return size != UNDEFINED;
  }

  /** Refuses a communicator that is closed. */
  void requireOpen(String call) {
    if (size == UNDEFINED) {
      throw new IllegalStateException(
          "%s of rank %d in %s: the communicator is closed; it has no ranks any more".formatted(call, rank, name()));
    }
  }

  /**
   * The request for a receive inside a call: the one that is kept for that, unless another thread may use it or a
   * failed call has left it active.
   */
  private Request ownRequest() {
    return many || own.isActive() ? new Request() : own;
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

  private void sendElements(
      Object array, int length, int offset, int count, int shift, int destination, int tag) {
    Data.requireElements(offset, count, length);
    if (checksTypes) {
      send(Data.elements(array, offset, count), destination, tag);
      return;
    }
    sendFrom(buffers.of(array).memory(), (long) offset << shift, (long) count << shift, destination, tag);
  }

  private Status receiveElements(Object array, int length, int offset, int count, int shift, int source, int tag) {
    Data.requireElements(offset, count, length);
    if (checksTypes) {
      return recv(Data.elements(array, offset, count), source, tag);
    }
    return receiveInto(buffers.of(array).memory(), (long) offset << shift, (long) count << shift, source, tag);
  }

  private Request startSendOf(
      Object array, int length, int offset, int count, int shift, int destination, int tag, Request request) {
    Request.requireFree(request);
    Data.requireElements(offset, count, length);
    if (checksTypes) {
      return isend(Data.elements(array, offset, count), destination, tag, request);
    }
    return startSend(
        buffers.of(array).memory(), (long) offset << shift, (long) count << shift, destination, tag, request);
  }

  private Request startReceiveInto(
      Object array, int length, int offset, int count, int shift, int source, int tag, Request request) {
    Request.requireFree(request);
    Data.requireElements(offset, count, length);
    if (checksTypes) {
      return irecv(Data.elements(array, offset, count), source, tag, request);
    }
    return startReceive(
        buffers.of(array).memory(), (long) offset << shift, (long) count << shift, source, tag, request);
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
    return new Request(this, engine.prepare(kind, messages, jobRank, tag, data.lastingPayload(spaces, buffers)));
  }

  /** Where the engine notes what a call has received. */
  Status.Latest result() {
    return many ? latest.forThisCall() : latest;
  }

  Status statusOf(Status.Latest result) {
    Status status = result.status();
    if (many) {
      latest.keep(status);
    }
    return status;
  }

  /** Whether data goes as a {@link #payload}, rather than as the memory that it is in. */
  boolean isPayload(Data data) {
    return data.isScattered() || checksTypes && data.type() != null;
  }

  Payload payload(Data data) {
    return data.payload(spaces, buffers);
  }

  private static long bytes(MemorySegment buffer) {
    return Buffers.requireNonNull(buffer).byteSize();
  }

  private boolean requireSend(MemorySegment memory, int destination, int tag) {
    Buffers.requireUsable(memory, many);
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
    Buffers.requireWritable(memory, many);
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
      data.requireUsable(many);
    } else {
      Buffers.requireUsable(data.memory(buffers), many);
    }
    return requireSendTo(destination, tag);
  }

  /** Refuses data that cannot be received into now. */
  void requireReceivable(Data data) {
    if (Data.requireNonNull(data).isScattered()) {
      data.requireReceivable(many);
    } else {
      Buffers.requireWritable(data.memory(buffers), many);
    }
  }

  private boolean requireReceive(Data data, int source, int tag) {
    requireReceivable(data);
    return requireReceiveFrom(source, tag);
  }
}
