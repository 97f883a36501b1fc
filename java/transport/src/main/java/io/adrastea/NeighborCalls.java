package io.adrastea;

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
final class NeighborCalls {
  private final CollectiveCalls calls;
  private final NeighborEdges sources;
  private final NeighborEdges destinations;
  private final int self;
  private final int size;
  private final AtomicReference<Sides> spare = new AtomicReference<>(); // null: in use, or not made yet

  private record Sides(NeighborBlocks gives, NeighborBlocks takes) {}

  NeighborCalls(CollectiveCalls calls, int self, int size, NeighborEdges sources, NeighborEdges destinations) {
    this.calls = calls;
    this.self = self;
    this.size = size;
    this.sources = sources;
    this.destinations = destinations;
  }

  Call allgather(Form form, Data in, Data out) {
    String name = "neighborAllgather";
    requirePlaced(name, CollectiveCalls.requireInput(in));
    if (in.asParts() != null) {
      throw new ArgumentException(Reason.BUFFER,
          "%s of %s; all neighbours get the same data, so there is to be one piece".formatted(name, in));
    }
    calls.requireReadable(in);
    return exchange(form, name, SlotMember.FOR_NEIGHBOR_ALLGATHER, in, in.bytes(), 0, out);
  }

  Call alltoall(Form form, Data in, Data out) {
    String name = "neighborAlltoall";
    requirePlaced(name, CollectiveCalls.requireInput(in));
    requireEach(name, in, destinations);
    calls.requireReadable(in.asParts() == null ? in : in.asParts().whole());
    long bytes = equalBytes(in, destinations);
    return exchange(form, name, SlotMember.FOR_NEIGHBOR_ALLTOALL, in, bytes, bytes, out);
  }

  private Call exchange(Form form, String name, int purpose, Data in, long bytes, long step, Data out) {
    requirePlaced(name, CollectiveCalls.requireOutput(out));
    requireEach(name, out, sources);
    if (out.asParts() == null) {
      calls.requireWritable(out);
    } else {
      calls.requireApart(name, out.asParts());
    }
    Sides unused = spare.getAndSet(null); // null: another thread is in a call, which is refused inside
    Sides sides = unused == null ? new Sides(new NeighborBlocks(size), new NeighborBlocks(size)) : unused;
    try {
      boolean lasts = form == Form.PREPARED;
      Data from = destinations.lay(sides.gives, in, in.asParts(), bytes, step, lasts);
      long each = equalBytes(out, sources);
      Data to = sources.lay(sides.takes, out, out.asParts(), each, each, lasts);
      calls.requireOwn(name, sides.gives.bytes(self), sides.takes.bytes(self));
      calls.requireBytes(name, sides.gives.total());
      return calls.neighbors(form, purpose, sides.gives, sides.takes, from, to);
    } finally {
      spare.set(sides);
    }
  }

  private static void requirePlaced(String name, Data data) {
    if (data == Data.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "%s in place; neighbours need both, an input and an output apart from it".formatted(name));
    }
  }

  /** Refuses data without a part for each edge. */
  private static void requireEach(String name, Data data, NeighborEdges edges) {
    if (data.asParts() != null) {
      data.asParts().requireCount(name, edges.count(), edges.noun());
    } else if (edges.count() > 0 && data.count() % edges.count() != 0) {
      throw new ArgumentException(Reason.COUNT,
          "%s with %s, and %d %s; each has the same number of elements, so it is to be a multiple".formatted(name, data,
              edges.count(), edges.noun()));
    }
  }

  private static long equalBytes(Data data, NeighborEdges edges) {
    return edges.count() == 0 ? 0 : data.bytes() / edges.count();
  }
}
