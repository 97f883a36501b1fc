package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
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
      variant.run(new Variant.Order(Kind.LATENCY.untouched(), 8, 10, 10, Duration.ZERO));
      stands = true;
      return variant;
    } finally {
      if (!stands) {
        variant.close();
      }
    }
  }
}
