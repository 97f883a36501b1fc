package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.IdleStrategy;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.SendBuffer;
import io.adrastea.Settings;
import io.adrastea.error.RankFailedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/**
 * A rank that is known to have failed: what is sent to it fails at once, what it has of others comes back, and it is
 * told as failed only when it does nothing more.
 */
@EverySharedCoreList
class GoneRankTest {
  private static final int GONE = 1;
  private static final int SMALL = 8;

  @Parameter
  String cores;

  /** Runs ranks of which rank 1 fails on purpose once {@code begun}; its failure alone comes out. */
  private void run(int ranks, CountDownLatch begun, Job.Body others) {
    FailingRanks.run(cores, ranks, (job, cause) -> {
      if (Ranks.world(job).rank() == GONE) {
        Ranks.await(begun);
        throw cause;
      }
      others.run(job);
    });
  }

  private static void assertGone(Runnable call) {
    assertEquals(GONE, assertThrows(RankFailedException.class, call::run).rank());
  }

  /** A wait for it, after which it is known to be gone. */
  private static void find(Communicator world) {
    assertGone(() -> world.recv(Data.of(new byte[SMALL]), GONE, 0));
  }

  @Test
  void whatIsSentToItFailsAtOnce() {
    run(
        2,
        new CountDownLatch(0),
        job -> {
          Communicator world = Ranks.world(job);
          find(world);
          byte[] bytes = new byte[Ranks.CELL_BYTES + 1];
          for (int length : new int[] {0, SMALL, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1}) {
            assertGone(() -> world.send(Data.of(bytes, 0, length), GONE, 0));
            Request request = world.isend(Data.of(bytes, 0, length), GONE, 0);
            assertGone(request::await);
          }
          assertGone(() -> world.claim(GONE, 0, SMALL));
          assertGone(() -> world.tryClaim(GONE, 0, SMALL));
        });
  }

  @Test
  void whatASendBufferHasForItFailsWhereItIsFlushed() {
    CountDownLatch filled = new CountDownLatch(1);
    run(
        2,
        filled,
        job -> {
          Communicator world = Ranks.world(job);
          SendBuffer buffer = new SendBuffer(3 * Ranks.ALL_CELLS);
          Data data = Data.of(new byte[Ranks.ALL_CELLS + Ranks.CELL_BYTES]);
          buffer.bsend(world, data, GONE, 0);
          buffer.bsend(world, data, GONE, 0);
          filled.countDown();
          assertGone(buffer::flush);
          assertGone(() -> buffer.bsend(world, Data.of(new byte[SMALL]), GONE, 0));
          buffer.flush();
          buffer.bsend(world, Data.of(new byte[SMALL]), 0, 0);
          buffer.close();
          world.recv(Data.of(new byte[SMALL]), 0, 0);
        });
  }

  @Test
  void aClaimThatIsOpenWhenItFailsFailsAtItsCommit() {
    CountDownLatch claimed = new CountDownLatch(1);
    run(
        2,
        claimed,
        job -> {
          Communicator world = Ranks.world(job);
          Claim claim = world.claim(GONE, 0, SMALL);
          claimed.countDown();
          find(world);
          assertGone(claim::commit);
          assertThrows(IllegalStateException.class, claim::commit);
          assertGone(() -> world.send(Data.of(new byte[SMALL]), GONE, 0));
        });
  }

  @Test
  void aClaimThatIsOpenWhenItFailsCanBeAborted() {
    CountDownLatch claimed = new CountDownLatch(1);
    run(
        2,
        claimed,
        job -> {
          Communicator world = Ranks.world(job);
          Claim claim = world.claim(GONE, 0, SMALL);
          claimed.countDown();
          find(world);
          claim.abort();
          assertGone(() -> world.send(Data.of(new byte[SMALL]), GONE, 0));
        });
  }

  @Test
  void theCellsThatItHasComeBack() {
    CountDownLatch filled = new CountDownLatch(1);
    run(
        3,
        filled,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 2 - world.rank();
          byte[] whole = new byte[Ranks.ALL_CELLS / 4]; // by cells: no fastbox takes as much
          if (world.rank() == 0) {
            Request[] lost = new Request[Ranks.CELLS];
            for (int i = 0; i < lost.length; i++) {
              lost[i] = world.isend(Data.of(new byte[Ranks.CELL_BYTES]), GONE, 0);
            }
            filled.countDown();
            find(world);
            for (Request request : lost) {
              endOf(request);
            }
          }
          for (int i = 0; i < 20; i++) {
            Request out = world.isend(Data.of(Contents.of(whole.length, i)), peer, i);
            byte[] received = new byte[whole.length];
            world.recv(Data.of(received), peer, i);
            Contents.check(received.length, i, received);
            out.await();
          }
        });
  }

  /** Sent before, or failed. */
  private static void endOf(Request request) {
    try {
      request.await();
    } catch (RankFailedException e) {
      assertEquals(GONE, e.rank());
    }
  }

  /** An idle strategy that lets nobody go. */
  private static final class Stuck implements IdleStrategy {
    private final CountDownLatch inside;
    private final CountDownLatch go;

    private Stuck(CountDownLatch inside, CountDownLatch go) {
      this.inside = inside;
      this.go = go;
    }

    @Override
    public void idle() {
      inside.countDown();
      try {
        Ranks.await(go);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  @Timeout(240)
  void isToldAsFailedOnlyWhenNoThreadOfItIsInACallAnyMore() {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch failing = new CountDownLatch(1);
    try (var threads = Executors.newCachedThreadPool()) {
      assertThrows(
          IllegalArgumentException.class,
          () -> Settings.with(
              Map.of("adrastea.core", Ranks.cores(cores)),
              () -> {
                Job.builder()
                    .idleStrategy(() -> new Stuck(inside, go))
                    .runThreads(
                        2,
                        job -> {
                          Communicator world = Ranks.world(job);
                          if (world.rank() == 0) {
                            Future<?> call = threads.submit(() -> world.recv(Data.of(new byte[SMALL]), 1, 0));
                            Ranks.await(inside);
                            failing.countDown();
                            throw new IllegalArgumentException("on purpose, with " + call);
                          }
                          Ranks.await(failing);
                          for (int look = 0; look < 100; look++) {
                            Thread.sleep(1);
                            assertEquals(List.of(), Ranks.world(job).failedRanks(), "its other thread is in a call");
                          }
                          go.countDown();
                          assertEquals(
                              0,
                              assertThrows(RankFailedException.class, () -> world.recv(Data.of(new byte[SMALL]), 0, 0))
                                  .rank());
                        });
                return null;
              }));
    }
  }

  @Test
  void anErrorWhileItsEngineIsMadeIsItsFailureToo() {
    Error error = new NoSuchMethodError("on purpose");
    boolean[] first = {true};
    Throwable thrown =
        assertThrows(
            NoSuchMethodError.class,
            () -> Settings.with(
                Map.of("adrastea.core", Ranks.cores(cores)),
                () -> {
                  Job.builder()
                      .idleStrategy(() -> failing(first, error))
                      .runThreads(2, job -> Ranks.world(job).barrier());
                  return null;
                }));
    assertSame(error, thrown);
    assertTrue(thrown.getSuppressed()[0] instanceof RankFailedException, () -> "" + thrown.getSuppressed()[0]);
    assertFalse(first[0]);
  }

  private static synchronized IdleStrategy failing(boolean[] first, Error error) {
    if (first[0]) {
      first[0] = false;
      throw error;
    }
    return Thread::yield;
  }
}
