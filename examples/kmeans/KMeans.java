import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Op;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;

/**
 * Paints a picture with few colours, those that k-means finds in it [Lloyd 1982]: each pixel goes to the nearest
 * colour, then each colour becomes the mean of its pixels, until no pixel changes its colour. The ranks of a job share
 * the pixels: {@code bcast} brings the picture to all, one {@code allreduce} for each round the sums, {@code allgather}
 * the result.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/kmeans/KMeans.java PICTURE RESULT.png [COLOURS]
 * </pre>
 *
 * <p>
 * There are 8 colours unless a number is given. Any number of ranks on any cores gives the same picture, bit for bit:
 * sums are of integers. The exit code is 2 when there is nothing to do: an argument that is no number, a picture that
 * cannot be read, a result that cannot be written.
 */
public final class KMeans {
  private static final int COLOURS = 8;
  private static final int MOST_COLOURS = 256;
  private static final int MOST_ROUNDS = 1000;
  private static final int BAD_ARGUMENT = 2;
  private static final int CHANNELS = 3;
  private static final int[] SHIFTS = {16, 8, 0}; // of red, green and blue in a pixel

  private final Communicator world;
  private final int[] pixels; // of the whole picture, and as many more as make the stretches of all ranks equal
  private final int count; // of the pixels of the picture
  private final int begin; // of this rank's stretch
  private final int end;
  private final double[] centres; // red, green and blue of each colour
  private final byte[] nearest; // the number of each pixel's colour
  private final long[] sums; // red, green, blue and number of the pixels of each colour; pixels that changed

  private KMeans(Communicator world, int[] pixels, int count, double[] centres) {
    this.world = world;
    this.pixels = pixels;
    this.count = count;
    this.centres = centres;
    int stretch = pixels.length / world.size();
    this.begin = Math.min(count, world.rank() * stretch);
    this.end = Math.min(count, begin + stretch);
    this.nearest = new byte[pixels.length];
    this.sums = new long[centres.length / CHANNELS * (CHANNELS + 1) + 1];
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("java.awt.headless", "true");
    AtomicInteger code = new AtomicInteger();
    Job.run(job -> code.set(run(job.world(), args)));
    System.exit(code.get());
  }

