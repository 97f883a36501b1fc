package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Side;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Brings the papers' exchanges to the ranks; named in {@code META-INF/services}. */
public final class PaperExchanges implements ExchangeFactory {
  private static final String BARRIER = Meeting.MESSAGES.kind().command();
  private static final String POLLING = Polling.KIND.command();

  /** Creates the factory for the service loader. */
  public PaperExchanges() {}

  @Override
  public Set<String> commands() {
    Set<String> commands = new HashSet<>(Set.of(BARRIER, POLLING));
    Arrays.stream(Algorithm.values()).map(algorithm -> algorithm.kind().command()).forEach(commands::add);
    Arrays.stream(Exchanging.values()).map(way -> way.kind().command()).forEach(commands::add);
    return commands;
  }

  @Override
  public Exchange make(String command, Side side) {
    if (command.equals(BARRIER)) {
      return new DisseminationBarrier(side.world());
    }
    if (command.equals(POLLING)) {
      return new IdleExchange(side.world());
    }
    Optional<Exchanging> alltoall = Exchanging.of(command);
    if (alltoall.isPresent()) {
      return AlltoallExchange.of(alltoall.get(), side.world());
    }
    return Arrays.stream(Algorithm.values())
        .filter(algorithm -> algorithm.kind().command().equals(command))
        .map(algorithm -> HaloExchange.of(algorithm, side.world()))
        .findFirst()
        .orElseThrow();
  }
}
