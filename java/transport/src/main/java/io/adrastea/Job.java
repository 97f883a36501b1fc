package io.adrastea;

import io.adrastea.bootstrap.Bootstraps;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.Joining;
import io.adrastea.bootstrap.ThreadRanks;
import io.adrastea.comm.CommunicatorState;
import io.adrastea.comm.Face;
import io.adrastea.comm.LocalRanks;
import io.adrastea.config.Tunable;
import io.adrastea.contextid.SlotPool;
import io.adrastea.engine.Engine;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.JoinException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import io.adrastea.peers.Peers;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.shared.SymmetricRegions;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Membership of this process (or thread, {@link #runThreads}) in a job: a set of ranks started together. To be closed
 * when the rank has nothing more to send or receive.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "job"}
 *
 * <p>
 * A process started by {@code adrastea run}, by Slurm's {@code srun} or by Open MPI's {@code mpirun} joins with the
 * others; one started by itself is a job of one.
 */
public final class Job implements AutoCloseable {
  private final JoinedRank joined;
  private final boolean ownsSegment;
  private final SharedHeap heap;
  private final SharedReach reach;
  private final Peers peers;
  private final Engine engine;
  private final Communicator world;
  private boolean closed;

  static {
    Face.is(new FaceAccess());
  }

  Job(JoinedRank joined, boolean ownsSegment, EngineSettings settings) {
    this.joined = joined;
    this.ownsSegment = ownsSegment;
    this.heap = new SharedHeap(joined.segment(), joined.rank());
    this.reach = new SharedReach(joined.segment(), joined.onNode());
    try {
      this.peers = joined.peers(settings.links());
      this.engine =
          new Engine(
              Resources.of(peers, joined.provider().spaces(), joined.table(), heap, reach,
                  new SymmetricRegions(joined.segment(), joined.rank()), settings, joined.segment().checksTypes()));
      Nodes nodes = peers.nodes();
      LocalRanks localRanks =
          new LocalRanks(engine, peers, joined.table(),
              far -> new SlotPool(joined.segment(), joined.table(), heap, reach, joined.rank(), nodes.count(),
                  nodes.node(peers.self()), far));
      this.world =
          new Communicator(
              new CommunicatorState(engine, localRanks, peers.self(), peers.size()), settings.isMultithreaded());
    } catch (RuntimeException | Error e) {
      leaveUnmade(e);
      throw e;
    }
  }

  /** An idle strategy, a link or a path that cannot be had is this rank's failure: the others hear why. */
  private void leaveUnmade(Throwable thrown) {
    try {
      failing(reason(thrown), false);
      leaveAsFailed();
    } catch (RuntimeException | Error e) {
      thrown.addSuppressed(e);
    }
  }

  /**
   * Joins the job that the environment or the system properties name; waits until all its ranks are there. A process is
   * one rank: it joins once at a time, and a job of several ranks once at all. A job of one can be joined again after
   * {@link #close}.
   *
   * @return the membership, to be closed
   * @throws JoinException when settings are missing or contradictory, a rank is missing at the deadline
   * ({@code adrastea.join.timeout}) or gave up, no core works here, or this process is a rank already, or was one of
   * that job
   * @throws SegmentException when the shared memory cannot be had or does not fit
   */
  public static Job join() {
    return builder().join();
  }

  /**
   * Joins, runs a program's part as a rank, and leaves: in order when it returns, as failed when it throws, so that the
   * others hear of it ({@link RankFailedException} says what it threw) instead of waiting for a rank that has gone
   * home.
   *
   * @param body what the rank does
   * @throws Exception what the body throws
   * @throws JoinException as {@link #join}
   * @throws SegmentException as {@link #join} and {@link #close}
   * @throws IllegalStateException as {@link #join} and {@link #close}
   */
  public static void run(Body body) throws Exception {
    builder().run(body);
  }

  /**
   * For joining with other than the default choices.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Choices for joining a job. */
  public static final class Builder {
    private ThreadLevel level = ThreadLevel.SERIALIZED;
    private boolean startsProgressThread;
    private Supplier<? extends IdleStrategy> strategies;

    private Builder() {}

    /**
     * How threads may use the rank.
     *
     * @param level the default is {@link ThreadLevel#SERIALIZED}
     * @return this
     * @throws NullPointerException when the level is null
     */
    public Builder threads(ThreadLevel level) {
      this.level = Objects.requireNonNull(level, "level");
      return this;
    }

    /**
     * How threads wait, instead of spinning ({@code adrastea.spins}), yielding and then sleeping until woken:
     * {@link IdleStrategy#idle()} is called after each look that found nothing, {@link IdleStrategy#reset()} before the
     * next wait and when something else was found meanwhile.
     *
     * @param strategies gives each rank, and with {@link ThreadLevel#MULTIPLE} each thread, an instance of its own
     * @return this
     * @throws NullPointerException when the supplier is null
     */
    public Builder idleStrategy(Supplier<? extends IdleStrategy> strategies) {
      this.strategies = Objects.requireNonNull(strategies, "the supplier of idle strategies is null");
      return this;
    }

    /**
     * Starts a thread at joining that moves messages on while the rank computes, and ends when the job is closed, see
     * {@link Job#progressThread()}. Implies {@link ThreadLevel#MULTIPLE}, whatever {@link #threads} says.
     *
     * @return this
     */
    public Builder progressThread() {
      this.startsProgressThread = true;
      return this;
    }

    /**
     * Joins, see {@link Job#join()}.
     *
     * @return the membership, to be closed
     * @throws JoinException as there
     * @throws SegmentException as there
     */
    public Job join() {
      EngineSettings settings = settings(); // one that is not valid is refused before anybody counts on this rank
      Job job = new Job(Joining.join(Bootstraps.find()), true, settings);
      try {
        return started(job);
      } catch (RuntimeException | Error e) { // nobody has the job, so nobody can leave it
        job.failBecauseOf(e);
        throw e;
      }
    }

    /**
     * Joins, runs and leaves, see {@link Job#run}.
     *
     * @param body what the rank does
     * @throws Exception what the body throws, and as there
     */
    public void run(Body body) throws Exception {
      Job job = join();
      try {
        body.run(job);
      } catch (Throwable e) {
        job.failBecauseOf(e);
        throw e;
      }
      job.close();
    }

    /**
     * Runs ranks as threads, see {@link Job#runThreads}.
     *
     * @param ranks how many
     * @param body what each does
     * @throws RuntimeException as there
     */
    public void runThreads(int ranks, Body body) {
      runThreads(Nodes.one(ranks), body);
    }

    /** Runs ranks as threads that are on several nodes as far as they know: for tests of what is between nodes. */
    void runThreads(Nodes nodes, Body body) {
      EngineSettings settings = settings();
      ThreadRanks.run(
          nodes, joined -> new ThreadRank(new Job(joined, false, settings), job -> body.run(started(job))));
    }

    private Job started(Job job) {
      if (startsProgressThread) {
        job.progressThread();
      }
      return job;
    }

    private Supplier<Waiter> waiters() {
      if (strategies == null) {
        return null;
      }
      return () -> {
        IdleStrategy strategy = Objects.requireNonNull(strategies.get(), "the supplier of idle strategies gave null");
        return new Waiter(strategy::idle, strategy::reset, strategy.mayTakeLong());
      };
    }

    private Gate.Threads threads() {
      if (startsProgressThread) {
        return Gate.Threads.MANY;
      }
      return switch (level) {
        case SINGLE, FUNNELED -> Gate.Threads.ONE;
        case SERIALIZED -> Gate.Threads.IN_TURN;
        case MULTIPLE -> Gate.Threads.MANY;
      };
    }

    private EngineSettings settings() {
      return new EngineSettings(
          new WaitPolicy(
              Tunable.SPINS.intValue(),
              Tunable.OVERSUBSCRIBED.isOnUnlessAuto(),
              waiters(),
              TimeUnit.SECONDS.toNanos(Tunable.HANG_REPORT.intValue())),
          TransferSettings.inForce(),
          Tunable.BYPASS.isOn(),
          threads(),
          Links.inForce());
    }
  }

  /** What a rank of {@link #run}, or each of {@link #runThreads}, does. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs as one rank; the job is closed afterwards.
     *
     * @param job membership of this rank
     * @throws Exception ends the rank as failed
     */
    void run(Job job) throws Exception;
  }

  /** A rank that is a thread. */
  private record ThreadRank(Job job, Body body) implements ThreadRanks.Rank {
    @Override
    public void run() throws Exception {
      body.run(job);
      job.close();
    }

    @Override
    public void failBecauseOf(Throwable thrown) {
      job.failBecauseOf(thrown);
    }
  }

  /**
   * Runs a job of its own whose ranks are threads of this JVM, on one segment; returns when all have ended.
   *
   * @param ranks how many
   * @param body what each does
   * @throws RuntimeException the first failure of a rank, with those of the others suppressed; a checked exception is
   * wrapped in an {@link AdrasteaException}
   */
  public static void runThreads(int ranks, Body body) {
    builder().runThreads(ranks, body);
  }

  /**
   * The communicator of all ranks.
   *
   * @return always the same
   */
  public Communicator world() {
    return world;
  }

  /**
   * Starts a thread that moves the messages of this rank on while its other threads compute: else sends and receives
   * that were started go on only inside calls. For large messages in the first place, whose bytes it copies. At most
   * one at a time; it ends with the job at the latest.
   *
   * <p>
   * It is a daemon thread named {@code adrastea-progress-<rank>}, and is pinned as the thread that calls: with a CPU of
   * its own it copies while the rank computes, without one it takes turns with it. Without anything to move it sleeps.
   * Other threads wait for it at most as long as a copy of 1 MiB of each message on its way takes. When it fails (the
   * shared memory is corrupt), every call does so, until the job is closed.
   *
   * @return the thread, to be closed when it is not needed any more
   * @throws IllegalStateException when the job was not joined with {@link ThreadLevel#MULTIPLE} or
   * {@link Builder#progressThread()}, has a progress thread, or was left
   */
  public ProgressThread progressThread() {
    return new ProgressThread(engine.startProgressThread());
  }

  /**
   * Name of the core in use.
   *
   * @return {@code ffm}, {@code jni}, {@code java} or {@code jna}
   */
  public String core() {
    return joined.provider().name();
  }

  /**
   * How those CPUs hang together on which ranks of this node may run: packages, NUMA nodes, caches (in bytes) and SMT
   * siblings, as {@code /sys/devices/system} of Linux tells. With {@link #cpus} it tells what two ranks share: {@code
   * topology().sharedCache(cpus(0).or(cpus(1)))}. Read anew at each call, which takes milliseconds. Any thread may
   * call, at any {@link ThreadLevel}, also after {@link #close}.
   *
   * @return the topology; CPUs that no rank may use are not in it; where the system does not tell, all are one package
   *   and one node, each is a core, and there are no caches
   */
  public Topology topology() {
    return Topology.of(joined.table().cpus());
  }

  /**
   * The CPUs on which the thread of a rank of this node was allowed to run when it joined, after it was bound
   * ({@code run --bind}). Any thread may call, at any {@link ThreadLevel}, also after {@link #close}.
   *
   * @param rank number in the job, from 0
   * @return at least one, as far as they are among the first 1,024
   * @throws IllegalArgumentException when there is no such rank, or it is on another node
   */
  public Cpus cpus(int rank) {
    return joined.table().cpus(localRank(rank, "its CPUs are known to the ranks of its node alone"));
  }

  /**
   * The number on this node of a rank of the job.
   *
   * @param alone why a rank of another node will not do
   */
  private int localRank(int rank, String alone) {
    Nodes nodes = peers.nodes();
    if (rank < 0 || rank >= peers.size()) {
      throw new ArgumentException(Reason.RANK,
          "there is no rank %d in this job; ranks are 0 to %d".formatted(rank, peers.size() - 1));
    }
    if (!peers.isOnNode(rank)) {
      throw new ArgumentException(Reason.RANK,
          "rank %d is on node %d, and rank %d on node %d; %s".formatted(rank, nodes.node(rank), peers.self(),
              nodes.node(peers.self()), alone));
    }
    return nodes.localRank(rank);
  }

  /**
   * Takes memory that every rank of the node can reach: send them {@link #offset}, they call {@link #shared}. All
   * zeros; its pages are there, near the CPU of the calling thread; no two allocations share a cache line. Any thread
   * may call, at any {@link ThreadLevel}.
   *
   * <p>
   * What one rank writes another sees once they have synchronised: by a message sent after the writing and received
   * before the reading, by a barrier, or by release and acquire on words in the memory itself.
   *
   * <p>
   * It stays allocated until {@link #free} or the end of the job. The memory stays mapped here as long as it is
   * reachable, also after {@link #close}, and in other ranks likewise; its place is given to later allocations of this
   * rank only after {@link #free}.
   *
   * @param bytes how many, at least 1
   * @param alignment of its address in every rank, in bytes: a power of two from 1 to 4096
   * @return the memory, of just so many bytes
   * @throws IllegalArgumentException when bytes or alignment are not allowed
   * @throws SegmentException when there is no room: names the bytes needed and those there
   * @throws IllegalStateException when the job was left
   */
  public MemorySegment allocate(long bytes, long alignment) {
    return heap.allocate(bytes, alignment);
  }

  /**
   * Gives back what {@link #allocate} gave. No rank may use it any more, which the caller sees to: its place will be
   * given to another allocation.
   *
   * @param memory what was allocated, whole
   * @throws IllegalArgumentException when it was not allocated by this rank, is a part of an allocation, or was freed
   * already
   * @throws IllegalStateException when the job was left
   */
  public void free(MemorySegment memory) {
    heap.free(memory);
  }

  /**
   * Where shared memory of this rank lies, to be told to other ranks.
   *
   * @param memory what {@link #allocate} gave, or a part of it
   * @return its offset in bytes in the file of the job's segment
   * @throws IllegalArgumentException when it does not lie in an allocation of this rank that is not freed
   * @throws IllegalStateException when the job was left
   */
  public long offset(MemorySegment memory) {
    return heap.offset(memory);
  }

  /**
   * Shared memory of any rank of the node, this one included, mapped here at its first use. It stays mapped as long as
   * it is reachable. Whether the rank has freed it is not checked: it must not be used then. Any thread may call, at
   * any {@link ThreadLevel}.
   *
   * @param rank whose memory it is, number in the job
   * @param offset where it starts, as that rank's {@link #offset} told
   * @param bytes how many, at least 1
   * @return the memory
   * @throws IllegalArgumentException when there is no such rank, it is on another node, or its shared memory does not
   * hold these bytes
   * @throws SegmentException when what the rank says of its memory cannot be: it is broken
   * @throws IllegalStateException when the job was left
   */
  public MemorySegment shared(int rank, long offset, long bytes) {
    return reach.reach(localRank(rank, "only ranks of one node share memory"), offset, bytes);
  }

  /**
   * Ranks that have failed: they gave up, or their processes are gone without having closed the job, whatever the exit
   * code. Looks at all of them now. Those that left in order ({@link #leftRanks}) are not among them. Any thread may
   * call, at any {@link ThreadLevel}.
   *
   * @return their numbers in the job, ascending, empty when none has; a list that does not change, and that of this
   *   moment only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> failedRanks() {
    return engine.failedRanks();
  }

  /**
   * Ranks that have left the job in order: they have closed it. Looks at all of them now. Those that have failed
   * ({@link #failedRanks}) are not among them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers in the job, ascending, empty when none has; a list that does not change, and that of this
   *   moment only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> leftRanks() {
    return engine.leftRanks();
  }

  /**
   * Names the handler that is told of each rank that fails, once per rank, and of those that have failed already. It is
   * called within about a second of the failure, by a thread of this rank that waits or asks in a call of the job at
   * that time, or by the progress thread; not while this rank makes no call. It is to note the number and return, since
   * that thread goes on only then. It may call {@link #failedRanks}, {@link #leftRanks},
   * {@link Communicator#acknowledgeFailedRanks}, {@link Communicator#acknowledgeLeftRanks} and, with
   * {@link ThreadLevel#MULTIPLE}, whatever other threads may; without it any other call of this rank throws
   * {@link ConcurrentUseException}. What it throws, errors too, is logged ({@link System.Logger}), and harms nobody.
   *
   * @param handler is given the failed rank's number in the job; takes the place of the one named before; null for
   * nobody
   * @throws IllegalStateException when the job was left
   */
  public void onRankFailure(IntConsumer handler) {
    engine.onRankFailure(handler);
  }

  /**
   * Leaves the job. Messages sent stay to be received. A rank that an {@link Error} has stopped in the middle of a call
   * (a {@link StackOverflowError}, say) while it handed on a message, leaves as failed: the others make whole what it
   * left half done.
   *
   * @throws IllegalStateException when operations were outstanding, which are named; the job is left all the same
   * @throws SegmentException when the shared memory is corrupt; the rank leaves as failed, as after any {@link Error}
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    List<String> outstanding = engine.end().close(joined::isWhole, this::leaveAsFailed);
    if (closed) {
      return; // as failed
    }
    world.forgetBuffers();
    depart(joined::leave);
    if (!outstanding.isEmpty()) {
      throw new IllegalStateException(
          "rank %d left its job with operations outstanding: %s".formatted(world.rank(),
              String.join("; ", outstanding)));
    }
  }

  /** Ranks that wait for this one fail. No thread can be in the core any more. */
  private void leaveAsFailed() {
    tellPeers("");
    depart(joined::fail);
  }

  /** Enters why the rank fails, for the others to read once it has. */
  private void failing(String reason, boolean aborts) {
    joined.failing(reason, aborts);
    tellPeers(joined.oneLine(reason));
  }

  private void tellPeers(String reason) {
    if (peers != null) { // else they could not be made
      peers.failing(reason);
    }
  }

  /** Ends all that the rank has, whatever a link says: the others are not to wait for it. */
  private void depart(Runnable departure) {
    closed = true;
    try {
      if (peers != null) { // else they could not be made
        peers.close();
      }
    } finally {
      try {
        departure.run();
      } finally {
        release();
      }
    }
  }

  /**
   * Leaves the job as failed: what waits for this rank fails, {@link #failedRanks} of the others names it, and their
   * exceptions say why: "rank 1 (process 4711) has failed: no license; …". Nothing if the job was left before;
   * {@link #close} does nothing afterwards. Where another thread of this rank is in a call, the others hear of it once
   * that call, or this process, has ended.
   *
   * @param reason a short line for people; of its UTF-8 255 bytes are kept, and what ends a line becomes a blank
   * @throws NullPointerException when the reason is null
   */
  public void fail(String reason) {
    fail(Objects.requireNonNull(reason, "the reason is null"), false);
  }

  private void fail(String reason, boolean aborts) {
    if (!closed) {
      closed = true;
      failing(reason, aborts); // at once: this process may end before a thread that is in a call lets it depart
      engine.end().abandon(this::leaveAsFailed);
    }
  }

  /** Leaves the job as failed, because of what the rank has thrown. */
  void failBecauseOf(Throwable thrown) {
    try {
      fail(reason(thrown));
    } catch (RuntimeException | Error e) {
      thrown.addSuppressed(e);
    }
  }

  private static String reason(Throwable thrown) {
    String name = thrown.getClass().getSimpleName();
    return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
  }

  /**
   * Ends the whole job, as MPI_Abort does: leaves it as failed and ends this process at once, with that exit code and
   * without shutdown hooks. The launcher ends the other ranks, also with {@code run --keep-going}, and itself with the
   * same code. Without a launcher the other ranks read that this one has aborted the job, where they wait for it. Ranks
   * that are threads ({@link #runThreads}) have no process of their own: this one throws, and the others fail like
   * that.
   *
   * @param code exit code, 1 to 255
   * @throws IllegalArgumentException when the code is not allowed; nothing is done
   * @throws AdrasteaException when the ranks are threads
   */
  public void abort(int code) {
    if (code < 1 || code > 255) {
      throw new ArgumentException(Reason.OTHER, "exit code %d; allowed are 1 to 255".formatted(code));
    }
    String reason = "it aborted the job with exit code %d".formatted(code);
    try {
      fail(reason, true);
    } finally {
      if (ownsSegment) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
      }
    }
    throw new AdrasteaException("rank %d has failed: %s".formatted(world.rank(), reason));
  }

  /**
   * The membership in words.
   *
   * @return for example {@code "job 5306fa7ec4727c76: rank 0 of 2, core ffm"}, and whether it was left
   */
  @Override
  public String toString() {
    return "job %016x: rank %d of %d, core %s%s".formatted(
        joined.segment().job(), world.rank(), peers.size(), core(), closed ? ", left" : "");
  }

  /** Gives up what the rank has of its own, once it has left. */
  private void release() {
    heap.close();
    reach.close();
    if (ownsSegment) {
      joined.segment().close();
    }
  }
}
