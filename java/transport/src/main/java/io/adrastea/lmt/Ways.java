package io.adrastea.lmt;

/** The mechanisms of one rank, by the numbers that cookies have for them. */
final class Ways {
  final Lmt get;
  final Lmt put;
  final Lmt ring;

  Ways(Node node) {
    this.get = new GetLmt(node);
    this.put = new PutLmt(node);
    this.ring = new RingLmt(node);
  }

  Lmt of(int number) {
    return switch (number) {
      case Cookies.GET -> get;
      case Cookies.PUT -> put;
      case Cookies.RING -> ring;
      default -> throw new IllegalArgumentException("no way %d for a large message".formatted(number));
    };
  }
}
