package io.adrastea.bench.compare;

import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.PeerSource;
import io.adrastea.bench.measure.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The peers of {@code bench compare} for the papers' experiments; named in {@code META-INF/services}. */
public final class InstalledPeers implements PeerSource {
  /** For the service loader. */
  public InstalledPeers() {}

  @Override
  public List<Variant> start(List<String> names, Cpus cpus, Consumer<String> notes)
      throws InterruptedException {
    List<Variant> started = new ArrayList<>();
    for (Peer peer : Peers.all(SearchPath.here(), null)) {
      if (names.contains(peer.name())) {
        Peers.start(peer, 2, cpus, notes).ifPresent(started::add);
      }
    }
    return started;
  }
}
