package io.adrastea.bench.measure;

/** Messages are written and read, one after the other, and never sent: what touching takes alone. */
final class TouchAlone implements Exchange {
  private final Storage storage;
  private final Touch touch = new Touch(true);
  private Payload[] messages;
  private int turn;

  TouchAlone(Side side) {
    this.storage = side.storage();
  }

  @Override
  public void prepare(int bytes) {
    messages = storage.take(Touched.buffers(bytes), bytes);
    touch.begin(bytes);
    turn = 0;
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      touch.write(messages[turn].memory());
      touch.read(messages[turn].memory());
      turn = turn + 1 == messages.length ? 0 : turn + 1;
    }
  }

  @Override
  public void verify() {
    touch.check();
  }
}
