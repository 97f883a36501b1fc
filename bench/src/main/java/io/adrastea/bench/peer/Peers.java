package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Launched;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** All peers, in the order of the tables. */
public final class Peers {
  /** The name of our own OpenSHMEM for C. */
  public static final String LIBSHMEM = "libshmem";

  /** The name of that of Open MPI. */
  public static final String OPEN_MPI_SHMEM = "oshmem";

  /** The names of those that {@link #onHosts} has, but for the bare loops. */
  private static final List<String> ON_HOSTS = List.of("openmpi", "openmpi-ucx", "openmpi-han", "mpich");

  private Peers() {}

  /**
   * @param path where programs are looked for
   * @param mpiJar the jar of Open MPI's Java bindings, or {@code null}
   */
  public static List<Peer> all(SearchPath path, Path mpiJar) {
    return List.of(
        MpiPeer.openMpi(path),
        MpiPeer.mpich(path),
        new UcxPeer(path),
        new MpiJavaPeer(path, mpiJar),
        new JvmPeer("aeron", path),
        new JvmPeer("agrona", path),
        new JvmPeer("pipe", path),
        new JvmPeer("unix", path),
        new JvmPeer("tcp", path));
  }

  /**
   * The MPIs with a program that sends cases of {@code bench datatypes}.
   *
   * @param kinds that it measures
   * @param trial a first, uncounted command of one batch
   * @param cases their description, which it reads
   */
  public static List<Peer> datatypes(SearchPath path, Set<Kind> kinds, String trial, String cases) {
    MpiPeer.RankProgram program = MpiPeer.RankProgram.datatypes(kinds, trial, cases);
    return List.of(MpiPeer.openMpi(path, program), MpiPeer.mpich(path, program));
  }

  /**
   * The MPIs with a program that makes the calls of {@code bench collectives}.
   *
   * @param kinds that it measures
   */
  public static List<Peer> collectives(SearchPath path, Set<Kind> kinds) {
    MpiPeer.RankProgram program = MpiPeer.RankProgram.collectives(kinds);
    return List.of(MpiPeer.openMpi(path, program), MpiPeer.openMpiSharedCollectives(path, program),
        MpiPeer.mpich(path, program));
  }

  /**
   * The MPIs with a program that makes the accesses of {@code bench rma}, on each kind of window.
   *
   * @param kinds that it measures
   */
  public static List<Peer> windows(SearchPath path, Set<Kind> kinds) {
    List<Peer> peers = new ArrayList<>();
    for (String window : List.of("shared", "allocate", "create")) {
      peers.add(MpiPeer.openMpi("openmpi-" + window, path, MpiPeer.RankProgram.windows(kinds, window)));
    }
    for (String window : List.of("shared", "allocate", "create")) {
      peers.add(MpiPeer.mpich("mpich-" + window, path, MpiPeer.RankProgram.windows(kinds, window)));
    }
    return List.copyOf(peers);
  }

  /**
   * The OpenSHMEMs for C with a program that makes the calls of {@code bench shmem}: ours, and that of Open MPI.
   *
   * @param kinds that ours measures
   * @param old those of them that OpenSHMEM has had before version 1.5
   */
  public static List<Peer> symmetric(SearchPath path, Set<Kind> kinds, Set<Kind> old) {
    return List.of(MpiPeer.libshmem(MpiPeer.RankProgram.symmetric(kinds)),
        MpiPeer.openMpiShmem(path, MpiPeer.RankProgram.symmetric(old)));
  }

