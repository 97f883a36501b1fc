package io.adrastea.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Answering;
import io.adrastea.bench.measure.Launched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which peers there are, and what is said of those that are not installed. */
class PeersTest {
  @TempDir
  Path directory;

  private Optional<String> missing(String name, Path mpiJar) {
    return Peers.all(new FakeTools(directory).path(), mpiJar).stream()
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow()
        .missing();
  }

  @Test
  void shouldNameTheProgramsThatAreMissingAndThePackagesThatBringThem() {
    assertEquals(
        Optional.of(
            "mpicc.openmpi, mpirun.openmpi not on PATH; it comes with:"
                + " apt-get install openmpi-bin libopenmpi-dev"),
        missing("openmpi", null));
    assertEquals(
        Optional.of(
            "mpicc.mpich, mpirun.mpich not on PATH; it comes with:"
                + " apt-get install mpich libmpich-dev"),
        missing("mpich", null));
    assertEquals(
        Optional.of(
            "cc not on PATH; it comes with: apt-get install gcc libc6-dev libucx-dev"),
        missing("ucx", null));
  }

  @Test
  void shouldChooseThoseThatAreAskedForInTheOrderOfTheTables() {
    List<Peer> all = Peers.all(new FakeTools(directory).path(), null);
    assertEquals(all, Peers.chosen(all, null));
    assertEquals(List.of(), Peers.chosen(all, List.of("none")));
    assertEquals(List.of("mpich", "tcp"),
        Peers.chosen(all, List.of("tcp", "none", "mpich")).stream().map(Peer::name).toList());
  }

  @Test
  void shouldNameAllPeersWhereOneIsAskedForThatThereIsNot() {
    List<Peer> all = Peers.all(new FakeTools(directory).path(), null).subList(0, 2);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Peers.chosen(all, List.of("mpich", "mpi"))).getMessage();
    assertEquals("there is no peer 'mpi'; peers are openmpi, mpich, or none", message);
  }

  @Test
  void shouldSayWhyOneIsLeftOut() throws Exception {
    List<String> notes = new ArrayList<>();
    for (Peer peer : Peers.all(SearchPath.here(), null)) {
      if (peer.name().equals("openmpi-java")) {
        assertEquals(Optional.empty(), Peers.start(peer, 2, null, notes::add));
      }
    }
    assertEquals(1, notes.size());
    assertTrue(notes.get(0).startsWith("openmpi-java is left out: no mpi.jar given"), notes.get(0));
  }

  @Test
  void shouldNameOnlyWhatIsMissing() throws Exception {
    new FakeTools(directory).with("mpirun.mpich", "true");
    assertTrue(missing("mpich", null).orElseThrow().startsWith("mpicc.mpich not on PATH"));
    new FakeTools(directory).with("mpicc.mpich", "true");
    assertEquals(Optional.empty(), missing("mpich", null));
  }

  @Test
  void shouldSayThatTheJavaBindingsNeedTheirJar() {
    assertTrue(missing("openmpi-java", null).orElseThrow().contains("--mpi-jar"));
    Path absent = directory.resolve("mpi.jar");
    assertEquals(
        Optional.of("--mpi-jar: '" + absent + "' cannot be read"), missing("openmpi-java", absent));
  }

  @Test
  void shouldNeedNothingForThePeersInJava() {
    for (String name : List.of("aeron", "agrona", "unix", "tcp")) {
      assertEquals(Optional.empty(), missing(name, null), name);
    }
  }

  @Test
  void shouldReadThePathAndLeaveOutEmptyWords() {
    assertEquals(
        List.of(Path.of("/usr/bin"), Path.of("/bin")),
        SearchPath.of("/usr/bin::/bin:").directories());
  }

  @Test
  void shouldStartThoseThatAreLaunchedAsTheirUsersDo() throws Exception {
    FakeTools tools = new FakeTools(directory);
    for (String of : List.of("openmpi", "mpich")) {
      tools.with("mpicc." + of, FakeTools.COMPILER);
      tools.with("mpirun." + of,
          "printf '%s\\n' \"$*\" >>" + directory + "/words\nread -r command; echo windows 0 1/$command");
    }
    List<Launched> all = Peers.launched(tools.path());
    assertEquals(List.of("openmpi", "openmpi-unbound", "mpich"), all.stream().map(Launched::name).toList());
    for (Launched one : all) {
      assertEquals(Optional.empty(), one.missing());
      for (int ranks : List.of(2, 4)) {
        try (Answering job = one.launch(ranks, 2, List.of("env", "X=1"))) {
          assertEquals("windows 0 1/7", job.ask("7", Duration.ofMinutes(1)));
        }
      }
    }
    List<String> words = Files.readAllLines(directory.resolve("words")).stream()
        .map(line -> line.replaceAll("/\\S+/adr_mpi_peer", "PROGRAM")).toList();
    assertEquals(List.of("-n 2 PROGRAM -1 -1", "--oversubscribe -n 4 PROGRAM -1 -1 -1 -1",
        "--bind-to none -n 2 PROGRAM -1 -1", "--bind-to none --oversubscribe -n 4 PROGRAM -1 -1 -1 -1",
        "-launcher fork -n 2 PROGRAM -1 -1", "-launcher fork -n 4 PROGRAM -1 -1 -1 -1"), words);
    assertEquals(List.of("mpich"), Peers.chosenLaunched(all, List.of("mpich", "none")).stream().map(Launched::name)
        .toList());
  }
}
