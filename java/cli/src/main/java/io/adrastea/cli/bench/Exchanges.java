package io.adrastea.cli.bench;

import io.adrastea.Communicator;
import java.util.Map;
import java.util.ServiceLoader;

/** What a worker can do, by command. */
final class Exchanges {
  /** Makes an exchange between a rank and its peer. */
  private interface Maker {
    Exchange make(Communicator world, int peer, boolean lower);
  }

  private static final Map<String, Maker> OWN =
      Map.of(
          Kind.LATENCY.command(), PingPong::new,
          Kind.BANDWIDTH.command(), Stream::new,
          Kind.RATE.command(), BlockingStream::new,
          Kind.BIBANDWIDTH.command(), TwoStreams::new,
          Kind.COPY.command(), CrossCopy::new,
          Kind.BARRIER.command(), (world, peer, lower) -> new SharedBarrier(world));

  private Exchanges() {}

  /** Whether there is an exchange for a command. */
  static boolean has(String command) {
    return OWN.containsKey(command) || foreign(command) != null;
  }

  /**
   * @throws IllegalArgumentException when there is none
   */
  static Exchange make(String command, Communicator world, int peer, boolean lower) {
    Maker maker = OWN.get(command);
    if (maker != null) {
      return maker.make(world, peer, lower);
    }
    ExchangeFactory factory = foreign(command);
    if (factory == null) {
      throw new IllegalArgumentException("unknown command '" + command + "'");
    }
    return factory.make(command, world);
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
