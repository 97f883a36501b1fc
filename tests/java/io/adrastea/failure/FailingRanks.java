package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import java.util.List;
import java.util.stream.IntStream;

/** Ranks as threads, some of which fail on purpose. */
public final class FailingRanks {
  public static final int GONE = 1;
  public static final int OTHER = 2;
  public static final int TAG = 7;
  public static final int BIG = 3 * Ranks.ALL_CELLS;

  private FailingRanks() {}

  /** What each rank does. */
  public interface Body {
    /** @param cause to be thrown by the rank that is to fail */
    void run(Job job, RuntimeException cause) throws Exception;
  }

  /** Fails unless what the body was given to throw comes out, alone. */
  public static void run(String cores, ThreadLevel level, int ranks, LongMessages way, Body body) {
    IllegalArgumentException cause = new IllegalArgumentException("on purpose");
    Throwable thrown =
        assertThrows(RuntimeException.class, () -> way.run(cores, level, ranks, job -> body.run(job, cause)));
    assertSame(cause, thrown, () -> "suppressed: " + List.of(thrown.getSuppressed()));
    assertEquals(List.of(), List.of(thrown.getSuppressed()), "failures of others");
  }

  public static void run(String cores, int ranks, Body body) {
    run(cores, ThreadLevel.SERIALIZED, ranks, LongMessages.BY_RENDEZVOUS, body);
  }

  /** Rank 1 fails at once, the others do as they are told. */
  public static void runOthers(String cores, int ranks, Job.Body others) {
    run(
        cores,
        ranks,
        (job, cause) -> {
          if (Ranks.world(job).rank() == GONE) {
            throw cause;
          }
          others.run(job);
        });
  }

  public static void assertFails(int rank, Runnable call) {
    assertEquals(rank, assertThrows(RankFailedException.class, call::run).rank());
  }

  /** Waits, without any other call, until just these have failed. */
  public static void awaitFailed(Job job, int... ranks) throws InterruptedException {
    while (Ranks.world(job).failedRanks().size() < ranks.length) {
      Thread.sleep(1);
    }
    assertEquals(IntStream.of(ranks).boxed().toList(), Ranks.world(job).failedRanks());
  }

  public static void send(Communicator world, int destination) {
    world.send(Data.of(Contents.of(8, world.rank()), 0, 8), destination, TAG);
  }
}
