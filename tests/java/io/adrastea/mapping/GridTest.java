package io.adrastea.mapping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Places of a grid and their coordinates. */
class GridTest {
  @Test
  void theLastCoordinateRunsFastest() {
    Grid grid = new Grid(new int[] {2, 3, 4}, new boolean[3]);
    assertEquals(24, grid.size());
    assertArrayEquals(new int[] {0, 0, 1}, grid.coordinates(1));
    assertArrayEquals(new int[] {1, 2, 3}, grid.coordinates(23));
    assertEquals(17, grid.place(1, 1, 1));
  }

  @Test
  void aGridOfNoDimensionsHasOnePlace() {
    Grid grid = new Grid(new int[0]);
    assertEquals(1, grid.size());
    assertEquals(0, grid.coordinates(0).length);
    assertEquals(0, grid.place());
    assertEquals(0, grid.neighbors(0).length);
  }

  @Test
  void openDimensionsEndAndPeriodicOnesGoOn() {
    Grid grid = new Grid(new int[] {3, 4}, false, true);
    assertEquals(Grid.NONE, grid.place(-1, 0));
    assertEquals(Grid.NONE, grid.place(3, 0));
    assertEquals(3, grid.place(0, -1));
    assertEquals(6, grid.place(1, 4 * 100_000_000 + 2));
    assertEquals(7, grid.place(1, Integer.MIN_VALUE + 3), "2^31 is a multiple of 4");
    assertArrayEquals(new int[] {Grid.NONE, 4, 3, 1}, grid.neighbors(0));
    assertArrayEquals(new int[] {7, Grid.NONE, 10, 8}, grid.neighbors(11));
    assertEquals(Grid.NONE, grid.beside(5, 0, Integer.MAX_VALUE));
    assertEquals(5, grid.beside(5, 1, -4));
  }

  @Test
  void randomGridsAreConsistent() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 300; round++) {
      int dimensions = random.nextInt(5);
      int[] dims = new int[dimensions];
      boolean[] periodic = new boolean[dimensions];
      for (int d = 0; d < dimensions; d++) {
        dims[d] = 1 + random.nextInt(5);
        periodic[d] = random.nextBoolean();
      }
      Grid grid = new Grid(dims, periodic);
      for (int place = 0; place < grid.size(); place++) {
        int[] at = grid.coordinates(place);
        assertEquals(place, grid.place(at));
        int[] neighbors = grid.neighbors(place);
        for (int i = 0; i < neighbors.length; i++) {
          int[] there = at.clone();
          there[i / 2] += i % 2 == 0 ? -1 : 1;
          assertEquals(grid.place(there), neighbors[i]);
          if (neighbors[i] != Grid.NONE) {
            assertEquals(place, grid.neighbors(neighbors[i])[i ^ 1], "and back");
          }
        }
      }
    }
  }

  @Test
  void aSubgridKeepsSomeDimensions() {
    Grid grid = new Grid(new int[] {2, 3, 4}, false, true, false);
    Grid plane = grid.sub(true, false, true);
    assertArrayEquals(new int[] {2, 4}, plane.dims());
    int[] members = new int[3];
    for (int place = 0; place < grid.size(); place++) {
      members[grid.numberOfSub(place, true, false, true)]++;
    }
    assertArrayEquals(new int[] {8, 8, 8}, members);
    assertEquals("3 (periodic)", grid.sub(false, true, false).toString());
    assertEquals("no dimensions", grid.sub(new boolean[3]).toString());
  }

  /** Against all ways to write a number as a product. */
  @Test
  void dimsAreAsCloseAsPossible() {
    for (int count = 1; count <= 4; count++) {
      for (int number = 1; number <= 400; number++) {
        int[] dims = BalancedDims.of(number, count);
        assertEquals(count, dims.length);
        assertEquals(number, Arrays.stream(dims).reduce(1, (a, b) -> a * b), () -> Arrays.toString(dims));
        for (int d = 1; d < count; d++) {
          assertEquals(true, dims[d - 1] >= dims[d], () -> Arrays.toString(dims));
        }
        assertEquals(leastDifference(number, count, number, 0), dims[0] - dims[count - 1], () -> Arrays.toString(dims));
      }
    }
  }

  private static int leastDifference(int left, int count, int most, int largest) {
    int least = Integer.MAX_VALUE;
    if (count == 1) {
      return left > most ? least : largest == 0 ? 0 : largest - left;
    }
    for (int factor = 1; factor <= Math.min(left, most); factor++) {
      if (left % factor == 0) {
        least = Math.min(
            least, leastDifference(left / factor, count - 1, factor, largest == 0 ? factor : largest));
      }
    }
    return least;
  }

  @Test
  void dimsOfLargeNumbersAreFound() {
    assertArrayEquals(new int[] {Integer.MAX_VALUE, 1, 1}, BalancedDims.of(Integer.MAX_VALUE, 3), "a prime");
    assertArrayEquals(new int[] {1 << 15, 1 << 15}, BalancedDims.of(1 << 30, 2));
    int[] twos = new int[30];
    Arrays.fill(twos, 2);
    assertArrayEquals(twos, BalancedDims.of(1 << 30, 30));
    assertArrayEquals(new int[] {1296, 1287, 1280}, BalancedDims.of(1296 * 1287 * 1280, 3));
    assertEquals(12, BalancedDims.of(2_095_133_040, 12).length, "of the most divisors");
  }
}
