package io.adrastea.bench.peer;

import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.Cpus;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Variant;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** UCX's own {@code ucx_perftest}, tag matching over its shared memory. */
final class UcxPeer implements Peer {
  private static final String PROGRAM = "ucx_perftest";

  private final SearchPath path;

  UcxPeer(SearchPath path) {
    this.path = path;
  }

  @Override
  public String name() {
    return "ucx";
  }

  @Override
  public Optional<String> missing() {
    return path.missing("ucx-utils util-linux iproute2", PROGRAM, "unshare", "ip");
  }

  @Override
  public Variant start(int ranks, Cpus cpus) throws IOException, BenchException, InterruptedException {
    UcxVariant variant = new UcxVariant(path.find(PROGRAM).orElseThrow(), cpus);
    boolean stands = false;
    try {
      variant.run(new Variant.Order(Kind.LATENCY, 8, 10, 10, Duration.ZERO));
      stands = true;
      return variant;
    } finally {
      if (!stands) {
        variant.close();
      }
    }
  }
}
