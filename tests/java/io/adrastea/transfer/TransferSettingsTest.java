package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of large messages: what they mean, and what is refused. */
class TransferSettingsTest {
  private static final int RING = Path.RING.bit();

  @Test
  void areTheDefaultsWhereNothingIsSet() {
    TransferSettings settings = TransferSettings.inForce();
    assertEquals(Path.all(), settings.paths());
    assertEquals(EagerLimits.MEASURED, settings.eager());
    assertEquals(Tunable.SPLIT_BYTES.defaultValue(), Long.toString(settings.splitBytes()));
    assertEquals(Tunable.RING_BYTES.defaultValue(), Integer.toString(settings.ringBytes()));
    assertEquals(Tunable.RING_CHUNK.defaultValue(), Integer.toString(settings.ringChunk()));
  }

  @Test
  void haveOneLimitForAllBuffersWhereItIsGiven() throws Exception {
    EagerLimits limits =
        Settings.with(Map.of("adrastea.eager.bytes", "100"), TransferSettings::inForce).eager();
    assertEquals(new EagerLimits(100, 100, 100), limits);
    assertEquals(100, limits.least());
    assertEquals(7, new EagerLimits(9, 7, 8).least());
  }

  @Test
  void learnTheChunkOfTheRingUnlessOneIsGiven() throws Exception {
    assertTrue(TransferSettings.inForce().learningChunks());
    assertFalse(Settings.with(Map.of("adrastea.ring.chunk", "8192"), TransferSettings::inForce).learningChunks());
    assertTrue(TransferSettings.inForce().learningRing());
    assertFalse(Settings.with(Map.of("adrastea.ring.bytes", "1048576"), TransferSettings::inForce).learningRing());
  }

  @Test
  void allowTheRingBesideTheOneThatIsAskedFor() {
    assertEquals(Path.all(), TransferSettings.paths("auto"));
    assertEquals(RING, TransferSettings.paths("ring"));
    assertEquals(RING | Path.SHARED.bit(), TransferSettings.paths("shared"));
    assertEquals(RING | Path.XPMEM.bit(), TransferSettings.paths("xpmem"));
    assertEquals(RING | Path.CMA.bit(), TransferSettings.paths("cma"));
  }

  @ParameterizedTest
  @CsvSource({
    "adrastea.lmt,knem,'allowed are auto, shared, xpmem, cma and ring'",
    "adrastea.eager.bytes,-1,from 0 to",
    "adrastea.eager.bytes,8K,auto or a whole number",
    "adrastea.split.bytes,-1,from 0 to",
    "adrastea.ring.bytes,4095,from 4096 to",
    "adrastea.ring.bytes,5000,powers of two from 4096 to",
    "adrastea.ring.bytes,2147483647,from 4096 to",
    "adrastea.ring.chunk,63,from 64 to",
    "adrastea.ring.chunk,100,powers of two from 64 to",
    "adrastea.ring.chunk,2097152,powers of two from 64 to 1048576"
  })
  void areRefusedByNameWhenTheyCannotBe(String name, String value, String said) throws Exception {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> Settings.with(Map.of(name, value), TransferSettings::inForce));
    assertTrue(refusal.getMessage().contains(name) && refusal.getMessage().contains(said), refusal.getMessage());
  }

  @Test
  void askOnlyForWhatIsThere() {
    TransferSettings any = new TransferSettings(Path.all(), EagerLimits.MEASURED, 1, 4096, 64, true, true, true, 0);
    assertDoesNotThrow(() -> any.requireAble(RING, Cores.choose("java").spaces()));
    TransferSettings cma =
        new TransferSettings(RING | Path.CMA.bit(), EagerLimits.MEASURED, 1, 4096, 64, true, true, true, 0);
    assertDoesNotThrow(() -> cma.requireAble(RING | Path.CMA.bit(), Cores.choose("java").spaces()));
    int java = RING | Path.SHARED.bit();
    assertEquals(
        "adrastea.lmt is 'cma', which this rank does not have (CMA: not from Java alone); allowed here are "
            + "auto, shared and ring",
        refusal(cma, java));
    TransferSettings xpmem =
        new TransferSettings(RING | Path.XPMEM.bit(), EagerLimits.MEASURED, 1, 4096, 64, true, true, true, 0);
    assertEquals(
        "adrastea.lmt is 'xpmem', which this rank does not have (XPMEM: not from Java alone); allowed here are "
            + "auto, shared, cma and ring",
        refusal(xpmem, java | Path.CMA.bit()));
  }

  private static String refusal(TransferSettings settings, int able) {
    return assertThrows(IllegalArgumentException.class, () -> settings.requireAble(able, Cores.choose("java").spaces()))
        .getMessage();
  }
}
