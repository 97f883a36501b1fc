package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large messages by XPMEM, on the stand-in for its kernel module. */
class XpmemIT {
  private static final String RANK = "io.adrastea.it.LargeRank";

  @RegisterExtension final ShmDirectory shm = new ShmDirectory();

  private Launch run(String cores) {
    return Launch.adrastea(shm, "run", "-n", "2", "--core", cores, "--", "java", "-XX:+UseSerialGC", RANK)
        .set("lmt", "xpmem")
        .set("library", CProgram.xpmemStandIn());
  }

  /** A memory that could not be attached would be told on standard error, and go through the ring. */
  @ParameterizedTest
  @CsvSource({"'ffm,ffm'", "'jni,jna'", "'jna,ffm'"})
  void carriesEveryKindOfBufferIntoEveryKind(String cores) throws Exception {
    Outcome outcome = run(cores).add("exchange", "file", "array", "shared").run().exits(0);
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("checked 90227979 bytes")).count(), outcome::toString);
    assertEquals("", outcome.err());
  }

  @Test
  void memoryThatIsGoneFailsBothEndsAndNotTheProcess() throws Exception {
    Outcome outcome = run("ffm").add("cut").run().exits(0);
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("] failed: ")).count(), outcome::toString);
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("checked 40101324 bytes")).count(), outcome::toString);
  }
}
