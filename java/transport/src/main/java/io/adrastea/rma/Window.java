package io.adrastea.rma;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.comm.Buffers;
import io.adrastea.comm.CommunicatorState;
import io.adrastea.comm.Communicators;
import io.adrastea.comm.Face;
import io.adrastea.comm.OperatorMap;
import io.adrastea.comm.Placement;
import io.adrastea.comm.TypeMap;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Bounds;
import io.adrastea.datatype.Program;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.window.Epochs;
import io.adrastea.engine.window.WindowCalls;
import io.adrastea.engine.window.WindowState;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Payload;
import io.adrastea.space.DirectCopy;
import io.adrastea.space.Exposed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * Memory of each rank of a communicator that all of them read, write and compute in, without a receive of the rank
 * whose memory it is: the windows of MPI-3 [SCI-MPICH 2002, 4].
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "window"}
 *
 * <p>
 * <b>Places.</b> A place in a rank's memory is a displacement, counted in units of bytes that each rank names for its
 * own memory. Targets are ranks of the communicator that the window was made of. What does not lie in the target's
 * memory is refused before anything is done. In a window of {@link #dynamic} a displacement is an address in the
 * target's process.
 *
 * <p>
 * <b>Epochs.</b> An access is made inside of an epoch that reaches its target: between fences that all ranks call; from
 * {@link #start} to {@link #complete}, to ranks that {@link #post}; or from {@link #lock} or {@link #lockAll} to the
 * close of their {@link Epoch}, with no call of the target. Epochs belong to the window of a rank and not to a thread.
 *
 * <p>
 * <b>Completion.</b> A call that returns is over at this rank: memory that was put can be used again, and what was
 * asked for is there. The calls that return a {@link Request} begin the same: where the target's rank does what is
 * asked for, they go on behind the call, until the request is complete; else it is complete at once. It is not
 * cancelled. That others see what was put is known at the end of the epoch, or after {@link #flush}, which wait for all
 * that was started, too.
 *
 * <p>
 * <b>Atomics.</b> Accumulates and the like are atomic element by element, among each other, whatever the way, the core
 * or the language, and of one rank to one place they happen in their order. Elements of 1, 2, 4 and 8 bytes use the
 * hardware's instructions, without a lock; pairs and complex numbers short locks that outlive the death of their
 * holder. Elements but those lie at multiples of their size. A put or a get beside them may be seen in parts.
 *
 * <p>
 * <b>Ways.</b> Memory that is a shared allocation, as that of {@link #allocate}, is used where it lies: an access takes
 * no call into the system or the engine, and needs nothing of the target. Other memory is attached by XPMEM, or copied
 * by the system (CMA); what neither does is done by the target's rank, in whatever call that is in, or by its progress
 * thread ({@link Option#PROGRESS_THREAD}, {@link io.adrastea.Job.Builder#progressThread}). Where a target computes for
 * long, calls nothing, and has no such thread, those accesses wait for it.
 *
 * <p>
 * <b>Failures.</b> A rank that dies takes none of the window's memory with it that is a shared allocation: others read
 * and compute in it to the end. The next rank that waits for a lock of a dead one gets a {@link RankFailedException}
 * instead, once, and the window goes on. Fences fail, as barriers do.
 *
 * <p>
 * Several threads may access a window at a time where the job is one of several threads; those that begin and end
 * epochs see to it that the others know.
 */
public final class Window implements AutoCloseable {
  /** What a rank wants of a window beside its memory. Each rank says so for itself. */
  public enum Option {
    /**
     * Has a progress thread serve this rank's memory while the rank computes and calls nothing, for those that reach it
     * by its handler. It is started where the rank has none yet ({@link io.adrastea.Job.Builder#progressThread}), and
     * ends with the last window that wanted it, or with the job. It needs a job that several threads may use
     * ({@link io.adrastea.ThreadLevel#MULTIPLE}). Windows whose ways are direct gain nothing by it.
     */
    PROGRESS_THREAD
  }

  private static final int LONG_BYTES = Long.BYTES;

  private final Face face = Face.get();
  private final Communicator parent;
  private final CommunicatorState communicator;
  private final WindowState state;
  private final Exposed exposed;
  private final Epochs epochs;
  private final WindowCalls calls;
  private final Buffers views;
  private final Spaces spaces;
  private final boolean multithreaded;
  private final Epoch[] locks; // by target; null: there was none yet
  private final Epoch all = new Epoch(this::unlockAll);
  private final Epoch started = new Epoch(this::complete);

  private Window(Communicator parent, Function<CommunicatorState, WindowState> maker) {
    this.parent = parent;
    CommunicatorState original = face.state(parent);
    this.communicator = Communicators.dup(original);
    boolean made = false;
    try {
      this.state = maker.apply(communicator);
      made = true;
    } finally {
      if (!made) {
        communicator.close();
      }
    }
    this.exposed = state.exposed();
    this.epochs = state.epochs();
    this.calls = state.calls();
    this.views = face.views(parent);
    this.spaces = original.engine().spaces();
    this.multithreaded = original.engine().isMultithreaded();
    this.locks = new Epoch[exposed.ranks()];
  }

  /**
   * Makes a window of new memory, all zeros, which all ranks use where it lies. All ranks of the communicator call it;
   * each names the size of its own memory.
   *
   * @param communicator whose ranks share the memory; all run on one node
   * @param bytes of this rank's memory, 0 or more
   * @param unit bytes that displacements in it are counted by, at least 1
   * @param options of this rank
   * @return the window, which has a communicator of its own
   * @throws NullPointerException when the communicator or an option is null
   * @throws IllegalArgumentException when there cannot be so many bytes, or such a unit
   * @throws SegmentException on all ranks, when one has no room for it in shared memory: nothing is made
   * @throws CapabilityException when a rank shares no memory with this one, or takes no part in windows
   * @throws RankFailedException when a rank died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws AdrasteaException when another rank may not have the option that it wants
   * @throws IllegalStateException when the communicator is closed, or the job is not one of several threads, which
   * {@link Option#PROGRESS_THREAD} needs
   */
  public static Window allocate(Communicator communicator, long bytes, int unit, Option... options) {
    boolean wantsThread = wantsThread(options);
    requireCommunicator(communicator);
    requireUnit(unit);
    if (bytes < 0) {
      throw new ArgumentException(Reason.COUNT, "a window of %d bytes; 0 or more are allowed".formatted(bytes));
    }
    return new Window(communicator, own -> own.engine().windows().allocate(
        own.messages().number(), own.collectives(), own.members(), own.rank(), bytes, unit, wantsThread));
  }

  /**
   * Makes a window over memory of the program, which stays the program's own. All ranks of the communicator call it;
   * each brings its own memory. A shared allocation ({@link io.adrastea.Job#allocate}) is used where it lies; other
   * memory is reached by XPMEM, by CMA or by its rank.
   *
   * @param communicator whose ranks share the memory; all run on one node
   * @param memory native memory that nobody can close meanwhile: of {@code Job.allocate}, {@code Arena.global()} or
   * {@code Arena.ofAuto()}; or of no bytes
   * @param unit bytes that displacements in it are counted by, at least 1
   * @param options of this rank
   * @return the window, which has a communicator of its own, and keeps the memory reachable
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the memory is of the heap, read-only or of an arena that can be closed, or
   * there cannot be such a unit
   * @throws AdrasteaException when another rank could not open its memory, or cannot be reached by the way that
   * {@code adrastea.window} asks for
   * @throws SegmentException on all ranks, when one has no room for the window's words in shared memory
   * @throws CapabilityException when a rank shares no memory with this one, or takes no part in windows
   * @throws RankFailedException when a rank died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the communicator is closed, or the job is not one of several threads, which
   * {@link Option#PROGRESS_THREAD} needs
   */
  public static Window of(Communicator communicator, MemorySegment memory, int unit, Option... options) {
    boolean wantsThread = wantsThread(options);
    requireCommunicator(communicator);
    Buffers.requireNonNull(memory);
    requireUnit(unit);
    return new Window(communicator, own -> own.engine().windows().over(
        own.messages().number(), own.collectives(), own.members(), own.rank(), memory, unit, wantsThread));
  }

  private static boolean wantsThread(Option... options) {
    boolean wants = false;
    for (Option option : options) {
      wants |= Objects.requireNonNull(option, "an option is null") == Option.PROGRESS_THREAD;
    }
    return wants;
  }

  /**
   * Makes a window that has no memory at first: each rank attaches memory to it, and detaches it, by itself
   * ({@link #attach}, {@link #detach}). All ranks of the communicator call it; all of them run in Java.
   *
   * <p>
   * A displacement in a rank's memory is an address in the process of that rank, in bytes
   * ({@link MemorySegment#address}), which ranks tell each other themselves, by a message for example. An access lies
   * in one stretch, as it was attached; the bytes of stretches that touch each other are accessed stretch by stretch.
   *
   * @param communicator whose ranks share the window; all run on one node
   * @param options what this rank wants of the window
   * @return the window, which has a communicator of its own
   * @throws NullPointerException when the communicator or an option is null
   * @throws AdrasteaException on all ranks, when one makes a window of memory that it names, as C ranks do
   * @throws SegmentException on all ranks, when one has no room for the window's words in shared memory
   * @throws CapabilityException when a rank shares no memory with this one, or takes no part in windows
   * @throws RankFailedException when a rank died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the communicator is closed, or the job is not one of several threads, which
   * {@link Option#PROGRESS_THREAD} needs
   */
  public static Window dynamic(Communicator communicator, Option... options) {
    boolean wantsThread = wantsThread(options);
    requireCommunicator(communicator);
    return new Window(communicator, own -> own.engine().windows().dynamic(
        own.messages().number(), own.collectives(), own.members(), own.rank(), wantsThread));
  }

  private static void requireCommunicator(Communicator communicator) {
    Objects.requireNonNull(communicator, "the communicator is null");
  }

  private static void requireUnit(int unit) {
    if (unit < 1) {
      throw new ArgumentException(Reason.OTHER,
          "displacements of a window counted by %d bytes; at least 1 is allowed".formatted(unit));
    }
  }

  // What it is

  /** {@return this rank's number in the window: that in its communicator} */
  public int rank() {
    return communicator.rank();
  }

  /** {@return how many ranks share the window} */
  public int size() {
    return exposed.ranks();
  }

  /**
   * How many bytes a rank has in the window.
   *
   * @param rank of the window
   * @return bytes; 0 in a window of {@link #dynamic}, whose memory comes and goes
   * @throws IllegalArgumentException when there is no such rank
   */
  public long bytes(int rank) {
    requireRank(rank);
    return exposed.bytes(rank);
  }

  /**
   * What displacements in a rank's memory are counted by.
   *
   * @param rank of the window
   * @return bytes
   * @throws IllegalArgumentException when there is no such rank
   */
  public int unit(int rank) {
    requireRank(rank);
    return exposed.unit(rank);
  }

  private void requireRank(int rank) {
    if (rank < 0 || rank >= exposed.ranks()) {
      throw new ArgumentException(Reason.RANK,
          "rank %d of %s, which has ranks 0 to %d".formatted(rank, this, exposed.ranks() - 1));
    }
  }

  /**
   * This rank's memory, to be used as any other: between epochs that others have to it, or with its own atomic
   * accesses.
   *
   * @return all of it
   * @throws IllegalStateException when the window is closed, or one of {@link #dynamic}: that has the memory that was
   * attached, which the program knows
   */
  public MemorySegment local() {
    requireOpen("local");
    if (state.isDynamic()) {
      throw new IllegalStateException(
          "local of %s: memory is attached to it, in any number of stretches; use what was attached".formatted(this));
    }
    return state.local();
  }

  /**
   * The memory of a rank where it is mapped here and stays mapped until this rank leaves the job. Loads and stores of
   * it are the program's own, and so is their order: {@link #sync} and the epochs order them as they do puts and gets.
   * In an epoch of {@link #lockAll} this waits, as a first access does, where another rank has locked that memory for
   * itself; so it is asked in each such epoch.
   *
   * @param rank of the window
   * @return all of it; null: it is reached by another way than directly, or was attached
   * @throws IllegalArgumentException when there is no such rank
   * @throws IllegalStateException when the window is closed
   */
  public MemorySegment of(int rank) {
    requireOpen("of");
    requireRank(rank);
    epochs.settleFor(rank);
    MemorySegment memory = exposed.direct(rank);
    return memory == null ? null : memory.asSlice(0, exposed.bytes(rank));
  }

  /**
   * How this rank reaches the memory of another one.
   *
   * @param rank of the window
   * @return {@code direct}, {@code xpmem}, {@code cma} or {@code handler}; {@code dynamic}: each stretch has a way of
   *   its own, see {@link #way(int, long)}
   * @throws IllegalArgumentException when there is no such rank
   */
  public String way(int rank) {
    requireRank(rank);
    return state.isDynamic() ? "dynamic" : exposed.part(rank).way().name().toLowerCase(Locale.ROOT);
  }

  /**
   * How this rank reaches a place in the memory of another one.
   *
   * @param rank of the window
   * @param displacement in that rank's memory, in its units
   * @return {@code direct}, {@code xpmem}, {@code cma} or {@code handler}
   * @throws IllegalArgumentException when there is no such rank
   * @throws IndexOutOfBoundsException when nothing is attached there
   * @throws IllegalStateException when the window is closed
   */
  public String way(int rank, long displacement) {
    requireOpen("way");
    requireRank(rank);
    return state.way(rank, displacement).name().toLowerCase(Locale.ROOT);
  }

  // Memory that comes and goes

  /**
   * Opens memory to all ranks of a window of {@link #dynamic}, in one stretch, from this moment on. Only this rank
   * calls it, at any time, also inside of epochs; others find the memory once they know of it, by a message of this
   * rank for example. A shared allocation ({@link io.adrastea.Job#allocate}) is used where it lies; other memory is
   * reached by XPMEM, by CMA or by this rank.
   *
   * @param memory native memory that nobody can close meanwhile: of {@code Job.allocate}, {@code Arena.global()} or
   * {@code Arena.ofAuto()}; at least 1 byte, none of which is attached. The window keeps it reachable
   * @throws NullPointerException when the memory is null
   * @throws IllegalArgumentException when the memory is of the heap, read-only or of an arena that can be closed, has
   * no bytes, or overlaps with what is attached
   * @throws SegmentException when there is no room in shared memory for the table of what is attached
   * @throws IllegalStateException when the window is closed, or was not made by {@link #dynamic}
   */
  public void attach(MemorySegment memory) {
    requireDynamic("attach", memory);
    state.attach(memory);
  }

  /**
   * Ends what {@link #attach} has begun: accesses that come afterwards are refused, and the memory is the program's own
   * again. Only this rank calls it, and sees to it that others are done there, by a barrier for example.
   *
   * @param memory that was attached, all of the stretch
   * @throws NullPointerException when the memory is null
   * @throws IllegalArgumentException when this is no stretch that is attached
   * @throws IllegalStateException inside of an epoch of this rank, also one that a fence or a post has begun; when the
   * window is closed, or was not made by {@link #dynamic}
   */
  public void detach(MemorySegment memory) {
    requireDynamic("detach", memory);
    state.detach(memory);
  }

  private void requireDynamic(String call, MemorySegment memory) {
    Buffers.requireNonNull(memory);
    requireOpen(call);
    if (!state.isDynamic()) {
      throw new IllegalStateException(
          ("%s of %d bytes at rank %d to %s, whose memory was named when it was made; Window.dynamic makes one that "
              + "memory is attached to").formatted(call, memory.byteSize(), rank(), this));
    }
  }

  private void requireOpen(String call) {
    if (!state.isOpen()) {
      throw new IllegalStateException("%s of %s: the window is closed".formatted(call, this));
    }
  }

  // put and get

  /**
   * Copies data to a rank's memory, its elements one after the other.
   *
   * @param from what is copied; it can be used again when this returns
   * @param target rank of the window
   * @param displacement where it goes there, in the target's units
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when there is no such rank
   * @throws IndexOutOfBoundsException when the target's memory does not hold these bytes
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target is reached by its handler, or by CMA, and died or left
   */
  public void put(Data from, int target, long displacement) {
    if (face.isScattered(from)) {
      putSlowly(from, target, displacement);
      return;
    }
    put(face.memory(from, views), face.offset(from), face.bytes(from), target, displacement);
  }

  /**
   * Copies bytes to a rank's memory, like {@link #put(Data, int, long)}.
   *
   * @param from memory that is copied
   * @param offset the first byte
   * @param bytes how many
   * @param target rank of the window
   * @param displacement where they go there, in the target's units
   * @throws NullPointerException when the memory is null
   * @throws IllegalArgumentException when there is no such rank
   * @throws IndexOutOfBoundsException when either memory does not hold these bytes
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #put(Data, int, long)}
   */
  public void put(MemorySegment from, long offset, long bytes, int target, long displacement) {
    Buffers.requireRange(from, offset, bytes);
    long at = epochs.place("put", target, displacement, bytes);
    MemorySegment there = exposed.direct(target);
    if (there != null) {
      DirectCopy.put(from, offset, there, at, bytes);
    } else {
      calls.put(from, offset, bytes, target, at);
    }
  }

  private void putSlowly(Data from, int target, long displacement) {
    Placement near = readable(from);
    long at = epochs.place("put", target, displacement, near.bytes());
    calls.put(near.payload(spaces), target, at, null, 0);
  }

  /**
   * Copies data to elements of a datatype in a rank's memory, which may have gaps there and any order.
   *
   * @param from as many bytes as the elements have
   * @param target rank of the window
   * @param displacement of the first element's origin there, in the target's units
   * @param count elements there
   * @param at how they lie there; a list of places and lengths is {@link Datatype#hindexed}
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank, or the bytes at both ends are not as many
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #put(Data, int, long)}
   */
  public void put(Data from, int target, long displacement, long count, Datatype at) {
    Placement near = readable(from);
    TypeMap type = face.type(at);
    long place = place("put", target, displacement, near, count, type);
    type.requireReceivable(count);
    calls.put(near.payload(spaces), target, place, isContiguous(type) ? null : type.program(), count);
  }

  /**
   * Copies data from a rank's memory, where it lies in one piece.
   *
   * @param into where it goes; it is there when this returns
   * @param target rank of the window
   * @param displacement where it lies there, in the target's units
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when there is no such rank, or the data is read-only
   * @throws IndexOutOfBoundsException when the target's memory does not hold these bytes
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target is reached by its handler, or by CMA, and died or left
   */
  public void get(Data into, int target, long displacement) {
    if (face.isScattered(into)) {
      getSlowly(into, target, displacement);
      return;
    }
    get(face.memory(into, views), face.offset(into), face.bytes(into), target, displacement);
  }

  /**
   * Copies bytes from a rank's memory, like {@link #get(Data, int, long)}.
   *
   * @param into memory that they go to
   * @param offset the first byte
   * @param bytes how many
   * @param target rank of the window
   * @param displacement where they lie there, in the target's units
   * @throws NullPointerException when the memory is null
   * @throws IllegalArgumentException when there is no such rank, or the memory is read-only
   * @throws IndexOutOfBoundsException when either memory does not hold these bytes
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #get(Data, int, long)}
   */
  public void get(MemorySegment into, long offset, long bytes, int target, long displacement) {
    Buffers.requireRange(into, offset, bytes);
    long at = epochs.place("get", target, displacement, bytes);
    MemorySegment there = exposed.direct(target);
    if (there != null) {
      DirectCopy.get(there, at, into, offset, bytes);
    } else {
      Buffers.requireWritable(into, multithreaded);
      calls.get(into, offset, bytes, target, at);
    }
  }

  private void getSlowly(Data into, int target, long displacement) {
    Placement near = writable(into);
    long at = epochs.place("get", target, displacement, near.bytes());
    calls.get(near.payload(spaces), target, at, null, 0);
  }

  /**
   * Copies data from elements of a datatype in a rank's memory, like {@link #put(Data, int, long, long, Datatype)}.
   *
   * @param into room for as many bytes as the elements have
   * @param target rank of the window
   * @param displacement of the first element's origin there, in the target's units
   * @param count elements there
   * @param at how they lie there
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank, the bytes at both ends are not as many, or the data is
   * read-only
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #get(Data, int, long)}
   */
  public void get(Data into, int target, long displacement, long count, Datatype at) {
    Placement near = writable(into);
    TypeMap type = face.type(at);
    long place = place("get", target, displacement, near, count, type);
    calls.get(near.payload(spaces), target, place, isContiguous(type) ? null : type.program(), count);
  }

  private Placement readable(Data data) {
    Placement near = face.placement(data, views);
    near.requireUsable(multithreaded);
    return near;
  }

  private Placement writable(Data data) {
    Placement near = face.placement(data, views);
    near.requireReceivable(multithreaded);
    return near;
  }

  /** Refuses elements that have not as many bytes at both ends. */
  private void requireAsMany(String call, Placement near, long count, TypeMap type, int target) {
    if (count < 0 || count > 0 && near.bytes() / count != type.size() || near.bytes() != count * type.size()) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %s and %d elements of %s at rank %d in %s; both ends are to have as many bytes".formatted(
              call, near, count, type.label(), target, this));
    }
  }

  /** Where the origin of the first of some elements lies, in bytes; refuses those that do not lie in the memory. */
  private long place(String call, int target, long displacement, Placement near, long count, TypeMap type) {
    requireAsMany(call, near, count, type, target);
    Program program = type.program();
    if (state.isDynamic() && count > 0) {
      return epochs.placeAround(call, target, displacement, program.lowest(count), program.highest(count));
    }
    long at = epochs.place(call, target, displacement, 0);
    if (count > 0) {
      long low = program.lowest(count);
      long high = program.highest(count);
      if (low < -at || high > exposed.bytes(target) - at) {
        throw new IndexOutOfBoundsException(
            "%s of %d elements of %s at displacement %d of rank %d in %s: they lie from byte %d to %d of %d there"
                .formatted(call, count, type.label(), displacement, target, this, at + low, at + high,
                    exposed.bytes(target)));
      }
    }
    return at;
  }

  // Atomics

  /**
   * Combines data with a rank's memory, element by element: each element there becomes itself op the one that is given.
   *
   * @param from operands, of a type that the operator has a meaning for
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator; {@link Op#REPLACE} stores elements
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank, the operator is the program's own or has no meaning
   * for the elements, or these do not lie at a multiple of their size
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when a rank died that was changing an element, or the target, whose handler is asked
   */
  public void accumulate(Data from, int target, long displacement, Op op) {
    if (!face.isScattered(from) && face.bytes(from) == LONG_BYTES && accumulateOne(from, target, displacement, op)) {
      return;
    }
    Placement near = readable(from);
    combine("accumulate", near, null, target, displacement, near.count(), null, op, true);
  }

  /** Whether it was one long or double number, at a target that is reached directly: most often. */
  private boolean accumulateOne(Data from, int target, long displacement, Op op) {
    TypeMap type = face.typeOf(from);
    ElementKind kind = type == null ? null : type.kind();
    Operator operator = face.operator(op).predefined();
    if (kind != ElementKind.DOUBLE && kind != ElementKind.INT64 || operator == null || !operator.combines(kind)) {
      return false;
    }
    long at = epochs.placeOfElement("accumulate", target, displacement, LONG_BYTES);
    MemorySegment there = exposed.direct(target);
    if (there == null || operator == Operator.NO_OP) {
      return false;
    }
    long operand = DirectCopy.load(face.memory(from, views), face.offset(from));
    Accumulate.fetchAndOp(operator, kind, there, at, operand);
    return true;
  }

  /**
   * Combines data with elements of a datatype in a rank's memory, like {@link #accumulate(Data, int, long, Op)}.
   *
   * @param from operands, of the basic type that the elements have
   * @param target rank of the window
   * @param displacement of the first element's origin there, in the target's units
   * @param count elements there
   * @param at how they lie there; all of one basic type
   * @param op a predefined operator
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}, or the elements at both ends are not
   * as many of the same basic type
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #accumulate(Data, int, long, Op)}
   */
  public void accumulate(Data from, int target, long displacement, long count, Datatype at, Op op) {
    Placement near = readable(from);
    TypeMap type = face.type(at);
    requireAsMany("accumulate", near, count, type, target);
    type.requireReceivable(count);
    combine("accumulate", near, null, target, displacement, count, type, op, true);
  }

  /**
   * Combines data with a rank's memory, like {@link #accumulate(Data, int, long, Op)}, and gets what was there. With
   * {@link Op#NO_OP} it is an atomic get.
   *
   * @param from operands; {@link Op#NO_OP} reads none of them
   * @param result gets as many elements
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}, or the result is read-only or has
   * other elements, or not as many
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #accumulate(Data, int, long, Op)}
   */
  public void getAccumulate(Data from, Data result, int target, long displacement, Op op) {
    Placement near = readable(from);
    combine("getAccumulate", near, writable(result), target, displacement, near.count(), null, op, true);
  }

  /**
   * Combines data with elements of a datatype in a rank's memory, and gets what was there.
   *
   * @param from operands; {@link Op#NO_OP} reads none of them
   * @param result gets as many elements
   * @param target rank of the window
   * @param displacement of the first element's origin there, in the target's units
   * @param count elements there
   * @param at how they lie there; all of one basic type
   * @param op a predefined operator
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, long, Datatype, Op)} and
   * {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IndexOutOfBoundsException when the target's memory does not hold the elements
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException as {@link #accumulate(Data, int, long, Op)}
   */
  public void getAccumulate(Data from, Data result, int target, long displacement, long count, Datatype at, Op op) {
    TypeMap type = face.type(at);
    Placement near = readable(from);
    requireAsMany("getAccumulate", near, count, type, target);
    type.requireReceivable(count);
    combine("getAccumulate", near, writable(result), target, displacement, count, type, op, true);
  }

  /**
   * Combines elements.
   *
   * @param type of the elements there; null: they are as those that are given, one after the other
   * @param isAwaited whether it is over when this returns
   * @return what is to be waited for; null: it is over
   */
  private Pending combine(String call, Placement near, Placement result, int target, long displacement, long count,
      TypeMap type, Op op, boolean isAwaited) {
    OperatorMap map = face.operator(op);
    Operator operator = predefined(call, map);
    ElementKind kind = kind(call, map, operator, near.type());
    requireAlike(call, map, operator, kind, near, result);
    TypeMap there = type;
    long elements = count;
    if (there == null && WindowCalls.isPair(kind)) { // pairs lie there as their datatype says
      there = pairs(kind);
      elements = near.bytes() / kind.bytes();
    }
    if (there != null && kind(call, map, operator, there) != kind) {
      throw new ArgumentException(Reason.TYPE,
          "%s of %s and elements of %s at rank %d in %s; both are to have the same basic type".formatted(
              call, near, there.label(), target, this));
    }
    long at = there == null
        ? epochs.place(call, target, displacement, near.bytes())
        : place(call, target, displacement, near, elements, there);
    Program program = there == null || isContiguous(there) ? null : there.program();
    epochs.requireAligned(call, target, displacement, at, operator, kind, program, elements);
    Payload operands = operator == Operator.NO_OP ? null : near.payload(spaces);
    Payload was = result == null ? null : result.payload(spaces);
    if (operator == Operator.NO_OP && was == null) {
      return null;
    }
    boolean alone = epochs.isAlone(target);
    if (!isAwaited) {
      return calls.startAccumulate(operator, kind, operands, was, target, at, program, elements, near.bytes(), alone);
    }
    calls.accumulate(operator, kind, operands, was, target, at, program, elements, near.bytes(), alone);
    return null;
  }

  /** Refuses a result of other elements, or not as many; null: nobody wants one. */
  private void requireAlike(String call, OperatorMap map, Operator operator, ElementKind kind, Placement near,
      Placement result) {
    if (result != null && (result.bytes() != near.bytes() || kind(call, map, operator, result.type()) != kind)) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %s with a result in %s in %s; both are to have as many elements of the same basic type".formatted(
              call, near, result, this));
    }
  }

  /** What the operator takes all elements for; refuses elements that differ, or that it has no meaning for. */
  private ElementKind kind(String call, OperatorMap map, Operator operator, TypeMap type) {
    if (type == null || operator != Operator.REPLACE && operator != Operator.NO_OP) {
      return ElementKind.of(map.elementOf(type));
    }
    ElementKind kind = type.pair() == null ? type.kind() : type.pair();
    if (kind == null) {
      throw new ArgumentException(Reason.TYPE,
          ("%s of elements of %s in %s: they have no basic type, or several; atomic accesses are to elements of one, "
              + "and others are put and got").formatted(call, type.label(), this));
    }
    return kind;
  }

  private TypeMap pairs(ElementKind kind) {
    return face.type(switch (kind) {
      case SHORT_INT -> Datatype.SHORT_INT;
      case INT_INT -> Datatype.INT_INT;
      case LONG_INT -> Datatype.LONG_INT;
      case FLOAT_INT -> Datatype.FLOAT_INT;
      default -> Datatype.DOUBLE_INT;
    });
  }

  /** Whether elements of a datatype lie as their bytes do, one after the other. */
  private static boolean isContiguous(TypeMap type) {
    Bounds bounds = type.form().bounds();
    return type.form().flat().blocks() == 1 && bounds.extent() == bounds.size() && bounds.trueLower() == 0;
  }

  private Operator predefined(String call, OperatorMap map) {
    Operator operator = map.predefined();
    if (operator == null) {
      throw new ArgumentException(Reason.OP,
          ("%s in %s by an operator of the program's own, which only its rank can run; take a predefined one, or get, "
              + "compute and put under an exclusive lock").formatted(call, this));
    }
    return operator;
  }

  private Operator predefined(String call, Op op, ElementKind kind) {
    Operator operator = predefined(call, face.operator(op));
    if (!operator.combines(kind)) {
      face.operator(op).elementOf(kind == ElementKind.INT64 ? face.type(Datatype.LONG) : face.type(Datatype.DOUBLE));
    }
    return operator;
  }

  /**
   * Combines one long number with one in a rank's memory, and returns what was there.
   *
   * @param value the operand; {@link Op#NO_OP} has none
   * @param target rank of the window
   * @param displacement of the 8 bytes there, in the target's units
   * @param op a predefined operator
   * @return the number before
   * @throws NullPointerException when the operator is null
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}
   * @throws IndexOutOfBoundsException when the target's memory does not hold the number
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target died, whose handler is asked
   */
  public long fetchAndOp(long value, int target, long displacement, Op op) {
    Operator operator = predefined("fetchAndOp", op, ElementKind.INT64);
    long at = epochs.placeOfElement("fetchAndOp", target, displacement, LONG_BYTES);
    MemorySegment there = exposed.direct(target);
    return there != null
        ? Accumulate.fetchAndOp(operator, ElementKind.INT64, there, at, value)
        : calls.fetchAndOp(operator, ElementKind.INT64, value, target, at);
  }

  /**
   * Combines one double number with one in a rank's memory, like {@link #fetchAndOp(long, int, long, Op)}.
   *
   * @param value the operand; {@link Op#NO_OP} has none
   * @param target rank of the window
   * @param displacement of the 8 bytes there, in the target's units
   * @param op a predefined operator
   * @return the number before
   * @throws NullPointerException when the operator is null
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}
   * @throws IndexOutOfBoundsException when the target's memory does not hold the number
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target died, whose handler is asked
   */
  public double fetchAndOp(double value, int target, long displacement, Op op) {
    Operator operator = predefined("fetchAndOp", op, ElementKind.DOUBLE);
    long at = epochs.placeOfElement("fetchAndOp", target, displacement, LONG_BYTES);
    MemorySegment there = exposed.direct(target);
    return there != null
        ? Accumulate.fetchAndOp(operator, there, at, value)
        : Double.longBitsToDouble(calls.fetchAndOp(operator, ElementKind.DOUBLE, Double.doubleToRawLongBits(value),
            target, at));
  }

  /**
   * Stores a long number in a rank's memory if the number there is the expected one, and returns what was there.
   *
   * @param expected the number that is replaced
   * @param desired the number that is stored
   * @param target rank of the window
   * @param displacement of the 8 bytes there, in the target's units
   * @return the number before: {@code expected} if {@code desired} was stored
   * @throws IllegalArgumentException when there is no such rank, or the number does not lie at a multiple of 8 bytes
   * @throws IndexOutOfBoundsException when the target's memory does not hold the number
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target died, whose handler is asked
   */
  public long compareAndSwap(long expected, long desired, int target, long displacement) {
    long at = epochs.placeOfElement("compareAndSwap", target, displacement, LONG_BYTES);
    MemorySegment there = exposed.direct(target);
    return there != null
        ? Accumulate.compareAndSwap(ElementKind.INT64, there, at, expected, desired)
        : calls.compareAndSwap(ElementKind.INT64, expected, desired, target, at);
  }

  /**
   * Stores one element in a rank's memory if the bits of the element there are the expected ones.
   *
   * @param expected one element of a type of 1, 2, 4 or 8 bytes
   * @param desired one of the same type, which is stored
   * @param result gets what was there
   * @param target rank of the window
   * @param displacement of the element there, in the target's units
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank, the data is not one element each of the same basic
   * type, or the element does not lie at a multiple of its size
   * @throws IndexOutOfBoundsException when the target's memory does not hold the element
   * @throws IllegalStateException outside of an epoch that reaches the target
   * @throws RankFailedException when the target died, whose handler is asked
   */
  public void compareAndSwap(Data expected, Data desired, Data result, int target, long displacement) {
    Placement wanted = readable(expected);
    Placement stored = readable(desired);
    Placement was = writable(result);
    OperatorMap replace = face.operator(Op.REPLACE);
    ElementKind kind = kind("compareAndSwap", replace, Operator.REPLACE, wanted.type());
    replace.requireAlike("compareAndSwap", wanted, stored, 1);
    replace.requireAlike("compareAndSwap", wanted, was, 1);
    if (wanted.bytes() != kind.bytes() || !Accumulate.allows(Operator.REPLACE, kind)) {
      throw new ArgumentException(Reason.COUNT,
          "compareAndSwap of %s in %s; it takes one element of a basic type of at most 8 bytes".formatted(wanted,
              this));
    }
    long at = epochs.placeOfElement("compareAndSwap", target, displacement, kind.bytes());
    long before = calls.compareAndSwap(kind, bits(wanted), bits(stored), target, at);
    MemorySegment word = MemorySegment.ofArray(new long[] {before});
    was.copyFrom(spaces, word, 0, kind.bytes());
  }

  /** The bits of one element, which has the lowest of a number. */
  private long bits(Placement one) {
    MemorySegment word = MemorySegment.ofArray(new long[1]);
    one.copyTo(spaces, word, 0);
    return word.get(ValueLayout.JAVA_LONG, 0);
  }

  // Request forms: those to a target whose rank does what is asked for go on behind the call, all others are over

  /**
   * Starts what {@link #put(Data, int, long)} does.
   *
   * @param from what is copied; not to be changed until the request is complete
   * @param target rank of the window
   * @param displacement where it goes there, in the target's units
   * @return the request; it is complete when the data can be used again
   * @throws NullPointerException as {@link #put(Data, int, long)}
   * @throws IllegalArgumentException as {@link #put(Data, int, long)}
   * @throws IndexOutOfBoundsException as {@link #put(Data, int, long)}
   * @throws IllegalStateException as {@link #put(Data, int, long)}
   */
  public Request rput(Data from, int target, long displacement) {
    return rput(from, target, displacement, new Request());
  }

  /**
   * Starts what {@link #put(Data, int, long)} does, by a request of the caller's.
   *
   * @param from what is copied; not to be changed until the request is complete
   * @param target rank of the window
   * @param displacement where it goes there, in the target's units
   * @param request inactive; becomes that of this call
   * @return the request
   * @throws NullPointerException as {@link #put(Data, int, long)}
   * @throws IllegalArgumentException as {@link #put(Data, int, long)}, or the request cannot be handed in
   * @throws IndexOutOfBoundsException as {@link #put(Data, int, long)}
   * @throws IllegalStateException as {@link #put(Data, int, long)}, or the request is active
   */
  public Request rput(Data from, int target, long displacement, Request request) {
    face.requireFree(request);
    Placement near = readable(from);
    long at = epochs.place("rput", target, displacement, near.bytes());
    return begin(request, calls.startPut(near.payload(spaces), target, at));
  }

  /**
   * Starts what {@link #get(Data, int, long)} does.
   *
   * @param into where it goes; not to be touched until the request is complete
   * @param target rank of the window
   * @param displacement where it lies there, in the target's units
   * @return the request; it is complete when the data is there
   * @throws NullPointerException as {@link #get(Data, int, long)}
   * @throws IllegalArgumentException as {@link #get(Data, int, long)}
   * @throws IndexOutOfBoundsException as {@link #get(Data, int, long)}
   * @throws IllegalStateException as {@link #get(Data, int, long)}
   */
  public Request rget(Data into, int target, long displacement) {
    return rget(into, target, displacement, new Request());
  }

  /**
   * Starts what {@link #get(Data, int, long)} does, by a request of the caller's.
   *
   * @param into where it goes; not to be touched until the request is complete
   * @param target rank of the window
   * @param displacement where it lies there, in the target's units
   * @param request inactive; becomes that of this call
   * @return the request
   * @throws NullPointerException as {@link #get(Data, int, long)}
   * @throws IllegalArgumentException as {@link #get(Data, int, long)}, or the request cannot be handed in
   * @throws IndexOutOfBoundsException as {@link #get(Data, int, long)}
   * @throws IllegalStateException as {@link #get(Data, int, long)}, or the request is active
   */
  public Request rget(Data into, int target, long displacement, Request request) {
    face.requireFree(request);
    Placement near = writable(into);
    long at = epochs.place("rget", target, displacement, near.bytes());
    return begin(request, calls.startGet(near.payload(spaces), target, at));
  }

  /**
   * Starts what {@link #accumulate(Data, int, long, Op)} does.
   *
   * @param from operands; not to be changed until the request is complete
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator
   * @return the request; it is complete when the data can be used again
   * @throws NullPointerException as {@link #accumulate(Data, int, long, Op)}
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}
   * @throws IndexOutOfBoundsException as {@link #accumulate(Data, int, long, Op)}
   * @throws IllegalStateException as {@link #accumulate(Data, int, long, Op)}
   */
  public Request raccumulate(Data from, int target, long displacement, Op op) {
    return raccumulate(from, target, displacement, op, new Request());
  }

  /**
   * Starts what {@link #accumulate(Data, int, long, Op)} does, by a request of the caller's.
   *
   * @param from operands; not to be changed until the request is complete
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator
   * @param request inactive; becomes that of this call
   * @return the request
   * @throws NullPointerException as {@link #accumulate(Data, int, long, Op)}
   * @throws IllegalArgumentException as {@link #accumulate(Data, int, long, Op)}, or the request cannot be handed in
   * @throws IndexOutOfBoundsException as {@link #accumulate(Data, int, long, Op)}
   * @throws IllegalStateException as {@link #accumulate(Data, int, long, Op)}, or the request is active
   */
  public Request raccumulate(Data from, int target, long displacement, Op op, Request request) {
    face.requireFree(request);
    Placement near = readable(from);
    return begin(request, combine("raccumulate", near, null, target, displacement, near.count(), null, op, false));
  }

  /**
   * Starts what {@link #getAccumulate(Data, Data, int, long, Op)} does.
   *
   * @param from operands; not to be changed until the request is complete
   * @param result gets what was there; not to be touched until the request is complete
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator
   * @return the request; it is complete when the result is there
   * @throws NullPointerException as {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IllegalArgumentException as {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IndexOutOfBoundsException as {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IllegalStateException as {@link #getAccumulate(Data, Data, int, long, Op)}
   */
  public Request rgetAccumulate(Data from, Data result, int target, long displacement, Op op) {
    return rgetAccumulate(from, result, target, displacement, op, new Request());
  }

  /**
   * Starts what {@link #getAccumulate(Data, Data, int, long, Op)} does, by a request of the caller's.
   *
   * @param from operands; not to be changed until the request is complete
   * @param result gets what was there; not to be touched until the request is complete
   * @param target rank of the window
   * @param displacement of the first element there, in the target's units
   * @param op a predefined operator
   * @param request inactive; becomes that of this call
   * @return the request
   * @throws NullPointerException as {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IllegalArgumentException as {@link #getAccumulate(Data, Data, int, long, Op)}, or the request cannot be
   * handed in
   * @throws IndexOutOfBoundsException as {@link #getAccumulate(Data, Data, int, long, Op)}
   * @throws IllegalStateException as {@link #getAccumulate(Data, Data, int, long, Op)}, or the request is active
   */
  public Request rgetAccumulate(Data from, Data result, int target, long displacement, Op op, Request request) {
    face.requireFree(request);
    Placement near = readable(from);
    return begin(request,
        combine("rgetAccumulate", near, writable(result), target, displacement, near.count(), null, op, false));
  }

  /** @param pending what was started; null: it is over */
  private Request begin(Request request, Pending pending) {
    return (Request) face.begin(parent, request, pending);
  }

  // Epochs

  /**
   * A fence, which all ranks of the window call: accesses before it are over, at all ranks, and those behind it may
   * begin, to all. An epoch of a fence ends with the next fence, with {@link #lastFence}, or where another epoch
   * begins, which is allowed if no access was made since the fence.
   *
   * @throws IllegalStateException inside of another epoch, or when the window is closed
   * @throws RankFailedException when a rank died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits; called again it goes on
   */
  public void fence() {
    epochs.fence();
  }

  /**
   * A fence behind which no access follows, which all ranks of the window call.
   *
   * @throws IllegalStateException as {@link #fence()}
   * @throws RankFailedException as {@link #fence()}
   * @throws InterruptedWaitException as {@link #fence()}
   */
  public void lastFence() {
    epochs.lastFence();
  }

  /**
   * Opens this rank's memory to some ranks, until {@link #await}. It waits for nobody.
   *
   * @param origins ranks of the window that {@link #start} an epoch to this one
   * @throws IllegalArgumentException when there is no such rank, or one is named twice
   * @throws IllegalStateException when it is open already, or the window is closed
   */
  public void post(int... origins) {
    epochs.post(origins);
  }

  /**
   * Begins an epoch to some ranks, once each has opened its memory to this one by {@link #post}.
   *
   * @param targets ranks of the window
   * @return the epoch, which {@link #complete} ends as its close does
   * @throws IllegalArgumentException when there is no such rank, or one is named twice
   * @throws IllegalStateException inside of another epoch, or when the window is closed
   * @throws RankFailedException when one of them died or left before it has posted
   * @throws InterruptedWaitException when the thread is interrupted while it waits; no epoch has begun then
   */
  public Epoch start(int... targets) {
    epochs.start(targets);
    return started;
  }

  /**
   * Ends the epoch that {@link #start} has begun: all accesses are done at their targets, which are told.
   *
   * @throws IllegalStateException when there is no such epoch
   * @throws RankFailedException when a target died whose accesses go by its handler
   */
  public void complete() {
    epochs.complete();
  }

  /**
   * Ends what {@link #post} has begun, once each of those ranks has called {@link #complete}: what they have done to
   * this rank's memory is there.
   *
   * @throws IllegalStateException when nothing was posted
   * @throws RankFailedException when one of them died or left before; the memory is not open any more
   * @throws InterruptedWaitException when the thread is interrupted while it waits; called again it goes on
   */
  public void await() {
    epochs.await();
  }

  /**
   * Ends what {@link #post} has begun, as {@link #await} does, if each of those ranks has completed.
   *
   * @return whether it has ended
   * @throws IllegalStateException when nothing was posted
   */
  public boolean test() {
    return epochs.test();
  }

  /**
   * Locks a rank's memory, and begins an epoch to it; its rank calls nothing. Several ranks share a lock that is not
   * exclusive. A rank may have locks of several targets at a time, one of each.
   *
   * @param target rank of the window
   * @param exclusive whether this rank is to be the only one with a lock of that memory
   * @return the epoch, whose close ends it and frees the lock
   * @throws IllegalArgumentException when there is no such rank
   * @throws IllegalStateException when this rank has a lock of that target already, inside of another kind of epoch, or
   * when the window is closed
   * @throws RankFailedException when a rank died that had the lock: this one has not got it, what the dead one was
   * changing may be half done, and the next lock goes on
   * @throws InterruptedWaitException when the thread is interrupted while it waits; it has no lock then
   */
  public Epoch lock(int target, boolean exclusive) {
    epochs.lock(target, exclusive);
    Epoch epoch = locks[target];
    if (epoch == null) {
      epoch = new Epoch(() -> unlock(target));
      locks[target] = epoch;
    }
    return epoch;
  }

  /**
   * Ends the epoch of a {@link #lock}, as its close does: all accesses are done at the target, and the lock is free.
   *
   * @param target rank of the window
   * @throws IllegalArgumentException when there is no such rank
   * @throws IllegalStateException when this rank has no lock of it
   * @throws RankFailedException when the target died, and accesses go by its handler
   */
  public void unlock(int target) {
    epochs.unlock(target);
  }

  /**
   * Begins an epoch to all ranks, with locks that are shared with others. It takes the same time for any number of
   * ranks: a target that another rank has locked exclusively is waited for at the first access to it.
   *
   * @return the epoch, whose close ends it
   * @throws IllegalStateException inside of another epoch, or when the window is closed
   * @throws InterruptedWaitException when the thread is interrupted while it waits; no epoch has begun then
   */
  public Epoch lockAll() {
    epochs.lockAll();
    return all;
  }

  /**
   * Ends the epoch of {@link #lockAll}, as its close does.
   *
   * @throws IllegalStateException when there is none
   * @throws RankFailedException when a target died whose accesses go by its handler
   */
  public void unlockAll() {
    epochs.unlockAll();
  }

  /**
   * In an epoch of a lock: waits until what this rank has done to a rank's memory is done there, and is seen by others
   * that look afterwards.
   *
   * @param target rank of the window
   * @throws IllegalArgumentException when there is no such rank
   * @throws IllegalStateException outside of an epoch of a lock
   * @throws RankFailedException when the target died, and accesses go by its handler
   */
  public void flush(int target) {
    epochs.flush(target);
  }

  /**
   * In an epoch of locks: what {@link #flush} does, for all targets.
   *
   * @throws IllegalStateException outside of an epoch of a lock
   * @throws RankFailedException when a target died whose accesses go by its handler
   */
  public void flushAll() {
    epochs.flushAll();
  }

  /**
   * In an epoch of a lock: memory of this rank that calls were given can be used again. That is so when they return, so
   * this waits for nothing.
   *
   * @param target rank of the window
   * @throws IllegalArgumentException when there is no such rank
   * @throws IllegalStateException outside of an epoch of a lock
   */
  public void flushLocal(int target) {
    requireRank(target);
    flushLocalAll();
  }

  /**
   * In an epoch of locks: what {@link #flushLocal} does, for all targets.
   *
   * @throws IllegalStateException outside of an epoch of a lock
   */
  public void flushLocalAll() {
    epochs.flushLocal();
  }

  /**
   * Orders this rank's own loads and stores of its memory with what others do there: what they have put, and flushed,
   * is seen behind it, and what this rank has stored before is seen by them.
   *
   * @throws IllegalStateException when the window is closed
   */
  public void sync() {
    epochs.sync();
  }

  /**
   * Ends the window for this rank, which waits for its own requests alone; all ranks of the window call it. Others may
   * use this rank's memory until they have closed it, too: what was taken for it is given back then, and memory of the
   * program is to be used for something else only after that, behind a barrier for example. Shared memory stays mapped
   * here, so that an access that comes late harms nothing.
   *
   * @throws IllegalStateException inside of an epoch, or when the window is closed
   */
  @Override
  public void close() {
    requireOpen("close");
    state.close();
    communicator.keep(state::end, state.taken());
    communicator.close();
  }

  @Override
  public String toString() {
    return "window of %s".formatted(communicator.members().label());
  }
}
