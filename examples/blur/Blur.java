import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Request;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/**
 * Blurs a picture as a lens out of focus does, by a two-dimensional Fourier transform: the higher a frequency of the
 * picture is, the weaker it is made, as a bell curve falls off. The ranks of a job share the picture's lines: each
 * transforms its own, {@code alltoall} gives every rank some columns, which it transforms, weakens and transforms back,
 * and another {@code alltoall} brings the lines back. Lines become columns on the way: a datatype tells where each
 * number lies at both ends. While the numbers of one colour are under way, the ranks transform the next colour.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/blur/Blur.java PICTURE RESULT.png [DEVIATION]
 * </pre>
 *
 * <p>
 * DEVIATION is the standard deviation of the bell curve in pixels, 4 unless a number is given. Any number of ranks on
 * any cores gives the same picture, bit for bit: each line and each column is transformed by one rank. The exit code is
 * 2 when there is nothing to do: an argument that is no number, a picture that cannot be read, a result that cannot be
 * written.
 */
public final class Blur {
  private static final String USAGE = "blur PICTURE RESULT.png [DEVIATION]";
  private static final int DEVIATION = 4;
  private static final int MOST_DEVIATION = 50;
  private static final int MOST_PIXELS = 2048; // along an edge
  private static final int LEAST_POINTS = 64; // along an edge of what is transformed
  private static final int TAIL = 3; // deviations at which the bell curve is taken for 0
  private static final int BAD_ARGUMENT = 2;
  private static final int[] SHIFTS = {16, 8, 0}; // of red, green and blue in a pixel

  private final Communicator world;
  private final int width; // points, of a line
  private final int height; // of a column
  private final Fourier alongLines;
  private final Fourier alongColumns;
  private final double[][] lines = new double[SHIFTS.length][]; // this rank's, of each colour
  private final double[][] columns = new double[SHIFTS.length][];
  private final Data[] inLines = new Data[SHIFTS.length]; // the parts of all ranks, as they lie in lines
  private final Data[] inColumns = new Data[SHIFTS.length];
  private final double[] kept; // of the frequencies of this rank's columns

  private Blur(Communicator world, int width, int height, int deviation) {
    this.world = world;
    this.width = width;
    this.height = height;
    this.alongLines = new Fourier(width);
    this.alongColumns = new Fourier(height);
    for (int colour = 0; colour < SHIFTS.length; colour++) {
      lines[colour] = new double[2 * width * own(height)];
      columns[colour] = new double[2 * height * own(width)];
      inLines[colour] = Data.parts(each(lines[colour], this::ofLines));
      inColumns[colour] = Data.parts(each(columns[colour], this::ofColumns));
    }
    this.kept = kept(deviation);
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("java.awt.headless", "true");
    AtomicInteger code = new AtomicInteger();
    Job.run(job -> code.set(run(job.world(), args)));
    System.exit(code.get());
  }

  /** Rank 0 reads the picture, and tells the others how large it is; without any there is nothing to do. */
  private static int run(Communicator world, String[] args) throws IOException {
    if (args.length > 0 && args[0].equals("--help")) {
      return help(world);
    }
    BufferedImage picture = null;
    int[] shape = new int[3]; // points of a line, of a column; deviation
    if (world.rank() == 0) {
      try {
        picture = read(args);
        shape[2] = deviation(args);
        shape[0] = points(picture.getWidth(), shape[2]);
        shape[1] = points(picture.getHeight(), shape[2]);
        requireFew(world.size(), Math.min(shape[0], shape[1]));
      } catch (IllegalArgumentException | IOException e) {
        System.err.println("blur: " + e.getMessage());
        picture = null;
        shape[0] = 0;
      }
    }
    world.bcast(Data.of(shape), 0);
    if (shape[0] == 0) {
      return BAD_ARGUMENT;
    }
    Blur blur = new Blur(world, shape[0], shape[1], shape[2]);
    int[] all = picture == null ? new int[0] : blur.surround(picture);
    blur.scatter(all);
    blur.transform();
    blur.gather(all);
    if (picture != null) {
      ImageIO.write(blur.cut(all, picture), "png", new File(args[1]));
      System.out.printf("%d x %d pixels, blurred by %d pixels; the picture is %s%n", picture.getWidth(),
          picture.getHeight(), shape[2], args[1]);
    }
    return 0;
  }

  private static int help(Communicator world) {
    if (world.rank() == 0) {
      System.out.println(USAGE);
      System.out.printf("Blurs a picture. DEVIATION: how far a point is spread, 1 to %d pixels; %d unless given.%n",
          MOST_DEVIATION, DEVIATION);
    }
    return 0;
  }

