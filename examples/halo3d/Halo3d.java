import io.adrastea.CartesianTopology;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Request;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;

/**
 * Heat that spreads from a knotted wire in a cube with cold walls: a 3-D stencil of seven points on an array that is
 * shared out among the ranks of a job, which are a grid, in all three dimensions. Each rank has a block of it, and
 * around that one layer of cells of its neighbours, the halo. Before each step the layers go round: each is a
 * {@code subarray} of the block, so none is copied by hand, whichever way it lies in memory.
 *
 * <pre>
 * bin/adrastea run -n 8 -- java examples/halo3d/Halo3d.java RESULT.png [CELLS [STEPS]]
 * </pre>
 *
 * <p>
 * The cube has CELLS cells along each edge, 96 unless a number is given; there are 100 steps. The picture shows what
 * one sees through it, as if it glowed: the sum along the first dimension. Any number of ranks on any cores gives the
 * same picture, bit for bit. The exit code is 2 when there is nothing to do: numbers that are none, more ranks along an
 * edge than cells, a result that cannot be written.
 */
public final class Halo3d {
  private static final int[] CELLS = {2, 96, 500}; // least, without a number, most
  private static final int[] STEPS = {0, 100, 1_000_000};
  private static final int BLOCK_TAG = 7;
  private static final int BAD_ARGUMENT = 2;
  private static final double SPREAD = 1.0 / 8;

  private final CartesianTopology grid;
  private final Communicator ranks; // of the grid
  private final int[] dims; // ranks in each dimension
  private final int cells; // along each edge of the cube
  private final int[] first = new int[3]; // cell of the cube that its block begins with
  private final long[] size = new long[3]; // cells of its block
  private final long[] whole = new long[3]; // and with the halo
  private final double[][] heat = new double[2][]; // now, and after the step
  private final Request[][] halo = new Request[2][]; // the exchange of each
  private final boolean[] wire;

  private Halo3d(CartesianTopology grid, int cells) {
    this.grid = grid;
    this.ranks = grid.communicator();
    this.dims = grid.dims();
    this.cells = cells;
    for (int d = 0; d < 3; d++) {
      first[d] = first(grid.coordinates(), d);
      size[d] = firstOfNext(grid.coordinates(), d) - first[d];
      whole[d] = size[d] + 2;
    }
    int all = Math.toIntExact(whole[0] * whole[1] * whole[2]);
    this.wire = new boolean[all];
    bendWire();
    for (int i = 0; i < 2; i++) {
      heat[i] = new double[all];
      halo[i] = exchangeOf(heat[i]);
    }
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("java.awt.headless", "true");
    AtomicInteger code = new AtomicInteger();
    Job.run(job -> code.set(run(job.world(), args)));
    System.exit(code.get());
  }

  /** All ranks have the same arguments, and refuse the same; rank 0 says why. */
  private static int run(Communicator world, String[] args) throws IOException {
    int[] numbers = {CELLS[1], STEPS[1]};
    String wrong = read(args, numbers);
    int[] dims = CartesianTopology.balancedDims(world.size(), 0, 0, 0); // the largest first
    if (wrong == null && dims[0] > numbers[0]) {
      wrong = "%d ranks along an edge are more than its %d cells".formatted(dims[0], numbers[0]);
    }
    if (wrong != null) {
      if (world.rank() == 0) {
        System.err.println("halo3d: " + wrong);
      }
      world.barrier(); // the first that leaves ends the job: nobody does before the reason is told
      return BAD_ARGUMENT;
    }
    boolean[] open = new boolean[3];
    try (CartesianTopology grid = CartesianTopology.of(world, dims, open, true)) {
      Halo3d part = new Halo3d(grid, numbers[0]);
      for (int step = 0; step < numbers[1]; step++) {
        part.step();
      }
      double[] cube = part.gather();
      if (grid.communicator().rank() == 0) {
        ImageIO.write(picture(cube, numbers[0]), "png", new File(args[0]));
        System.out.printf("%d^3 cells, %d steps, ranks: %s; the picture is %s%n", numbers[0], numbers[1],
            Arrays.toString(dims), args[0]);
      }
    }
    return 0;
  }

  /** Reads the numbers; null: nothing is wrong. */
  private static String read(String[] args, int[] numbers) {
    if (args.length == 0) {
      return "the picture's name is missing: halo3d RESULT.png [CELLS [STEPS]]";
    }
    File directory = new File(args[0]).getAbsoluteFile().getParentFile();
    if (!directory.isDirectory()) {
      return "the picture cannot be written to '%s': there is no such directory".formatted(args[0]);
    }
    int[][] ranges = {CELLS, STEPS};
    for (int i = 0; i < 2 && i + 1 < args.length; i++) {
      String word = args[i + 1];
      int number = word.matches("[0-9]{1,7}") ? Integer.parseInt(word) : -1;
      if (number < ranges[i][0] || number > ranges[i][2]) {
        return "'%s' is no number of %s; %d to %d are allowed".formatted(word, i == 0 ? "cells" : "steps",
            ranges[i][0], ranges[i][2]);
      }
      numbers[i] = number;
    }
    return null;
  }

  private int first(int[] of, int dimension) {
    return of[dimension] * cells / dims[dimension];
  }

  private int firstOfNext(int[] of, int dimension) {
    return (of[dimension] + 1) * cells / dims[dimension];
  }

