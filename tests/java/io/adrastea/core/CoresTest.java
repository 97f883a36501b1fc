package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.JoinException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cores that are found, and the choice among them. A build whose C core does not load is a failure here, not a
 * skip.
 */
class CoresTest {
  @Test
  void theCoresAreFoundInTheOrderOfPreferenceAndJnaIsBehindTheOneThatAlwaysWorks() {
    assertEquals(List.of("ffm", "jni", "java", "jna"), Cores.all().stream().map(CoreProvider::name).toList());
  }

  @Test
  void everyCoreWorksInThisBuild() {
    for (CoreProvider core : Cores.all()) {
      assertEquals(Optional.empty(), core.unavailabilityCause(), core.name());
    }
  }

  @ParameterizedTest
  @CsvSource({"ffm,2", "jni,3", "jna,4", "java,5"})
  void numbersAreThoseOfTheRankTable(String core, int number) {
    assertEquals(number, Cores.choose(core).number());
  }

  @Test
  void autoIsTheFirstThatWorks() {
    assertEquals("ffm", Cores.choose("auto").name());
  }

  @Test
  void anUnknownCoreIsRefusedWithTheOnesThereAre() {
    String message = assertThrows(JoinException.class, () -> Cores.choose("fmm")).getMessage();
    assertTrue(message.contains("'fmm'"), message);
    assertTrue(message.contains("auto, ffm, jni, java, jna"), message);
  }

  @ParameterizedTest
  @CsvSource({"jni,copy", "jna,copy", "jna,calls", "java,pinning", "java,huge pages"})
  void aCoreSaysWhatItLacks(String core, String lacking) {
    String lacks = Cores.choose(core).lacks().toString();
    assertTrue(lacks.contains(lacking), lacks);
  }

  @Test
  void ffmLacksNothing() {
    assertEquals(List.of(), Cores.choose("ffm").lacks());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "jni", "jna"})
  void aCpuThatIsNotThereIsNotPinnedTo(String core) {
    int status = Cores.choose(core).bindThread(1 << 20);
    assertTrue(status < 0 && status != Core.NOSYS, "status " + status);
  }

  @Test
  void theJavaCoreCannotPinAndAnotherDoes() {
    assertEquals(Core.NOSYS, Cores.choose("java").bindThread(0));
    assertFalse(Cores.bindThread(1 << 20) == Core.NOSYS);
  }
}