  private static BufferedImage read(String[] args) throws IOException {
    if (args.length < 2 || args.length > 3) {
      throw new IllegalArgumentException("a picture and the result's name are needed: " + USAGE);
    }
    File directory = new File(args[1]).getAbsoluteFile().getParentFile();
    if (!directory.isDirectory()) {
      throw new IllegalArgumentException(
          "the result cannot be written to '%s': there is no such directory".formatted(args[1]));
    }
    File file = new File(args[0]);
    if (!file.canRead()) {
      throw new IllegalArgumentException("'%s' cannot be read; name a picture".formatted(file));
    }
    BufferedImage picture = ImageIO.read(file);
    if (picture == null) {
      throw new IllegalArgumentException("'%s' is no picture of a known kind, as PNG, JPEG or GIF".formatted(file));
    }
    if (Math.max(picture.getWidth(), picture.getHeight()) > MOST_PIXELS) {
      throw new IllegalArgumentException("'%s' has %d x %d pixels; at most %d x %4$d are allowed"
          .formatted(file, picture.getWidth(), picture.getHeight(), MOST_PIXELS));
    }
    return picture;
  }

  private static int deviation(String[] args) {
    String word = args.length > 2 ? args[2] : "" + DEVIATION;
    if (!word.matches("[0-9]{1,2}") || Integer.parseInt(word) < 1 || Integer.parseInt(word) > MOST_DEVIATION) {
      throw new IllegalArgumentException(
          "'%s' is no number of pixels to blur by; 1 to %d are allowed".formatted(word, MOST_DEVIATION));
    }
    return Integer.parseInt(word);
  }

  /** Every rank has a line and a column at least. */
  private static void requireFew(int ranks, int points) {
    if (ranks > points) {
      throw new IllegalArgumentException(
          "%d ranks are too many for this picture; at most %d are allowed".formatted(ranks, points));
    }
  }

  /** A power of two, with room for what the edges of the picture see around it. */
  private static int points(int pixels, int deviation) {
    int needed = Math.max(LEAST_POINTS, pixels + 2 * TAIL * deviation);
    return Integer.highestOneBit(needed - 1) << 1;
  }

  /** The first of so many lines, or columns, that a rank has. */
  private int first(int rank, int of) {
    return (int) ((long) rank * of / world.size());
  }

  private int count(int rank, int of) {
    return first(rank + 1, of) - first(rank, of);
  }

  private int own(int of) {
    return count(world.rank(), of);
  }

  /** A part of numbers for each rank. */
  private interface PartOf {
    Data of(double[] numbers, int rank);
  }

  private Data[] each(double[] numbers, PartOf part) {
    return IntStream.range(0, world.size()).mapToObj(rank -> part.of(numbers, rank)).toArray(Data[]::new);
  }

  /** What this rank's lines have in common with the columns of another: a piece of each line. */
  private Data ofLines(double[] numbers, int rank) {
    Datatype pieces = Datatype.vector(own(height), 2L * count(rank, width), 2L * width, Datatype.DOUBLE);
    return Data.of(numbers, 2 * first(rank, width), 1, pieces);
  }

  /** The rows as they lie in columns, in the order of the lines: two numbers in each column of one line's piece. */
  private Data ofColumns(double[] numbers, int rank) {
    Datatype piece = Datatype.vector(own(width), 2, 2L * height, Datatype.DOUBLE).resized(0, 2L * Double.BYTES);
    return Data.of(numbers, 2 * first(rank, height), count(rank, height), piece);
  }

  /** How much of each frequency stays. */
  private double[] kept(int deviation) {
    double[] parts = new double[own(width) * height];
    for (int column = 0; column < own(width); column++) {
      for (int line = 0; line < height; line++) {
        double along = frequency(first(world.rank(), width) + column, width);
        double down = frequency(line, height);
        parts[column * height + line] =
            Math.exp(-2 * Math.PI * Math.PI * deviation * deviation * (along * along + down * down));
      }
    }
    return parts;
  }

  /** In waves per point. */
  private static double frequency(int number, int of) {
    return (double) Math.min(number, of - number) / of;
  }

  /** The picture, and around it, as far as there is room, the pixels at its edges. */
  private int[] surround(BufferedImage picture) {
    int[] all = new int[width * height];
    for (int line = 0; line < height; line++) {
      for (int column = 0; column < width; column++) {
        all[line * width + column] = picture.getRGB(
            inside(column, picture.getWidth(), width), inside(line, picture.getHeight(), height));
      }
    }
    return all;
  }

  /** The pixel that is nearest to a point; after the last point comes the first one again. */
  private static int inside(int point, int pixels, int points) {
    return point < pixels ? point : point - pixels < (points - pixels) / 2 ? pixels - 1 : 0;
  }

  /** The lines of each rank, of all of them. */
  private Data shares(int[] all) {
    long[] counts = new long[world.size()];
    long[] firsts = new long[world.size()];
    for (int rank = 0; rank < world.size(); rank++) {
      counts[rank] = (long) width * count(rank, height);
      firsts[rank] = (long) width * first(rank, height);
    }
    return Data.parts(Data.of(all), counts, firsts);
  }

