package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/**
 * The memory of other processes as one rank reaches it, and what the rank exposes of its own. It knows what was learnt
 * of each peer: which space the system has refused, and whether CMA was tried. All code that reaches such memory shares
 * one object per rank, and so what it has learnt.
 *
 * <p>
 * A peer describes memory of its own ({@link #describe}) and tells others of the {@link Exposure}; these choose a space
 * ({@link #reaching} and {@link Exposure#reader}), {@link #read} and {@link #write}, and when that fails ask whether
 * another way may do ({@link #isRefused}). Nothing here waits, and nothing is told to the peer.
 */
public final class RemoteMemory {
  /** The local rank of a rank on another node, whose memory cannot be reached. */
  public static final int ELSEWHERE = -1;

  private static final long NOWHERE = 1; // no process has memory there
  private static final System.Logger LOGGER = System.getLogger(RemoteMemory.class.getName());
  // Already said: ranks that are threads lose it together.
  private static final AtomicBoolean LOST_XPMEM = new AtomicBoolean();

  private final Spaces spaces;
  private final SharedHeap heap;
  private final int[] localRanks;
  private final int[] pids;
  private final SharedMemory shared;
  private final SharedPrograms programs;
  private final PeerPrograms peerPrograms;
  private final PeerMemory[] memories; // by space
  private final MemorySegment probe = Arena.ofAuto().allocate(Long.BYTES);
  private final int able; // spaces that this rank has, whatever is allowed
  private final int allowed;
  private long segment; // XPMEM segment id of this process; 0: none, or it is lost
  private final int[] refused; // spaces that failed, by peer
  private final boolean[] probed; // whether CMA was tried, by peer
  private final boolean[] triedToWrite; // whether that was as well
  private long leastByCma = -1; // it was not measured yet

  /**
   * Makes the remote memory of one rank. Peers are known by their ranks in the job.
   *
   * @param heap its shared allocations
   * @param reach those of all ranks of the node
   * @param localRanks numbers of the ranks on this node; {@link #ELSEWHERE}: it is on another one
   * @param pids of the ranks' processes; 0: it cannot be addressed from here
   * @param allowed set of spaces that may be used
   * @param isThere whether the process of a rank runs, as far as can be told now: at the price of a few system calls,
   * and with garbage
   */
  public RemoteMemory(Spaces spaces, SharedHeap heap, SharedReach reach, int[] localRanks, int[] pids, int allowed,
      IntPredicate isThere) {
    this.spaces = spaces;
    this.heap = heap;
    this.localRanks = localRanks;
    this.pids = pids;
    this.allowed = allowed;
    this.shared = new SharedMemory(spaces, reach, localRanks);
    this.programs = new SharedPrograms(heap);
    this.peerPrograms = new PeerPrograms(shared, pids.length);
    this.memories = new PeerMemory[] {shared, new XpmemMemory(spaces), new CmaMemory(spaces, isThere, pids)};
    this.segment = Space.XPMEM.isIn(allowed) ? Math.max(0, spaces.export()) : 0;
    boolean cma = spaces.read(0, 0, probe, 0, 0) != Spaces.NOSYS;
    this.able = Space.SHARED.bit() | (cma ? Space.CMA.bit() : 0) | (segment > 0 ? Space.XPMEM.bit() : 0);
    this.refused = new int[pids.length];
    this.probed = new boolean[pids.length];
    this.triedToWrite = new boolean[pids.length];
  }

  /** The set of spaces that this rank has, whatever is allowed; XPMEM is tried only where it is. */
  public int able() {
    return able;
  }

  /** The set of spaces by which this rank may copy from and to a peer's memory, as far as is known. */
  public int usable(int peer) {
    if (localRanks[peer] == ELSEWHERE) {
      return 0;
    }
    int standing = segment > 0 ? Space.all() : ~Space.XPMEM.bit();
    return able & allowed & standing & ~refused[peer];
  }

  // Memory of this rank

  /**
   * Describes the first bytes of a payload of this rank for others; it cannot be reached when it lies in more stretches
   * than {@code most}, or on the Java heap. What XPMEM needs is told by {@link Exposure#segment(long)}.
   *
   * @param awaited the calling thread waits inside a call until the use is over, and so cannot close an arena of its
   * own
   */
  public void describe(Payload payload, long bytes, int most, boolean awaited, Exposure exposure) {
    exposure.describe(payload, bytes, heap, most, awaited);
  }

