package io.adrastea.bench.crowd;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** All ranks add up doubles: an exchange is one such call. */
final class AllreduceExchange implements Exchange {
  private final Communicator world;
  private MemorySegment in;
  private MemorySegment out;
  private Data mine;
  private Data sum;

  AllreduceExchange(Communicator world) {
    this.world = world;
  }

  @Override
  public void prepare(int bytes) {
    if (in == null || in.byteSize() != bytes) {
      in = Arena.ofAuto().allocate(bytes, Double.BYTES);
      out = Arena.ofAuto().allocate(bytes, Double.BYTES);
      mine = Data.of(in, 0, bytes / Double.BYTES, Datatype.DOUBLE);
      sum = Data.of(out, 0, bytes / Double.BYTES, Datatype.DOUBLE);
    }
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      world.allreduce(mine, sum, Op.SUM);
    }
  }

  @Override
  public void verify() {
    int size = world.size();
    for (long i = 0; i < in.byteSize() / Double.BYTES; i++) {
      in.setAtIndex(ValueLayout.JAVA_DOUBLE, i, world.rank() + 1);
    }
    batch(1);
    for (long i = 0; i < out.byteSize() / Double.BYTES; i++) {
      double found = out.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
      if (found != size * (size + 1) / 2.0) {
        throw new IllegalStateException(
            "a sum over %d ranks is %s at %d, not %s".formatted(size, found, i, size * (size + 1) / 2.0));
      }
    }
  }
}
