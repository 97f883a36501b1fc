package io.adrastea.bench.datatypes;

import io.adrastea.Communicator;
import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.Side;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;

/** Brings the cases to the ranks; named in {@code META-INF/services}. */
public final class DatatypeExchanges implements ExchangeFactory {
  /** The memory of each rank: a case may need a quarter of a gigabyte. */
  private static final Map<Communicator, RankMemory> MEMORIES = Collections.synchronizedMap(new WeakHashMap<>());

  /** Creates the factory for the service loader. */
  public DatatypeExchanges() {}

  @Override
  public Set<String> commands() {
    return Arrays.stream(Group.values())
        .flatMap(group -> Arrays.stream(Way.values()).map(way -> way.kind(group).command()))
        .collect(Collectors.toSet());
  }

  @Override
  public Exchange make(String command, Side side) {
    Way.Told told = Way.Told.of(command).orElseThrow();
    RankMemory memory = MEMORIES.computeIfAbsent(side.world(), world -> new RankMemory(side));
    return new CaseExchange(side, told.group(), told.way(), memory);
  }
}
