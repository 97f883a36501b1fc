package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An MPI for C: {@code adr_mpi_peer.c}, compiled by its compiler and started by its launcher. The program pins its
 * ranks itself, since a launcher has no words for two CPUs of the bench's choice.
 */
final class MpiPeer implements Peer {
  private static final String SOURCE = "adr_mpi_peer.c";
  private static final int MAX_BYTES = 256 << 20;

  /** How messages are touched, for the programs of all peers in C. */
  static final String TOUCH = "adr_touch.h";

  /** Open MPI refuses root without these. */
  static final Map<String, String> ENVIRONMENT =
      Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

  static final Set<Kind> KINDS =
      Set.of(
          Kind.LATENCY,
          Kind.LATENCY.untouched(),
          Kind.BANDWIDTH,
          Kind.BANDWIDTH.untouched(),
          Kind.RATE,
          Kind.RATE.untouched(),
          Kind.BARRIER);

  private final String name;
  private final SearchPath path;
  private final String compiler;
  private final List<String> launcher;
  private final String packages;

  private MpiPeer(
      String name, SearchPath path, String compiler, List<String> launcher, String packages) {
    this.name = name;
    this.path = path;
    this.compiler = compiler;
    this.launcher = launcher;
    this.packages = packages;
  }

  /** Open MPI over its shared memory. */
  static MpiPeer openMpi(SearchPath path) {
    return new MpiPeer(
        "openmpi", path, "mpicc.openmpi", openMpiLauncher(), "openmpi-bin libopenmpi-dev");
  }

  static List<String> openMpiLauncher() {
    String words = "mpirun.openmpi --oversubscribe --bind-to none --mca pml ob1";
    return List.of((words + " --mca btl self,vader").split(" "));
  }

  /** MPICH as it comes. */
  static MpiPeer mpich(SearchPath path) {
    List<String> launcher = List.of("mpirun.mpich", "-launcher", "fork");
    return new MpiPeer("mpich", path, "mpicc.mpich", launcher, "mpich libmpich-dev");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> missing() {
    return path.missing(packages, compiler, launcher.get(0));
  }

  @Override
  public boolean hasPairs() {
    return true;
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    return TeamVariant.start(
        new TeamVariant.Abilities(name, KINDS, 0, MAX_BYTES),
        null,
        (variant, scratch) -> {
          variant.addLauncher(launcher.get(0), launch(compile(scratch), ranks, cpus));
          variant.trial();
        });
  }

  private Path compile(Scratch scratch) throws IOException, BenchException, InterruptedException {
    Path program = scratch.file("adr_mpi_peer");
    String source = scratch.copy(SOURCE).toString();
    scratch.copy(TOUCH); // beside the source, where it is looked for
    Program.run(List.of(found(compiler), "-O3", "-o", program.toString(), source), scratch.file("compiler.log"));
    if (!Files.isExecutable(program)) {
      throw new BenchException("'" + compiler + "' ended well and made no program");
    }
    return program;
  }

  private ProcessBuilder launch(Path program, int ranks, Cpus cpus) {
    List<String> command = new ArrayList<>(launcher);
    command.set(0, found(launcher.get(0)));
    command.addAll(List.of("-n", "" + ranks, program.toString()));
    for (int rank = 0; rank < ranks; rank++) {
      command.add("" + cpus.of(rank % (ranks / 2), rank / (ranks / 2)));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(ENVIRONMENT);
    return builder;
  }

  private String found(String program) {
    return path.find(program).orElseThrow().toString();
  }
}
