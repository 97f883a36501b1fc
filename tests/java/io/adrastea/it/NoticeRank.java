package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Rank 0 waits for one victim after the other, each in its own way, kills it meanwhile at a random moment, and says for
 * each {@code <way> <looks at it from the kill to the exception>}, which {@link Looks} writes down. The arguments: a
 * seed, and the ways of ranks 1 and up.
 */
public final class NoticeRank {
  private static final int GO = 1;
  private static final int TAG = 2;
  private static final int OTHER_TAG = 3;
  private static final int LARGE = 4 << 20; // more than all cells hold
  private static final long MOST_DELAY = 250_000_000; // nanoseconds: whatever the time since the last look
  private static final long PAUSE = 1_000_000;
  private static final int WARM_UPS = 20_000;

  private final Job job;
  private final Communicator world;
  private final byte[] large = new byte[LARGE];
  private final MemorySegment shared;
  private volatile long looks = -1; // at the victim when it was killed

  private NoticeRank(Job job) {
    this.job = job;
    this.world = job.world();
    this.shared = job.allocate(LARGE, 1);
  }

  public static void main(String[] args) throws Exception {
    Job job = Job.join();
    NoticeRank rank = new NoticeRank(job);
    if (job.world().rank() > 0) {
      rank.beVictim(args[job.world().rank()]);
      return;
    }
    rank.warmUp();
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[0]));
    for (int victim = 1; victim < job.world().size(); victim++) {
      rank.notice(victim, args[victim], random.nextLong(MOST_DELAY));
    }
    job.close();
  }

  // ---- the one that waits

  /** A wait that sleeps looks too rarely for what it looks with to be compiled. */
  private void warmUp() {
    for (int i = 0; i < WARM_UPS; i++) {
      world.iprobe(Communicator.ANY_SOURCE, TAG);
    }
  }

  private void notice(int victim, String way, long delay) throws Exception {
    long[] pid = new long[1];
    world.send(Data.of(new byte[1]), victim, GO);
    world.recv(Data.of(pid, 0, 1), victim, GO);
    looks = -1;
    Thread killer = Thread.ofPlatform().start(() -> kill(victim, pid[0], delay));
    try {
      while (true) { // some ways come to an end before the victim does
        await(victim, way);
      }
    } catch (RankFailedException e) {
      long told = Looks.ofThis(victim);
      killer.join();
      if (e.rank() != victim || looks < 0) {
        throw new IllegalStateException("not the failure of rank " + victim, e);
      }
      System.out.printf("%s %d%n", way, told - looks);
    }
    if (!job.failedRanks().contains(victim)) {
      throw new IllegalStateException("rank %d is not among %s".formatted(victim, job.failedRanks()));
    }
  }

  private void kill(int number, long pid, long delay) {
    LockSupport.parkNanos(delay);
    ProcessHandle victim = ProcessHandle.of(pid).orElseThrow();
    looks = Looks.ofThis(number);
    victim.destroyForcibly(); // SIGKILL
  }

  private void await(int victim, String way) {
    byte[] small = new byte[8];
    switch (way) {
      case "recv", "recv-beside-others" -> world.recv(Data.of(small, 0, 8), victim, TAG);
      case "recv-any" -> world.recv(Data.of(small, 0, 8), Communicator.ANY_SOURCE, TAG);
      case "recv-in-place" -> world.recvMessage(victim, TAG).close();
      case "irecv" -> world.irecv(Data.of(small, 0, 8), victim, TAG).await();
      case "probe" -> world.probe(victim, TAG);
      case "probe-any" -> world.probe(Communicator.ANY_SOURCE, TAG);
      case "barrier" -> world.barrier();
      case "wait-all" ->
        Request.waitAll(world.irecv(Data.of(small, 0, 8), victim, TAG),
            world.irecv(Data.of(small, 0, 8), victim, OTHER_TAG));
      case "wait-any" -> Request.waitAny(world.irecv(Data.of(small, 0, 8), victim, TAG), null);
      case "test" -> testUntilComplete(world.irecv(Data.of(small, 0, 8), victim, TAG));
      case "send" -> world.send(Data.of(large, 0, LARGE), victim, TAG);
      case "send-shared" -> world.send(shared, victim, TAG);
      case "send-small" -> world.send(Data.of(small, 0, 8), victim, TAG); // until there is no room
      case "claim" -> world.claim(victim, TAG, 8).commit(); // likewise
      case "large" -> world.recv(Data.of(large, 0, LARGE), victim, TAG);
      case "large-shared" -> world.recv(shared, victim, TAG);
      default -> throw new IllegalArgumentException(way);
    }
  }

  private static void testUntilComplete(Request request) {
    while (!request.test()) {
      Thread.onSpinWait();
    }
  }

  // ---- those that are killed

  private void beVictim(String way) throws InterruptedException {
    world.recv(Data.of(new byte[1]), 0, GO);
    world.send(Data.of(new long[] {ProcessHandle.current().pid()}, 0, 1), 0, GO);
    while (true) {
      switch (way) {
        case "large" -> world.send(Data.of(large, 0, LARGE), 0, TAG);
        case "large-shared" -> world.send(shared, 0, TAG);
        case "recv-beside-others" -> {
          world.send(Data.of(new byte[8]), 0, OTHER_TAG); // which nobody asks for
          LockSupport.parkNanos(PAUSE);
        }
        default -> Thread.sleep(Long.MAX_VALUE); // makes no progress
      }
    }
  }
}
