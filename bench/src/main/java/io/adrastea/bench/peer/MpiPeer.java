package io.adrastea.bench.peer;

import io.adrastea.bench.measure.Answering;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Launched;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An MPI or an OpenSHMEM for C, with a program of ours that is compiled by its compiler and started by its launcher.
 * The program pins its ranks itself, since a launcher has no words for two CPUs of the bench's choice.
 */
final class MpiPeer implements Peer, Launched {
  private static final int MAX_BYTES = 256 << 20;
  private static final String OPEN_MPI = "mpirun.openmpi";
  private static final String OPEN_MPI_PACKAGES = "apt-get install openmpi-bin libopenmpi-dev";

  /** What all such programs have in common. */
  private static final String PROCESS = "adr_rank.h";

  /** What those have in common that speak MPI. */
  private static final String RANK = "adr_mpi_rank.h";

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
  private final String source; // what brings compiler and launcher
  private final RankProgram program;
  private final Hosts hosts; // null: all ranks are on this one

  /**
   * What its ranks run.
   *
   * @param source of the program, in C
   * @param headers beside it
   * @param kinds what it measures
   * @param hasPairs whether more than two ranks can run it
   * @param trial a first, uncounted command
   * @param text what it reads from a file, whose name it gets; none: empty
   * @param words that it gets before the CPUs
   */
  record RankProgram(String source, List<String> headers, Set<Kind> kinds, boolean hasPairs, String trial,
      String text, List<String> words) {
    /** Messages in one piece. */
    static final RankProgram MESSAGES = new RankProgram("adr_mpi_peer.c", List.of(PROCESS, RANK, TOUCH), KINDS, true,
        TeamVariant.TRIAL, "", List.of());

    /** Messages in many pieces. */
    static RankProgram datatypes(Set<Kind> kinds, String trial, String cases) {
      return new RankProgram("adr_mpi_datatypes.c", List.of(PROCESS, RANK, TOUCH, "adr_shapes.h"), kinds, false, trial,
          cases,
          List.of());
    }

    /** Calls of all ranks. */
    static RankProgram collectives(Set<Kind> kinds) {
      return new RankProgram("adr_mpi_collectives.c", List.of(PROCESS, RANK, TOUCH), kinds, true, "coll-barrier 0 1 1",
          "",
          List.of());
    }

    /** Accesses to windows of a kind. */
    static RankProgram windows(Set<Kind> kinds, String window) {
      return new RankProgram("adr_mpi_rma.c", List.of(PROCESS, RANK), kinds, true, "rma-fence 0 1 1", "",
          List.of(window));
    }

    /** Accesses to symmetric memory. */
    static RankProgram symmetric(Set<Kind> kinds) {
      return new RankProgram("adr_shmem_peer.c", List.of(PROCESS), kinds, true, "shmem-barrierAll 0 1 1", "",
          List.of());
    }
  }

  private MpiPeer(
      String name, SearchPath path, String compiler, List<String> launcher, String source, RankProgram program) {
    this(name, path, compiler, launcher, source, program, null);
  }

  private MpiPeer(
      String name, SearchPath path, String compiler, List<String> launcher, String source, RankProgram program,
      Hosts hosts) {
    this.name = name;
    this.path = path;
    this.compiler = compiler;
    this.launcher = launcher;
    this.source = source;
    this.program = program;
    this.hosts = hosts;
  }

  /** Open MPI over its shared memory. */
  static MpiPeer openMpi(SearchPath path) {
    return openMpi(path, RankProgram.MESSAGES);
  }

  static MpiPeer openMpi(SearchPath path, RankProgram program) {
    return openMpi("openmpi", path, program);
  }

  static MpiPeer openMpi(String name, SearchPath path, RankProgram program) {
    return new MpiPeer(
        name, path, "mpicc.openmpi", openMpiLauncher(), OPEN_MPI_PACKAGES, program);
  }

  /** Open MPI with its collectives in shared memory where it has them, which are off unless asked for. */
  static MpiPeer openMpiSharedCollectives(SearchPath path, RankProgram program) {
    List<String> launcher = new ArrayList<>(openMpiLauncher());
    launcher.addAll(List.of("--mca", "coll_sm_priority", "100"));
    return new MpiPeer(
        "openmpi-sm", path, "mpicc.openmpi", launcher, OPEN_MPI_PACKAGES, program);
  }

  /**
   * Open MPI as its users start it.
   *
   * @param options of its launcher
   */
  static MpiPeer openMpiAsItComes(String name, SearchPath path, String... options) {
    List<String> launcher = new ArrayList<>(List.of(OPEN_MPI));
    launcher.addAll(List.of(options));
    return new MpiPeer(
        name, path, "mpicc.openmpi", launcher, OPEN_MPI_PACKAGES, RankProgram.MESSAGES);
  }

  static List<String> openMpiLauncher() {
    String words = OPEN_MPI + " --oversubscribe --bind-to none --mca pml ob1";
    return List.of((words + " --mca btl self,vader").split(" "));
  }

  /** MPICH as it comes. */
  static MpiPeer mpich(SearchPath path) {
    return mpich(path, RankProgram.MESSAGES);
  }

  static MpiPeer mpich(SearchPath path, RankProgram program) {
    return mpich("mpich", path, program);
  }

  static MpiPeer mpich(String name, SearchPath path, RankProgram program) {
    List<String> launcher = List.of("mpirun.mpich", "-launcher", "fork");
    return new MpiPeer(name, path, "mpicc.mpich", launcher, "apt-get install mpich libmpich-dev", program);
  }

