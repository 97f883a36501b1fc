package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.ExchangeFactory;
import io.adrastea.bench.measure.RankCounts;
import io.adrastea.bench.measure.Side;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Brings the collectives to the ranks; named in {@code META-INF/services}. */
public final class CollectiveExchanges implements ExchangeFactory {
  /** One for each rank: all its exchanges meet there. */
  private static final Map<Communicator, StartLine> LINES = Collections.synchronizedMap(new WeakHashMap<>());

  private static final Set<String> COMMANDS = Call.all(List.of(Collective.values()), roots(), List.of(Form.values()))
      .stream()
      .map(call -> call.kind().command())
      .collect(Collectors.toUnmodifiableSet());

  /** Creates the factory for the service loader. */
  public CollectiveExchanges() {}

  private static List<String> roots() {
    Stream<String> ranks = IntStream.range(0, RankCounts.MOST).mapToObj(Integer::toString);
    return Stream.concat(Stream.of(Call.MOVING), ranks).toList();
  }

  @Override
  public Set<String> commands() {
    return COMMANDS;
  }

  @Override
  public Exchange make(String command, Side side) {
    StartLine line = LINES.get(side.world());
    if (line == null) { // not computed inside the map: ranks may be threads, which make theirs together
      line = new StartLine(side.job());
      LINES.put(side.world(), line);
    }
    return new CollectiveExchange(Call.of(command).orElseThrow(), side, line);
  }
}