  /**
   * Describes a payload of this rank for many uses, all else being as of {@link #describe}.
   *
   * @param keeper keeps the memory alive until the last use is over, as a window does that ends with all of its ranks:
   * so peers may rely on it, whatever arena it is of; the exposure keeps the keeper reachable
   */
  public Exposure expose(Payload payload, long bytes, int most, Object keeper) {
    Exposure exposure = new Exposure();
    exposure.describe(payload, bytes, heap, most, false);
    exposure.keptBy(keeper);
    return exposure;
  }

  /**
   * Before peers are told of memory that was described: puts the program of its elements where they can read it, if
   * there is one. Without room for that the memory cannot be reached. To be followed by {@link #release}.
   */
  public void publish(Exposure own) {
    if (own.isTyped() && own.published == null) {
      SharedPrograms.Entry entry = programs.hold(own.program());
      if (entry == null) {
        own.clear();
      } else {
        own.publish(entry);
      }
    }
  }

  /** No peer uses memory of this rank any more that it was told of. */
  public void release(Exposure own) {
    if (own.published != null) {
      programs.release(own.published);
      own.published = null;
    }
  }

  /**
   * The XPMEM segment id of this process, which a peer may use for memory that stays until the use is over; 0: there is
   * none. Asks the kernel each time, since it may have been lost meanwhile.
   */
  public long segment() {
    if (segment > 0 && spaces.export() != segment) {
      loseXpmem();
    }
    return segment;
  }

  /** Another user of XPMEM has ended it for this process: it is not used any more, with any peer. */
  private void loseXpmem() {
    if (segment > 0) {
      segment = 0;
      sayLost();
    }
  }

  private static void sayLost() {
    if (!LOST_XPMEM.getAndSet(true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "XPMEM is given up in this process, large messages go by CMA or through the copy ring: another user "
              + "of XPMEM here (UCX, an MPI, a program"
              + " that opened /dev/xpmem) has closed a descriptor of it, with which the kernel ends what all in "
              + "the process had attached and"
              + " exported. Keep that descriptor open, or set adrastea.lmt to cma");
    }
  }

  /** The set of spaces by which a peer, if it has them, can reach memory of this rank. */
  public int reachedBy(int peer, Exposure own) {
    if (localRanks[peer] == ELSEWHERE) {
      return 0;
    }
    int exported = own.segment() > 0 ? Space.all() : ~Space.XPMEM.bit();
    int addressed = pids[peer] != 0 ? Space.all() : ~Space.CMA.bit();
    return Space.all() & ~refused[peer] & exported & addressed;
  }

  // Memory of peers

  /**
   * Finds out how the elements lie that a peer tells of, before their memory is used. False: the peer has taken back
   * what it told, since the use that it was for is over.
   *
   * @throws IllegalArgumentException when what it tells cannot be
   */
  public boolean resolve(int peer, Exposure far) {
    if (far.isTyped() && far.program() == null) {
      Program program = peerPrograms.find(peer, far);
      if (program == null) {
        return false;
      }
      far.resolve(program);
    }
    return true;
  }

  /**
   * The set of spaces by which this rank can reach memory of a peer, as far as its place allows each. CMA is tried on
   * one byte of a peer before it is relied on: only that tells whether the system permits it.
   */
  public int reaching(int peer, Exposure far) {
    if (far.isAddress()) {
      tryCma(peer, far.vector().startAt(0));
    }
    int exported = far.segment() > 0 ? Space.all() : ~Space.XPMEM.bit();
    return usable(peer) & exported;
  }

  /**
   * The set of spaces by which this rank can reach any memory of a peer, before anything is known of it: at an address
   * where nobody has memory the system tells too whether it permits CMA. Writing is tried as well: a rank that says
   * that it reaches the peer may have to do both.
   */
  public int reaching(int peer) {
    tryCma(peer, NOWHERE);
    if (!triedToWrite[peer] && Space.CMA.isIn(usable(peer))) {
      triedToWrite[peer] = true;
      refuseIfForbidden(peer, spaces.write(pids[peer], NOWHERE, probe, 0, 1));
    }
    return usable(peer);
  }

  /**
   * Bytes from which on one copy by CMA takes less than two through shared memory, which two CPUs make at once; 0 where
   * nothing else is allowed. It is measured within this process, in a fraction of a millisecond, when it is first asked
   * for.
   */
  public long leastByCma() {
    if (leastByCma < 0) {
      boolean free = allowed != Space.CMA.bit() && Space.CMA.isIn(able);
      leastByCma = free ? CmaCost.measure(spaces).leastBytes() : 0;
    }
    return leastByCma;
  }

  private void tryCma(int peer, long address) {
    if (!probed[peer] && Space.CMA.isIn(usable(peer))) {
      probed[peer] = true;
      refuseIfForbidden(peer, pids[peer] != 0 ? spaces.read(pids[peer], address, probe, 0, 1) : Spaces.PERM);
    }
  }

