package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.run.HostList.Block;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts as an option or a file tells them, and which ranks each gets. */
class HostListTest {
  @TempDir
  Path directory;

  @Test
  void ranksAreDealtInBlocksInTheOrderOfTheHosts() {
    HostList hosts = HostList.parse("a:4,b,10.0.0.1:2,[fe80::1]:3");
    assertEquals(10, hosts.size());
    assertEquals(List.of(new Block("a", 0, 4), new Block("b", 4, 1), new Block("10.0.0.1", 5, 2),
        new Block("[fe80::1]", 7, 3)), hosts.deal(10));
  }

  @Test
  void hostsForWhichNoRankIsLeftHaveNone() {
    assertEquals(List.of(new Block("a", 0, 2), new Block("b", 2, 1)), HostList.parse("a:2,b:2,c:2").deal(3));
  }

  @Test
  void aHostThatIsNamedTwiceTakesAllOfItsRanksTogether() {
    assertEquals(List.of(new Block("a", 0, 3), new Block("b", 3, 1)), HostList.parse("a:2,b,a").deal(4));
  }

  @Test
  void moreRanksThanTheHostsTakeAreRefused() {
    String said = assertThrows(IllegalArgumentException.class, () -> HostList.parse("a:2,b").deal(4)).getMessage();
    assertTrue(said.contains("the job has 4 ranks, and the hosts take 3 together (a:2,b:1)"), said);
  }

  @Test
  void aFileHasAHostInEachLine() throws Exception {
    Path file = directory.resolve("hosts");
    Files.writeString(file, "# all\na\n\n  b:4 # the large one\nc slots=2\n");
    assertEquals(HostList.parse("a,b:4,c:2"), HostList.read(file));
  }

  @ParameterizedTest
  @CsvSource({"'a\nb:x\n', 'line 2, is ''b:x'''", "'a 4\n', 'line 1, is ''a 4'''", "'# none\n', names no host",
    "'a slots=0\n', 'line 1, is ''a slots=0'''"})
  void whatIsWrongInAFileIsNamedWithItsLine(String text, String said) throws Exception {
    Path file = directory.resolve("hosts");
    Files.writeString(file, text);
    String message = assertThrows(IllegalArgumentException.class, () -> HostList.read(file)).getMessage();
    assertTrue(message.contains("--hostfile " + file) && message.contains(said), message);
  }

  @Test
  void aFileThatIsNotThereOrIsNoTextIsNamed() throws Exception {
    Path file = directory.resolve("hosts");
    String missing = assertThrows(IllegalArgumentException.class, () -> HostList.read(file)).getMessage();
    assertTrue(missing.contains("there is no such file"), missing);
    Files.write(file, "\u00e4".getBytes(StandardCharsets.ISO_8859_1));
    String strange = assertThrows(IllegalArgumentException.class, () -> HostList.read(file)).getMessage();
    assertTrue(strange.contains("is no text in UTF-8"), strange);
  }

  /** An agent would take a name that begins with a hyphen for an option. */
  @ParameterizedTest
  @ValueSource(strings = {"", "a,", ":4", "a:0", "a:b", "a:1:2", "-oProxyCommand=x", "a b", "a:2000", "fe80::1"})
  void whatIsNoHostIsRefused(String option) {
    String said = assertThrows(IllegalArgumentException.class, () -> HostList.parse(option)).getMessage();
    assertTrue(said.startsWith("--hosts has '"), said);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"/opt/jdk-25/bin/java, /opt/jdk-25/bin/java", "a b, 'a b'",
        "it's, 'it'\\''s'", "$HOME, '$HOME'", "\"\", ''", "-XX:+UseSerialGC, -XX:+UseSerialGC"})
  void wordsPassThroughAShellAsTheyAre(String word, String quoted) {
    assertEquals(quoted, AgentHost.quoted(word));
  }
}
