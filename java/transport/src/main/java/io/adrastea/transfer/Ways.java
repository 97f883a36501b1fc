package io.adrastea.transfer;

/** The paths of one rank, by the numbers that cookies have for them. */
final class Ways {
  final Mechanism get;
  final Mechanism put;
  final Mechanism ring;

  Ways(Node node) {
    this.get = new GetMechanism(node);
    this.put = new PutMechanism(node);
    this.ring = new RingMechanism(node);
  }

  Mechanism of(int number) {
    return switch (number) {
      case Cookie.GET -> get;
      case Cookie.PUT -> put;
      case Cookie.RING -> ring;
      default -> throw new IllegalArgumentException("no way %d for a large message".formatted(number));
    };
  }
}
