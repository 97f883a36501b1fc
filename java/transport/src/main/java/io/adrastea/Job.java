package io.adrastea;

import io.adrastea.bootstrap.Bootstrap;
import io.adrastea.bootstrap.Joining;
import io.adrastea.bootstrap.Member;
import io.adrastea.config.Tunable;
import io.adrastea.engine.EngineSettings;
import io.adrastea.lmt.LmtSettings;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import io.adrastea.wait.WaitPolicy;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Membership of this process (or thread, {@link #runThreads}) in a job: a set of ranks started together. To be closed when the
 * rank has nothing more to send or receive.
 *
 * <p>A process started by {@code adrastea run} joins with the others; one started by itself is a job of one.
 */
public final class Job extends FailureCalls implements AutoCloseable {
  private final Communicator world;
  private final boolean many;
  private boolean closed;

  Job(Member member, boolean ownsSegment, EngineSettings settings) {
    super(member, ownsSegment, settings);
    this.many = settings.many();
    this.world = new Communicator(engine, member.rank(), member.table().size(), 0, settings.many());
  }

  /**
   * Joins the job that the environment or the system properties name; waits until all its ranks are there.
   *
   * @return the membership, to be closed
   * @throws io.adrastea.error.JoinException when settings are missing or contradictory, a rank is missing at the deadline
   *     ({@code adrastea.join.timeout}) or gave up, or no core works here
   * @throws io.adrastea.error.SegmentException when the shared memory cannot be had or does not fit
   */
  public static Job join() {
    return builder().join();
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
    private boolean helped;
    private Supplier<? extends IdleStrategy> strategies;

    private Builder() {}

    /**
     * How threads may use the rank.
     *
     * @param level the default is {@link ThreadLevel#SERIALIZED}
     * @return this
     */
    public Builder threads(ThreadLevel level) {
      this.level = Objects.requireNonNull(level, "level");
      return this;
    }

    /**
     * How threads wait, instead of spinning ({@code adrastea.spins}), yielding and then sleeping until woken: {@link IdleStrategy#idle()} is called after each
     * look that found nothing, {@link IdleStrategy#reset()} before the next wait and when something else was found meanwhile. It is not to use the job,
     * and is to return, since only then is looked for messages and for ranks that died.
     *
     * @param strategies gives each rank, and with {@link ThreadLevel#MULTIPLE} each thread, an instance of its own
     * @return this
     */
    public Builder idleStrategy(Supplier<? extends IdleStrategy> strategies) {
      this.strategies = Objects.requireNonNull(strategies, "the supplier of idle strategies is null");
      return this;
    }

    /**
     * Starts a thread at joining that moves messages on while the rank computes, and ends when the job is closed, see {@link
     * Job#progressThread()}. Implies {@link ThreadLevel#MULTIPLE}, whatever {@link #threads} says.
     *
     * @return this
     */
    public Builder progressThread() {
      this.helped = true;
      return this;
    }

    /**
     * Joins, see {@link Job#join()}.
     *
     * @return the membership, to be closed
     */
    public Job join() {
      EngineSettings settings = settings(); // one that is none is refused before anybody counts on this rank
      return started(new Job(Joining.join(Bootstrap.find()), true, settings));
    }

    /**
     * Runs ranks as threads, see {@link Job#runThreads}.
     *
     * @param ranks how many
     * @param body what each does
     */
    public void runThreads(int ranks, Body body) {
      ThreadRanks.run(ranks, settings(), job -> body.run(started(job)));
    }

    private Job started(Job job) {
      if (helped) {
        job.progressThread();
      }
      return job;
    }

    private EngineSettings settings() {
      return new EngineSettings(
          new WaitPolicy(Tunable.SPINS.intValue(), Tunable.CROWDED.isOnUnlessAuto(), strategies),
          LmtSettings.inForce(),
          Tunable.BYPASS.isOn(),
          helped || level == ThreadLevel.MULTIPLE);
    }
  }

  /** What each rank of {@link #runThreads} does. */
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

  /**
   * Runs a job of its own whose ranks are threads of this JVM, on one segment; returns when all have ended.
   *
   * @param ranks how many
   * @param body what each does
   * @throws RuntimeException the first failure of a rank, with those of the others suppressed; a checked exception is wrapped in an
   *     {@link io.adrastea.error.AdrasteaException}
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
   * Starts a thread that moves the messages of this rank on while its other threads compute: else sends and receives that were
   * started go on only inside calls. For large messages in the first place, whose bytes it copies. At most one at a time; it ends with
   * the job at the latest.
   *
   * <p>It is a daemon thread named {@code adrastea-progress-<rank>}, and is pinned as the thread that calls: with a CPU of its own it copies
   * while the rank computes, without one it takes turns with it. Without anything to move it sleeps. Other
   * threads wait for it at most as long as a copy of 1 MiB of each message on its way takes. When it fails (the shared memory is corrupt),
   * every call does so, until the job is closed.
   *
   * @return the thread, to be closed when it is not needed any more
   * @throws IllegalStateException when the job was not joined with {@link ThreadLevel#MULTIPLE} or {@link Builder#progressThread()}, has a
   *     progress thread, or was left
   */
  public ProgressThread progressThread() {
    if (!many) {
      throw new IllegalStateException(
          "a progress thread needs a job that several threads may use: join with Job.builder().progressThread(), or with threads(ThreadLevel.MULTIPLE)");
    }
    return new ProgressThread(engine.startHelper());
  }

  /**
   * Name of the core in use.
   *
   * @return {@code ffm}, {@code jni}, {@code java} or {@code jna}
   */
  public String core() {
    return member.provider().name();
  }

  /**
   * How those CPUs hang together on which ranks of this node may run: packages, NUMA nodes, caches (in bytes) and SMT siblings, as
   * {@code /sys/devices/system} of Linux tells. With {@link #cpus} it tells what two ranks share: {@code
   * topology().sharedCache(cpus(0).or(cpus(1)))}. Read anew at each call, which takes milliseconds. Any thread may call, at any {@link
   * ThreadLevel}, also after {@link #close}.
   *
   * @return the topology; CPUs that no rank may use are not in it; where the system does not tell, all are one package and one node, each is
   *     a core, and there are no caches
   */
  public Topology topology() {
    return Topology.of(member.table().cpus());
  }

  /**
   * The CPUs on which the thread of a rank of this node was allowed to run when it joined, after it was bound ({@code run --bind}). Any
   * thread may call, at any {@link ThreadLevel}, also after {@link #close}.
   *
   * @param rank from 0
   * @return at least one, as far as they are among the first 1,024
   * @throws IllegalArgumentException when there is no such rank
   */
  public Cpus cpus(int rank) {
    int size = member.table().size();
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("there is no rank %d in this job; ranks are 0 to %d".formatted(rank, size - 1));
    }
    return member.table().cpus(rank);
  }

  /**
   * Leaves the job. Messages sent stay to be received. A rank that an {@link Error} has stopped in the middle of a call (a {@link
   * StackOverflowError}, say) while it handed on a message, leaves as failed: the others make whole what it left half done.
   *
   * @throws IllegalStateException when operations were outstanding, which are named; the job is left all the same
   * @throws io.adrastea.error.SegmentException when the shared memory is corrupt; the rank leaves as failed, as after any {@link Error}
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    List<String> outstanding = engine.close(member::isWhole, this::failAtTheEnd);
    if (closed) {
      return; // as failed
    }
    closed = true;
    world.close();
    member.leave();
    release();
    if (!outstanding.isEmpty()) {
      throw new IllegalStateException(
          "rank %d left its job with operations outstanding: %s".formatted(world.rank(), String.join("; ", outstanding)));
    }
  }

  /** Leaving did not go well, or something was left half done. */
  private void failAtTheEnd() {
    closed = true;
    member.fail();
    release();
  }

  /** Leaves the job as failed: what waits for this rank fails. */
  void fail() {
    if (!closed) {
      closed = true;
      engine.abandon(member::fail);
      release();
    }
  }
}
