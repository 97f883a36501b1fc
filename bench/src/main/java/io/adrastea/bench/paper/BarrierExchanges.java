package io.adrastea.bench.paper;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import java.util.Set;

/** Brings the barrier of messages to the ranks; named in {@code META-INF/services}. */
public final class BarrierExchanges implements ExchangeFactory {
  /** For the service loader. */
  public BarrierExchanges() {}

  @Override
  public Set<String> commands() {
    return Set.of(Meeting.MESSAGES.kind().command());
  }

  @Override
  public Exchange make(String command, Job job) {
    return new DisseminationBarrier(job.world());
  }
}
