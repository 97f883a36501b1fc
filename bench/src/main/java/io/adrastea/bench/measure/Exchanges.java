package io.adrastea.bench.measure;

import java.util.Map;
import java.util.ServiceLoader;

/** What a worker can do, by command. */
public final class Exchanges {
  /** Makes an exchange between a rank and its peer. */
  private interface Maker {
    Exchange make(Side side);
  }

  private static final Map<String, Maker> OWN =
      Map.ofEntries(
          Map.entry(Kind.LATENCY.command(), side -> new PingPong(side, true)),
          Map.entry(Kind.LATENCY.untouched().command(), side -> new PingPong(side, false)),
          Map.entry(Kind.BANDWIDTH.command(), side -> new Stream(side, false, true)),
          Map.entry(Kind.BANDWIDTH.untouched().command(), side -> new Stream(side, false, false)),
          Map.entry(Kind.BIBANDWIDTH.command(), side -> new Stream(side, true, true)),
          Map.entry(Kind.BIBANDWIDTH.untouched().command(), side -> new Stream(side, true, false)),
          Map.entry(Kind.RATE.command(), side -> new BlockingStream(side, true)),
          Map.entry(Kind.RATE.untouched().command(), side -> new BlockingStream(side, false)),
          Map.entry(Kind.POLLED_RATE.command(), side -> new PolledStream(side, true)),
          Map.entry(Kind.POLLED_RATE.untouched().command(), side -> new PolledStream(side, false)),
          Map.entry(Kind.COPY.command(), CrossCopy::new),
          Map.entry(Kind.BARRIER.command(), side -> new BarrierExchange(side.world())),
          Map.entry(Kind.TOUCH.command(), TouchAlone::new));

  private Exchanges() {}

  /** Whether there is an exchange for a command. */
  static boolean has(String command) {
    return OWN.containsKey(command) || foreign(command) != null;
  }

  /**
   * A new exchange of this rank; every rank of the job makes the same.
   *
   * @throws IllegalArgumentException when there is none for the command
   */
  public static Exchange make(String command, Side side) {
    Maker maker = OWN.get(command);
    if (maker != null) {
      return maker.make(side);
    }
    ExchangeFactory factory = foreign(command);
    if (factory == null) {
      throw new IllegalArgumentException("unknown command '" + command + "'");
    }
    return factory.make(command, side);
  }

  private static ExchangeFactory foreign(String command) {
    for (ExchangeFactory factory : ServiceLoader.load(ExchangeFactory.class)) {
      if (factory.commands().contains(command)) {
        return factory;
      }
    }
    return null;
  }
}
