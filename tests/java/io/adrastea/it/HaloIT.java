package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code halo}: any number of ranks on any cores gives the same picture. */
class HaloIT {
  private static final int WIDTH = 61;
  private static final int HEIGHT = 23;

  @TempDir
  static Path classes;

  private static Example example;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @BeforeAll
  static void compile() throws Exception {
    example = Example.compiled("Halo", classes);
  }

  @Test
  void anyNumberOfRanksGivesThePictureOfOneRank() throws Exception {
    Path picture = picture("png");
    byte[] alone = result(1, "java", picture);
    assertArrayEquals(alone, result(2, "ffm,java", picture));
    assertArrayEquals(alone, result(4, "java,ffm,ffm", picture));
  }

  private byte[] result(int ranks, String cores, Path picture) throws Exception {
    Path file = directory.resolve(ranks + ".png");
    halo(ranks, cores, picture, file, "30").exits(0).prints(WIDTH + " x " + HEIGHT + " pixels");
    return Files.readAllBytes(file);
  }

  @Test
  void theResultIsWhatTheStencilSays() throws Exception {
    Path picture = picture("pgm");
    Path result = directory.resolve("result.png");
    halo(3, "java,ffm,ffm", picture, result, "1").exits(0);
    BufferedImage image = ImageIO.read(result.toFile());
    int[][] values = values();
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        assertEquals(spread(values, x, y), image.getRaster().getSample(x, y, 0), x + "," + y);
      }
    }
  }

  @Test
  void noStepsGiveThePictureItself() throws Exception {
    Path picture = picture("png");
    Path result = directory.resolve("result.png");
    example.fromSource(shm, 2, "auto").add(picture.toString(), result.toString(), "0").run().exits(0);
    BufferedImage before = ImageIO.read(picture.toFile());
    BufferedImage after = ImageIO.read(result.toFile());
    assertArrayEquals(pixels(before), pixels(after));
  }

  @Test
  void aPgmOfNumbersIsReadAsOneOfBytes() throws Exception {
    StringBuilder text = new StringBuilder("P2 # numbers\n# as text\n" + WIDTH + " " + HEIGHT);
    text.append("\n255\n");
    for (int[] row : values()) {
      for (int value : row) {
        text.append(value).append('\n');
      }
    }
    Path numbers = Files.writeString(directory.resolve("numbers.pgm"), text);
    Path ofNumbers = directory.resolve("numbers.png");
    Path ofBytes = directory.resolve("bytes.png");
    halo(2, "ffm", numbers, ofNumbers, "3").exits(0);
    halo(1, "auto", picture("pgm"), ofBytes, "3").exits(0);
    assertArrayEquals(Files.readAllBytes(ofBytes), Files.readAllBytes(ofNumbers));
  }

  @Test
  void aPictureThatIsNotThereIsNamed() throws Exception {
    refused(2, directory.resolve("none.png"), "there is no picture '" + directory);
  }

  @ParameterizedTest
  @CsvSource({"Not a picture", "P5 3 3 255 ab", "P5 99999 99999 255 ab", "P2 3 x"})
  void aFileThatIsNotAPictureIsNamed(String contents) throws Exception {
    Path file = Files.writeString(directory.resolve("odd.png"), contents);
    refused(1, file, file + "' is not a picture in PNG or PGM: ");
  }

  @Test
  void aPictureThatIsCutOffIsNamed() throws Exception {
    byte[] whole = Files.readAllBytes(picture("png"));
    Path file = directory.resolve("half.png");
    Files.write(file, java.util.Arrays.copyOf(whole, 60));
    refused(1, file, file + "' is not a picture in PNG or PGM: ");
  }

  @Test
  void moreRanksThanRowsAreRefused() throws Exception {
    Path flat = Files.writeString(directory.resolve("flat.pgm"), "P2 3 2 9 1 2 3 4 5 6");
    refused(3, flat, "3 ranks are more than the 2 rows of '" + flat);
  }

  @Test
  void aResultThatCannotBeWrittenIsNamedBeforeTheWork() throws Exception {
    Path nowhere = directory.resolve("none").resolve("result.png");
    Outcome outcome = halo(2, "auto", picture("png"), nowhere, "5").exits(2);
    outcome.says("cannot be written to '" + nowhere + "': there is no such directory");
    assertEquals("", outcome.out());
  }

  @Test
  void aNumberOfStepsThatIsNoneIsNamed() throws Exception {
    Outcome outcome = halo(1, "auto", picture("png"), directory.resolve("result.png"), "many");
    outcome.exits(2).says("'many' is no number of steps");
  }

  private void refused(int ranks, Path picture, String said) throws Exception {
    Path result = directory.resolve("result.png");
    Outcome outcome = halo(ranks, "auto", picture, result, "5").exits(2).says("halo: ", said);
    assertEquals("", outcome.out());
    assertFalse(outcome.err().contains("null"), outcome::toString);
    assertFalse(Files.exists(result), "a file of a result that there is not");
  }

  private Outcome halo(int ranks, String cores, Path picture, Path result, String steps)
      throws Exception {
    return example.fromClasses(shm, ranks, cores).add(picture.toString(), result.toString(), steps).run();
  }

  /** Makes a picture in colour as PNG, grey as PGM. */
  private Path picture(String format) throws IOException {
    Path file = directory.resolve("picture." + format);
    if (format.equals("pgm")) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(("P5\n" + WIDTH + " " + HEIGHT + "\n255\n").getBytes(StandardCharsets.US_ASCII));
      for (int[] row : values()) {
        for (int value : row) {
          bytes.write(value);
        }
      }
      return Files.write(file, bytes.toByteArray());
    }
    SplittableRandom random = new SplittableRandom(7);
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      image.setRGB(i % WIDTH, i / WIDTH, random.nextInt());
    }
    assertTrue(ImageIO.write(image, "png", file.toFile()));
    return file;
  }

  private static int[][] values() {
    SplittableRandom random = new SplittableRandom(5);
    int[][] values = new int[HEIGHT][WIDTH];
    for (int[] row : values) {
      java.util.Arrays.setAll(row, x -> random.nextInt(256));
    }
    return values;
  }

  /** A fifth of each of the five values; the edge goes on beyond the edge. */
  private static int spread(int[][] values, int x, int y) {
    int sum =
        values[y][x]
            + values[Math.max(y - 1, 0)][x]
            + values[Math.min(y + 1, HEIGHT - 1)][x]
            + values[y][Math.max(x - 1, 0)]
            + values[y][Math.min(x + 1, WIDTH - 1)];
    return (int) Math.round(sum / 5.0);
  }

  private static int[] pixels(BufferedImage image) {
    assertNotNull(image);
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }
}
