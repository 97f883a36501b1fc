package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What another exchange does, timed by the CPU: the time of a batch is the CPU time of both ranks, without that of
 * polls that found nothing. The upper rank tells the lower one its part after the batch.
 */
final class CpuExchange implements Exchange {
  private static final int TAG = 2;

  private final Exchange exchange;
  private final PollMeter meter;
  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final MemorySegment nanos = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

  /**
   * @param meter by which this rank waits
   */
  CpuExchange(Exchange exchange, Side side, PollMeter meter) {
    this.exchange = exchange;
    this.meter = meter;
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
  }

  @Override
  public void prepare(int bytes) {
    exchange.prepare(bytes);
  }

  @Override
  public void batch(int count) {
    exchange.batch(count);
  }

  @Override
  public long timed(int count, Clock clock) {
    long begin = meter.now();
    batch(count);
    long mine = meter.since(begin);
    if (lower) {
      world.recv(nanos, peer, TAG);
      return mine + nanos.get(ValueLayout.JAVA_LONG, 0);
    }
    nanos.set(ValueLayout.JAVA_LONG, 0, mine);
    world.send(nanos, peer, TAG);
    return mine;
  }

  @Override
  public void check() {
    exchange.check();
  }

  @Override
  public void verify() {
    exchange.verify();
  }
}
