package io.adrastea.bench.measure;

import io.adrastea.Communicator;

/** {@link Communicator#barrier}. */
final class SharedBarrier extends BarrierExchange {
  SharedBarrier(Communicator world) {
    super(world);
  }

  @Override
  protected void barrier() {
    world.barrier();
  }
}
