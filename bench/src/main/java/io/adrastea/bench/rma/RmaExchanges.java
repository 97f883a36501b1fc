package io.adrastea.bench.rma;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import io.adrastea.rma.Window;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;

/** Brings the accesses to the ranks; named in {@code META-INF/services}. */
public final class RmaExchanges implements ExchangeFactory {
  /** One for each rank: all its exchanges use it. */
  private static final Map<Communicator, Window> WINDOWS = Collections.synchronizedMap(new WeakHashMap<>());

  /** Creates the factory for the service loader. */
  public RmaExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Access.values()).map(access -> access.kind().command())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Exchange make(String command, Side side) {
    Window window = WINDOWS.get(side.world());
    if (window == null) { // not computed inside the map: ranks may be threads, which make theirs together
      window = side.memory() == Memory.SHARED
          ? Window.allocate(side.world(), RmaExchange.WINDOW_BYTES, 1)
          : Window.of(side.world(), Arena.global().allocate(RmaExchange.WINDOW_BYTES, 4096), 1);
      WINDOWS.put(side.world(), window);
    }
    return new RmaExchange(Access.of(command).orElseThrow(), side, window);
  }
}
