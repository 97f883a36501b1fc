package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code pi}: any number of ranks finds it, and a second run finds the same digits. */
class PiIT {
  private static final String PROGRAM = Launch.root().resolve("examples/pi/Pi.java").toString();
  private static final String STRIPS = "1000000";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"1,java", "3,'ffm,java,jni'"})
  void anyNumberOfRanksFindsIt(int ranks, String cores) throws Exception {
    String first = pi(ranks, cores);
    assertEquals(Math.PI, Double.parseDouble(first), 1e-9);
    assertEquals(first, pi(ranks, cores));
  }

  private String pi(int ranks, String cores) throws Exception {
    String out =
        Launch.adrastea(shm, "run", "-n", "" + ranks, "--label", "never", "--core", cores, "--")
            .add("java", "-XX:TieredStopAtLevel=1", PROGRAM, STRIPS)
            .run().exits(0).prints("by " + STRIPS + " strips and " + ranks + " ranks").out();
    return out.lines().filter(line -> line.startsWith("pi is about ")).findFirst().orElseThrow().split("[ ,]+")[3];
  }
}
