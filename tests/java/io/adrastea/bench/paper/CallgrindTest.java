package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counting with a stand-in for valgrind, a script that says what valgrind says. */
class CallgrindTest {
  private static final Counted SEND = new Counted("channel-box", "counted_send");
  private static final Counted RECEIVE = new Counted("channel-box", "counted_receive");

  @TempDir
  Path directory;

  private void install(String script) throws IOException {
    Path file = Files.writeString(directory.resolve("valgrind"), "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Callgrind found() {
    return Callgrind.find("/missing::" + directory + ":/bin").orElseThrow();
  }

  @Test
  void withoutItOnThePathThereIsNone() throws IOException {
    assertTrue(Callgrind.find(null).isEmpty());
    assertTrue(Callgrind.find("").isEmpty());
    assertTrue(Callgrind.find(directory.toString()).isEmpty());
    Files.writeString(directory.resolve("valgrind"), "not executable");
    assertTrue(Callgrind.find(directory.toString()).isEmpty());
  }

  @Test
  void theCountIsTheAverageOfACallLessThatOfOneThatDoesNothing() throws Exception {
    install(
        """
            case "$*" in
              *=counted_nothing*) n=2000 ;;
              *=counted_send*channel-box\\ 1000) n=42500 ;;
              *=counted_receive*channel-box\\ 1000) n=52000 ;;
            esac
            echo "==1== Events    : Ir" >&2
            echo "==1== Collected : $n" >&2
            """);
    assertEquals(Map.of(SEND, 40.5, RECEIVE, 50.0), found().count(List.of(SEND, RECEIVE)));
  }

  @Test
  void whatItSaysInsteadOfACountIsPassedOn() throws Exception {
    install("echo 'unhandled instruction bytes'; exit 1\n");
    String said = assertThrows(BenchException.class, () -> found().count(List.of(SEND))).getMessage();
    assertTrue(said.contains("unhandled instruction bytes"), said);
  }

  @Test
  void aProgramThatTheJarHasNotIsNamed() throws Exception {
    install("exit 0\n");
    Counted other = new Counted("adrastea-other", "a", "b");
    String said = assertThrows(BenchException.class, () -> found().count(List.of(other))).getMessage();
    assertTrue(said.contains("adrastea-other"), said);
  }
}