  private void refuseIfForbidden(int peer, long status) {
    if (status == Spaces.PERM || status == Spaces.NOSYS) {
      refuse(peer, Space.CMA, (int) status);
    }
  }

  /**
   * The memory of a peer that holds bytes of its shared allocations, mapped here: for code that uses it where it lies.
   *
   * @param offset where they begin in the segment's file, as the peer told it
   * @param bytes how many, at least 1
   * @throws IllegalArgumentException when the peer has no such shared memory, or is on another node
   * @throws io.adrastea.error.SegmentException when what the peer says of its shared memory cannot be
   */
  public SharedReach.Mapping shared(int peer, long offset, long bytes) {
    return shared.mapping(peer, offset, bytes);
  }

  /**
   * Copies bytes of a peer's memory to a payload, from the cursor on, which moves along, and stays behind what was
   * copied when the rest cannot be.
   *
   * @param far the peer's memory, as it tells it: nothing of it is believed that could harm this process
   * @param position of the first byte in it
   * @return all of {@code bytes}, or a negative errno value: {@link Spaces#FAULT}, the memory is gone, alone or with
   *   its process; {@link Spaces#SRCH}; and those of a space that is refused
   * @throws IllegalStateException when memory of the payload was closed
   * @throws WrongThreadException when memory of the payload is another thread's
   * @throws IllegalArgumentException when the peer has no such shared memory
   * @throws IndexOutOfBoundsException when what the peer tells, or the payload, does not have so many bytes
   * @throws io.adrastea.error.SegmentException when what the peer says of its shared memory cannot be
   */
  public long read(int peer, Space space, Exposure far, long position, Payload to, Cursor cursor, long bytes) {
    return move(peer, space, far, position, to, cursor, bytes, true);
  }

  /** Copies bytes of a payload, from the cursor on, to a peer's memory; all else is as of {@link #read}. */
  public long write(int peer, Space space, Exposure far, long position, Payload from, Cursor cursor, long bytes) {
    return move(peer, space, far, position, from, cursor, bytes, false);
  }

  /**
   * Finds out now what {@link #read} and {@link #write} find out now and then: whether the peer's process is there.
   * Where a space is used rarely that takes longer than the copy.
   */
  public void look(int peer, Space space) {
    memories[space.ordinal()].look(peer);
  }

  private long move(int peer, Space space, Exposure far, long position, Payload near, Cursor cursor, long bytes,
      boolean in) {
    Hand hand = Hand.ofThread();
    try {
      return memories[space.ordinal()].move(hand, peer, far, position, near, cursor, bytes, in);
    } catch (InternalError e) { // memory that was mapped is gone, at one end or the other
      return Spaces.FAULT;
    } finally {
      hand.local.clear();
    }
  }

  /**
   * Takes in that a copy has failed. True: the space was refused, or lost, and is taken no more with this peer, or with
   * any, unless it was memory that was wanting; another way may do. False: the memory is gone.
   *
   * @param status what {@link #read} or {@link #write} gave
   */
  public boolean isRefused(int peer, Space space, int status) {
    boolean attached = space == Space.XPMEM;
    boolean isRefused = attached ? status != Spaces.FAULT : status == Spaces.PERM || status == Spaces.NOSYS;
    if (attached && status == Spaces.STALE) {
      loseXpmem(); // for all peers
    } else if (attached && status == Spaces.SRCH) {
      // The peer has lost it, and says so itself; or it is dead, which is found while we wait.
      refused[peer] |= Space.XPMEM.bit();
    } else if (isRefused && !(attached && status == Spaces.NOMEM)) { // the next time there may be memory
      refuse(peer, space, status);
    }
    return isRefused;
  }

  /**
   * Takes this space to a peer no more, and says so the first time, unless the peer is in another container, from which
   * nobody would expect it.
   */
  private void refuse(int peer, Space space, int errno) {
    if (!space.isIn(refused[peer])) {
      refused[peer] |= space.bit();
      boolean expected = space == Space.CMA && isContained(peer);
      LOGGER.log(
          expected ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
          "large messages with rank {0} go through the copy ring: {1} is refused by the system (error {2}){3}",
          peer,
          space,
          -errno,
          expected ? ", since that rank is in another PID or user namespace" : "");
    }
  }

  /** Whether a PID or a user namespace lies between this process and the peer's. */
  private boolean isContained(int peer) {
    return pids[peer] == 0 || !ProcessIdentity.isInUserNamespace(pids[peer]);
  }
}
