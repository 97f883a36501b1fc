package io.adrastea.bench.peer;

import java.nio.file.Path;
import java.util.List;

/** All peers, in the order of the tables. */
public final class Peers {
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
}
