package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * UCX, tag matching over its shared memory: {@code adr_ucx_peer.c} on UCX's own interface, since {@code ucx_perftest}
 * neither writes nor reads what it passes.
 */
final class UcxPeer implements Peer {
  private static final String NAME = "ucx";
  private static final String SOURCE = "adr_ucx_peer.c";
  private static final String COMPILER = "cc";
  private static final Path HEADER = Path.of("ucp", "api", "ucp.h");
  private static final int MAX_BYTES = 256 << 20;

  /**
   * Where this variable is not set: with its single copy by CMA allowed as well, UCX 1.13 took 1.3 times as long for 64
   * KiB and 1.8 times for 1 MiB.
   */
  private static final String TRANSPORTS = "UCX_TLS";

  private final SearchPath path;
  private final List<Path> includes;

  UcxPeer(SearchPath path) {
    this(path, includes(System.getenv().getOrDefault("CPATH", "")));
  }

  /**
   * @param includes directories in which the compiler looks for headers
   */
  UcxPeer(SearchPath path, List<Path> includes) {
    this.path = path;
    this.includes = includes;
  }

  private static List<Path> includes(String variable) {
    Stream<String> given = Stream.of(variable.split(File.pathSeparator)).filter(word -> !word.isBlank());
    return Stream.concat(given, Stream.of("/usr/local/include", "/usr/include")).map(Path::of).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> missing() {
    Optional<String> compiler = path.missing("apt-get install gcc libc6-dev libucx-dev", COMPILER);
    boolean found = includes.stream().anyMatch(directory -> Files.isReadable(directory.resolve(HEADER)));
    return compiler.isPresent() || found
        ? compiler
        : Optional.of(HEADER + " not found; it comes with: apt-get install libucx-dev");
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    Set<Kind> kinds = Stream.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.RATE)
        .flatMap(kind -> Stream.of(kind, kind.untouched()))
        .collect(Collectors.toUnmodifiableSet());
    return TeamVariant.start(
        new TeamVariant.Abilities(NAME, kinds, 0, MAX_BYTES, false),
        null,
        (variant, scratch) -> {
          ProcessBuilder sides =
              new ProcessBuilder(compile(scratch).toString(), "" + cpus.of(0, 0), "" + cpus.of(0, 1));
          sides.environment().putIfAbsent(TRANSPORTS, "posix,self");
          variant.add(NAME, sides);
          variant.trial();
        });
  }

  private Path compile(Scratch scratch) throws IOException, BenchException, InterruptedException {
    Path program = scratch.file("adr_ucx_peer");
    String source = scratch.copy(SOURCE).toString();
    scratch.copy(MpiPeer.TOUCH); // beside the source, where it is looked for
    String compiler = path.find(COMPILER).orElseThrow().toString();
    Program.run(
        List.of(compiler, "-O3", "-o", program.toString(), source, "-lucp", "-lucs"), scratch.file("compiler.log"));
    if (!Files.isExecutable(program)) {
      throw new BenchException("'" + COMPILER + "' ended well and made no program");
    }
    return program;
  }
}
