package io.adrastea.comm;

import io.adrastea.engine.collective.Blocks;
import io.adrastea.payload.IoEntries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * What one side of a neighbour collective is for the engine: for each rank of the communicator one block, in which the
 * parts of all edges to that rank lie one behind the other. Mutable and reused.
 */
final class NeighborBlocks implements Blocks {
  private final long[] bytes;
  private final long[] at;
  private final Map<Placement, Parts> sortedParts = new WeakHashMap<>(); // so that the same data makes no garbage again
  private final Map<Placement, Parts> sortedWholes = new WeakHashMap<>();
  private final List<View> views = new ArrayList<>(); // of I/O vectors

  /** Entries of an I/O vector in another order, and the data that they are. */
  record View(IoEntries entries, Placement data) {
    private View() {
      this(new IoEntries(2));
    }

    private View(IoEntries entries) {
      this(entries, new Placement(entries, null));
    }
  }

  NeighborBlocks(int size) {
    this.bytes = new long[size];
    this.at = new long[size];
  }

  void clear() {
    Arrays.fill(bytes, 0);
  }

  /** Adds the part of an edge to the block of its rank; whether it lies behind those of the edges before it. */
  boolean add(int rank, long length, long start) {
    if (length == 0) {
      return true;
    }
    if (bytes[rank] == 0) {
      at[rank] = start;
    }
    boolean behind = at[rank] + bytes[rank] == start;
    bytes[rank] += length;
    return behind;
  }

  /**
   * The view of data in which its parts lie in the order of ranks, as {@link #keepSorted} was given it; null: there is
   * none.
   *
   * @param whole each part is all of the data
   */
  Parts sorted(Placement data, boolean whole) {
    return (whole ? sortedWholes : sortedParts).get(data);
  }

  /** Keeps such a view for as long as the data is used. */
  void keepSorted(Placement data, boolean whole, Parts sorted) {
    (whole ? sortedWholes : sortedParts).put(data, sorted);
  }

  /**
   * A view without entries, for an I/O vector, which can have other entries in the next call.
   *
   * @param lasts it is kept for later calls; else it is one that no operation on its way uses, and is used again
   */
  View view(boolean lasts) {
    if (lasts) {
      return new View();
    }
    for (View view : views) {
      if (!view.entries().isUsed()) {
        view.entries().clear();
        return view;
      }
    }
    View made = new View();
    views.add(made);
    return made;
  }

  long total() {
    long sum = 0;
    for (long length : bytes) {
      sum += length;
    }
    return sum;
  }

  @Override
  public long bytes(int member) {
    return bytes[member];
  }

  @Override
  public long at(int member) {
    return bytes[member] == 0 ? 0 : at[member];
  }
}
