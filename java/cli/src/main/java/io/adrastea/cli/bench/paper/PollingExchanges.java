package io.adrastea.cli.bench.paper;

import io.adrastea.Job;
import io.adrastea.cli.bench.Exchange;
import io.adrastea.cli.bench.ExchangeFactory;
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
