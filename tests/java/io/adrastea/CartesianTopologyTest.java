package io.adrastea;

import static io.adrastea.Communicator.NO_RANK;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.adrastea.CartesianTopology.Shift;
import io.adrastea.comm.TopologyMaking;
import io.adrastea.error.CollectiveException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Grids of ranks: where each rank is, which ranks are beside it, and communicators of some dimensions. */
@EveryCoreListOfWorld
class CartesianTopologyTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;
  private static final int TAG = 7;

  @Parameter
  String cores;

  private static CartesianTopology grid(Communicator world, int[] dims, boolean... periodic) {
    return CartesianTopology.of(world, dims, periodic, false);
  }

  @Test
  void ranksAreNumberedByTheirCoordinates() throws Exception {
    Ranks.run(cores, 6, job -> {
      int self = job.world().rank();
      try (CartesianTopology grid = grid(job.world(), new int[] {2, 3}, true, false)) {
        assertEquals(job.world().group(), grid.communicator().group());
        assertNotEquals(job.world().name(), grid.communicator().name());
        assertArrayEquals(new int[] {2, 3}, grid.dims());
        assertArrayEquals(new boolean[] {true, false}, grid.periodic());
        assertArrayEquals(new int[] {self / 3, self % 3}, grid.coordinates());
        for (int rank = 0; rank < 6; rank++) {
          assertArrayEquals(new int[] {rank / 3, rank % 3}, grid.coordinates(rank));
          assertEquals(rank, grid.rank(rank / 3 + 2, rank % 3));
        }
        assertEquals(NO_RANK, grid.rank(0, 3));
        assertEquals(NO_RANK, grid.rank(0, -1));
        int left = self % 3 == 0 ? NO_RANK : self - 1;
        int right = self % 3 == 2 ? NO_RANK : self + 1;
        int other = (self + 3) % 6;
        assertArrayEquals(new int[] {other, other, left, right}, grid.neighbors());
        assertEquals(new Shift(left, right), grid.shift(1, 1));
        assertEquals(new Shift(right, left), grid.shift(1, -1));
        assertEquals(new Shift(self, self), grid.shift(0, 2));
        assertEquals(new Shift(NO_RANK, NO_RANK), grid.shift(1, Integer.MIN_VALUE));
        grid.dims()[0] = 9;
        grid.coordinates()[0] = 9;
        grid.periodic()[0] = false;
        assertEquals("grid of 2 (periodic) x 3, at [%d, %d] in %s".formatted(self / 3, self % 3, grid.communicator()),
            grid.toString());
      }
    });
  }

  /** What all hand on along a dimension comes from the source of the shift. */
  @Test
  void messagesGoRoundAlongADimension() throws Exception {
    Ranks.run(cores, 6, job -> {
      try (CartesianTopology grid = grid(job.world(), new int[] {3, 2}, true, false)) {
        Communicator on = grid.communicator();
        int[] got = {-5};
        for (int dimension = 0; dimension < 2; dimension++) {
          for (int steps = -2; steps <= 2; steps++) {
            Shift shift = grid.shift(dimension, steps);
            got[0] = -5;
            on.sendrecv(Data.of(new int[] {on.rank()}), shift.destination(), TAG, Data.of(got), shift.source(), TAG);
            assertEquals(shift.source() == NO_RANK ? -5 : shift.source(), got[0]);
          }
        }
      }
    });
  }

  @Test
  void ranksForWhichThereIsNoPlaceAreLeftOut() throws Exception {
    Ranks.run(cores, 5, job -> {
      Communicator world = job.world();
      for (boolean reorder : new boolean[] {false, true}) {
        CartesianTopology square = CartesianTopology.of(world, new int[] {2, 2}, new boolean[2], reorder);
        if (world.rank() == 4) {
          assertNull(square);
        } else {
          square.communicator().barrier();
          assertEquals(4, square.communicator().size());
          square.close();
        }
        CartesianTopology point = CartesianTopology.of(world, new int[0], new boolean[0], reorder);
        if (world.rank() == 0) {
          assertEquals(1, point.communicator().size());
          assertEquals(0, point.neighbors().length);
          assertEquals(0, point.rank());
          point.close();
        } else {
          assertNull(point);
        }
      }
    });
  }

  /** Ranks of one process run on the same CPUs, so that nothing is to be gained. */
  @Test
  void ranksThatShareAllKeepTheirOrder() throws Exception {
    Ranks.run(cores, 4, job -> {
      try (CartesianTopology grid = CartesianTopology.of(job.world(), new int[] {2, 2}, new boolean[2], true)) {
        assertEquals(job.world().group(), grid.communicator().group());
      }
    });
  }

  @Test
  void anyOrderCanBeGiven() throws Exception {
    Ranks.run(cores, 4, job -> {
      Communicator world = job.world();
      try (Communicator three = world.face(new TopologyMaking(world.state(), "test").ordered(3, 0, 2))) {
        if (job.world().rank() == 1) {
          assertNull(three);
        } else {
          assertArrayEquals(new int[] {3, 0, 2}, three.group().jobRanks());
        }
      }
    });
  }

  @Test
  void rowsAndColumnsAreGridsOfTheirOwn() throws Exception {
    Ranks.run(cores, 6, job -> {
      int self = job.world().rank();
      try (CartesianTopology grid = grid(job.world(), new int[] {2, 3}, true, false);
          CartesianTopology row = grid.sub(false, true);
          CartesianTopology column = grid.sub(true, false);
          CartesianTopology all = grid.sub(true, true);
          CartesianTopology none = grid.sub(false, false)) {
        assertArrayEquals(new int[] {3}, row.dims());
        assertArrayEquals(new int[] {self % 3}, row.coordinates());
        int first = self / 3 * 3;
        assertArrayEquals(new int[] {first, first + 1, first + 2}, row.communicator().group().jobRanks());
        assertArrayEquals(new boolean[] {true}, column.periodic());
        assertArrayEquals(new int[] {self % 3, self % 3 + 3}, column.communicator().group().jobRanks());
        assertEquals(grid.communicator().group(), all.communicator().group());
        assertArrayEquals(new int[] {self}, none.communicator().group().jobRanks());
        assertEquals(first + first + 1 + first + 2, row.communicator().allreduce((long) self, Op.SUM));
        assertEquals(self % 3 * 2 + 3, column.communicator().allreduce((long) self, Op.SUM));
      }
    });
  }

  @Test
  void dimsFollowTheRulesOfMpi() {
    assertArrayEquals(new int[] {3, 2}, CartesianTopology.balancedDims(6, 0, 0));
    assertArrayEquals(new int[] {7, 1}, CartesianTopology.balancedDims(7, 0, 0));
    assertArrayEquals(new int[] {2, 3, 1}, CartesianTopology.balancedDims(6, 0, 3, 0));
    assertArrayEquals(new int[] {4, 3}, CartesianTopology.balancedDims(12, 0, 0));
    assertArrayEquals(new int[] {3, 4}, CartesianTopology.balancedDims(12, 3, 0));
    assertArrayEquals(new int[] {3, 4}, CartesianTopology.balancedDims(12, 3, 4));
    assertArrayEquals(new int[] {2, 1, 1}, CartesianTopology.balancedDims(2, 0, 0, 0));
    assertArrayEquals(new int[] {1, 8}, CartesianTopology.balancedDims(8, 1, 0));
    assertArrayEquals(new int[0], CartesianTopology.balancedDims(1));
    int[] given = {0, 5};
    CartesianTopology.balancedDims(10, given);
    assertArrayEquals(new int[] {0, 5}, given, "an array of the caller's own");
    refuses(ILLEGAL, "7 ranks cannot be shared out to [0, 3, 0]; the product of the given dimensions is to divide 7",
        () -> CartesianTopology.balancedDims(7, 0, 3, 0));
    refuses(ILLEGAL, "6 ranks cannot be shared out to [3, 1]; the product of the given dimensions is to be 6",
        () -> CartesianTopology.balancedDims(6, 3, 1));
    refuses(ILLEGAL, "is to be 2", () -> CartesianTopology.balancedDims(2));
    refuses(ILLEGAL, "is to divide 8", () -> CartesianTopology.balancedDims(8, 1 << 16, 1 << 16, 1 << 16, 1 << 16, 0));
    refuses(ILLEGAL, "0 ranks to be shared out; there is to be at least 1", () -> CartesianTopology.balancedDims(0, 0));
    refuses(ILLEGAL, "-1 ranks in a dimension; allowed are 1 or more, and 0",
        () -> CartesianTopology.balancedDims(4, -1, 0));
    refuses(NullPointerException.class, "the dimensions are null",
        () -> CartesianTopology.balancedDims(4, (int[]) null));
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      boolean[] open = new boolean[2];
      refuses(NullPointerException.class, "the communicator is null", () -> grid(null, new int[2], open));
      refuses(NullPointerException.class, "the dimensions are null", () -> grid(world, null, open));
      refuses(NullPointerException.class, "the periodicity is null",
          () -> CartesianTopology.of(world, new int[2], null, false));
      refuses(ILLEGAL, "0 ranks in a dimension of a grid ([1, 0]); there is to be at least 1",
          () -> grid(world, new int[] {1, 0}, open));
      refuses(ILLEGAL, "a grid of [2, 2] has more places than this communicator has ranks: 2",
          () -> grid(world, new int[] {2, 2}, open));
      int[] huge = {1 << 30, 1 << 30, 1 << 30};
      refuses(ILLEGAL, "more places", () -> grid(world, huge, new boolean[3]));
      refuses(ILLEGAL, "1 dimensions, and the periodicity of 2; name that of each",
          () -> grid(world, new int[] {2}, open));
      CartesianTopology grid = grid(world, new int[] {2, 1}, open);
      refuses(ILLEGAL, "rank 2; this grid has ranks 0 to 1", () -> grid.coordinates(2));
      refuses(ILLEGAL, "rank -1; this grid has ranks 0 to 1", () -> grid.coordinates(-1));
      refuses(ILLEGAL, "1 coordinates; this grid (2 x 1) has 2 dimensions, name one for each", () -> grid.rank(0));
      refuses(ILLEGAL, "dimension 2; this grid has dimensions 0 to 1", () -> grid.shift(2, 1));
      refuses(ILLEGAL, "dimension -1; this grid", () -> grid.shift(-1, 1));
      refuses(ILLEGAL, "3 dimensions to keep or not; this grid (2 x 1) has 2", () -> grid.sub(true, true, false));
      try (CartesianTopology point = grid.sub(false, false)) {
        refuses(ILLEGAL, "dimension 0 of a grid that has no dimensions", () -> point.shift(0, 1));
      }
      grid.close();
      refuses(IllegalStateException.class, "the communicator is closed", () -> grid.sub(true, true));
      refuses(IllegalStateException.class, "the communicator is closed", grid::close);
      refuses(IllegalStateException.class, "the communicator is closed",
          () -> grid(grid.communicator(), new int[] {2, 1}, open));
      assertEquals(1 - world.rank(), grid.shift(0, 1 - 2 * world.rank()).destination(), "it is a list and no more");
    });
  }

  /** All are told, and go on. */
  @Test
  void ranksThatNameOtherGridsAreTold() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      int self = world.rank();
      int[] dims = self == 1 ? new int[] {1, 3} : new int[] {3, 1};
      String other = "rank " + (self == 1 ? 0 : 1) + " makes another topology";
      refuses(CollectiveException.class, other, () -> grid(world, dims, false, false));
      refuses(CollectiveException.class, other, () -> grid(world, new int[] {3}, self == 1));
      refuses(CollectiveException.class, other,
          () -> CartesianTopology.of(world, new int[] {3}, new boolean[1], self == 1));
      try (CartesianTopology line = grid(world, new int[] {3, 1}, false, false)) {
        refuses(CollectiveException.class, other, () -> line.sub(self == 1, true));
        refuses(CollectiveException.class, other, () -> {
          if (self == 1) {
            line.sub(true, true);
          } else {
            grid(line.communicator(), new int[] {3, 1}, false, false);
          }
        });
        line.communicator().barrier();
      }
    });
  }

  @Test
  void aDuplicateIsTheSameGridWithMessagesOfItsOwn() throws Exception {
    Ranks.run(cores, 4, job -> {
      try (CartesianTopology grid =
          CartesianTopology.of(job.world(), new int[] {2, 2}, new boolean[] {true, false}, false);
          CartesianTopology same = grid.dup()) {
        assertArrayEquals(grid.dims(), same.dims());
        assertArrayEquals(grid.periodic(), same.periodic());
        assertArrayEquals(grid.coordinates(), same.coordinates());
        assertArrayEquals(grid.neighbors(), same.neighbors());
        int self = grid.communicator().rank();
        assertEquals(self, same.communicator().rank());
        grid.communicator().send(Data.of(new int[] {1}), self ^ 1, 1);
        assertEquals(null, same.communicator().iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG));
        grid.communicator().recv(Data.of(new int[1]), self ^ 1, 1);
        int[] got = {NO_RANK, NO_RANK, NO_RANK, NO_RANK}; // beyond an open border it stays
        same.neighborAllgather(Data.of(new int[] {self}), Data.of(got));
        assertArrayEquals(same.neighbors(), got);
      }
    });
  }

  @Test
  void aMapTellsTheNumberThatAGridWouldGive() throws Exception {
    Ranks.run(cores, 5, job -> {
      Communicator world = job.world();
      int place = CartesianTopology.map(world, new int[] {2, 2}, true, false);
      try (CartesianTopology grid =
          CartesianTopology.of(world, new int[] {2, 2}, new boolean[] {true, false}, true)) {
        assertEquals(grid == null ? Communicator.UNDEFINED : grid.communicator().rank(), place);
      }
      refuses(IllegalArgumentException.class, "a grid of [3, 2] has more places",
          () -> CartesianTopology.map(world, new int[] {3, 2}, true, true));
      refuses(CollectiveException.class, "makes another topology",
          () -> CartesianTopology.map(world, new int[] {1 + world.rank() % 2}, true));
    });
  }

  @Test
  void anExchangeThatWasStartedGoesOnWhenItIsReleased() throws Exception {
    Ranks.run(cores, 3, job -> {
      int self = job.world().rank();
      CartesianTopology ring = grid(job.world(), new int[] {3}, true);
      if (self == 2) { // the others wait for it
        job.world().recv(Data.EMPTY, 0, TAG);
      }
      int[] got = new int[2];
      Request exchange = ring.ineighborAllgather(Data.of(new int[] {self}), Data.of(got));
      ring.release();
      if (self == 0) {
        job.world().send(Data.EMPTY, 2, TAG);
      }
      refuses(IllegalStateException.class, "the communicator is closed", ring::release);
      refuses(IllegalStateException.class, "the communicator is closed",
          () -> ring.neighborAllgather(Data.of(new int[1]), Data.of(got)));
      exchange.await();
      assertArrayEquals(new int[] {(self + 2) % 3, (self + 1) % 3}, got);
    });
  }
}
