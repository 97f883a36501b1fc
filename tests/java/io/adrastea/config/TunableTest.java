package io.adrastea.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Geometry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class TunableTest {
  /** What a fresh JVM sees. */
  static final class Show {
    public static void main(String[] arguments) {
      System.out.println(Tunable.CELLS.value() + " " + Tunable.CELLS.origin());
    }
  }

  private static String shown(String environment, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath(), Show.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("ADRASTEA_CELLS");
    if (environment != null) {
      builder.environment().put("ADRASTEA_CELLS", environment);
    }
    Process process = builder.start();
    try {
      return new String(process.getInputStream().readAllBytes()).trim();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String classPath() {
    return Stream.of(Tunable.class, TunableTest.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(java.net.URI.create(location.toString())).toString())
        .collect(Collectors.joining(java.io.File.pathSeparator));
  }

  @Test
  void takesThePropertyBeforeTheEnvironmentBeforeTheDefault() throws Exception {
    assertEquals("64 default", shown(null));
    assertEquals("12 environment", shown("12"));
    assertEquals("13 property", shown("12", "-Dadrastea.cells=13"));
    assertEquals("12 environment", shown("12", "-Dadrastea.cells="));
    assertEquals("64 default", shown(" "));
  }

  @ParameterizedTest
  @EnumSource
  void isDescribedAndNamedAlike(Tunable tunable) {
    assertTrue(tunable.property().matches("adrastea(\\.[a-z]+)+"), tunable.property());
    assertEquals(
        tunable.property().toUpperCase(Locale.ROOT).replace('.', '_'), tunable.variable());
    assertFalse(tunable.description().isBlank());
    assertFalse(tunable.unit().isBlank());
    long alike =
        Tunable.all().stream().filter(other -> other.property().equals(tunable.property())).count();
    assertEquals(1, alike);
  }

  @Test
  void isUnsetWhenEmpty() throws Exception {
    assertFalse(with("", Tunable.RANK::isSet));
    assertFalse(with(" ", Tunable.RANK::isSet));
    assertTrue(with("0", Tunable.RANK::isSet));
  }

  private static <T> T with(String rank, java.util.concurrent.Callable<T> action) throws Exception {
    return Settings.with(Map.of("adrastea.rank", rank), action);
  }

  @Test
  void readsWholeNumbersWithinTheirRange() throws Exception {
    assertEquals(0, with("0", Tunable.RANK::intValue));
    assertEquals(5, with(" 5 ", Tunable.RANK::intValue));
  }

  /** The rooms that need them have them too. */
  @Test
  void rangesAreThoseOfTheSegment() throws Exception {
    checkRange("adrastea.cells", Tunable.CELLS, Geometry.MIN_CELLS, Geometry.MAX_CELLS);
    checkRange("adrastea.cell.bytes", Tunable.CELL_BYTES, Geometry.MIN_CELL_PAYLOAD, Geometry.MAX_CELL_PAYLOAD);
    checkRange("adrastea.size", Tunable.SIZE, 1, SegmentHeaderDescriptor.MAX_LOCAL_RANKS);
  }

  private static void checkRange(String name, Tunable tunable, int least, int most) throws Exception {
    for (int allowed : new int[] {least, most}) {
      assertEquals(allowed, Settings.with(Map.of(name, "" + allowed), tunable::intValue));
    }
    for (int refused : new int[] {least - 1, most + 1}) {
      assertThrows(IllegalArgumentException.class, () -> Settings.with(Map.of(name, "" + refused), tunable::intValue));
    }
  }

  @ParameterizedTest
  @EnumSource
  void allowsItsDefault(Tunable tunable) throws Exception {
    assertEquals(
        Optional.empty(), Settings.with(Map.of(tunable.property(), tunable.defaultValue()), tunable::refusal));
  }

  @ParameterizedTest
  @CsvSource({
    "adrastea.oversubscribed,ON,on", "adrastea.oversubscribed,' Auto ',auto", "adrastea.bypass,Off,off",
    "adrastea.lmt,XPMEM,xpmem",
    "adrastea.core,FFM,ffm",
    "adrastea.eager.bytes,AUTO,auto"
  })
  void takesWordsInAnyCaseAndWithBlanksAround(String name, String text, String word) throws Exception {
    Tunable tunable = Tunable.all().stream().filter(it -> it.property().equals(name)).findFirst().orElseThrow();
    assertEquals(word, Settings.with(Map.of(name, text), tunable::word));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "adrastea.oversubscribed|o n|allowed are on, off and auto",
        "adrastea.check|any|allowed are off, types, collectives and all",
        "adrastea.eager.bytes|foo|allowed is auto or a whole number from 0 to 2147483647 (bytes)",
        "adrastea.box.lines|100|allowed are 0 and powers of two from 64 to 1024 (lines)",
        "adrastea.ring.bytes|5000|allowed are powers of two from 4096 to 1073741824 (bytes)"
      })
  void tellsWhatIsAllowed(String name, String text, String allowed) throws Exception {
    Tunable tunable = Tunable.all().stream().filter(it -> it.property().equals(name)).findFirst().orElseThrow();
    assertEquals(Optional.of(allowed), Settings.with(Map.of(name, text), tunable::refusal));
    String said = assertThrows(IllegalArgumentException.class, () -> tunable.require(text, "-D")).getMessage();
    assertEquals(name + " is '" + text + "' (from -D); " + allowed, said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1025", "0", "four", "4.0", "4x", "99999999999", "0x4"})
  void refusesOtherNumbersAndTellsWhatIsAllowed(String text) {
    String said =
        assertThrows(
            IllegalArgumentException.class, () -> Settings.with(Map.of("adrastea.size", text), Tunable.SIZE::intValue))
            .getMessage();
    String allowed = "' (from property); allowed is a whole number from 1 to 1024 (ranks)";
    assertEquals("adrastea.size is '" + text + allowed, said);
  }
}
