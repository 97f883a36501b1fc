import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets the brightness of a picture spread like heat: a 2-D stencil of five points, step after step, on rows shared out
 * among the ranks of a job. Before each step a rank needs the row above its own rows and the row below them, the halo:
 * it asks for both with {@code irecv}, sends its own edge rows with {@code isend}, works on the rows inside meanwhile,
 * and on the edge rows once the halo is there.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/halo/Halo.java PICTURE RESULT.png [STEPS]
 * </pre>
 *
 * <p>
 * {@code java} compiles the files beside this one with it. The picture is a PNG or PGM file (P2 or P5), grey or in
 * colour; there are 100 steps unless a number is given. Any number of ranks on any cores gives the same result, bit for
 * bit, since each value comes from the same five values in the same order. The exit code is 2 when there is nothing to
 * do: no such picture, not a picture, more ranks than rows, a result that cannot be written.
 */
public final class Halo {
  private static final int SHAPE_TAG = 1;
  private static final int ROWS_TAG = 2;
  private static final int UP_TAG = 3;
  private static final int DOWN_TAG = 4;
  private static final int STEPS = 100;
  private static final int MOST_STEPS = 1_000_000;
  private static final int BAD_ARGUMENT = 2;
  private static final float SPREAD = 0.2f;

  private final Communicator world;
  private final int above; // the rank with the rows above, or none
  private final int below;
  private final int stride; // values in a row: those of its pixels, side by side
  private final int bands; // values in a pixel: 1 grey, 3 colour, 4 with opacity
  private final int rows; // how many of the picture's this rank has
  private float[] now; // the halo's row above, the rows, the halo's row below
  private float[] next;

  private Halo(Communicator world, int width, int height, int bands) {
    this.world = world;
    this.above = world.rank() > 0 ? world.rank() - 1 : Communicator.NO_RANK;
    this.below = world.rank() + 1 < world.size() ? world.rank() + 1 : Communicator.NO_RANK;
    this.stride = width * bands;
    this.bands = bands;
    this.rows = firstRow(world.rank() + 1, height) - firstRow(world.rank(), height);
    this.now = new float[(rows + 2) * stride];
    this.next = new float[(rows + 2) * stride];
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("java.awt.headless", "true");
    AtomicInteger code = new AtomicInteger();
    Job.run(
        job -> {
          if (job.world().rank() > 0) {
            follow(job.world());
          } else if (!lead(job.world(), args)) {
            code.set(BAD_ARGUMENT);
          }
        });
    System.exit(code.get());
  }

  /** Rank 0: reads the picture, takes part, writes the result. */
  private static boolean lead(Communicator world, String[] args) {
    int[] shape = {0, 0, 0, 0}; // nothing to do
    boolean told = false;
    try (Result result = new Result(args)) {
      Picture picture = Picture.read(Path.of(args[0]), world.size());
      int steps = steps(args);
      shape = new int[] {picture.width(), picture.height(), picture.bands(), steps};
      tell(world, shape);
      told = true;
      diffuse(world, shape, picture.values());
      result.write(picture);
      System.out.printf(
          "%d x %d pixels, %d steps, ranks: %d; the result is %s%n",
          picture.width(), picture.height(), steps, world.size(), args[1]);
      return true;
    } catch (BadInput | IOException e) {
      if (!told) {
        tell(world, shape);
      }
      System.err.println("halo: " + e.getMessage());
      return false;
    }
  }

  private static void tell(Communicator world, int[] shape) {
    for (int rank = 1; rank < world.size(); rank++) {
      world.send(Data.of(shape), rank, SHAPE_TAG);
    }
  }

  private static void follow(Communicator world) {
    int[] shape = new int[4];
    world.recv(Data.of(shape), 0, SHAPE_TAG);
    if (shape[0] > 0) {
      diffuse(world, shape, null);
    }
  }

  private static int steps(String[] args) throws BadInput {
    String word = args.length > 2 ? args[2] : "" + STEPS;
    if (!word.matches("[0-9]{1,7}") || Integer.parseInt(word) > MOST_STEPS) {
      throw new BadInput(
          "'%s' is no number of steps; 0 to %d are allowed".formatted(word, MOST_STEPS));
    }
    return Integer.parseInt(word);
  }

  /**
   * Shares out the values of the picture, takes all steps, and brings the values together.
   *
   * @param values those of the picture at rank 0, else {@code null}
   */
  private static void diffuse(Communicator world, int[] shape, byte[] values) {
    Halo part = new Halo(world, shape[0], shape[1], shape[2]);
    part.scatter(values, shape[1]);
    try (Bar bar = new Bar(values == null ? 0 : shape[3])) {
      for (int step = 0; step < shape[3]; step++) {
        part.step();
        bar.show(step + 1);
      }
    }
    part.gather(values, shape[1]);
  }

  private int firstRow(int rank, int height) {
    return (int) ((long) rank * height / world.size());
  }

  private void scatter(byte[] values, int height) {
    byte[] mine = new byte[rows * stride];
    if (values == null) {
      world.recv(Data.of(mine), 0, ROWS_TAG);
    } else {
      for (int rank = 1; rank < world.size(); rank++) {
        int from = firstRow(rank, height) * stride;
        world.send(Data.of(values, from, firstRow(rank + 1, height) * stride - from), rank, ROWS_TAG);
      }
      System.arraycopy(values, 0, mine, 0, mine.length);
    }
    for (int i = 0; i < mine.length; i++) {
      now[stride + i] = mine[i] & 0xff;
    }
  }

  private void gather(byte[] values, int height) {
    byte[] mine = new byte[rows * stride];
    for (int i = 0; i < mine.length; i++) {
      mine[i] = (byte) Math.clamp(Math.round(now[stride + i]), 0, 255);
    }
    if (values == null) {
      world.send(Data.of(mine), 0, ROWS_TAG);
      return;
    }
    System.arraycopy(mine, 0, values, 0, mine.length);
    for (int rank = 1; rank < world.size(); rank++) {
      int from = firstRow(rank, height) * stride;
      world.recv(Data.of(values, from, firstRow(rank + 1, height) * stride - from), rank, ROWS_TAG);
    }
  }

  private void step() {
    Request[] halo = exchange();
    for (int row = 2; row < rows; row++) {
      spread(row);
    }
    Request.waitAll(halo);
    spread(1);
    if (rows > 1) {
      spread(rows);
    }
    float[] swap = now;
    now = next;
    next = swap;
  }

  /** Starts the exchange of edge rows. Beyond the picture's edge there is no rank, and the edge itself goes on. */
  private Request[] exchange() {
    int last = rows * stride;
    System.arraycopy(now, stride, now, 0, stride);
    System.arraycopy(now, last, now, last + stride, stride);
    return new Request[] {world.irecv(Data.of(now, 0, stride), above, DOWN_TAG),
      world.isend(Data.of(now, stride, stride), above, UP_TAG),
      world.irecv(Data.of(now, last + stride, stride), below, UP_TAG),
      world.isend(Data.of(now, last, stride), below, DOWN_TAG)};
  }

  private void spread(int row) {
    int begin = row * stride;
    for (int i = begin; i < begin + stride; i++) {
      float left = now[i - bands < begin ? i : i - bands];
      float right = now[i + bands < begin + stride ? i + bands : i];
      float sum = (now[i - stride] + now[i + stride]) + (left + right);
      next[i] = now[i] + SPREAD * (sum - 4 * now[i]);
    }
  }
}
