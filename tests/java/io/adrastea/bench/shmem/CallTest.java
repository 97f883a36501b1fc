package io.adrastea.bench.shmem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told to PEs, which sizes a call has, and that the programs in C have the same calls. */
class CallTest {
  @ParameterizedTest
  @EnumSource
  void theCommandOfACallTellsWhichItIs(Call call) {
    assertEquals(Optional.of(call), Call.of(call.kind().command()));
  }

  @Test
  void allAreNamedAtOnceAndAnythingElseIsRefused() {
    List<Call> every = Call.named("every");
    every.forEach(call -> assertEquals(List.of(call), Call.named(" " + call.word())));
    assertEquals(Optional.empty(), Call.of("put"));
    String refusal = assertThrows(IllegalArgumentException.class, () -> Call.named("all")).getMessage();
    assertTrue(refusal.startsWith("there is no call 'all' here; allowed are pingPong, rate, rate-cold,"), refusal);
    assertTrue(refusal.endsWith("gups, and every for each of them"), refusal);
    assertThrows(IllegalArgumentException.class, () -> Call.named("put-loop"), "it stands beside another one");
    assertFalse(every.contains(Call.PING_PONG_TRIALS), "it is a paper's");
  }

  @Test
  void sizesAreThoseThatACallCanHave() {
    List<Integer> asked = List.of(16, 1024, 64 << 10, 1 << 20);
    assertEquals(asked, Call.PUT.sizes(asked));
    assertEquals(List.of(8), Call.FETCH_ADD_ALL.sizes(asked));
    assertEquals(List.of(0), Call.QUIET.sizes(asked));
    assertEquals(List.of(16, 1024), Call.RATE_COLD.sizes(asked));
    assertEquals(List.of(16, 1024, 64 << 10), Call.FCOLLECT.sizes(asked));
  }

  @Test
  void messagesGoToAsManyPartnersAsThereAre() {
    assertEquals(128, Call.RATE.messages(2));
    assertEquals(3 * 128, Call.RATE_LOOP.messages(4));
    assertEquals(6 * 128, Call.RATE_COLD.messages(16));
    assertEquals(1, Call.PUT.messages(16));
  }

  /** What a peer or the floor does not know ends its part in a run, so tables that differ would go unseen. */
  @Test
  void theProgramsInCHaveTheSameCalls() throws Exception {
    Path bench = Path.of(System.getProperty("adrastea.root"), "bench");
    String peer = Files.readString(bench.resolve("src/main/c/adr_shmem_peer.c"));
    String floor = Files.readString(bench.resolve("native/shmem/adr_shmem_floor.c"));
    int newer = peer.lastIndexOf("#if HAS_1_5");
    for (Call call : Call.values()) {
      String entry = "{\"" + call.word() + "\", ";
      boolean isOffered = call == Call.PING_PONG_TRIALS || Call.named("every").contains(call);
      assertEquals(isOffered, peer.contains(entry), call.word());
      assertEquals(call.hasFloor(), floor.contains(entry), call.word());
      assertTrue(!isOffered || call.isOld() == peer.indexOf(entry) < newer, call.word());
    }
  }
}
