package io.adrastea.bench.paper;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Brings the halo exchange to the ranks; named in {@code META-INF/services}. */
public final class HaloExchanges implements ExchangeFactory {
  /** For the service loader. */
  public HaloExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Algorithm.values())
        .map(algorithm -> algorithm.kind().command())
        .collect(Collectors.toSet());
  }

  @Override
  public Exchange make(String command, Job job) {
    return Arrays.stream(Algorithm.values())
        .filter(algorithm -> algorithm.kind().command().equals(command))
        .map(algorithm -> HaloExchange.of(algorithm, job.world()))
        .findFirst()
        .orElseThrow();
  }
}
