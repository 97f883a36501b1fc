package io.adrastea.datatype;

import io.adrastea.datatype.Flat.Blocks;
import io.adrastea.datatype.Flat.Gather;
import io.adrastea.datatype.Flat.Indexed;
import io.adrastea.datatype.Flat.Loop;
import io.adrastea.datatype.Flat.Node;
import io.adrastea.datatype.Flat.Runs;
import java.util.Arrays;

/**
 * Whether a layout has a byte twice, so that nothing can be received into it. Most layouts ascend or nest, which is
 * seen from their strides. What is left is looked at block by block: all that lie in one window of memory after the
 * other.
 */
public final class Overlap {
  private static final int MOST_SORTED = 1 << 20;

  private long[] starts = new long[64];
  private long[] ends = new long[64];
  private int found;
  private boolean full;

  private Overlap() {}

  /**
   * A byte that elements of a layout have twice; {@link Long#MIN_VALUE}: none. The caller has checked that they lie in
   * some memory.
   */
  public static long find(Flat flat, Bounds bounds, long count) {
    if (flat.nodes().length == 0 || count == 0) {
      return Long.MIN_VALUE;
    }
    Flat all = flat.repeat(count, bounds.extent());
    Bounds whole = bounds.repeat(count, bounds.extent());
    if (all.bytes() <= whole.trueUpper() - whole.trueLower() && isApart(all)) {
      return Long.MIN_VALUE;
    }
    return new Overlap().search(all, whole.trueLower(), whole.trueUpper());
  }