  /** Rank 0 reads the picture, and tells the others how large it is; of 0 pixels there is nothing to do. */
  private static int run(Communicator world, String[] args) throws IOException {
    BufferedImage picture = null;
    int[] shape = new int[2]; // pixels, colours
    if (world.rank() == 0) {
      try {
        picture = read(args);
        shape[1] = colours(args);
        shape[0] = picture.getWidth() * picture.getHeight();
      } catch (IllegalArgumentException | IOException e) {
        System.err.println("kmeans: " + e.getMessage());
      }
    }
    world.bcast(Data.of(shape), 0);
    if (shape[0] == 0) {
      return BAD_ARGUMENT;
    }
    int stretch = (shape[0] + world.size() - 1) / world.size();
    int[] pixels = new int[stretch * world.size()];
    double[] centres = new double[shape[1] * CHANNELS];
    if (world.rank() == 0) {
      picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), pixels, 0, picture.getWidth());
      choose(pixels, shape[0], centres);
    }
    world.bcast(Data.of(pixels), 0);
    world.bcast(Data.of(centres), 0);
    KMeans means = new KMeans(world, pixels, shape[0], centres);
    int rounds = means.converge();
    means.gather();
    if (world.rank() == 0) {
      ImageIO.write(means.paint(picture), "png", new File(args[1]));
      System.out.printf("%d pixels, %d colours, %d rounds; the picture is %s%n", shape[0], shape[1], rounds, args[1]);
    }
    return 0;
  }

  private static BufferedImage read(String[] args) throws IOException {
    if (args.length < 2 || args.length > 3) {
      throw new IllegalArgumentException("a picture and the result's name are needed: kmeans PICTURE RESULT.png"
          + " [COLOURS]");
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
    return picture;
  }

  private static int colours(String[] args) {
    String word = args.length > 2 ? args[2] : "" + COLOURS;
    if (!word.matches("[0-9]{1,3}") || Integer.parseInt(word) < 1 || Integer.parseInt(word) > MOST_COLOURS) {
      throw new IllegalArgumentException(
          "'%s' is no number of colours; 1 to %d are allowed".formatted(word, MOST_COLOURS));
    }
    return Integer.parseInt(word);
  }

  private static int channel(int pixel, int number) {
    return pixel >> SHIFTS[number] & 0xff;
  }

  /** The first colours: in equal steps among all that the picture has, in the order of their numbers. */
  private static void choose(int[] pixels, int count, double[] centres) {
    int[] distinct = Arrays.stream(pixels, 0, count).map(pixel -> pixel & 0xffffff).distinct().sorted().toArray();
    int colours = centres.length / CHANNELS;
    for (int colour = 0; colour < colours; colour++) {
      int pixel = distinct[(int) ((long) colour * distinct.length / colours)];
      for (int c = 0; c < CHANNELS; c++) {
        centres[colour * CHANNELS + c] = channel(pixel, c);
      }
    }
  }

  /** Moves the colours until no pixel changes its own; returns how many rounds that took. */
  private int converge() {
    Data all = Data.of(sums);
    for (int round = 1; round < MOST_ROUNDS; round++) {
      sortPixels();
      world.allreduce(all, Op.SUM);
      moveCentres();
      if (round > 1 && sums[sums.length - 1] == 0) { // before the first round all had colour 0
        return round;
      }
    }
    return MOST_ROUNDS;
  }

  /** Finds the colour of each pixel of this rank, and adds it to that colour's sums. */
  private void sortPixels() {
    Arrays.fill(sums, 0);
    for (int at = begin; at < end; at++) {
      int colour = nearestOf(pixels[at]);
      int sum = colour * (CHANNELS + 1);
      for (int c = 0; c < CHANNELS; c++) {
        sums[sum + c] += channel(pixels[at], c);
      }
      sums[sum + CHANNELS]++;
      if (nearest[at] != (byte) colour) {
        nearest[at] = (byte) colour;
        sums[sums.length - 1]++;
      }
    }
  }

  /** The first of those that are nearest. */
  private int nearestOf(int pixel) {
    int red = channel(pixel, 0);
    int green = channel(pixel, 1);
    int blue = channel(pixel, 2);
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int at = 0; at < centres.length; at += CHANNELS) {
      double r = centres[at] - red;
      double g = centres[at + 1] - green;
      double b = centres[at + 2] - blue;
      double distance = r * r + g * g + b * b;
      if (distance < least) {
        least = distance;
        best = at / CHANNELS;
      }
    }
    return best;
  }

  /** A colour without pixels stays where it is. */
  private void moveCentres() {
    for (int at = 0; at < centres.length; at++) {
      int sum = at / CHANNELS * (CHANNELS + 1);
      long of = sums[sum + CHANNELS];
      if (of > 0) {
        centres[at] = (double) sums[sum + at % CHANNELS] / of;
      }
    }
  }

  /** Brings the numbers of all pixels' colours together. */
  private void gather() {
    world.allgather(Data.IN_PLACE, Data.of(nearest));
  }

  private BufferedImage paint(BufferedImage picture) {
    int width = picture.getWidth();
    BufferedImage painted = new BufferedImage(width, picture.getHeight(), BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < count; at++) {
      int colour = Byte.toUnsignedInt(nearest[at]) * CHANNELS;
      int rgb = 0;
      for (int c = 0; c < CHANNELS; c++) {
        rgb |= (int) Math.round(centres[colour + c]) << SHIFTS[c];
      }
      painted.setRGB(at % width, at / width, rgb);
    }
    return painted;
  }
}
