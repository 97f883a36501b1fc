package io.adrastea;

import io.adrastea.bootstrap.Bootstrap;
import io.adrastea.bootstrap.Joining;
import io.adrastea.bootstrap.Member;
import io.adrastea.config.Tunable;
import io.adrastea.engine.Engine;
import java.util.List;
import java.util.Objects;

/**
 * Membership of this process (or thread, {@link #runThreads}) in a job: a set of ranks started together. To be closed when the
 * rank has nothing more to send or receive.
 *
 * <p>A process started by {@code adrastea run} joins with the others; one started by itself is a job of one.
 */
public final class Job implements AutoCloseable {
  private final Member member;
  private final boolean ownsSegment;
  private final Engine engine;
  private final Communicator world;
  private boolean closed;

  Job(Member member, boolean ownsSegment, ThreadLevel level, int spins) {
    this.member = member;
    this.ownsSegment = ownsSegment;
    boolean many = level == ThreadLevel.MULTIPLE;
    this.engine =
        new Engine(
            member.core(),
            member.table(),
            member.rank(),
            member.segment().geometry(),
            spins,
            many);
    this.world = new Communicator(engine, member.rank(), member.table().size(), 0, many);
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
     * Joins, see {@link Job#join()}.
     *
     * @return the membership, to be closed
     */
    public Job join() {
      int spins = spins(); // a setting that is none is refused before anybody counts on this rank
      return new Job(Joining.join(Bootstrap.find()), true, level, spins);
    }

    /**
     * Runs ranks as threads, see {@link Job#runThreads}.
     *
     * @param ranks how many
     * @param body what each does
     */
    public void runThreads(int ranks, Body body) {
      ThreadRanks.run(ranks, level, spins(), body);
    }

    private static int spins() {
      return Tunable.SPINS.intValue(0, Integer.MAX_VALUE);
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
   * Name of the core in use.
   *
   * @return {@code ffm} or {@code java}
   */
  public String core() {
    return member.provider().name();
  }

  /**
   * Leaves the job. Messages sent stay to be received.
   *
   * @throws IllegalStateException when operations were outstanding, which are named; the job is left all the same
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    List<String> outstanding = engine.close();
    closed = true;
    world.close();
    member.leave();
    release();
    if (!outstanding.isEmpty()) {
      throw new IllegalStateException(
          "rank %d left its job with operations outstanding: %s".formatted(world.rank(), String.join("; ", outstanding)));
    }
  }

  /** Leaves the job as failed: what waits for this rank fails. */
  void fail() {
    if (!closed) {
      closed = true;
      member.fail(engine.abandon());
      release();
    }
  }

  private void release() {
    if (ownsSegment) {
      member.segment().close();
    }
  }
}
