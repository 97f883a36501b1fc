package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A large message moves on inside receives of small ones, however soon these are answered. */
@EverySharedCoreList
class TransfersBesideRoundTripsTest {
  private static final int ELEMENTS = 1 << 21;
  private static final int WARM_UP = 30_000; // else answers come late, and receives have time for the large message
  private static final int ROUND_TRIPS = 3_000; // with a move in each, more than the pieces of the message
  private static final int LARGE = 1;
  private static final int SMALL = 2;

  @Parameter
  String cores;

  @Test
  void aLargeMessageIsThereAfterManyRoundTripsThatNobodyHadToWaitFor() throws Exception {
    Ranks.run(cores, 2, TransfersBesideRoundTripsTest::exchange);
  }

  private static void exchange(Job job) {
    Communicator world = Ranks.world(job);
    int peer = 1 - world.rank();
    double[] large = new double[ELEMENTS];
    byte[] small = new byte[8];
    roundTrips(world, peer, small, WARM_UP);
    Request request;
    if (world.rank() == 0) {
      request = world.irecv(Data.of(large, 0, ELEMENTS), peer, LARGE);
    } else {
      large[ELEMENTS - 1] = 7;
      request = world.isend(Data.of(large, 0, ELEMENTS), peer, LARGE);
    }
    roundTrips(world, peer, small, ROUND_TRIPS);
    assertTrue(request.test(), "the large message of rank " + world.rank() + " has moved on");
    assertEquals(7, large[ELEMENTS - 1]);
  }

  private static void roundTrips(Communicator world, int peer, byte[] small, int times) {
    for (int i = 0; i < times; i++) {
      if (world.rank() == 0) {
        world.send(Data.of(small, 0, 8), peer, SMALL);
        world.recv(Data.of(small, 0, 8), peer, SMALL);
      } else {
        world.recv(Data.of(small, 0, 8), peer, SMALL);
        world.send(Data.of(small, 0, 8), peer, SMALL);
      }
    }
  }
}
