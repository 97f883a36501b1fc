package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code halo3d}: any number of ranks on any cores gives the same picture. */
class Halo3dIT {
  private static final int CELLS = 23;

  @TempDir
  static Path classes;

  private static Example example;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @BeforeAll
  static void compile() throws Exception {
    example = Example.compiled("Halo3d", classes);
  }

  private byte[] result(int ranks, String cores) throws Exception {
    Path file = directory.resolve(ranks + ".png");
    halo(ranks, cores, file.toString(), "" + CELLS, "30").exits(0).prints(CELLS + "^3 cells, 30 steps");
    return Files.readAllBytes(file);
  }

  @Test
  void anyNumberOfRanksGivesThePictureOfOneRank() throws Exception {
    byte[] alone = result(1, "java");
    assertArrayEquals(alone, result(2, "java,ffm"));
    assertArrayEquals(alone, result(6, "ffm,java"));
    BufferedImage image = ImageIO.read(directory.resolve("1.png").toFile());
    assertEquals(CELLS, image.getWidth());
    assertEquals(0, image.getRGB(0, 0) & 0xff, "a corner is cold");
    assertFalse(image.getRGB(CELLS / 2 - 2, CELLS / 2) == image.getRGB(0, 0), "the wire glows");
  }

  @ParameterizedTest
  @CsvSource({
    "1,many,3,'many' is no number of cells; 2 to 500",
    "1,9,-1,'-1' is no number of steps",
    "3,2,1,3 ranks along"
  })
  void whatCannotBeDoneIsNamed(int ranks, String cells, String steps, String said) throws Exception {
    Path file = directory.resolve("result.png");
    Outcome outcome = halo(ranks, "auto", file.toString(), cells, steps).exits(2).says("halo3d: " + said);
    assertEquals("", outcome.out());
    assertFalse(Files.exists(file));
  }

  @Test
  void aPictureThatCannotBeWrittenIsNamedBeforeTheWork() throws Exception {
    String nowhere = directory.resolve("none").resolve("result.png").toString();
    example.fromSource(shm, 1, "auto").add(nowhere).run().exits(2).says("there is no such directory");
  }

  private Outcome halo(int ranks, String cores, String... arguments) throws Exception {
    return example.fromClasses(shm, ranks, cores).add(arguments).run();
  }
}
