package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The example {@code blur}: any number of ranks on any cores makes the same picture of one of the guide. */
class BlurIT extends PictureExample {
  BlurIT() {
    super("Blur", "pixels to blur by; 1 to 50");
  }

  private byte[] blurred(int ranks, String cores) throws Exception {
    return result(ranks, cores, "3", "200 x 200 pixels, blurred by 3 pixels");
  }

  @Test
  void anyNumberOfRanksGivesThePictureOfOneRank() throws Exception {
    byte[] alone = blurred(1, "java");
    assertArrayEquals(alone, blurred(2, "ffm,java"));
    assertArrayEquals(alone, blurred(3, "java,ffm"));
    int sharp = steepest(ImageIO.read(PICTURE.toFile()));
    int soft = steepest(ImageIO.read(directory.resolve("1.png").toFile()));
    assertTrue(soft > 0 && 2 * soft < sharp, sharp + " became " + soft);
  }

  /** The greatest difference of two neighbours' green. */
  private static int steepest(BufferedImage picture) {
    int steepest = 0;
    for (int x = 1; x < picture.getWidth(); x++) {
      for (int y = 0; y < picture.getHeight(); y++) {
        steepest = Math.max(steepest, Math.abs(green(picture, x, y) - green(picture, x - 1, y)));
      }
    }
    return steepest;
  }

  private static int green(BufferedImage picture, int x, int y) {
    return picture.getRGB(x, y) >> 8 & 0xff;
  }

  @Test
  void eachPixelIsTheMeanOfThoseAroundItByABellCurve() throws Exception {
    int width = 19;
    int height = 11;
    BufferedImage drawn = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < height; y++) {
        drawn.setRGB(x, y, (x / 5 + y / 4) % 2 * 0xff00 + 0x30000 * (x % 7) + 10 * y);
      }
    }
    File file = directory.resolve("drawn.png").toFile();
    ImageIO.write(drawn, "png", file);
    File blurred = directory.resolve("blurred.png").toFile();
    run(4, "java", file.toString(), blurred.toString(), "2").exits(0).prints("19 x 11 pixels");
    BufferedImage after = ImageIO.read(blurred);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < height; y++) {
        for (int shift = 0; shift <= 16; shift += 8) {
          assertEquals(mean(drawn, x, y, shift), after.getRGB(x, y) >> shift & 0xff, 1.5, x + ", " + y);
        }
      }
    }
  }

  /** Beyond the edges are the pixels at the edges. */
  private static double mean(BufferedImage picture, int x, int y, int shift) {
    double sum = 0;
    double weights = 0;
    for (int right = -9; right <= 9; right++) {
      for (int down = -9; down <= 9; down++) {
        double weight = Math.exp(-(right * right + down * down) / 8.0);
        int pixel = picture.getRGB(Math.clamp(x + right, 0, picture.getWidth() - 1),
            Math.clamp(y + down, 0, picture.getHeight() - 1));
        sum += weight * (pixel >> shift & 0xff);
        weights += weight;
      }
    }
    return sum / weights;
  }

  @Test
  void helpSaysWhatItDoes() throws Exception {
    Outcome outcome = run(2, "auto", "--help").exits(0).prints("blur PICTURE RESULT.png [DEVIATION]", "1 to 50 pixels");
    assertEquals(2, outcome.lines().size(), outcome::toString);
  }
}
