package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code bench soak}: a quarter of a minute of it, half an hour of it with {@code -Dadrastea.test.soak.minutes=30}, and
 * what it says of ranks that hang or die.
 */
class SoakIT {
  private static final String MINUTES = System.getProperty("adrastea.test.soak.minutes", "0.25");
  private static final String BESIDE_HOGS = Double.toString(Double.parseDouble(MINUTES) / 3);

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private Launch soak(String... options) {
    return Launch.adrastea(shm, "bench", "soak").add(options);
  }

  @Test
  void everyCallIsUsedAndAllIsRightAndLevel() throws Exception {
    Launch launch = soak("--minutes", MINUTES, "-n", "6", "--core", "ffm,java,jni", "--largest", "512K");
    try (Child child = launch.start()) {
      Outcome outcome = child.input("").awaitWithin(180 + (long) (60 * Double.parseDouble(MINUTES))).exits(0);
      outcome.prints("--seed ", "memory and descriptors stayed level", "0 ffm", "5 jni");
      for (String call : List.of("send", "isend", "persistent send", "gather", "burst", "claim", "aborted claim",
          "recv", "irecv",
          "persistent recv", "scatter", "any tag", "any source", "probe", "iprobe", "in place", "handler", "cancel",
          "sendrecv", "barrier", "collective", "started collective", "persistent collective", "collective by parts",
          "collective in place")) {
        assertTrue(outcome.lines().stream().anyMatch(line -> line.matches(call + " +[1-9]\\d*")), call + outcome);
      }
      assertEquals(List.of(), child.living());
    }
  }

  /** One process for each CPU that is always busy, and one that sleeps and wakes all the time. */
  private static List<Child> hogs() throws Exception {
    List<Child> hogs = new ArrayList<>();
    for (int cpu = 0; cpu < Runtime.getRuntime().availableProcessors(); cpu++) {
      hogs.add(Launch.command("sh", "-c", "while :; do :; done").start());
    }
    hogs.add(Launch.command("sh", "-c", "while :; do sleep 0.001; done").start());
    return hogs;
  }

  @Test
  void allIsRightBesideProcessesThatWantEveryCpu() throws Exception {
    List<Child> hogs = hogs();
    try (Child child = soak("--minutes", BESIDE_HOGS, "-n", "2", "--core", "ffm,java", "--largest", "512K").start()) {
      child.input("").awaitWithin(240 + (long) (120 * Double.parseDouble(BESIDE_HOGS))).exits(0)
          .prints("contents, order and lengths were right");
      assertEquals(List.of(), child.living());
    } finally {
      for (Child hog : hogs) {
        hog.close();
      }
    }
  }

  @Test
  void aRankThatStandsStillMakesTheOthersShowWhereTheyWait() throws Exception {
    try (Child child = soak("--minutes", "5", "-n", "3", "--core", "java,ffm", "--patience", "2").start()) {
      Processes.signal("STOP", worker(child));
      Outcome outcome = child.await().exits(1);
      outcome.says("hangs: nothing sent or received for 2 s", "io.adrastea.bench.soak.Round.run", "--seed ");
      assertEquals(List.of(), child.living());
    }
  }

  @Test
  void aRankThatDiesEndsTheSoakAndIsNamed() throws Exception {
    try (Child child = soak("--minutes", "5", "-n", "3", "--core", "ffm,java").start()) {
      Processes.signal("KILL", worker(child));
      child.await().exits(1).says("variant soak: rank ");
      assertEquals(List.of(), child.living());
    }
  }

  /** One of the ranks, once there are rounds. */
  private static long worker(Child soak) throws Exception {
    soak.awaitOutput("all ranks have joined");
    return soak.living().stream()
        .filter(pid -> Processes.commandLine(pid).contains("SoakWorker"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--minutes 0 | --minutes must be above 0",
        "-n 1 | -n must be a number from 2 to 64, not 1",
        "--core ffm-java | --core must be single cores, as in ffm,java, not ffm-java",
        "--core fast | there is no core 'fast'",
        "--largest 1K | --largest must be one size from 64K to 64M, not 1024",
        "--patience 0 | --patience must be a number from 1 to 3600, not 0"
      })
  void whatCannotBeDoneIsSaidBeforeTheRun(String options, String said) {
    List<String> words = new ArrayList<>(List.of("bench", "soak"));
    words.addAll(List.of(options.trim().split(" ")));
    Outcome outcome = Outcome.here(words.toArray(String[]::new)).exits(2).says(said);
    assertEquals("", outcome.out());
  }
}
