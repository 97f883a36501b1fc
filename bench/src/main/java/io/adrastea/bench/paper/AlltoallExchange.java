package io.adrastea.bench.paper;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Every rank gives every rank, itself too, a part of its own, as in [MVAPICH 2006, 4.3]. A subclass says how.
 */
abstract class AlltoallExchange implements Exchange {
  private static final int TAG = 14;

  /** Makes the exchange of a way. */
  static AlltoallExchange of(Exchanging way, Communicator world) {
    return way == Exchanging.COLLECTIVE ? new Collective(world) : new Messages(world);
  }

  final Communicator world;
  private final Buffers outgoing = new Buffers();
  private final Buffers incoming = new Buffers();
  MemorySegment out = MemorySegment.NULL;
  MemorySegment in = MemorySegment.NULL;
  long bytes; // of a part
  private int seed;

  private AlltoallExchange(Communicator world) {
    this.world = world;
  }

  @Override
  public void prepare(int bytes) {
    this.bytes = bytes;
    out = outgoing.take((long) bytes * world.size());
    in = incoming.take((long) bytes * world.size());
  }

  @Override
  public final void batch(int count) {
    for (int i = 0; i < count; i++) {
      exchange();
    }
  }

  abstract void exchange();

  /** The part of a rank. */
  final MemorySegment part(MemorySegment all, int rank) {
    return all.asSlice(rank * bytes, bytes);
  }

  @Override
  public final void verify() {
    seed++; // another one each time: what an earlier exchange left behind must not pass
    for (int to = 0; to < world.size(); to++) {
      Buffers.pattern(part(out, to), patternOf(world.rank(), to));
    }
    exchange();
    for (int from = 0; from < world.size(); from++) {
      Buffers.checkPattern(part(in, from), patternOf(from, world.rank()));
    }
  }

  private int patternOf(int from, int to) {
    return (seed * world.size() + from) * world.size() + to;
  }

  /** An exchange in one call. */
  private static final class Collective extends AlltoallExchange {
    private Data given;
    private Data taken;

    Collective(Communicator world) {
      super(world);
    }

    @Override
    public void prepare(int bytes) {
      super.prepare(bytes);
      given = Data.of(out);
      taken = Data.of(in);
    }

    @Override
    void exchange() {
      world.alltoall(given, taken);
    }
  }

  /** In step k each rank sends to the one k further on and receives from the one k before it. */
  private static final class Messages extends AlltoallExchange {
    private Data[] given = {};
    private Data[] taken = {};

    Messages(Communicator world) {
      super(world);
    }

    @Override
    public void prepare(int bytes) {
      super.prepare(bytes);
      given = parts(out);
      taken = parts(in);
    }

    private Data[] parts(MemorySegment all) {
      return IntStream.range(0, world.size()).mapToObj(rank -> Data.of(part(all, rank))).toArray(Data[]::new);
    }

    @Override
    void exchange() {
      int rank = world.rank();
      int ranks = world.size();
      MemorySegment.copy(out, rank * bytes, in, rank * bytes, bytes);
      for (int step = 1; step < ranks; step++) {
        int to = (rank + step) % ranks;
        int from = (rank - step + ranks) % ranks;
        world.sendrecv(given[to], to, TAG, taken[from], from, TAG);
      }
    }
  }
}
