package io.adrastea.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every script of {@code tests/vectors} on the Java queue and on every core. */
@Timeout(240)
class VectorsTest {
  private static final Path VECTORS = Path.of(System.getProperty("adrastea.root"), "tests/vectors");

  @TempDir
  Path directory;

  static Stream<Arguments> scripts() throws IOException {
    try (Stream<Path> files = Files.list(VECTORS)) {
      List<Path> scripts = files.filter(file -> file.toString().endsWith(".vec")).sorted().toList();
      assertTrue(!scripts.isEmpty(), "no scripts in " + VECTORS);
      return scripts.stream()
          .flatMap(script -> Cores.all().stream().map(core -> Arguments.of(script.getFileName(), core.name())));
    }
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("scripts")
  void leavesTheBytesThatTheScriptSays(Path script, String core) throws IOException {
    try (Replay replay = new Replay(Cores.choose(core), directory)) {
      replay.run(Script.read(VECTORS.resolve(script)));
    }
  }

  private void replay(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("written.vec"), text);
    CoreProvider java = Cores.choose("java");
    try (Replay replay = new Replay(java, directory)) {
      replay.run(Script.read(file));
    }
  }

  @Test
  void aWordThatDiffersFailsWithItsFileAndLine() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> replay("job 1 4 64\nenqueue 0 recvq(0) cell(0,1) = 0\nu64 recvq(0)+8 = cell(0,2)\n"));
    assertTrue(failure.getMessage().contains("written.vec:3: u64 recvq(0)+8"), failure.getMessage());
  }

  @Test
  void whatIsNotSaidToComeOutFails() {
    assertThrows(AssertionError.class, () -> replay("job 1 4 64\ndequeue recvq(0)\n"));
    assertThrows(AssertionError.class, () -> replay("job 1 4 64\ndequeue recvq(0) = 0 0\n"));
  }

  @Test
  void anUnknownOperationFails() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> replay("job 1 4 64\nfly 1\n")).getMessage();
    assertEquals("no operation 'fly'", message);
  }
}
