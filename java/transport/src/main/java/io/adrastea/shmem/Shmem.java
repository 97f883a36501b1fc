package io.adrastea.shmem;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.comm.Buffers;
import io.adrastea.comm.CommunicatorState;
import io.adrastea.comm.Face;
import io.adrastea.engine.symmetric.SymmetricState;
import io.adrastea.engine.symmetric.WordWaits;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.space.StridedExposed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * OpenSHMEM as a rank of a job takes part in it: a symmetric heap, of which each rank (here a PE, a processing element)
 * has a part that all PEs read, write and compute in by loads, stores and instructions of their own [OpenSHMEM over
 * XPMEM 2011].
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "shmem"}
 *
 * <p>
 * The parts of all PEs are one region of memory, mapped once: a place lies at pe × stride + offset. So an access to
 * another PE is one to memory, without a call into C, the system or the engine, and needs nothing of that PE.
 *
 * <p>
 * <b>Objects</b> are allocated and freed by all PEs together, in the same order, and lie at the same offset in each
 * part. Their pages are reserved before anybody has the object: what cannot be had is an exception at all PEs, and no
 * store meets memory that is not there.
 *
 * <p>
 * <b>Order.</b> A put is over when it returns: its source can be used again. Others see puts of one PE in any order but
 * across {@link ShmemContext#fence} and {@link ShmemContext#quiet}; a PE that has waited for a word sees what came
 * before it.
 *
 * <p>
 * <b>Failures.</b> A PE that waits, for words or in a call of all, gets a {@link RankFailedException} when a PE has
 * died. Memory of a dead PE can be accessed to the end.
 *
 * <p>
 * Any thread may access memory at any time. Calls that all PEs make together are made by one thread at a time, and
 * calls that wait as the job's {@link io.adrastea.ThreadLevel} allows.
 */
public final class Shmem implements AutoCloseable {
  private final Face face = Face.get();
  private final Communicator world;
  private final CommunicatorState communicator; // what PEs tell each other about the heap goes by it
  private final SymmetricState state;
  private final StridedExposed parts;
  private final int pe;
  private final Buffers views;
  private final Team team;
  private final ShmemContext context;
  private final ShmemWaits waits;
  private final List<ShmemContext> others = new ArrayList<>(); // contexts that are open; guarded by itself

  private Shmem(Communicator parent, long heapBytes) {
    this.world = parent.dup();
    boolean made = false;
    try {
      this.communicator = face.state(world);
      this.state = communicator.engine().symmetricHeaps().make(communicator.collectives(), communicator.members(),
          communicator.rank(), heapBytes);
      made = true;
    } finally {
      if (!made) {
        world.close();
      }
    }
    this.parts = state.parts();
    this.pe = state.rank();
    this.views = face.views(world);
    this.team = new Team(this, world, 0, 1, false);
    this.context = new ShmemContext(this, team, parts);
    this.waits = new ShmemWaits(this);
  }

  /**
   * Makes a symmetric heap for all ranks of a job, which all call it and run on one node.
   *
   * @param job whose ranks are the PEs, by the same numbers
   * @param heapBytes of each PE's part, at least 64; memory is taken when objects are allocated
   * @return the heap, with no objects
   * @throws NullPointerException when the job is null
   * @throws IllegalArgumentException at all PEs, when they do not name as many bytes, or fewer than 64
   * @throws SegmentException when there is no room for it
   * @throws CapabilityException when a rank shares no memory with this one, or takes no part in OpenSHMEM
   * @throws AdrasteaException when another PE could not map it
   * @throws RankFailedException when a rank died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the job was left
   */
  public static Shmem of(Job job, long heapBytes) {
    Objects.requireNonNull(job, "the job is null");
    return new Shmem(job.world(), heapBytes);
  }

  /**
   * Makes a symmetric heap for the ranks of a communicator, as {@link #of(Job, long)} does for all of a job: for some
   * of them, or for those that are left where one has died ({@link Communicator#shrink}).
   *
   * @param communicator whose ranks are the PEs, by the same numbers; the heap has one of its own from then on
   * @param heapBytes of each PE's part, at least 64
   * @return the heap, with no objects
   * @throws NullPointerException when the communicator is null
   * @throws IllegalArgumentException as {@link #of(Job, long)}
   * @throws SegmentException as {@link #of(Job, long)}
   * @throws CapabilityException as {@link #of(Job, long)}
   * @throws AdrasteaException as {@link #of(Job, long)}
   * @throws RankFailedException as {@link #of(Job, long)}
   * @throws InterruptedWaitException as {@link #of(Job, long)}
   * @throws IllegalStateException when the communicator is closed
   */
  public static Shmem of(Communicator communicator, long heapBytes) {
    Objects.requireNonNull(communicator, "the communicator is null");
    return new Shmem(communicator, heapBytes);
  }

  /** {@return the number of this PE: that of its rank in the job} */
  public int pe() {
    return pe;
  }

  /** {@return how many PEs there are} */
  public int pes() {
    return parts.ranks();
  }

  /** {@return bytes that objects can take up in each part, whole lines of 64} */
  public long bytes() {
    return parts.bytes();
  }

  /** {@return bytes that objects take up in each part} */
  public long allocated() {
    return state.allocated();
  }

  // Objects

  /**
   * Allocates an object at all PEs, which all call it alike: all zeros, at a multiple of 64. It is a barrier.
   *
   * @param bytes of each PE, 1 or more
   * @return the object
   * @throws IllegalArgumentException when the bytes are below 1
   * @throws SegmentException at all PEs, when the heap has no place for it, or one PE no room for its pages: nothing is
   * allocated
   * @throws AdrasteaException at all PEs, when they do not call alike
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws IllegalStateException when the heap is closed
   */
  public Symmetric allocate(long bytes) {
    return allocate(bytes, 1);
  }

  /**
   * Allocates an object at all PEs at a multiple of an alignment, like {@link #allocate(long)}.
   *
   * @param bytes of each PE, 1 or more
   * @param alignment a power of two; above 4096 its offset is so aligned, but no address
   * @return the object
   * @throws IllegalArgumentException when the bytes are below 1, or the alignment is no power of two
   * @throws SegmentException as {@link #allocate(long)}
   * @throws AdrasteaException as {@link #allocate(long)}
   * @throws RankFailedException as {@link #allocate(long)}
   * @throws InterruptedWaitException as {@link #allocate(long)}
   * @throws IllegalStateException when the heap is closed
   */
  public Symmetric allocate(long bytes, long alignment) {
    requireBytes(bytes);
    if (Long.bitCount(alignment) != 1 || alignment < 0) {
      throw new ArgumentException(Reason.OTHER,
          "an alignment of %d in the symmetric heap; allowed is a power of two".formatted(alignment));
    }
    return new Symmetric(this, state.allocate(alignment, bytes), bytes);
  }

  static void requireBytes(long bytes) {
    if (bytes < 1) {
      throw new ArgumentException(Reason.COUNT,
          "a symmetric object of %d bytes; at least 1 is allowed".formatted(bytes));
    }
  }

  // Accesses

  /** {@return the context by which most programs access memory; it ends with the heap} */
  public ShmemContext context() {
    return context;
  }

  /**
   * Makes another context of all PEs, whose accesses are completed apart from those of others.
   *
   * @param options what the program promises of it
   * @return the context
   * @throws NullPointerException when an option is null
   * @throws IllegalStateException when the heap is closed
   */
  public ShmemContext createContext(ContextOption... options) {
    return team.createContext(options);
  }

  /** {@return how this PE waits for words of its own memory} */
  public ShmemWaits waits() {
    return waits;
  }

  /**
   * A lock that all PEs share, in a long number of an object that is used for nothing else.
   *
   * @param object that it lies in, all zeros as it is allocated
   * @param offset of the lock there, a multiple of 8 bytes
   * @return the lock
   * @throws NullPointerException when the object is null
   * @throws IllegalArgumentException when the object is of another heap, or the offset is no multiple of 8
   * @throws IndexOutOfBoundsException when the object does not hold the lock
   * @throws IllegalStateException when the object was freed, or the heap is closed
   */
  public ShmemLock lock(Symmetric object, long offset) {
    context.placeOfElement("lock", object, offset, Long.BYTES, pe);
    return new ShmemLock(this, object, offset);
  }

  /** {@return the team of all PEs; it ends with the heap} */
  public Team team() {
    return team;
  }

  /**
   * Waits until all PEs have come here; what each has put before is there at all of them.
   *
   * @throws RankFailedException when a PE died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits; called again it goes on
   * @throws IllegalStateException when the heap is closed
   */
  public void barrierAll() {
    requireOpen("barrierAll");
    context.quiet();
    team.sync();
  }

  /**
   * Waits until all PEs have come here; puts are not completed by it.
   *
   * @throws RankFailedException as {@link #barrierAll}
   * @throws InterruptedWaitException as {@link #barrierAll}
   * @throws IllegalStateException when the heap is closed
   */
  public void syncAll() {
    requireOpen("syncAll");
    team.sync();
  }

  /**
   * Ends the heap for this PE, which waits for nobody; all PEs call it. Others may access this PE's part until they
   * have closed it, too: then its memory is given back, and what {@link Symmetric#local()} and {@link Symmetric#at}
   * have given is not the program's any more. All accesses by this PE are refused from now on.
   *
   * @throws IllegalStateException when it is closed
   */
  @Override
  public void close() {
    state.close();
    end(team);
    context.end();
    communicator.keep(state::end);
    world.close();
  }

  // What the calls need of it

  Face face() {
    return face;
  }

  Buffers views() {
    return views;
  }

  SymmetricState state() {
    return state;
  }

  WordWaits wordWaits() {
    return state.waits();
  }

  CommunicatorState communicator() {
    return communicator;
  }

  /** The parts of all PEs. */
  StridedExposed parts() {
    return parts;
  }

  MemorySegment whole() {
    return parts.whole();
  }

  /** Notes a context that ends with the heap, or with its team. */
  ShmemContext note(ShmemContext made) {
    synchronized (others) {
      others.add(made);
    }
    return made;
  }

  /** A context is closed. */
  void forget(ShmemContext closed) {
    synchronized (others) {
      others.remove(closed);
    }
  }

  /** Ends the contexts of a team, with that of all PEs all of them. */
  void end(Team ended) {
    synchronized (others) {
      for (ShmemContext each : others) {
        if (ended == team || each.team() == ended) {
          each.end();
        }
      }
      others.removeIf(each -> !each.isOpen());
    }
  }

  boolean isOpen() {
    return context.isOpen();
  }

  void requireOpen(String call) {
    if (!isOpen()) {
      throw closed(call);
    }
  }

  IllegalStateException closed(String call) {
    return new IllegalStateException("%s of %s: it is closed, and nothing was accessed".formatted(call, this));
  }

  @Override
  public String toString() {
    return "the symmetric heap of %s".formatted(communicator.members().label());
  }
}
