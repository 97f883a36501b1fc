package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CollectiveException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that do not all share memory have collectives by messages, which tell members that call different ones; they
 * make communicators and agree.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectiveLinksTest {
  /** A call of one rank. */
  private interface Action {
    void run(Communicator world);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void severalAreOutstandingAndEndInAnyOrder(String cores) throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          double[][] sums = new double[40][1];
          Request[] requests = new Request[sums.length];
          for (int i = 0; i < sums.length; i++) {
            requests[i] = world.iallreduce(Data.of(new double[] {i + world.rank()}), Data.of(sums[i]), Op.SUM);
          }
          assertEquals(3, world.allreduce(1L, Op.SUM));
          for (int i = sums.length - 1; i >= 0; i--) {
            requests[i].await();
            assertEquals(3 * i + 3, sums[i][0]);
          }
          double[] all = new double[3];
          world.allgather(Data.of(new double[] {world.rank()}), Data.of(all));
          assertArrayEquals(new double[] {0, 1, 2}, all);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void ranksThatShareNoMemoryMakeCommunicatorsAndAgree(String cores) throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          try (Communicator one = world.dup(); Communicator other = one.split(0, -one.rank())) {
            assertEquals(2 - world.rank(), other.rank());
            assertEquals(1, other.agree(1));
          }
          world.barrier();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void membersThatCallDifferentKindsAreTold(String cores) throws Exception {
    differ(cores, world -> world.allreduce(1L, Op.SUM), world -> world.barrier());
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void membersThatNameDifferentRootsAreTold(String cores) throws Exception {
    differ(cores, world -> world.bcast(1L, 1), world -> world.bcast(1L, 0)); // each takes the other for the root
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void membersOfWhichEachTookItselfForTheRootAreToldInTheNextCollective(String cores) throws Exception {
    differ(cores, world -> {
      world.bcast(1L, 0);
      world.barrier();
    }, world -> {
      world.bcast(1L, 1);
      world.barrier();
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void membersThatGiveOtherLengthsAreTold(String cores) throws Exception {
    differ(
        cores, world -> world.allreduce(Data.of(new double[3]), Op.SUM),
        world -> world.allreduce(Data.of(new double[4]), Op.SUM));
  }

  /** A block of no bytes is no message: the one that expects some learns that none comes. */
  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void aBlockThatDoesNotComeIsTold(String cores) throws Exception {
    differ(
        cores, world -> world.gather(Data.of(new double[2]), Data.of(new double[4]), 0),
        world -> world.gather(Data.of(new double[0]), Data.of(new double[4]), 0), false);
  }

  private static void differ(String cores, Action first, Action second) throws Exception {
    differ(cores, first, second, true);
  }

  /** @param bothAreTold in this call; else the second rank may have ended it */
  private static void differ(String cores, Action first, Action second, boolean bothAreTold) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = job.world();
          Action action = world.rank() == 0 ? first : second;
          if (bothAreTold || world.rank() == 0) {
            CollectiveException told = assertThrows(CollectiveException.class, () -> action.run(world));
            assertEquals(1 - world.rank(), told.rank());
          } else {
            action.run(world);
          }
          AdrasteaException next = assertThrows(AdrasteaException.class, world::barrier);
          assertTrue(next.getMessage().contains("barrier"), next::getMessage);
          world.send(Data.of(new byte[1]), 1 - world.rank(), 0); // none leaves before the other was told
          world.recv(Data.of(new byte[1]), 1 - world.rank(), 0);
        });
  }
}
