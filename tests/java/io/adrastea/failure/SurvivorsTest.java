package io.adrastea.failure;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.ThreadLevel;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ranks that live do after a failure: they revoke, agree and shrink. */
@ParameterizedClass(name = "{0}")
@ValueSource(
    strings = {"ffm", "java", "jni,jna,ffm,java", "java+nodes.round.tcp", "ffm,java+nodes.round",
      "java+pipes"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SurvivorsTest {
  private static final int TAG = 7;
  private static final int GONE = 1;

  @Parameter
  String cores;

  /** Ends as a rank that leaves the job, so that it is gone for the others. */
  private static boolean leaves(Job job) {
    return job.world().rank() == GONE;
  }

  @Test
  void agreeIsTheAndOfTheFlagsOfAll() throws Exception {
    Ranks.run(cores, 4, job -> {
      int self = job.world().rank();
      for (int round = 0; round < 300; round++) {
        assertEquals(0x8000_0000, job.world().agree(0x8000_0000 | 1 << self));
        assertEquals(round, job.world().agree(round));
      }
      try (Communicator one = job.world().split(self % 2, 0)) {
        assertEquals(self % 2, one.agree(self % 2));
      }
    });
  }

  @Test
  void whoIsGoneIsNotWaitedFor() throws Exception {
    Ranks.run(cores, 4, job -> {
      int self = job.world().rank();
      Communicator all = job.world().dup();
      if (leaves(job)) {
        return;
      }
      assertEquals(6, all.agree(self == 0 ? 7 : 14));
      Communicator left = all.shrink();
      assertArrayEquals(new int[] {0, 2, 3}, left.group().jobRanks());
      left.barrier();
      assertEquals(0, left.agree(0));
      assertThrows(RankFailedException.class, all::barrier);
      all.close();
      left.close();
    });
  }

  @Test
  void whoHasClosedTheCommunicatorIsNotWaitedFor() throws Exception {
    Ranks.run(cores, 3, job -> {
      int self = job.world().rank();
      Communicator all = job.world().dup();
      assertEquals(7, all.agree(7));
      if (self == 1) {
        all.close();
      } else {
        assertEquals(6, all.agree(self == 0 ? 7 : 14));
        try (Communicator left = all.shrink()) {
          assertArrayEquals(new int[] {0, 2}, left.group().jobRanks());
          left.barrier();
        }
        all.close();
      }
      job.world().barrier();
    });
  }

  /** The number of a shrink has fewer bits than that of an agreement. */
  @Test
  void shrinksAreToldApartHoweverManyAgreementsLieBetween() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator first = job.world().shrink();
      for (int i = 0; i < 4095; i++) {
        assertEquals(i, job.world().agree(i));
      }
      try (Communicator second = job.world().shrink()) {
        assertEquals(2, second.size());
        second.barrier();
        first.barrier();
      }
      first.close();
    });
  }

  @Test
  void shrinkOfALivingCommunicatorHasAllItsRanks() throws Exception {
    Ranks.run(cores, 3, job -> {
      for (int round = 0; round < 100; round++) {
        try (Communicator one = job.world().split(0, -job.world().rank()); Communicator two = one.shrink()) {
          assertEquals(one.group(), two.group());
          two.barrier();
        }
      }
    });
  }

  @Test
  void revokingEndsWhatRanksWaitForAndAllThatFollows() throws Exception {
    CountDownLatch waiting = new CountDownLatch(2);
    Ranks.run(cores, 3, job -> {
      Communicator one = job.world().dup();
      switch (one.rank()) {
        case 0 -> {
          Ranks.await(waiting);
          one.revoke();
        }
        case 1 -> {
          waiting.countDown();
          String said =
              assertThrows(RevokedException.class, () -> one.recv(Data.of(new byte[1]), 0, TAG)).getMessage();
          assertTrue(said.startsWith("a receive from rank 0 with tag 7, "), said);
        }
        default -> {
          waiting.countDown();
          refuses(RevokedException.class, "barrier of rank 2 cannot be completed: the communicator was revoked",
              one::barrier);
        }
      }
      refuses(RevokedException.class, "allowed on it are agree() and shrink()", one::barrier);
      refuses(RevokedException.class, "the communicator was revoked", () -> one.allreduce(1, Op.SUM));
      assertThrows(RevokedException.class, one::dup);
      refuses(RevokedException.class, "subset of rank", () -> one.subset(TAG, 0, 1, 2));
      assertThrows(RevokedException.class, () -> one.recv(Data.of(new byte[1]), Communicator.ANY_SOURCE, TAG));
      assertEquals(1, one.agree(1));
      try (Communicator again = one.shrink()) {
        assertEquals(3, again.size());
        again.barrier();
        assertEquals(3, again.allreduce(1, Op.SUM));
      }
      one.close();
      job.world().barrier();
    });
  }

  @Test
  void anInterruptedAgreementIsGoneOnWith() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      if (job.world().rank() == 0) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWaitException.class, () -> job.world().agree(3));
        assertTrue(Thread.interrupted());
        interrupted.countDown();
      } else {
        Ranks.await(interrupted);
      }
      assertEquals(2, job.world().agree(job.world().rank() == 0 ? 3 : 6));
      assertEquals(5, job.world().agree(5));
    });
  }

  @Test
  void anInterruptedAgreementIsGoneOnWithByTheSameCall() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      if (world.rank() == 0) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWaitException.class, () -> world.agree(3));
        assertTrue(Thread.interrupted());
        refuses(IllegalStateException.class,
            "rank 0 is in an agreement that was interrupted; call agree() to its end before shrink()", world::shrink);
        interrupted.countDown();
      } else {
        Ranks.await(interrupted);
      }
      assertEquals(2, world.agree(world.rank() == 0 ? 3 : 6));
      world.shrink().close();
    });
  }

  /** Rank 0 proposes as soon as rank 1 has come, and is interrupted where it waits for the confirmation, mostly. */
  @Test
  void anInterruptedShrinkIsGoneOnWithWhereItWas() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      for (int round = 0; round < 50; round++) {
        Communicator made;
        if (world.rank() == round % 2) {
          Thread.currentThread().interrupt();
          made = shrinkInterrupted(world);
        } else {
          made = world.shrink();
        }
        assertEquals(world.group(), made.group());
        assertEquals(3, made.agree(3));
        made.barrier();
        made.close();
      }
    });
  }

  private static Communicator shrinkInterrupted(Communicator world) {
    try {
      return world.shrink();
    } catch (InterruptedWaitException e) {
      Thread.interrupted();
      return world.shrink();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void anotherThreadThatComesDisturbsNoAgreement() throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Communicator world = job.world();
      if (world.rank() == 0) {
        Runnable shrinks = () -> {
          try {
            world.shrink().close();
          } catch (ConcurrentUseException e) {
            refused.countDown();
          }
        };
        Thread second = new Thread(shrinks);
        second.start();
        shrinks.run();
        second.join();
      } else {
        Ranks.await(refused);
        world.shrink().close();
      }
      assertEquals(5, world.agree(5));
    });
  }

  @Test
  void agreeAndShrinkDoNotBelongTogether() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      for (int round = 0; round < 50; round++) {
        boolean shrinks = world.rank() == round % 3;
        refuses(CollectiveException.class,
            "%s() of rank %d cannot be completed: rank ".formatted(shrinks ? "shrink" : "agree", world.rank()),
            () -> {
              if (shrinks) {
                world.shrink();
              } else {
                world.agree(1);
              }
            });
        assertEquals(1, world.allreduce(1, Op.MAX)); // all have been told
        assertEquals(round, world.agree(round));
      }
    });
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator one = job.world().dup();
      one.close();
      refuses(IllegalStateException.class, "the communicator is closed", () -> one.agree(0));
      refuses(IllegalStateException.class, "the communicator is closed", one::shrink);
      refuses(IllegalStateException.class, "the communicator is closed", one::revoke);
    });
  }
}
