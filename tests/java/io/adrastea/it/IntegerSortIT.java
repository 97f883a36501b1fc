package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code integersort}: any number of PEs, on any cores, finds the same order. */
class IntegerSortIT {
  private static final String SAME = "One PE alone sorts the same.";

  @TempDir
  static Path classes;

  private static Example example;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path folder;

  @BeforeAll
  static void compile() throws Exception {
    example = Example.compiled("IntegerSort", classes);
  }

  /** What is to be said of a file, found in another way than the example finds it. */
  private static String[] said(Path file) throws Exception {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    long[] all = IntStream.range(0, bytes.capacity() / 4).mapToLong(i -> bytes.getInt(4 * i) & 0xffff_ffffL).toArray();
    Arrays.sort(all);
    return new String[] {"%d integers, %d different ones".formatted(all.length, Arrays.stream(all).distinct().count()),
      "%d to %d, the middle one is %d".formatted(all[0], all[all.length - 1], all[all.length / 2]), SAME};
  }

  /** The project's jar has some hundred thousand integers, all buckets of which all PEs fill at once. */
  @ParameterizedTest
  @CsvSource({"1,java", "3,'java,ffm'"})
  void anyNumberOfPesSortsAFile(int ranks, String cores) throws Exception {
    Path file = Launch.jar();
    example.fromClasses(shm, ranks, cores).add(file.toString()).run().exits(0).prints(said(file)).saysNothing();
  }

  /** From its source. All integers fall into one bucket, which one PE gets. */
  @Test
  void onePeGetsAllIntegersOfOneBucket() throws Exception {
    Path file = folder.resolve("few");
    ByteBuffer bytes = ByteBuffer.allocate(40_003).order(ByteOrder.LITTLE_ENDIAN); // the last three are none
    for (int i = 0; i < 10_000; i++) {
      bytes.putInt(0xff00_0000 | i % 7);
    }
    Files.write(file, bytes.array());
    example.fromSource(shm, 2, "ffm,java").add(file.toString()).run().exits(0).prints(
        "10000 integers, 7 different ones",
        "4278190080 to 4278190086, the middle one is 4278190083", SAME);
  }

  @Test
  void aFileWithoutIntegersIsSorted() throws Exception {
    Path file = folder.resolve("none");
    Files.write(file, new byte[3]);
    Outcome outcome = example.fromClasses(shm, 2, "auto").add(file.toString()).run().exits(0);
    assertEquals(Stream.of("0 integers, 0 different ones", SAME).toList(), outcome.lines());
  }

  @Test
  void aFileThatIsNotThereIsNamedOnce() throws Exception {
    Path missing = folder.resolve("missing");
    Outcome outcome = example.fromClasses(shm, 2, "auto").add(missing.toString()).run().exits(2)
        .says("integersort: a file cannot be read: " + missing);
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().filter(line -> line.contains("integersort:")).count(), outcome::toString);
  }
}
