package io.adrastea.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
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
    assertTrue(with("0", Tunable.RANK::isSet));
  }

  private static <T> T with(String rank, java.util.concurrent.Callable<T> action) throws Exception {
    return Settings.with(Map.of("adrastea.rank", rank), action);
  }

  @Test
  void readsWholeNumbersWithinTheirRange() throws Exception {
    assertEquals(3, with("3", () -> Tunable.RANK.intValue(3, 5)));
    assertEquals(5, with(" 5 ", () -> Tunable.RANK.intValue(3, 5)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "6", "-4", "four", "4.0", "4x", "", "99999999999", "0x4"})
  void refusesOtherNumbersAndTellsWhatIsAllowed(String text) {
    String said =
        assertThrows(
                IllegalArgumentException.class, () -> with(text, () -> Tunable.RANK.intValue(3, 5)))
            .getMessage();
    String allowed = "' (from property); allowed is a whole number from 3 to 5 (rank)";
    assertEquals("adrastea.rank is '" + text + allowed, said);
  }
}
