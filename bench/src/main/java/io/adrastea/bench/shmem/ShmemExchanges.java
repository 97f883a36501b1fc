package io.adrastea.bench.shmem;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Side;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;

/** Brings the calls to the ranks; named in {@code META-INF/services}. */
public final class ShmemExchanges implements ExchangeFactory {
  /** One for each rank: all its exchanges use it. */
  private static final Map<Communicator, Heap> HEAPS = Collections.synchronizedMap(new WeakHashMap<>());

  /** Creates the factory for the service loader. */
  public ShmemExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Call.values()).map(call -> call.kind().command()).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Exchange make(String command, Side side) {
    Heap heap = HEAPS.get(side.world());
    if (heap == null) { // not computed inside the map: ranks may be threads, which make theirs together
      heap = Heap.of(side.job());
      HEAPS.put(side.world(), heap);
    }
    return new ShmemExchange(Call.of(command).orElseThrow(), side.world(), heap);
  }
}
