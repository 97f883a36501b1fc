package io.adrastea.bench.peer;

import io.adrastea.bench.worker.PeerWorker;
import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.Cpus;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Variant;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Two JVMs and a link of {@link io.adrastea.bench.worker} between them. */
final class JvmPeer implements Peer {
  private static final Duration MKFIFO_DEADLINE = Duration.ofSeconds(10);
  private static final Set<String> WITH_LIMIT = Set.of("aeron", "agrona");

  /** What Agrona's buffers need. */
  private static final List<String> EXPORTS =
      List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED");

  private static final Set<Kind> KINDS =
      Set.of(
          Kind.LATENCY,
          Kind.LATENCY.touched(),
          Kind.BANDWIDTH,
          Kind.BANDWIDTH.touched(),
          Kind.RATE);

  private final String link;
  private final SearchPath path;

  /**
   * @param link a kind of link that {@link PeerWorker} knows, and the variant's name
   */
  JvmPeer(String link, SearchPath path) {
    this.link = link;
    this.path = path;
  }

  @Override
  public String name() {
    return link;
  }

  @Override
  public Optional<String> missing() {
    return link.equals("pipe") ? path.missing("coreutils", "mkfifo") : Optional.empty();
  }

  @Override
  public Variant start(Cpus cpus) throws IOException, BenchException, InterruptedException {
    int maxBytes = WITH_LIMIT.contains(link) ? PeerWorker.MAX_BYTES : Integer.MAX_VALUE;
    Scratch scratch = new Scratch(SegmentFile.directory());
    TeamVariant variant =
        new TeamVariant(new TeamVariant.Abilities(link, KINDS, 1, maxBytes), scratch);
    boolean stands = false;
    try {
      startSides(variant, scratch, cpus);
      stands = true;
      return variant;
    } finally {
      if (!stands) {
        variant.close();
      }
    }
  }

  private void startSides(TeamVariant variant, Scratch scratch, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    if (link.equals("pipe")) {
      makeFifos(scratch);
    }
    for (int side = 0; side < 2; side++) {
      variant.add("side " + side, worker(side, scratch.directory(), cpus.of(0, side)));
    }
    variant.greet(PeerWorker.READY);
  }

  private void makeFifos(Scratch scratch) throws IOException, BenchException, InterruptedException {
    List<String> command =
        List.of(
            path.find("mkfifo").orElseThrow().toString(),
            scratch.file("to0").toString(),
            scratch.file("to1").toString());
    try (Program run = new Program(command, Map.of(), scratch.file("mkfifo.log"))) {
      if (!run.await(MKFIFO_DEADLINE)) {
        throw run.failure();
      }
    }
  }

  private ProcessBuilder worker(int side, Path directory, int cpu) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    if (WITH_LIMIT.contains(link)) {
      command.addAll(EXPORTS);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PeerWorker.class.getName(), link, "" + side));
    command.addAll(List.of(directory.toString(), "" + cpu));
    return new ProcessBuilder(command);
  }
}
