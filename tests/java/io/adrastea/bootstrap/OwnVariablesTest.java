package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.error.JoinException;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.ProcessIdentity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rank a process is, from its settings; bad ones are refused with what is missing or allowed. */
class OwnVariablesTest {
  private static final String JOB = "00112233aabbccdd";

  /** Settings of a launched process, some of them replaced; "-" stands for none. */
  private static Optional<Membership> membership(String... replaced) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.job", JOB);
    settings.put("adrastea.rank", "1");
    settings.put("adrastea.size", "3");
    settings.put("adrastea.launcher", null);
    for (int i = 0; i < replaced.length; i += 2) {
      settings.put("adrastea." + replaced[i], replaced[i + 1].equals("-") ? null : replaced[i + 1]);
    }
    OwnVariables own = new OwnVariables();
    return Settings.with(settings, () -> own.claim(Map.of()).map(claim -> own.membership(claim, Map.of())));
  }

  private static String refusal(String... replaced) {
    return assertThrows(JoinException.class, () -> membership(replaced), String.join(" ", replaced))
        .getMessage();
  }

  private static void checkSaid(String part, String said) {
    assertTrue(said.contains(part), said);
  }

  @Test
  void readsWhatALauncherSets() throws Exception {
    assertEquals(
        new Membership(0x00112233aabbccddL, 1, 3, Optional.empty()), membership().orElseThrow());
    assertEquals(
        Optional.of(new ProcessIdentity(4711, 123456)),
        membership("launcher", "4711:123456").orElseThrow().launcher());
    assertEquals(-1L, membership("job", "ffffffffffffffff").orElseThrow().job());
  }

  @Test
  void readsWhatLaunchEnvironmentWrites() throws Exception {
    LaunchEnvironment environment = LaunchEnvironment.create(5);
    Map<String, String> variables = environment.forRank(4, "java", 1);
    assertEquals("java", variables.get("ADRASTEA_CORE"));
    assertEquals("1", variables.get("ADRASTEA_BIND"));
    Membership membership =
        membership(
            "job", variables.get("ADRASTEA_JOB"),
            "rank", variables.get("ADRASTEA_RANK"),
            "size", variables.get("ADRASTEA_SIZE"),
            "launcher", variables.get("ADRASTEA_LAUNCHER"))
            .orElseThrow();
    assertEquals(4, membership.rank());
    assertEquals(5, membership.size());
    assertEquals(environment.job(), "%016x".formatted(membership.job()));
    assertEquals(ProcessIdentity.self(), membership.launcher().orElseThrow());
  }

  @Test
  void leavesOutWhatIsDefault() {
    Map<String, String> variables = new LaunchEnvironment(JOB, 2, "1:1", null).forRank(0, null, -1);
    assertEquals(
        java.util.Set.of("ADRASTEA_JOB", "ADRASTEA_RANK", "ADRASTEA_SIZE", "ADRASTEA_LAUNCHER", "ADRASTEA_BOOTSTRAP"),
        variables.keySet());
  }

  @Test
  void knowsNothingOfAProcessStartedByItself() throws Exception {
    assertTrue(membership("job", "-", "rank", "-", "size", "-").isEmpty());
  }

  @Test
  void leavesAProcessStartedByItselfAJobOfOne() throws Exception {
    Map<String, String> none = new HashMap<>();
    List.of("job", "rank", "size", "launcher").forEach(name -> none.put("adrastea." + name, null));
    Membership first = Settings.with(none, Bootstraps::find);
    Membership second = Settings.with(none, Bootstraps::find);
    assertEquals(0, first.rank());
    assertEquals(1, first.size());
    assertNotEquals(first.job(), second.job());
  }

  @ParameterizedTest
  @CsvSource({
    "job, -, rank, 1, ADRASTEA_JOB",
    "rank, -, job, 0000000000000001, ADRASTEA_RANK",
    "size, -, rank, 1, ADRASTEA_SIZE",
    "size, '', rank, 1, ADRASTEA_SIZE",
    "size, ' ', rank, 1, ADRASTEA_SIZE",
    "size, -, rank, -, 'ADRASTEA_RANK, ADRASTEA_SIZE'",
    "job, -, size, -, 'ADRASTEA_JOB, ADRASTEA_SIZE'",
    "job, -, rank, -, 'ADRASTEA_JOB, ADRASTEA_RANK'"
  })
  void namesWhatIsMissing(String first, String value, String second, String other, String missing) {
    String said = refusal(first, value, second, other);
    checkSaid("missing: " + missing + " (", said);
    checkSaid("a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE", said);
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "7, 3", "1, 1", "2147483647, 3"})
  void refusesARankThatTheSizeDoesNotAllow(int rank, int size) {
    checkSaid(
        "ADRASTEA_RANK=%d, but ADRASTEA_SIZE=%d: ranks are 0 to %d".formatted(rank, size, size - 1),
        refusal("rank", "" + rank, "size", "" + size));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "one", "1.0", "2147483648"})
  void refusesARankThatIsNoRank(String rank) {
    checkSaid(
        "adrastea.rank is '" + rank + "' (from property); allowed is a whole number from 0 to ",
        refusal("rank", rank));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-3", "many", "1000000"})
  void refusesASizeThatIsNoSize(String size) {
    checkSaid(
        "adrastea.size is '" + size + "' (from property); allowed is a whole number from 1 to ",
        refusal("size", size));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "00112233AABBCCDD",
        "00112233aabbccd",
        "00112233aabbccdde",
        "../../etc/passwd",
        "0112233 aabbccdd"
      })
  void refusesAJobThatIsNoNumber(String job) {
    checkSaid(
        "ADRASTEA_JOB is '" + job + "'; allowed are 16 hex digits in lower case",
        refusal("job", job));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4711", ":", "4711:", ":5", "-1:5", "1:2:", "1:2:3:4", "a:b", "1234567890:1"})
  void refusesALauncherThatIsNoProcess(String launcher) {
    checkSaid(
        "ADRASTEA_LAUNCHER is '" + launcher + "'; allowed is <pid>:<start>",
        refusal("launcher", launcher));
  }

  @Test
  void leavesALauncherOfAnotherPidNamespaceAlone() throws Exception {
    Membership membership =
        membership("job", JOB, "rank", "0", "size", "1", "launcher", "1:1:1").orElseThrow();
    assertTrue(membership.launcher().isEmpty());
  }

  @Test
  void watchesALauncherOfItsOwnPidNamespace() throws Exception {
    String launcher = "4711:5:" + ProcessIdentity.visibleNamespace();
    Membership membership =
        membership("job", JOB, "rank", "0", "size", "1", "launcher", launcher).orElseThrow();
    assertEquals(new ProcessIdentity(4711, 5), membership.launcher().orElseThrow());
  }
}