  /** Seen from the strides alone; false: it has to be looked at. */
  private static boolean isApart(Flat flat) {
    Node[] nodes = flat.nodes();
    for (int i = 0; i < nodes.length; i++) {
      if (!isApart(nodes[i]) || i > 0 && low(nodes[i]) < high(nodes[i - 1])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isApart(Node node) {
    return switch (node) {
      case Blocks it -> it.count() == 1 || Math.abs(it.stride()) >= it.size();
      case Gather it -> ascends(it.displacements(), it.size());
      case Runs it -> ascends(it);
      case Loop it -> isApart(it.body())
          && (Math.abs(it.stride()) >= high(it.body()) - low(it.body()) || isWovenApart(it));
      case Indexed it -> isApart(it);
    };
  }

  /** One stride inside another one: all rows are over before a block of the first row is followed by the next. */
  private static boolean isWovenApart(Loop loop) {
    return loop.body().nodes().length == 1
        && loop.body().nodes()[0] instanceof Blocks it
        && Math.abs(loop.stride()) >= it.size()
        && Math.abs(loop.stride()) <= Math.abs(it.stride()) / loop.count()
        && Math.abs(loop.stride()) * (loop.count() - 1) + it.size() <= Math.abs(it.stride());
  }

  private static boolean isApart(Indexed indexed) {
    long low = low(indexed.body());
    long high = high(indexed.body());
    if (!isApart(indexed.body()) || indexed.stride() < high - low) {
      return false;
    }
    long[] at = indexed.displacements();
    for (int i = 1; i < at.length; i++) {
      long copies = indexed.before()[i] - indexed.before()[i - 1];
      if (at[i] - at[i - 1] < (copies - 1) * indexed.stride() + high - low) {
        return false;
      }
    }
    return true;
  }

  private static boolean ascends(long[] displacements, long size) {
    for (int i = 1; i < displacements.length; i++) {
      if (displacements[i] - displacements[i - 1] < size) {
        return false;
      }
    }
    return true;
  }

  private static boolean ascends(Runs runs) {
    for (int i = 1; i < runs.displacements().length; i++) {
      long size = runs.before()[i] - runs.before()[i - 1];
      if (runs.displacements()[i] - runs.displacements()[i - 1] < size) {
        return false;
      }
    }
    return true;
  }

  private static long low(Flat flat) {
    long low = Long.MAX_VALUE;
    for (Node node : flat.nodes()) {
      low = Math.min(low, low(node));
    }
    return low;
  }

  private static long high(Flat flat) {
    long high = Long.MIN_VALUE;
    for (Node node : flat.nodes()) {
      high = Math.max(high, high(node));
    }
    return high;
  }

  private static long low(Node node) {
    return node.position()
        + switch (node) {
          case Blocks it -> Math.min(0, (it.count() - 1) * it.stride());
          case Gather it -> Arrays.stream(it.displacements()).min().getAsLong();
          case Runs it -> Arrays.stream(it.displacements()).min().getAsLong();
          case Loop it -> low(it.body()) + Math.min(0, (it.count() - 1) * it.stride());
          case Indexed it -> low(it.body()) + extreme(it, false);
        };
  }

  private static long high(Node node) {
    return node.position()
        + switch (node) {
          case Blocks it -> it.size() + Math.max(0, (it.count() - 1) * it.stride());
          case Gather it -> it.size() + Arrays.stream(it.displacements()).max().getAsLong();
          case Runs it -> highest(it);
          case Loop it -> high(it.body()) + Math.max(0, (it.count() - 1) * it.stride());
          case Indexed it -> high(it.body()) + extreme(it, true);
        };
  }

  private static long highest(Runs runs) {
    long high = Long.MIN_VALUE;
    for (int i = 0; i < runs.displacements().length; i++) {
      high = Math.max(high, runs.displacements()[i] + runs.before()[i + 1] - runs.before()[i]);
    }
    return high;
  }

  /** Where the highest, or the lowest, copy lies. */
  private static long extreme(Indexed it, boolean high) {
    long found = high ? Long.MIN_VALUE : Long.MAX_VALUE;
    for (int i = 0; i < it.displacements().length; i++) {
      long first = it.displacements()[i];
      long last = first + (it.before()[i + 1] - it.before()[i] - 1) * it.stride();
      found = high ? Math.max(found, Math.max(first, last)) : Math.min(found, Math.min(first, last));
    }
    return found;
  }

  /** Looks at one window after the other; one that holds too many blocks to be sorted at once is halved. */
  private long search(Flat flat, long from, long to) {
    long width = to - from;
    for (long low = from; low < to;) {
      long high = low + Math.min(width, to - low);
      collect(flat, low, high);
      while (full && high - low > 1) {
        high = low + (high - low) / 2;
        collect(flat, low, high);
      }
      long twice = full ? low : sorted(low);
      if (twice != Long.MIN_VALUE) {
        return twice;
      }
      width = 2 * (high - low); // the next one may be as full, or less
      low = high;
    }
    return Long.MIN_VALUE;
  }

  private void collect(Flat flat, long low, long high) {
    found = 0;
    full = false;
    collect(flat, 0, low, high);
  }

  private void collect(Flat flat, long base, long low, long high) {
    for (Node node : flat.nodes()) {
      if (!full) {
        collect(node, base + node.position(), low, high);
      }
    }
  }

  private void collect(Node node, long base, long low, long high) {
    switch (node) {
      case Blocks it -> {
        long[] range = copies(base, base + it.size(), it.count(), it.stride(), low, high);
        for (long i = range[0]; i < range[1] && !full; i++) {
          add(base + i * it.stride(), it.size(), low, high);
        }
      }
      case Gather it -> {
        for (long at : it.displacements()) {
          add(base + at, it.size(), low, high);
        }
      }
      case Runs it -> {
        for (int i = 0; i < it.displacements().length; i++) {
          add(base + it.displacements()[i], it.before()[i + 1] - it.before()[i], low, high);
        }
      }
      case Loop it -> collect(it.body(), it.count(), it.stride(), base, low, high);
      case Indexed it -> {
        for (int i = 0; i < it.displacements().length && !full; i++) {
          collect(it.body(), it.before()[i + 1] - it.before()[i], it.stride(), base + it.displacements()[i], low, high);
        }
      }
    }
  }

  private void collect(Flat body, long count, long stride, long base, long low, long high) {
    long[] range = copies(base + low(body), base + high(body), count, stride, low, high);
    for (long i = range[0]; i < range[1] && !full; i++) {
      collect(body, base + i * stride, low, high);
    }
  }

  /** The first of those copies of a stretch that may touch a window, and the one behind the last. */
  private static long[] copies(long start, long end, long count, long stride, long low, long high) {
    if (stride == 0) {
      return new long[] {0, end > low && start < high ? count : 0};
    }
    long first = stride > 0 ? Math.floorDiv(low - end, stride) : Math.floorDiv(high - start, stride);
    long last = stride > 0 ? Math.floorDiv(high - start, stride) : Math.floorDiv(low - end, stride);
    return new long[] {Math.clamp(first, 0, count), Math.clamp(last + 1, 0, count)};
  }

  private void add(long start, long size, long low, long high) {
    long from = Math.max(start, low);
    long to = Math.min(start + size, high);
    if (from >= to || full) {
      return;
    }
    if (found == starts.length) {
      if (found == MOST_SORTED) {
        full = true;
        return;
      }
      starts = Arrays.copyOf(starts, 2 * found);
      ends = Arrays.copyOf(ends, 2 * found);
    }
    starts[found] = from;
    ends[found++] = to;
  }

  /** A byte that the blocks of a window have twice: each one's end is behind the start of the next one. */
  private long sorted(long low) {
    Arrays.sort(starts, 0, found); // as many blocks begin before a byte as have ended there, if none has it twice
    Arrays.sort(ends, 0, found);
    for (int i = 1; i < found; i++) {
      if (starts[i] < ends[i - 1]) {
        return starts[i];
      }
    }
    return Long.MIN_VALUE;
  }
}
