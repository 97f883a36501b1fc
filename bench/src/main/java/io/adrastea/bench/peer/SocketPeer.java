package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Two processes, one on each of two hosts, that write to and read from a TCP socket and never block: what a network
 * takes at least, in C and in Java. However many ranks the others have, it has two.
 */
final class SocketPeer implements Peer {
  /** The loop in C. */
  static final String IN_C = "c-loop";

  /** The loop in Java, on a {@code SocketChannel}. */
  static final String IN_JAVA = "nio-loop";

  private static final String SOURCE = "adr_socket_peer.c";
  private static final String COMPILER = "cc";
  private static final int MAX_BYTES = 256 << 20;
  private static final Set<Kind> MESSAGES = Set.of(Kind.LATENCY, Kind.LATENCY.untouched(), Kind.BANDWIDTH,
      Kind.BANDWIDTH.untouched(), Kind.RATE, Kind.RATE.untouched());

  private final String name;
  private final SearchPath path;
  private final Hosts hosts;
  private final Set<Kind> collectives;

  private SocketPeer(String name, SearchPath path, Hosts hosts, Set<Kind> collectives) {
    this.name = name;
    this.path = path;
    this.hosts = hosts;
    this.collectives = collectives;
  }

  /**
   * @param collectives instead of which it sends a message each way at once
   */
  static SocketPeer inC(SearchPath path, Hosts hosts, Set<Kind> collectives) {
    return new SocketPeer(IN_C, path, hosts, collectives);
  }

  static SocketPeer inJava(SearchPath path, Hosts hosts) {
    return new SocketPeer(IN_JAVA, path, hosts, Set.of());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> missing() {
    return name.equals(IN_C) ? path.missing("apt-get install gcc libc6-dev", COMPILER) : Optional.empty();
  }

  /** It is a floor, so it is never the best peer. */
  @Override
  public boolean isOurs() {
    return true;
  }

  @Override
  public boolean hasPairs() {
    return true;
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    boolean inJava = name.equals(IN_JAVA);
    Set<Kind> kinds = new HashSet<>(MESSAGES);
    kinds.addAll(collectives);
    return TeamVariant.start(
        new TeamVariant.Abilities(name, kinds, collectives.isEmpty() ? 1 : 0, MAX_BYTES, inJava),
        null,
        (variant, scratch) -> {
          Path program = inJava ? null : compile(scratch);
          int port = hosts.port();
          String line = hosts.startLine();
          for (int side = 0; side < Hosts.COUNT; side++) {
            int cpu = cpus.of(0, side);
            ProcessBuilder builder = inJava
                ? JvmPeer.worker(List.of(), "spinning-tcp", side, scratch.directory(), cpu, hosts.address(0))
                : new ProcessBuilder(program.toString(), "" + side, hosts.address(0), "" + port, "" + cpu);
            builder.command().addAll(0, hosts.enter(side));
            builder.environment().put(Hosts.START_LINE, line);
            variant.add("side " + side, builder);
          }
          variant.greet("ready");
        });
  }

  private Path compile(Scratch scratch) throws IOException, BenchException, InterruptedException {
    Path program = scratch.file("adr_socket_peer");
    String source = scratch.copy(SOURCE).toString();
    for (String header : List.of("adr_rank.h", MpiPeer.TOUCH)) {
      scratch.copy(header); // beside the source, where it is looked for
    }
    Program.run(List.of(path.find(COMPILER).orElseThrow().toString(), "-O3", "-o", program.toString(), source),
        scratch.file("compiler.log"));
    return program;
  }
}