  /**
   * What stands beside us on two hosts: bare loops on sockets, Open MPI over its own TCP and over UCX's, and MPICH.
   *
   * @param calls the collectives that are measured; empty: messages are
   * @param names of the MPIs that are asked for
   */
  public static List<Peer> onHosts(SearchPath path, Hosts hosts, int ranks, Set<Kind> calls, List<String> names) {
    boolean messages = calls.isEmpty();
    MpiPeer.RankProgram program = messages ? MpiPeer.RankProgram.MESSAGES : MpiPeer.RankProgram.collectives(calls);
    String tcp = "--mca pml ob1 --mca btl tcp,vader,self --mca btl_tcp_if_include " + Hosts.NETWORK;
    String ucx = "--mca pml ucx -x UCX_TLS=tcp,self --mca pml_ucx_tls any --mca pml_ucx_devices any";
    List<Peer> all = new ArrayList<>(List.of(
        MpiPeer.openMpiOn("openmpi", hosts, ranks, path, program, tcp),
        MpiPeer.openMpiOn("openmpi-ucx", hosts, ranks, path, program, ucx),
        MpiPeer.mpichOn(hosts, ranks, path, program)));
    if (!messages && ranks > Hosts.COUNT) { // with a rank on each host there is nothing to do in two steps
      all.add(2, MpiPeer.openMpiOn("openmpi-han", hosts, ranks, path, program, tcp + " --mca coll_han_priority 100"));
    }
    List<Peer> chosen = new ArrayList<>(List.of(SocketPeer.inC(path, hosts, calls)));
    if (messages) {
      chosen.add(SocketPeer.inJava(path, hosts));
    }
    all.stream().filter(peer -> names.contains(peer.name())).forEach(chosen::add);
    return chosen;
  }

  /** Returns the names of the MPIs of {@link #onHosts} that are asked for, as {@link #chosen} does. */
  public static List<String> chosenOnHosts(List<String> names) {
    return chosen(ON_HOSTS, Function.identity(), names);
  }

  /** The bare loops of {@link #onHosts}. */
  public static List<String> loops() {
    return List.of(SocketPeer.IN_C, SocketPeer.IN_JAVA);
  }

  /** The MPIs as their users start them: Open MPI also without the binding that it chooses by itself. */
  public static List<Launched> launched(SearchPath path) {
    return List.of(
        MpiPeer.openMpiAsItComes("openmpi", path),
        MpiPeer.openMpiAsItComes("openmpi-unbound", path, "--bind-to", "none"),
        MpiPeer.mpich(path));
  }

  /**
   * Returns those of some peers that are asked for, in the order of the tables.
   *
   * @param names what is asked for, {@code none} among them if it is for no peer; {@code null}: all
   * @throws IllegalArgumentException when there is no peer of a name
   */
  public static List<Peer> chosen(List<Peer> all, List<String> names) {
    return chosen(all, Peer::name, names);
  }

  /** Chooses likewise among peers that are launched. */
  public static List<Launched> chosenLaunched(List<Launched> all, List<String> names) {
    return chosen(all, Launched::name, names);
  }

  private static <T> List<T> chosen(List<T> all, Function<T, String> name, List<String> names) {
    if (names == null) {
      return all;
    }
    List<String> known = all.stream().map(name).toList();
    for (String word : names) {
      if (!known.contains(word) && !word.equals("none")) {
        throw new IllegalArgumentException(
            "there is no peer '%s'; peers are %s, or none".formatted(word, String.join(", ", known)));
      }
    }
    return all.stream().filter(peer -> names.contains(name.apply(peer))).toList();
  }

  /**
   * Starts one of them, if that can be done.
   *
   * @param notes where it says why not
   */
  public static Optional<Variant> start(
      Peer peer, int ranks, Cpus cpus, Consumer<String> notes) throws InterruptedException {
    if (ranks > 2 && !peer.hasPairs()) {
      notes.accept(peer.name() + " is left out: it runs as one pair only");
      return Optional.empty();
    }
    if (peer.missing().isPresent()) {
      notes.accept(peer.name() + " is left out: " + peer.missing().get());
      return Optional.empty();
    }
    try {
      return Optional.of(peer.start(ranks, cpus));
    } catch (BenchException | IOException e) {
      notes.accept(peer.name() + " is left out: " + e.getMessage());
      return Optional.empty();
    }
  }
}
