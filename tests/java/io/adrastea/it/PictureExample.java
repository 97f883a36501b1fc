package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An example that reads a picture, takes a number, and writes a picture; and what is so for each of these. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PictureExample {
  /** One of the guide. */
  static final Path PICTURE = Launch.root().resolve("docs/guide/halo3d.png");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final String type;
  private final String numbers;
  private Example example;

  /**
   * Creates the test of an example with this main class.
   *
   * @param type its simple name
   * @param numbers what it takes a number of, and which ones it takes, as it says it
   */
  PictureExample(String type, String numbers) {
    this.type = type;
    this.numbers = numbers;
  }

  @BeforeAll
  void compile(@TempDir Path classes) throws IOException {
    example = Example.compiled(type, classes);
  }

  final Outcome run(int ranks, String cores, String... arguments) throws Exception {
    return example.fromClasses(shm, ranks, cores).add(arguments).run();
  }

  /** What so many ranks make of {@link #PICTURE}, and say. */
  final byte[] result(int ranks, String cores, String number, String said) throws Exception {
    Path file = directory.resolve(ranks + ".png");
    run(ranks, cores, PICTURE.toString(), file.toString(), number).exits(0).prints(said);
    return Files.readAllBytes(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "many"})
  void aNumberThatItDoesNotTakeIsNamed(String number) throws Exception {
    assertRefused(1, "halo3d.png", number, "'%s' is no number of %s".formatted(number, numbers));
  }

  @ParameterizedTest
  @CsvSource({"none.png,cannot be read; name a picture", "run.md,is no picture of a known kind"})
  void whatIsNoPictureIsNamed(String picture, String said) throws Exception {
    assertRefused(2, picture, "8", said);
  }

  private void assertRefused(int ranks, String picture, String number, String said) throws Exception {
    Path file = directory.resolve("result.png");
    String path = PICTURE.resolveSibling(picture).toString();
    Outcome outcome = run(ranks, "auto", path, file.toString(), number).exits(2)
        .says(type.toLowerCase(Locale.ROOT) + ": ", said);
    assertEquals("", outcome.out());
    assertFalse(Files.exists(file));
  }

  @Test
  void aResultThatCannotBeWrittenIsNamedBeforeTheWork() throws Exception {
    String nowhere = directory.resolve("none").resolve("result.png").toString();
    example.fromSource(shm, 1, "auto").add(PICTURE.toString(), nowhere).run().exits(2)
        .says("there is no such directory");
  }
}
