package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Open MPI's Java bindings: {@code MpiSides.java}, compiled against the jar that the user names, since no repository
 * has one. The ranks are not pinned: a launcher would pin the whole JVM.
 */
final class MpiJavaPeer implements Peer {
  private static final String NAME = "openmpi-java";
  private static final String SOURCE = "MpiSides.java";
  private static final int MAX_BYTES = 64 << 20;

  private final SearchPath path;
  private final Path jar;

  /**
   * @param jar the bindings, or {@code null}
   */
  MpiJavaPeer(SearchPath path, Path jar) {
    this.path = path;
    this.jar = jar;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> missing() {
    if (jar == null) {
      return Optional.of(
          "no mpi.jar given; name by --mpi-jar that of an Open MPI made with --enable-mpi-java"
              + " (Debian has the native part only: apt-get install libopenmpi-dev)");
    }
    if (!Files.isReadable(jar)) {
      return Optional.of("--mpi-jar: '" + jar + "' cannot be read");
    }
    return path.missing("apt-get install openmpi-bin", MpiPeer.openMpiLauncher().get(0));
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    Set<Kind> kinds = MpiPeer.KINDS;
    return TeamVariant.start(
        new TeamVariant.Abilities(NAME, kinds, 0, MAX_BYTES, true),
        null,
        (variant, scratch) -> {
          List<String> compiler = List.of(tool("javac"), "-nowarn", "-cp", jar.toString(), "" + scratch.copy(SOURCE));
          Program.run(compiler, scratch.file("compiler.log"));
          variant.addLauncher(MpiPeer.openMpiLauncher().get(0), launch(scratch));
          variant.trial();
        });
  }

  private ProcessBuilder launch(Scratch scratch) {
    List<String> command = new ArrayList<>(MpiPeer.openMpiLauncher());
    command.set(0, path.find(command.get(0)).orElseThrow().toString());
    command.addAll(List.of("-n", "2", tool("java"), "--enable-native-access=ALL-UNNAMED"));
    command.add("-Djava.library.path=" + libraries());
    command.add("-cp");
    command.add(scratch.directory() + File.pathSeparator + jar);
    command.add(SOURCE.replace(".java", ""));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(MpiPeer.ENVIRONMENT);
    return builder;
  }

  /** Beside the jar, where Debian has libmpi_java.so, and where the JVM looks by itself. */
  private String libraries() {
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
    return String.join(
        File.pathSeparator,
        "" + jar.toAbsolutePath().getParent(),
        "/usr/lib/" + machine + "-linux-gnu",
        System.getProperty("java.library.path", ""));
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }
}
