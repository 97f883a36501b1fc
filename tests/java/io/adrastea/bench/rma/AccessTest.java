package io.adrastea.bench.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told to ranks, and which sizes an access has. */
class AccessTest {
  @ParameterizedTest
  @EnumSource
  void theCommandOfAnAccessTellsWhichItIs(Access access) {
    assertEquals(Optional.of(access), Access.of(access.kind().command()));
  }

  @Test
  void allAreNamedAtOnceAndAnythingElseIsRefused() {
    List<Access> every = Access.named("every");
    every.forEach(access -> assertEquals(List.of(access), Access.named(" " + access.word())));
    assertEquals(22, every.size());
    assertEquals(Optional.empty(), Access.of("put"));
    String refusal = assertThrows(IllegalArgumentException.class, () -> Access.named("all")).getMessage();
    assertTrue(refusal.startsWith("there is no access 'all' here; allowed are put, get, puts,"), refusal);
    assertThrows(IllegalArgumentException.class, () -> Access.named("sparsePut-cold"), "it is a paper's");
    assertTrue(refusal.endsWith("sparseGet, and every for each of them"), refusal);
  }

  @Test
  void sizesAreThoseThatAnAccessCanHave() {
    List<Integer> asked = List.of(16, 1024, 256 << 10, 1 << 20);
    assertEquals(asked, Access.PUT.sizes(asked));
    assertEquals(List.of(8), Access.FETCH_AND_OP_ALL.sizes(asked));
    assertEquals(List.of(0), Access.FENCE.sizes(asked));
    assertEquals(List.of(16, 1024), Access.SPARSE_GET.sizes(asked));
  }

  /** A walk goes through 256 KiB, of which it leaves every second piece out. */
  @Test
  void aWalkHasAsManyAccessesAsPiecesFit() {
    assertEquals(16384, Access.SPARSE_PUT.accesses(8));
    assertEquals(1, Access.SPARSE_PUT.accesses(128 << 10));
    assertEquals(1, Access.PUT.accesses(8));
  }
}