  /** One layer of the block, or of the halo around it, across a dimension. */
  private Data layer(double[] cube, int dimension, long at) {
    long[] layer = size.clone();
    layer[dimension] = 1;
    long[] start = {1, 1, 1};
    start[dimension] = at;
    return Data.of(cube, 0, 1, Datatype.subarray(whole, layer, start, Datatype.Order.C, Datatype.DOUBLE));
  }

  /** In each dimension both outer layers of the block go out, and both of the halo come in; prepared once. */
  private Request[] exchangeOf(double[] cube) {
    Request[] requests = new Request[12];
    int next = 0;
    int[] neighbors = grid.neighbors(); // NO_RANK beyond the walls
    for (int d = 0; d < 3; d++) {
      int below = neighbors[2 * d];
      int above = neighbors[2 * d + 1];
      int down = 2 * d;
      int up = 2 * d + 1;
      requests[next++] = ranks.recvInit(layer(cube, d, 0), below, up);
      requests[next++] = ranks.recvInit(layer(cube, d, size[d] + 1), above, down);
      requests[next++] = ranks.sendInit(layer(cube, d, 1), below, down);
      requests[next++] = ranks.sendInit(layer(cube, d, size[d]), above, up);
    }
    return requests;
  }

  private int index(long i, long j, long k) {
    return (int) ((i * whole[1] + j) * whole[2] + k);
  }

  /** The wire is a trefoil knot of one radius. */
  private void bendWire() {
    int points = 40 * cells;
    double radius = cells / 40.0;
    for (int p = 0; p < points; p++) {
      double t = 2 * Math.PI * p / points;
      double[] at = {-Math.sin(3 * t), Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t)};
      int[] low = new int[3];
      int[] high = new int[3];
      for (int d = 0; d < 3; d++) {
        at[d] = (0.5 + at[d] / 9) * cells;
        low[d] = Math.max(first[d], (int) Math.floor(at[d] - radius));
        high[d] = Math.min(first[d] + (int) size[d] - 1, (int) Math.ceil(at[d] + radius));
      }
      for (int i = low[0]; i <= high[0]; i++) {
        for (int j = low[1]; j <= high[1]; j++) {
          for (int k = low[2]; k <= high[2]; k++) {
            double apart = Math.hypot(Math.hypot(i + 0.5 - at[0], j + 0.5 - at[1]), k + 0.5 - at[2]);
            wire[index(i - first[0] + 1, j - first[1] + 1, k - first[2] + 1)] |= apart <= radius;
          }
        }
      }
    }
  }

  private void step() {
    double[] now = heat[0];
    double[] next = heat[1];
    Request[] exchange = halo[0];
    for (Request request : exchange) {
      request.start();
    }
    Request.waitAll(exchange);
    int rows = index(1, 0, 0);
    int row = index(0, 1, 0);
    for (int i = 1; i <= size[0]; i++) {
      for (int j = 1; j <= size[1]; j++) {
        int at = index(i, j, 1);
        for (int end = at + (int) size[2]; at < end; at++) {
          double around =
              (now[at - rows] + now[at + rows]) + (now[at - row] + now[at + row]) + (now[at - 1] + now[at + 1]);
          next[at] = wire[at] ? 1 : now[at] + SPREAD * (around - 6 * now[at]);
        }
      }
    }
    heat[0] = next;
    heat[1] = now;
    halo[0] = halo[1];
    halo[1] = exchange;
  }

  /** Brings the blocks together: out of the middle of each rank's array, into their place in the whole one. */
  private double[] gather() {
    Datatype inner = Datatype.subarray(whole, size, new long[] {1, 1, 1}, Datatype.Order.C, Datatype.DOUBLE);
    Data mine = Data.of(heat[0], 0, 1, inner);
    if (ranks.rank() > 0) {
      ranks.send(mine, 0, BLOCK_TAG);
      return null;
    }
    double[] cube = new double[cells * cells * cells];
    long[] all = {cells, cells, cells};
    for (int rank = 0; rank < ranks.size(); rank++) {
      int[] of = grid.coordinates(rank);
      long[] start = new long[3];
      long[] block = new long[3];
      for (int d = 0; d < 3; d++) {
        start[d] = first(of, d);
        block[d] = firstOfNext(of, d) - start[d];
      }
      Data theirs = Data.of(cube, 0, 1, Datatype.subarray(all, block, start, Datatype.Order.C, Datatype.DOUBLE));
      if (rank == 0) {
        ranks.sendrecv(mine, 0, BLOCK_TAG, theirs, 0, BLOCK_TAG);
      } else {
        ranks.recv(theirs, rank, BLOCK_TAG);
      }
    }
    return cube;
  }

  /** What glows is red, then yellow, then white. */
  private static BufferedImage picture(double[] cube, int cells) {
    double[] sums = new double[cells * cells];
    for (int i = 0; i < cube.length; i++) {
      sums[i % sums.length] += cube[i];
    }
    double most = Arrays.stream(sums).max().getAsDouble();
    BufferedImage image = new BufferedImage(cells, cells, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < sums.length; i++) {
      double glow = most == 0 ? 0 : 3 * Math.sqrt(sums[i] / most);
      int red = (int) (255 * Math.clamp(glow, 0, 1));
      int green = (int) (255 * Math.clamp(glow - 1, 0, 1));
      int blue = (int) (255 * Math.clamp(glow - 2, 0, 1));
      image.setRGB(i % cells, i / cells, red << 16 | green << 8 | blue);
    }
    return image;
  }
}
