package io.adrastea.bench.waiting;

import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Side;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Brings the waits to the ranks; named in {@code META-INF/services}. */
public final class WaitExchanges implements ExchangeFactory {
  /** How long it takes until a rank is back that has slept, for the benches beside; of two ranks. */
  public static final Kind WOKEN = Wait.WOKEN.kind();

  /** Creates the factory for the service loader. */
  public WaitExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Wait.values()).map(wait -> wait.kind().command()).collect(Collectors.toSet());
  }

  @Override
  public Exchange make(String command, Side side) {
    return new WaitExchange(side.world(), Wait.of(command).orElseThrow());
  }
}
