package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.JoinException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The cores that are found, and the choice among them. A build whose C core does not load is a failure here, not a skip. */
class CoresTest {
  @Test
  void theCoresAreFoundInTheOrderOfPreference() {
    assertEquals(List.of("ffm", "java"), Cores.all().stream().map(CoreProvider::name).toList());
  }

  @Test
  void everyCoreWorksInThisBuild() {
    for (CoreProvider core : Cores.all()) {
      assertEquals(Optional.empty(), core.unavailabilityCause(), core.name());
    }
  }

  @Test
  void numbersAreThoseOfTheRankTable() {
    assertEquals(2, Cores.choose("ffm").number());
    assertEquals(5, Cores.choose("java").number());
  }

  @Test
  void autoIsTheFirstThatWorks() {
    assertEquals("ffm", Cores.choose("auto").name());
  }

  @Test
  void anUnknownCoreIsRefusedWithTheOnesThereAre() {
    String message = assertThrows(JoinException.class, () -> Cores.choose("fmm")).getMessage();
    assertTrue(message.contains("'fmm'"), message);
    assertTrue(message.contains("auto, ffm, java"), message);
  }

  @Test
  void theJavaCoreSaysWhatItLacksAndTheOtherLacksNothing() {
    assertEquals(List.of(), Cores.choose("ffm").lacks());
    String lacks = Cores.choose("java").lacks().toString();
    assertTrue(lacks.contains("pinning"), lacks);
  }

  @Test
  void aCpuThatIsNotThereIsNotPinnedTo() {
    assertTrue(Cores.bindThread(1 << 20) < 0);
    assertEquals(Core.NOSYS, Cores.choose("java").bindThread(0));
  }
}
