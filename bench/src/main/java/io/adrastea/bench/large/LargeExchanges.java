package io.adrastea.bench.large;

import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Side;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Brings the parts to the ranks; named in {@code META-INF/services}. */
public final class LargeExchanges implements ExchangeFactory {
  /** Creates the factory for the service loader. */
  public LargeExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Part.values())
        .map(part -> part.kind().command())
        .collect(Collectors.toSet());
  }

  @Override
  public Exchange make(String command, Side side) {
    Part part = Part.of(command).orElseThrow();
    return part == Part.IN_PLACE || part == Part.COPIED
        ? new InPlaceExchange(side, part == Part.COPIED)
        : new OverlapExchange(side, part);
  }
}