  /**
   * Open MPI on two hosts.
   *
   * @param transport options of its launcher
   */
  static MpiPeer openMpiOn(String name, Hosts hosts, int ranks, SearchPath path, RankProgram program,
      String transport) {
    String words = OPEN_MPI + " --bind-to none --mca plm_rsh_agent %s --host %s --mca oob_tcp_if_include %s -x %s %s";
    return new MpiPeer(name, path, "mpicc.openmpi", List.of(words.formatted(hosts.agent(), slots(hosts, ranks),
        Hosts.NETWORK, Hosts.START_LINE, transport).split(" ")), OPEN_MPI_PACKAGES, program, hosts);
  }

  /** MPICH on two hosts, over TCP by UCX. */
  static MpiPeer mpichOn(Hosts hosts, int ranks, SearchPath path, RankProgram program) {
    String words = "mpiexec.hydra -launcher ssh -launcher-exec %s -iface %s -genvall -genv UCX_TLS tcp,self -hosts %s";
    return new MpiPeer("mpich", path, "mpicc.mpich",
        List.of(words.formatted(hosts.agent(), Hosts.DEVICE, slots(hosts, ranks)).split(" ")),
        "apt-get install mpich libmpich-dev", program, hosts);
  }

  private static String slots(Hosts hosts, int ranks) {
    return IntStream.range(0, Hosts.COUNT)
        .mapToObj(host -> hosts.address(host) + ":" + ranks / Hosts.COUNT)
        .collect(Collectors.joining(","));
  }

  /** The OpenSHMEM of Open MPI in its best form; its own choice of transports makes an atomic operation a message. */
  static MpiPeer openMpiShmem(SearchPath path, RankProgram program) {
    String words = "oshrun --oversubscribe --bind-to none --mca btl self,vader --mca osc ^rdma"
        + " -x UCX_TLS=posix,sysv,self,cma";
    return new MpiPeer(Peers.OPEN_MPI_SHMEM, path, "oshcc", List.of(words.split(" ")), OPEN_MPI_PACKAGES, program);
  }

  /** Our own OpenSHMEM for C, by the tools of the source tree. */
  static MpiPeer libshmem(RankProgram program) {
    return new MpiPeer(Peers.LIBSHMEM, SearchPath.tree(), "oshcc", List.of("oshrun"), "bin/adrastea bench", program);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> missing() {
    return path.missing(source, compiler, launcher.get(0));
  }

  @Override
  public boolean isOurs() {
    return name.equals(Peers.LIBSHMEM);
  }

  @Override
  public boolean hasPairs() {
    return program.hasPairs();
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    return TeamVariant.start(
        new TeamVariant.Abilities(name, program.kinds(), 0, MAX_BYTES, false),
        null,
        (variant, scratch) -> {
          List<String> prefix = hosts == null ? List.of() : hosts.enter(0);
          ProcessBuilder started = launch(prefix, launcher, words(scratch), placed(ranks, cpus));
          if (hosts != null) {
            started.environment().put(Hosts.START_LINE, hosts.startLine());
          }
          variant.addLauncher(launcher.get(0), started);
          variant.trial(program.trial());
        });
  }

  /** Launches it without a trial: a job is measured from its first message on. */
  @Override
  public Answering launch(int ranks, int cpus, List<String> prefix)
      throws IOException, BenchException, InterruptedException {
    List<String> options = new ArrayList<>(launcher);
    if (ranks > cpus && launcher.get(0).equals(OPEN_MPI)) {
      options.add("--oversubscribe"); // it refuses them otherwise
    }
    return TeamVariant.start(
        new TeamVariant.Abilities(name, program.kinds(), 0, MAX_BYTES, false),
        null,
        (variant, scratch) -> variant.addLauncher(launcher.get(0),
            launch(prefix, options, words(scratch), Collections.nCopies(ranks, "-1"))));
  }

  private static List<String> placed(int ranks, Cpus cpus) {
    return IntStream.range(0, ranks).mapToObj(rank -> "" + cpus.ofRank(rank, ranks)).toList();
  }

  /** The program, the file that it reads, and its words. */
  private List<String> words(Scratch scratch) throws IOException, BenchException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(compile(scratch).toString()));
    if (!program.text().isEmpty()) {
      words.add(Files.writeString(scratch.file("cases"), program.text()).toString());
    }
    words.addAll(program.words());
    return words;
  }

  private Path compile(Scratch scratch) throws IOException, BenchException, InterruptedException {
    Path made = scratch.file(program.source().replace(".c", ""));
    String source = scratch.copy(program.source()).toString();
    for (String header : program.headers()) {
      scratch.copy(header); // beside the source, where it is looked for
    }
    Program.run(List.of(found(compiler), "-O3", "-o", made.toString(), source), scratch.file("compiler.log"));
    if (!Files.isExecutable(made)) {
      throw new BenchException("'" + compiler + "' ended well and made no program");
    }
    return made;
  }

  /** A rank for each place, the CPU that its program is told. */
  private ProcessBuilder launch(List<String> prefix, List<String> options, List<String> words, List<String> places) {
    List<String> command = new ArrayList<>(prefix);
    command.add(found(options.get(0)));
    command.addAll(options.subList(1, options.size()));
    command.addAll(List.of("-n", "" + places.size()));
    command.addAll(words);
    command.addAll(places);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(ENVIRONMENT);
    return builder;
  }

  private String found(String program) {
    return path.find(program).orElseThrow().toString();
  }
}
