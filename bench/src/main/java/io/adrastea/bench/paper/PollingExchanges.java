package io.adrastea.bench.paper;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import java.util.Set;

/** Brings the exchange beside idle ranks to the ranks; named in {@code META-INF/services}. */
public final class PollingExchanges implements ExchangeFactory {
  /** For the service loader. */
  public PollingExchanges() {}

  @Override
  public Set<String> commands() {
    return Set.of(Polling.KIND.command());
  }

  @Override
  public Exchange make(String command, Job job) {
    return new IdleExchange(job.world());
  }
}
