package io.adrastea.comm;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Form;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The neighbour collectives of one topology as the program calls them. Each is an alltoall by parts, of ranks most of
 * which give nothing to most others: refuses what cannot be, before anything is begun, and turns neighbours into blocks
 * of ranks.
 */
public final class NeighborCalls {
  private final CollectiveCalls calls;
  private final NeighborEdges sources;
  private final NeighborEdges destinations;
  private final int self;
  private final int size;
  private final AtomicReference<Sides> spare = new AtomicReference<>(); // null: in use, or not made yet

  private record Sides(NeighborBlocks gives, NeighborBlocks takes) {}

  /**
   * Makes the neighbour collectives of a topology of so many ranks.
   *
   * @param self this rank
   */
  public NeighborCalls(
      CollectiveCalls calls, int self, int size, NeighborEdges sources, NeighborEdges destinations) {
    this.calls = calls;
    this.self = self;
    this.size = size;
    this.sources = sources;
    this.destinations = destinations;
  }

  /** Gives the same data to all neighbours, and takes from each. */
  public Call allgather(Form form, Placement in, Placement out) {
    String name = "neighborAllgather";
    requirePlaced(name, CollectiveCalls.requireInput(in));
    if (Parts.in(in) != null) {
      throw new ArgumentException(Reason.BUFFER,
          "%s of %s; all neighbours get the same data, so there is to be one piece".formatted(name, in));
    }
    calls.requireReadable(in);
    return exchange(form, name, SlotMember.FOR_NEIGHBOR_ALLGATHER, in, in.bytes(), 0, out);
  }

  /** Gives each neighbour a part of its own, and takes from each. */
  public Call alltoall(Form form, Placement in, Placement out) {
    String name = "neighborAlltoall";
    requirePlaced(name, CollectiveCalls.requireInput(in));
    requireEach(name, in, destinations);
    Parts parts = Parts.in(in);
    calls.requireReadable(parts == null ? in : parts.whole());
    long bytes = equalBytes(in, destinations);
    return exchange(form, name, SlotMember.FOR_NEIGHBOR_ALLTOALL, in, bytes, bytes, out);
  }

  private Call exchange(Form form, String name, int purpose, Placement in, long bytes, long step, Placement out) {
    requirePlaced(name, CollectiveCalls.requireOutput(out));
    requireEach(name, out, sources);
    if (Parts.in(out) == null) {
      calls.requireWritable(out);
    } else {
      calls.requireApart(name, Parts.in(out));
    }
    Sides unused = spare.getAndSet(null); // null: another thread is in a call, which is refused inside
    Sides sides = unused == null ? new Sides(new NeighborBlocks(size), new NeighborBlocks(size)) : unused;
    try {
      boolean lasts = form == Form.PREPARED;
      Placement from = destinations.lay(sides.gives, in, Parts.in(in), bytes, step, lasts);
      long each = equalBytes(out, sources);
      Placement to = sources.lay(sides.takes, out, Parts.in(out), each, each, lasts);
      calls.requireOwn(name, sides.gives.bytes(self), sides.takes.bytes(self));
      calls.requireBytes(name, sides.gives.total());
      return calls.neighbors(form, purpose, sides.gives, sides.takes, from, to);
    } finally {
      spare.set(sides);
    }
  }

  private static void requirePlaced(String name, Placement data) {
    if (data == Placement.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "%s in place; neighbours need both, an input and an output apart from it".formatted(name));
    }
  }

  /** Refuses data without a part for each edge. */
  private static void requireEach(String name, Placement data, NeighborEdges edges) {
    if (Parts.in(data) != null) {
      Parts.in(data).requireCount(name, edges.count(), edges.noun());
    } else if (edges.count() > 0 && data.count() % edges.count() != 0) {
      throw new ArgumentException(Reason.COUNT,
          "%s with %s, and %d %s; each has the same number of elements, so it is to be a multiple".formatted(name, data,
              edges.count(), edges.noun()));
    }
  }

  private static long equalBytes(Placement data, NeighborEdges edges) {
    return edges.count() == 0 ? 0 : data.bytes() / edges.count();
  }
}
