package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.worker.PeerWorker;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two JVMs for each pair and a link of {@link io.adrastea.bench.worker} between them. */
final class JvmPeer implements Peer {
  private static final Set<String> WITH_LIMIT = Set.of("aeron", "agrona");

  /** What Agrona's buffers need, and what makes them fastest. */
  private static final List<String> EXPORTS =
      List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Dagrona.disable.bounds.checks=true");

  private static final Set<Kind> KINDS =
      Stream.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.RATE)
          .flatMap(kind -> Stream.of(kind, kind.untouched()))
          .collect(Collectors.toUnmodifiableSet());

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
    return link.equals("pipe") ? path.missing("apt-get install coreutils", "mkfifo") : Optional.empty();
  }

  @Override
  public boolean hasPairs() {
    return link.equals("pipe") || link.equals("unix");
  }

  @Override
  public Variant start(int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    int maxBytes = WITH_LIMIT.contains(link) ? PeerWorker.MAX_BYTES : Integer.MAX_VALUE;
    return TeamVariant.start(
        new TeamVariant.Abilities(link, KINDS, 1, maxBytes, true),
        SegmentFile.directory(),
        (variant, scratch) -> {
          for (int pair = 0; pair < ranks / 2; pair++) {
            startSides(variant, scratch, pair, cpus);
          }
          variant.greet(PeerWorker.READY);
        });
  }

  private void startSides(TeamVariant variant, Scratch scratch, int pair, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    Path directory = Files.createDirectory(scratch.file("pair" + pair));
    if (link.equals("pipe")) {
      makeFifos(scratch, directory);
    }
    for (int side = 0; side < 2; side++) {
      String name = "side %d of pair %d".formatted(side, pair);
      variant.add(name, worker(side, directory, cpus.of(pair, side)));
    }
  }

  private void makeFifos(Scratch scratch, Path directory) throws IOException, BenchException, InterruptedException {
    List<String> command =
        List.of(
            path.find("mkfifo").orElseThrow().toString(),
            directory.resolve("to0").toString(),
            directory.resolve("to1").toString());
    Program.run(command, scratch.file("mkfifo.log"));
  }

  private ProcessBuilder worker(int side, Path directory, int cpu) {
    return worker(WITH_LIMIT.contains(link) ? EXPORTS : List.of(), link, side, directory, cpu);
  }

  /**
   * A side of a link.
   *
   * @param flags of its JVM
   * @param further words that {@link PeerWorker} gets
   */
  static ProcessBuilder worker(List<String> flags, String link, int side, Path directory, int cpu, String... further) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(PeerWorker.class.getName(), link, "" + side));
    command.addAll(List.of(directory.toString(), "" + cpu));
    command.addAll(List.of(further));
    return new ProcessBuilder(command);
  }
}
