package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench calls}: which figures there are and where they go. */
@Tag("spins")
class CallsIT {
  private static final List<String> CALLS = List.of("nothing", "empty-poll", "send", "send-array", "poll");
  private static final String[] QUICK = {"--rounds", "2", "--seconds", "0.01", "--warmup", "0.01"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void everyCallHasFiguresForCAndForEachCore() throws Exception {
    Outcome outcome = calls("--csv", "-").exits(0);
    List<String> wanted = new ArrayList<>();
    for (String call : CALLS) {
      for (String variant : List.of("c", "ffm", "jni", "java", "jna")) {
        if (!variant.equals("c") || !call.equals("send-array")) {
          wanted.add("call-" + call + "," + variant);
        }
      }
    }
    List<String> found = outcome.lines().stream().filter(line -> line.contains(",p50,")).toList();
    assertEquals(wanted, found.stream().map(line -> line.replaceAll("^([^,]+,[^,]+),.*", "$1")).toList());
    found.forEach(line -> assertTrue(line.matches("call-[a-z-]+,[a-z]+,[08],p50,[0-9.]+,ns"), line));
    outcome.says("ns per call", "x c", "poll+release"); // the tables are on the other stream
  }

  @Test
  void theTablesAreOnStandardOutputAndOnThePage() throws Exception {
    Path page = directory.resolve("calls.html");
    Outcome outcome = calls("--core", "jni,java", "--html", page.toString()).exits(0);
    outcome.prints("ns per call", "x c", "empty poll", "jni", "java");
    assertFalse(outcome.out().contains("ffm"), outcome::toString);
    String html = Files.readString(page);
    for (String part : List.of("<th>send of array</th>", "<td>jni</td>", "ns per call", "machine")) {
      assertTrue(html.contains(part), part);
    }
  }

  private Outcome calls(String... options) throws Exception {
    try (Child child = Launch.adrastea(shm, "bench", "calls").quickThroughout().add(QUICK).add(options).start()) {
      Outcome outcome = child.input("").await();
      assertEquals(List.of(), child.living());
      return outcome;
    }
  }
}
