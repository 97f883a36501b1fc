package io.adrastea.collective;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Neighbour collectives that cannot be are refused, or end with words that say why. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java,ffm"})
class NeighborMisuseTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;

  @Parameter
  String cores;

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  private static CartesianTopology line(Communicator world) {
    return CartesianTopology.of(world, new int[] {2}, new boolean[1], false);
  }

  @Test
  void argumentsThatCannotBeAreRefusedAndNothingHasBegun() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (CartesianTopology line = line(job.world())) {
        String inPlace = " in place; neighbours need both, an input and an output apart from it";
        refuses(ILLEGAL, "neighborAlltoall" + inPlace, () -> line.neighborAlltoall(Data.IN_PLACE, longs(2)));
        refuses(ILLEGAL, "neighborAlltoall" + inPlace, () -> line.ineighborAlltoall(longs(2), Data.IN_PLACE));
        refuses(ILLEGAL, "neighborAllgather" + inPlace, () -> line.neighborAllgatherInit(Data.IN_PLACE, longs(2)));
        refuses(NullPointerException.class, "the input is null", () -> line.neighborAllgather(null, longs(2)));
        refuses(NullPointerException.class, "the output is null", () -> line.neighborAlltoall(longs(2), null));
        refuses(NullPointerException.class, "the request is null",
            () -> line.started(null).neighborAlltoall(longs(2), longs(2)));
        Data two = Data.parts(longs(2), new int[] {1, 1}, new int[] {0, 1});
        Data three = Data.parts(longs(2), new int[3], new int[3]);
        refuses(ILLEGAL, "all neighbours get the same data, so there is to be one piece",
            () -> line.neighborAllgather(two, longs(2)));
        refuses(ILLEGAL, "neighborAlltoall with 3 parts, and 2 neighbours; there is to be one for each",
            () -> line.neighborAlltoall(three, longs(2)));
        refuses(ILLEGAL, "neighborAllgather with 3 parts, and 2 neighbours", () -> line.neighborAllgather(longs(1),
            three));
        refuses(ILLEGAL, "neighborAlltoall with 3 long elements from 0, and 2 neighbours; each has the same number",
            () -> line.neighborAlltoall(longs(3), longs(2)));
        refuses(ILLEGAL, "part 0 overlaps another one", () -> line.neighborAlltoall(two,
            Data.parts(longs(2), new int[] {1, 2}, new int[] {1, 0})));
        MemorySegment fixed = Arena.ofAuto().allocate(16).asReadOnly();
        refuses(ILLEGAL, "read-only", () -> line.neighborAlltoall(two, Data.of(fixed)));
        refuses(ILLEGAL, "read-only", () -> line.neighborAllgather(longs(1), Data.parts(Data.of(fixed), new int[2],
            new int[2])));
        long[] got = new long[2];
        line.neighborAllgather(Data.of(new long[] {5}), Data.of(got));
        assertEquals(5, got[1 - line.communicator().rank()]);
      }
    });
  }

  @Test
  void whatARankExpectsOfItselfIsWhatItGives() throws Exception {
    Ranks.run(cores, 1, job -> {
      try (CartesianTopology ring = CartesianTopology.of(job.world(), new int[] {1}, new boolean[] {true}, false)) {
        Data parts = Data.parts(longs(4), new int[] {1, 2}, new int[] {0, 2});
        refuses(ILLEGAL, "neighborAlltoall of 16 bytes of rank 0 for itself, which expects 24",
            () -> ring.neighborAlltoall(longs(2), parts));
      }
    });
  }

  @Test
  void lengthsThatDifferAreTold() throws Exception {
    Ranks.run(cores, 2, job -> {
      for (int bytes : new int[] {8, 100_000}) {
        try (CartesianTopology line = line(job.world())) {
          Data in = Data.of(new byte[2 * bytes]);
          if (line.communicator().rank() == 1) {
            refuses(CollectiveException.class,
                "rank 0 gives %d bytes to rank 1, which expects %d".formatted(bytes, bytes + 1),
                () -> line.neighborAlltoall(in, Data.of(new byte[2 * bytes + 2])));
            refuses(CollectiveException.class, "takes no more collectives",
                () -> line.neighborAlltoall(in, Data.of(new byte[2 * bytes])));
          } else {
            try {
              line.neighborAlltoall(in, Data.of(new byte[2 * bytes]));
            } catch (CollectiveException | RankFailedException e) { // where it still waited for rank 1
              assertTrue(e.getMessage().contains("rank 1 "), e.getMessage());
            }
          }
        }
      }
    });
  }

  @Test
  void ranksThatCallDifferentOnesAreTold() throws Exception {
    Ranks.run(cores, 2, job -> {
      int self = job.world().rank();
      try (CartesianTopology line = line(job.world())) {
        String said = assertThrows(CollectiveException.class, () -> {
          if (self == 0) {
            line.neighborAlltoall(longs(2), longs(2));
          } else {
            line.neighborAllgather(longs(1), longs(2));
          }
          line.communicator().barrier(); // one may have ended its part before the other saw the difference
        }).getMessage();
        assertTrue(said.contains(self == 0 ? "rank 1 calls neighborAllgather" : "rank 0 calls neighborAlltoall")
            || said.contains("cannot go on"), said);
      }
    });
  }

  @Test
  void aTopologyIsClosedOnceItsCollectivesHaveEnded() throws Exception {
    Ranks.run(cores, 2, job -> {
      CartesianTopology line = line(job.world());
      int self = line.communicator().rank();
      long[] got = new long[2];
      if (self == 0) {
        Request request = line.ineighborAlltoall(Data.of(new long[] {1, 2}), Data.of(got));
        refuses(IllegalStateException.class, "a started neighborAlltoall", line::close);
        job.world().barrier();
        request.await();
      } else {
        job.world().barrier();
        line.neighborAlltoall(Data.of(new long[] {3, 4}), Data.of(got));
      }
      assertArrayEquals(self == 0 ? new long[] {0, 3} : new long[] {2, 0}, got);
      line.close();
      refuses(IllegalStateException.class, "neighborAlltoall of rank " + self,
          () -> line.neighborAlltoall(longs(2), longs(2)));
    });
  }
}
