package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.collective.Agreement;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import io.adrastea.link.pipe.LastPieces;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ranks that live agree on, and how they revoke, where they do not all share memory. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"java+nodes.round.tcp", "ffm,java+nodes.round", "java+pipes", "ffm+nodes@subset"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgreementByMessagesTest {
  private static final int TAG = 7;

  @Parameter
  String cores;

  private static Agreement agreement(Communicator communicator) {
    return communicator.state().agreement("test");
  }

  @Test
  void agreeIsTheAndOfTheFlagsOfAll() throws Exception {
    Ranks.run(cores, 5, job -> {
      Communicator world = Ranks.world(job);
      for (int round = 0; round < 100; round++) {
        assertEquals(0x8000_0000, world.agree(0x8000_0000 | 1 << world.rank()));
        assertEquals(round, world.agree(round));
      }
      assertEquals(5, world.allreduce(1, Op.SUM));
    });
  }

  /** Also one that is first, to which the others have sent their flags. */
  @Test
  void ranksThatHaveLeftAreNotWaitedFor() throws Exception {
    for (int first = 0; first < 2; first++) {
      int leaves = first * 2;
      Ranks.run(cores, 4, job -> {
        Communicator world = Ranks.world(job);
        assertEquals(1, world.agree(1));
        if (world.rank() == leaves) {
          return;
        }
        assertEquals(6, world.agree(world.rank() == 1 ? 7 : 14));
        assertEquals(2, world.agree(2));
      });
    }
  }

  @Test
  void ranksThatHaveClosedTheCommunicatorAreNotWaitedFor() throws Exception {
    Ranks.run(cores, 4, job -> {
      for (int round = 0; round < 4; round++) {
        int closes = round;
        Communicator all = Communicator.of(job, Ranks.world(job).state().numbering(), 11 + round, 0);
        assertEquals(7, all.agree(7));
        if (all.rank() != closes) {
          assertEquals(6, all.agree(all.rank() == (closes + 1) % 4 ? 7 : 14));
        }
        all.close();
        Ranks.world(job).barrier();
      }
    });
  }

  /** The first member that lives proposes; the others get what it has said. */
  @Test
  void aProposalOfTheFirstIsDecided() throws Exception {
    Ranks.run(cores, 4, job -> {
      Communicator world = Ranks.world(job);
      for (int round = 1; round < 50; round++) {
        long proposal = (long) round << Integer.SIZE | world.rank();
        long decided = agreement(world).decide(new Agreement.Proposer() {
          @Override
          public long propose(int[] living) {
            assertEquals(4, living.length);
            return proposal;
          }

          @Override
          public void takeBack(long taken) {
            throw new AssertionError("only one proposes");
          }
        });
        assertEquals((long) round << Integer.SIZE, decided);
        assertEquals(round, agreement(world).confirm(round));
      }
    });
  }

  @Test
  void allAreToldOfOneThatCallsAnotherAgreement() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      for (int round = 0; round < 30; round++) {
        boolean confirms = world.rank() == round % 3;
        CollectiveException thrown = assertThrows(CollectiveException.class,
            () -> {
              if (confirms) {
                agreement(world).confirm(1);
              } else {
                world.agree(1);
              }
            });
        assertTrue(
            thrown.getMessage().contains("%s() of rank %d cannot be completed: rank ".formatted(confirms ? "shrink"
                : "agree", world.rank())),
            thrown.getMessage());
        assertEquals(confirms, thrown.rank() != round % 3, thrown.getMessage());
        assertEquals(1, world.allreduce(1, Op.MAX)); // all have been told
        assertEquals(round, world.agree(round));
      }
    });
  }

  /** Two do not come: they hear when they do. */
  @Test
  void oneThatComesLaterIsToldToo() throws Exception {
    Ranks.run(cores, 4, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 3) {
        assertThrows(CollectiveException.class, () -> agreement(world).confirm(1));
        world.send(Data.of(new byte[1]), 0, TAG);
        world.send(Data.of(new byte[1]), 1, TAG);
      } else {
        if (world.rank() < 2) {
          world.recv(Data.of(new byte[1]), 3, TAG);
        }
        assertThrows(CollectiveException.class, () -> world.agree(1));
      }
      assertEquals(3, world.agree(3));
    });
  }

  @Test
  void anInterruptedAgreementIsGoneOnWith() throws Exception {
    for (int rank = 0; rank < 2; rank++) {
      int interrupted = rank;
      CountDownLatch over = new CountDownLatch(1);
      Ranks.run(cores, 3, job -> {
        Communicator world = Ranks.world(job);
        if (world.rank() == interrupted) {
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, () -> world.agree(3));
          assertTrue(Thread.interrupted());
          refuses(IllegalStateException.class, "call agree() to its end before shrink()",
              () -> agreement(world).confirm(1));
          over.countDown();
        } else {
          Ranks.await(over);
        }
        assertEquals(2, world.agree(world.rank() == interrupted ? 3 : 6));
        assertEquals(5, world.agree(5));
      });
    }
  }

  @Test
  void revokingEndsWhatRanksWaitForAndAllThatFollows() throws Exception {
    CountDownLatch waiting = new CountDownLatch(3);
    Ranks.run(cores, 4, job -> {
      Communicator world = Ranks.world(job);
      Request started = world.rank() == 3 ? world.ibarrier() : null; // what rank 2 calls: else one of them tells that
      switch (world.rank()) {
        case 0 -> {
          Ranks.await(waiting);
          world.revoke();
        }
        case 1 -> {
          waiting.countDown();
          String said =
              assertThrows(RevokedException.class, () -> world.recv(Data.of(new byte[1]), 0, TAG)).getMessage();
          assertTrue(said.startsWith("a receive from rank 0"), said);
        }
        case 2 -> {
          waiting.countDown();
          refuses(RevokedException.class, "barrier of rank 2 cannot be completed: the communicator was revoked",
              world::barrier);
        }
        default -> {
          waiting.countDown();
          assertNotNull(started);
          assertThrows(RevokedException.class, started::await);
        }
      }
      refuses(RevokedException.class, "allowed on it are agree() and shrink()", world::barrier);
      refuses(RevokedException.class, "the communicator was revoked", () -> world.allreduce(1, Op.SUM));
      assertThrows(RevokedException.class, () -> world.recv(Data.of(new byte[1]), Communicator.ANY_SOURCE, TAG));
      assertEquals(1, world.agree(1));
    });
  }

  /**
   * Ranks die at any time while all agree: any, the first two, or those of a node. All that end an agreement get the
   * same, also those that die later, and a flag that one of them has not set is in none.
   */
  @Test
  void allGetTheSameWhoeverDies() throws Exception {
    SplittableRandom seeds = new SplittableRandom(Integer.getInteger("adrastea.test.seed", 1));
    for (int job = 0; job < 12; job++) {
      SplittableRandom random = seeds.split();
      int ranks = 3 + random.nextInt(4);
      int victims = random.nextInt(1 << ranks - 1) | random.nextInt(4); // the last one lives
      ConcurrentHashMap<Integer, Integer> decided = new ConcurrentHashMap<>();
      long[] delays = random.longs(ranks, 0, 8_000_000).toArray();
      AtomicInteger survivors = new AtomicInteger();
      run(ranks, victims, delays, (world, rank) -> {
        for (int round = 0; round < 100; round++) {
          int flags = new SplittableRandom(rank * 1000L + round).nextInt() | -1 << ranks;
          int result = world.agree(flags);
          assertEquals(result, decided.computeIfAbsent(round, first -> result), "agreement " + round);
          assertEquals(0, result & ~flags);
        }
        survivors.incrementAndGet();
      });
      assertTrue(survivors.get() >= ranks - Integer.bitCount(victims), survivors + " of " + ranks);
    }
  }

  /** As {@link #allGetTheSameWhoeverDies}; some die when they have told some of the others, and not the rest. */
  @Test
  void allGetTheSameWhoeverDiesBetweenTwoMessages() throws Exception {
    Assumptions.assumeTrue(cores.equals("java+pipes"), "messages through shared memory are not lost");
    SplittableRandom seeds = new SplittableRandom(Integer.getInteger("adrastea.test.seed", 1));
    for (int job = 0; job < 30; job++) {
      SplittableRandom random = seeds.split();
      int ranks = 3 + random.nextInt(3);
      int[] pieces = random.ints(ranks, 0, 6 * ranks).toArray();
      ConcurrentHashMap<Integer, Integer> decided = new ConcurrentHashMap<>();
      try {
        Ranks.run(cores, ranks, one -> {
          Communicator world = one.world();
          int rank = world.rank();
          world.agree(0);
          if (rank == ranks - 1) {
            agreeOften(world, decided);
            return;
          }
          LastPieces.allow(rank, pieces[rank]);
          Thread killer = new Thread(() -> {
            while (!LastPieces.isOver(rank)) {
              LockSupport.parkNanos(10_000);
            }
            one.fail("on purpose");
          });
          killer.start();
          try {
            agreeOften(world, decided);
          } catch (RuntimeException e) {
            // it has failed in the middle
          } finally {
            LastPieces.allow(rank, -1);
            killer.join();
          }
        });
      } finally {
        LastPieces.clear();
      }
    }
  }

  /** One that has lost a piece is dead, and ends nothing. */
  private static void agreeOften(Communicator world, ConcurrentHashMap<Integer, Integer> decided) {
    int rank = world.rank();
    for (int round = 0; round < 20; round++) {
      int flags = new SplittableRandom(rank * 1000L + round).nextInt();
      int result = world.agree(flags);
      if (!LastPieces.isOver(rank)) {
        assertEquals(result, decided.computeIfAbsent(round, first -> result), "agreement " + round);
        assertEquals(0, result & ~flags);
      }
    }
  }

  /**
   * Rank 0 revokes and dies, in the middle of telling that or later, others too: when one of those that agree has heard
   * of it, all hear.
   */
  @Test
  void allHearOfARevokeWhoeverDies() throws Exception {
    SplittableRandom seeds = new SplittableRandom(Integer.getInteger("adrastea.test.seed", 1));
    for (int job = 0; job < 12; job++) {
      SplittableRandom random = seeds.split();
      int ranks = 3 + random.nextInt(4);
      int victims = random.nextInt(1 << ranks - 1) | 1;
      long[] delays = random.longs(ranks, 0, 3_000_000).toArray();
      delays[0] /= 10;
      int told = random.nextInt(ranks); // by rank 0, where messages can be lost
      run(ranks, victims, delays, (world, rank) -> {
        if (rank == 0) {
          if (cores.equals("java+pipes")) {
            LastPieces.allow(rank, told);
          }
          world.revoke();
          world.agree(1);
        }
        boolean hasHeard = hearsOfRevoke(() -> world.recv(Data.of(new byte[1]), 0, TAG));
        if (world.agree(hasHeard ? 0 : 1) == 0) {
          assertTrue(hearsOfRevoke(world::barrier));
        }
      });
      LastPieces.clear();
    }
  }

  /** Whether a call, which cannot end well, ends by a revoke; else the reason is that a rank has failed. */
  private static boolean hearsOfRevoke(Runnable call) {
    try {
      call.run();
      throw new AssertionError("a dead rank takes part");
    } catch (RevokedException e) {
      return true;
    } catch (RankFailedException e) {
      return false;
    }
  }

  private interface Body {
    void run(Communicator world, int rank);
  }

  /** @param victims a bit for each rank that fails, at some time after the first agreement */
  private void run(int ranks, int victims, long[] delays, Body body) throws Exception {
    Ranks.run(cores, ranks, job -> {
      Communicator world = Ranks.world(job);
      int rank = world.rank();
      world.agree(0);
      if ((victims >>> rank & 1) == 0) {
        body.run(world, rank);
        return;
      }
      Thread killer = new Thread(() -> {
        LockSupport.parkNanos(delays[rank]);
        job.fail("on purpose");
      });
      killer.start();
      try {
        body.run(world, rank);
      } catch (RuntimeException e) {
        // it has failed in the middle
      } finally {
        killer.join();
      }
    });
  }
}
