package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TeamTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(1);

  @Test
  void gathersOneAnswerFromEachInTheirOrder() throws Exception {
    try (Team team =
        team("while read x; do sleep 0.2; echo a $x; done", "while read x; do echo b $x; done")) {
      assertEquals(List.of("a 1", "b 1"), team.ask("1", LONG));
      assertEquals(List.of("a 2", "b 2"), team.ask("2", LONG));
    }
  }

  @Test
  void namesTheOneThatDiedItsExitCodeAndItsLastWords() throws Exception {
    try (Team team = team("read x; sleep 300", "read x; echo no more room >&2; exit 3")) {
      String message = refusal(team, LONG);
      assertTrue(message.startsWith("variant v: rank 1 exited with code 3"), message);
      assertTrue(message.contains("no more room"), message);
    }
  }

  @Test
  void namesTheSignalThatEndedOne() throws Exception {
    try (Team team = team("read x; kill -SEGV $$")) {
      String message = refusal(team, LONG);
      assertTrue(message.contains("rank 0 was killed by signal 11 (SIGSEGV)"), message);
    }
  }

  @Test
  void namesTheOneThatHangs() throws Exception {
    try (Team team = team("read x; echo; read x; echo fine; read x", "echo stuck >&2; read x; echo; sleep 300")) {
      team.ask("whether they are there", LONG);
      String message = refusal(team, SHORT);
      assertTrue(message.startsWith("variant v: rank 1 hangs: no answer to 'go'"), message);
      assertTrue(message.contains("stuck"), message);
    }
  }

  @Test
  void tellsWhatARankRefusesWhateverTheOthersDo() throws Exception {
    try (Team team = team("read x; sleep 300", "read x; echo 'refused: no such way; allowed are auto'; exit 0")) {
      RefusedException refused = assertThrows(RefusedException.class, () -> team.ask("go", LONG));
      assertEquals("no such way; allowed are auto", refused.getMessage());
    }
  }

  @Test
  void refusesMoreAnswersThanQuestions() throws Exception {
    try (Team team = team("read x; echo one; echo two; sleep 300", "read x; sleep 300")) {
      String message = refusal(team, LONG);
      assertTrue(message.contains("rank 0 answered twice"), message);
    }
  }

  @Test
  void closingEndsThoseThatDoNotListen() throws Exception {
    Set<ProcessHandle> before = living();
    Team team = team("sleep 300", "trap '' TERM; while :; do sleep 1; done");
    team.close();
    Set<ProcessHandle> left = living();
    left.removeAll(before); // of which some, of tests before, may have ended meanwhile
    assertEquals(Set.of(), left);
  }

  private static Set<ProcessHandle> living() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).collect(Collectors.toSet());
  }

  private static Team team(String... scripts) throws IOException {
    Team team = new Team("v");
    for (int rank = 0; rank < scripts.length; rank++) {
      team.add("rank " + rank, new ProcessBuilder("sh", "-c", scripts[rank]));
    }
    return team;
  }

  private static String refusal(Team team, Duration deadline) {
    return assertThrows(BenchException.class, () -> team.ask("go", deadline)).getMessage();
  }
}
