package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code ucx_perftest} takes no commands: each order is a run of its own, a server and a client in a network of their
 * own. It tells one figure for all iterations, so that all batches of an order are given the same time, and its
 * percentiles say nothing.
 */
final class UcxVariant implements Variant {
  private static final Map<String, String> ENVIRONMENT = Map.of("UCX_TLS", "posix,self");

  private static final Set<Kind> KINDS =
      Set.of(Kind.LATENCY.untouched(), Kind.BANDWIDTH.untouched(), Kind.RATE.untouched());

  /** Its server listens on all interfaces: here on those of a network that ends with the two processes. */
  private static final List<String> OWN_NETWORK =
      List.of("unshare", "-rnpf", "--mount-proc", "--kill-child");

  private static final String SCRIPT =
      """
          program=$1; client=$2; server=$3; shift 3
          ip link set lo up || exit 1
          "$program" -c "$server" >/dev/null & pid=$!
          tries=0
          until "$program" 127.0.0.1 -c "$client" "$@" 2>&1; do
            tries=$((tries + 1)) # the server does not listen yet
            [ $tries -lt 100 ] && kill -0 $pid 2>/dev/null || exit 1
            sleep 0.02
          done
          """;

  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_WARM_UP = 10_000;

  private final Path program;
  private final Cpus cpus;
  private final Scratch scratch;

  UcxVariant(Path program, Cpus cpus) throws IOException {
    this.program = program;
    this.cpus = cpus;
    this.scratch = new Scratch(null);
  }

  @Override
  public String name() {
    return "ucx";
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return KINDS.contains(kind)
        && bytes >= 1
        && bytes <= MAX_BYTES;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    try {
      UcxReport report = UcxReport.parse(measure(order));
      double nanos =
          order.kind().equals(Kind.LATENCY.untouched()) ? report.roundTripNanos() : report.messageNanos();
      long[] times = new long[order.batches()];
      Arrays.fill(times, Math.max(1, Math.round(nanos * order.exchanges())));
      return List.of(times);
    } catch (IOException e) {
      throw new BenchException("ucx_perftest cannot be run: " + e.getMessage(), e);
    }
  }

  private String measure(Order order) throws IOException, BenchException, InterruptedException {
    try (Program both = new Program(words(order), ENVIRONMENT, scratch.file("ucx.log"))) {
      if (!both.await(order.deadline())) {
        throw both.failure();
      }
      return both.text();
    }
  }

  private List<String> words(Order order) {
    int iterations = Math.clamp((long) order.batches() * order.exchanges(), 10, 50_000_000);
    List<String> command = new ArrayList<>(OWN_NETWORK);
    command.addAll(List.of("sh", "-c", SCRIPT, "sh", program.toString()));
    command.addAll(List.of("" + cpus.of(0, 0), "" + cpus.of(0, 1)));
    command.addAll(List.of("-t", order.kind().equals(Kind.LATENCY.untouched()) ? "tag_lat" : "tag_bw"));
    if (order.kind().equals(Kind.RATE.untouched())) {
      command.addAll(List.of("-O", "1")); // each is complete before the next begins, as if they blocked
    }
    command.addAll(List.of("-s", "" + order.bytes(), "-n", "" + iterations));
    command.addAll(List.of("-w", "" + Math.clamp(iterations / 10, 1, MAX_WARM_UP), "-f", "-v"));
    return command;
  }

  @Override
  public boolean optional() {
    return true;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
