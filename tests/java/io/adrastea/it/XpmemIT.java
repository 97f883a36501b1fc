package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages by XPMEM, on the stand-in for its kernel module. */
class XpmemIT {
  private static final String RANK = "io.adrastea.it.LargeRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

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
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("checked 90227979 bytes")).count(),
        outcome::toString);
    outcome.saysNothing();
  }

  @Test
  void memoryThatIsGoneFailsBothEndsAndNotTheProcess() throws Exception {
    Outcome outcome = run("ffm").add("cut").run().exits(0);
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("] failed: ")).count(), outcome::toString);
    assertEquals(2, outcome.lines().stream().filter(line -> line.contains("checked 40101324 bytes")).count(),
        outcome::toString);
  }

  /**
   * Another user of XPMEM in a process closes the device: the kernel ends what all have there, and either takes what is
   * attached away or leaves the old pages. The messages that follow are right and each process that has lost XPMEM says
   * so once, whoever it is.
   */
  @ParameterizedTest
  @CsvSource({
    "'ffm',xpmem,tears-down,0,''",
    "'jni,ffm',xpmem,tears-down,1,again",
    "'ffm',auto,tears-down,both,again",
    "'ffm',xpmem,leaves-mapped,0,again",
    "'ffm,jna',auto,leaves-mapped,1,''",
    "'ffm',xpmem,leaves-mapped,both,''"
  })
  void anotherUserThatClosesTheDeviceMakesNoMessageWrong(String cores, String way, String module, String who,
      String again)
      throws Exception {
    Outcome outcome =
        Launch
            .adrastea(shm, "run", "-n", "2", "--core", cores, "--", "java", "io.adrastea.it.XpmemRank")
            .add("lose", who, again)
            .set("lmt", way)
            .set("library", CProgram.xpmemStandIn())
            .variable("ADRASTEA_STANDIN_MODULE", module)
            .run()
            .exits(0);
    outcome.prints("rank 0 checked 22 messages", "rank 1 checked 22 messages");
    long told = outcome.err().lines().filter(line -> line.contains("XPMEM is given up in this process")).count();
    assertEquals(who.equals("both") ? 2 : 1, told, outcome::toString);
    assertFalse(outcome.err().contains("is refused by the system"), outcome::toString);
  }

  /** Compiled code comes to know late that the memory it reads is gone: after 60,000 stretches it is compiled. */
  @ParameterizedTest
  @ValueSource(strings = {"alone", "progress"})
  void anExporterThatVanishesIsNamedByCompiledCodeAndTheSurvivorGoesOn(String thread) throws Exception {
    Outcome outcome =
        Launch
            .adrastea(shm, "run", "-n", "3", "--keep-going", "--", "java", "-XX:+UseSerialGC",
                "io.adrastea.it.XpmemRank")
            .add("vanish", thread)
            .set("core", "ffm")
            .set("lmt", "xpmem")
            .set("eager.bytes", 4096)
            .set("library", CProgram.xpmemStandIn())
            .run();
    outcome.prints("rank 1 has failed", "rank 0 goes on", "rank 2 goes on");
    assertFalse(outcome.err().contains("InternalError"), outcome::toString);
    assertFalse(outcome.err().contains("is refused by the system"), outcome::toString);
  }
}
