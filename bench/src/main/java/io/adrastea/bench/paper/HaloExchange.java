package io.adrastea.bench.paper;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Request;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.MemorySegment;

/**
 * The halo exchange of [MPICH2 2007, 4.4]: ranks in a 2-D grid that wraps around, each gives its neighbours the edges
 * of its tile. One row goes north and one column west, two rows go south and two columns east, so an exchange is four
 * messages out and four in; "a 1 to 2 row and column halo". A subclass says by which calls. The edges are contiguous:
 * packing columns is not timed.
 */
abstract class HaloExchange implements Exchange {
  private static final int FIRST_TAG = 8;
  private static final int[] ROW_STEPS = {-1, 1, 0, 0}; // north, south, west, east
  private static final int[] COLUMN_STEPS = {0, 0, -1, 1};
  private static final int[] WIDTHS = {1, 2, 1, 2};
  private static final int DIRECTIONS = WIDTHS.length;
  private static final int LINE = 128;

  /** The exchange by the calls of an algorithm. */
  static HaloExchange of(Algorithm algorithm, Communicator world) {
    return switch (algorithm) {
      case SEND_RECEIVE -> new SendReceive(world);
      case NON_BLOCKING -> new NonBlocking(world);
      case PERSISTENT -> new Persistent(world);
    };
  }

  final Communicator world;
  final int[] to = new int[DIRECTIONS];
  final int[] from = new int[DIRECTIONS];
  final MemorySegment[] out = new MemorySegment[DIRECTIONS];
  final MemorySegment[] in = new MemorySegment[DIRECTIONS];
  private final Buffers memory = new Buffers();
  private int seed;

  private HaloExchange(Communicator world) {
    this.world = world;
    for (int side = 0; side < DIRECTIONS; side++) {
      to[side] = neighbour(world.rank(), world.size(), ROW_STEPS[side], COLUMN_STEPS[side]);
      from[side] = neighbour(world.rank(), world.size(), -ROW_STEPS[side], -COLUMN_STEPS[side]);
    }
  }

  /** Rows of the grid: of all divisors the one nearest to the root, from below. */
  static int gridRows(int ranks) {
    int rows = (int) Math.sqrt(ranks);
    while (ranks % rows != 0) {
      rows--;
    }
    return rows;
  }

  /** The rank that many rows down and columns to the right, around the edges of the grid. */
  static int neighbour(int rank, int ranks, int down, int right) {
    int rows = gridRows(ranks);
    int columns = ranks / rows;
    int row = Math.floorMod(rank / columns + down, rows);
    return row * columns + Math.floorMod(rank % columns + right, columns);
  }

  @Override
  public void prepare(int bytes) {
    long stride = 2L * bytes + LINE & -LINE;
    MemorySegment all = memory.take(2 * DIRECTIONS * stride);
    for (int side = 0; side < DIRECTIONS; side++) {
      out[side] = all.asSlice(2 * side * stride, (long) WIDTHS[side] * bytes);
      in[side] = all.asSlice((2 * side + 1) * stride, (long) WIDTHS[side] * bytes);
    }
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      exchange();
    }
  }

  abstract void exchange();

  int tag(int side) {
    return FIRST_TAG + side;
  }

  @Override
  public void verify() {
    seed++; // Another one each time: what an earlier message left behind must not pass.
    for (int side = 0; side < DIRECTIONS; side++) {
      Buffers.pattern(out[side], seed + DIRECTIONS * world.rank() + side);
    }
    batch(1);
    for (int side = 0; side < DIRECTIONS; side++) {
      Buffers.checkPattern(in[side], seed + DIRECTIONS * from[side] + side);
    }
  }

  /** One direction after the other. */
  private static final class SendReceive extends HaloExchange {
    SendReceive(Communicator world) {
      super(world);
    }

    @Override
    void exchange() {
      for (int side = 0; side < DIRECTIONS; side++) {
        world.sendrecv(Data.of(out[side]), to[side], tag(side), Data.of(in[side]), from[side], tag(side));
      }
    }
  }

  /** All receives, then all sends, then a wait for all. */
  private static final class NonBlocking extends HaloExchange {
    private final Request[] requests = new Request[2 * DIRECTIONS];

    NonBlocking(Communicator world) {
      super(world);
    }

    @Override
    void exchange() {
      for (int side = 0; side < DIRECTIONS; side++) {
        requests[side] = world.irecv(in[side], from[side], tag(side));
      }
      for (int side = 0; side < DIRECTIONS; side++) {
        requests[DIRECTIONS + side] = world.isend(out[side], to[side], tag(side));
      }
      Request.waitAll(requests);
    }
  }

  /** An exchange with requests that are made once: the receives are posted before the sends. */
  private static final class Persistent extends HaloExchange {
    private final Request[] requests = new Request[2 * DIRECTIONS];

    Persistent(Communicator world) {
      super(world);
    }

    @Override
    public void prepare(int bytes) {
      super.prepare(bytes);
      for (int side = 0; side < DIRECTIONS; side++) {
        requests[side] = world.recvInit(Data.of(in[side]), from[side], tag(side));
        requests[DIRECTIONS + side] = world.sendInit(Data.of(out[side]), to[side], tag(side));
      }
    }

    @Override
    void exchange() {
      for (Request request : requests) {
        request.start();
      }
      Request.waitAll(requests);
    }
  }
}