  /** Gives every rank its lines. */
  private void scatter(int[] all) {
    int[] own = new int[width * own(height)];
    world.scatter(world.rank() == 0 ? shares(all) : null, Data.of(own), 0);
    for (int colour = 0; colour < SHIFTS.length; colour++) {
      for (int at = 0; at < own.length; at++) {
        lines[colour][2 * at] = own[at] >> SHIFTS[colour] & 0xff;
      }
    }
  }

  /** Lines, columns, and lines again; while the ranks exchange one colour, they transform another one. */
  private void transform() {
    Request[] exchanges = new Request[SHIFTS.length];
    for (int colour = 0; colour < SHIFTS.length; colour++) {
      alongLines.forward(lines[colour]);
      exchanges[colour] = world.ialltoall(inLines[colour], inColumns[colour]);
    }
    for (int colour = 0; colour < SHIFTS.length; colour++) {
      exchanges[colour].await();
      alongColumns.forward(columns[colour]);
      weaken(columns[colour]);
      alongColumns.backward(columns[colour]);
      exchanges[colour] = world.ialltoall(inColumns[colour], inLines[colour]);
    }
    for (int colour = 0; colour < SHIFTS.length; colour++) {
      exchanges[colour].await();
      alongLines.backward(lines[colour]);
    }
  }

  private void weaken(double[] frequencies) {
    for (int at = 0; at < frequencies.length; at++) {
      frequencies[at] *= kept[at / 2];
    }
  }

  /** Brings the lines of all together at rank 0. */
  private void gather(int[] all) {
    int[] own = new int[width * own(height)];
    for (int at = 0; at < own.length; at++) {
      for (int colour = 0; colour < SHIFTS.length; colour++) {
        own[at] |= Math.clamp(Math.round(lines[colour][2 * at]), 0, 0xff) << SHIFTS[colour];
      }
    }
    world.gather(Data.of(own), world.rank() == 0 ? shares(all) : null, 0);
  }

  private BufferedImage cut(int[] all, BufferedImage as) {
    BufferedImage picture = new BufferedImage(as.getWidth(), as.getHeight(), BufferedImage.TYPE_INT_RGB);
    picture.setRGB(0, 0, as.getWidth(), as.getHeight(), all, 0, width);
    return picture;
  }

  /** Fourier transforms of rows of complex numbers, the real part first: the algorithm of [Cooley and Tukey 1965]. */
  private static final class Fourier {
    private final int points; // of a row, a power of two
    private final double[] roots; // of unity, half of them

    Fourier(int points) {
      this.points = points;
      this.roots = new double[points];
      for (int i = 0; i < points / 2; i++) {
        roots[2 * i] = Math.cos(2 * Math.PI * i / points);
        roots[2 * i + 1] = -Math.sin(2 * Math.PI * i / points);
      }
    }

    void forward(double[] rows) {
      transform(rows, 1);
    }

    void backward(double[] rows) {
      transform(rows, -1);
      for (int at = 0; at < rows.length; at++) {
        rows[at] /= points;
      }
    }

    private void transform(double[] rows, int sign) {
      for (int row = 0; row < rows.length; row += 2 * points) {
        reorder(rows, row);
        for (int half = 1; half < points; half *= 2) {
          for (int group = 0; group < points; group += 2 * half) {
            join(rows, row + 2 * group, half, sign);
          }
        }
      }
    }

    /** Each number goes where the bits of its place stand in reverse. */
    private void reorder(double[] rows, int row) {
      int bits = Integer.numberOfTrailingZeros(points);
      for (int i = 0; i < points; i++) {
        int other = Integer.reverse(i) >>> Integer.SIZE - bits;
        if (i < other) {
          swap(rows, row + 2 * i, row + 2 * other);
          swap(rows, row + 2 * i + 1, row + 2 * other + 1);
        }
      }
    }

    private static void swap(double[] rows, int one, int other) {
      double kept = rows[one];
      rows[one] = rows[other];
      rows[other] = kept;
    }

    /** Makes one transform of two of half its points. */
    private void join(double[] rows, int begin, int half, int sign) {
      for (int i = 0; i < half; i++) {
        int root = 2 * i * (points / (2 * half));
        double cos = roots[root];
        double sin = sign * roots[root + 1];
        int low = begin + 2 * i;
        int high = low + 2 * half;
        double real = cos * rows[high] - sin * rows[high + 1];
        double imaginary = cos * rows[high + 1] + sin * rows[high];
        rows[high] = rows[low] - real;
        rows[high + 1] = rows[low + 1] - imaginary;
        rows[low] += real;
        rows[low + 1] += imaginary;
      }
    }
  }
}
