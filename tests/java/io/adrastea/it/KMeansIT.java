package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The example {@code kmeans}: any number of ranks on any cores finds the same colours in a picture of the guide. */
class KMeansIT extends PictureExample {
  KMeansIT() {
    super("KMeans", "colours; 1 to 256");
  }

  @Test
  void anyNumberOfRanksGivesThePictureOfOneRank() throws Exception {
    byte[] alone = result(1, "java", "5", "5 colours");
    assertArrayEquals(alone, result(2, "java,ffm", "5", "5 colours"));
    assertArrayEquals(alone, result(3, "ffm,java", "5", "5 colours"));
    BufferedImage before = ImageIO.read(PICTURE.toFile());
    BufferedImage after = ImageIO.read(directory.resolve("1.png").toFile());
    assertEquals(before.getWidth(), after.getWidth());
    assertEquals(before.getHeight(), after.getHeight());
    assertEquals(5, colours(after).length);
    assertTrue(colours(before).length > 100, "it had more");
  }

  @Test
  void eachColourIsTheMeanOfThePixelsThatItIsNearestTo() throws Exception {
    BufferedImage drawn = new BufferedImage(5, 3, BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < 15; at++) {
      drawn.setRGB(at % 5, at / 5, at < 7 ? 0x100000 + 2 * at : 0x20f0e0 - 0x20000 * (at % 2));
    }
    File file = directory.resolve("drawn.png").toFile();
    ImageIO.write(drawn, "png", file);
    File painted = directory.resolve("painted.png").toFile();
    run(4, "java", file.toString(), painted.toString(), "2").exits(0).prints("15 pixels, 2 colours");
    assertArrayEquals(new int[] {0x100006, 0x1ff0e0}, colours(ImageIO.read(painted)));
  }

  @Test
  void morePixelsThanColoursAreNotNeeded() throws Exception {
    File file = directory.resolve("drawn.png").toFile();
    ImageIO.write(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB), "png", file);
    File painted = directory.resolve("painted.png").toFile();
    run(2, "java", file.toString(), painted.toString()).exits(0).prints("1 pixels, 8 colours");
    assertArrayEquals(new int[] {0}, colours(ImageIO.read(painted)));
  }

  private static int[] colours(BufferedImage image) {
    int width = image.getWidth();
    return Arrays.stream(image.getRGB(0, 0, width, image.getHeight(), null, 0, width))
        .map(pixel -> pixel & 0xffffff).distinct().sorted().toArray();
  }
}
