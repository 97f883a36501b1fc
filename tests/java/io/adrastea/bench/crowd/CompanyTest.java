package io.adrastea.bench.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hogs beside a job, from their start to their end. */
class CompanyTest {
  private static final int SESSION = 3; // fields of stat behind the name
  private static final int NICENESS = 16;
  private static final int THREADS = 17;

  private static List<ProcessHandle> hogs() {
    return ProcessHandle.current().descendants()
        .filter(one -> one.info().command().orElse("").contains("adrastea-hog")).toList();
  }

  private static String field(ProcessHandle process, int index) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[index];
  }

  private static void runs(Beside beside, List<String> prefix, String niceness, String threads) throws Exception {
    Company company = Company.start(beside, 3, prefix);
    try {
      ProcessHandle hog = hogs().getFirst();
      assertEquals(List.of("" + hog.pid(), niceness, threads),
          List.of(field(hog, SESSION), field(hog, NICENESS), field(hog, THREADS)));
    } finally {
      company.close();
    }
    assertEquals(List.of(), hogs());
  }

  @Test
  void aHogHasItsNicenessAndThreadsAndEndsWithTheCompany() throws Exception {
    runs(Beside.NICE19, List.of(), "19", "2");
    runs(Beside.WAKER, List.of(), "0", "2");
    runs(Beside.ALL, List.of(), "0", "4");
  }

  @Test
  void aPrefixExecutesTheHogBeforeItsFileGoes() throws Exception {
    runs(Beside.NICE0, List.of("sh", "-c", "sleep 0.2; exec \"$@\"", "sh"), "0", "2");
  }

  @Test
  void nothingRunsBesideAJobThatIsAlone() throws Exception {
    Company.start(Beside.ALONE, 3, List.of()).close();
    assertEquals(List.of(), hogs());
  }
}
