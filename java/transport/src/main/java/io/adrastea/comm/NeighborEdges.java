package io.adrastea.comm;

import io.adrastea.engine.operation.Operation;
import io.adrastea.payload.IoEntries;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The edges on one side of neighbour collectives: those over which this rank gives, or those over which it takes. The
 * data of that side has a part for each edge, in the order of the topology. Does not change.
 */
public final class NeighborEdges {
  private final String noun; // what refusals call the ranks at their other ends
  private final int[] ranks; // by edge; NO_RANK: there is no neighbour, and nothing is moved
  private final int[] order; // edges with a neighbour, by rank; those of one rank in the giver's order

  private NeighborEdges(String noun, int[] ranks, Comparator<Integer> ofOneRank) {
    this.noun = noun;
    this.ranks = ranks;
    this.order = IntStream.range(0, ranks.length).filter(edge -> ranks[edge] != Operation.NO_RANK).boxed()
        .sorted(Comparator.comparing((Integer edge) -> ranks[edge]).thenComparing(ofOneRank))
        .mapToInt(Integer::intValue).toArray();
  }

  /** Edges of which those between the same two ranks have the same order at both. */
  public static NeighborEdges inOrder(String noun, int... ranks) {
    return new NeighborEdges(noun, ranks, Comparator.naturalOrder());
  }

  /**
   * Edges over which a rank of a grid takes: what goes towards the smaller coordinate comes from the larger one, also
   * where the same rank is at both [MPI 4.1, 8.6].
   */
  public static NeighborEdges mirrored(String noun, int... ranks) {
    return new NeighborEdges(noun, ranks, Comparator.comparing(edge -> edge ^ 1));
  }

  int count() {
    return ranks.length;
  }

  String noun() {
    return noun;
  }

  /**
   * Tells the engine where the parts of data lie.
   *
   * @param parts one for each edge; null: they are of equal length
   * @param bytes of each, if so
   * @param step bytes from one to the next, if so; 0: each is all of the data
   * @param lasts the call is prepared, and keeps the data
   * @return the data in which the blocks lie: where the parts of a rank are not one behind the other, a view in which
   *   they are
   */
  Placement lay(NeighborBlocks blocks, Placement data, Parts parts, long bytes, long step, boolean lasts) {
    blocks.clear();
    boolean behind = true;
    for (int edge : order) {
      behind &= parts == null
          ? blocks.add(ranks[edge], bytes, edge * step)
          : blocks.add(ranks[edge], parts.bytes(edge), parts.at(edge));
    }
    Placement whole = parts == null ? data : parts.whole();
    if (behind) {
      return whole;
    }
    return whole.entries() == null
        ? laySorted(blocks, data, parts, step)
        : layEntries(blocks, whole.entries(), parts, bytes, step, blocks.view(lasts));
  }

  private Placement layEntries(NeighborBlocks blocks, IoEntries entries, Parts parts, long bytes, long step,
      NeighborBlocks.View view) {
    blocks.clear();
    for (int edge : order) {
      long length = parts == null ? bytes : parts.bytes(edge);
      blocks.add(ranks[edge], length, view.entries().bytes());
      view.entries().add(entries, parts == null ? edge * step : parts.at(edge), length);
    }
    return view.data();
  }

  private Parts equal(Placement data, long step) {
    long[] counts = new long[ranks.length];
    long[] firsts = new long[ranks.length];
    long count = step == 0 ? data.count() : data.count() / ranks.length;
    Arrays.fill(counts, count);
    Arrays.setAll(firsts, edge -> step == 0 ? 0 : edge * count);
    return Parts.of(data, counts, firsts);
  }

  private Placement laySorted(NeighborBlocks blocks, Placement data, Parts parts, long step) {
    Parts sorted = blocks.sorted(data, step == 0);
    if (sorted == null) {
      Parts all = parts == null ? equal(data, step) : parts;
      sorted = Parts.of(Arrays.stream(order).mapToObj(all::part).toArray(Placement[]::new));
      blocks.keepSorted(data, step == 0, sorted);
    }
    blocks.clear();
    for (int i = 0; i < order.length; i++) {
      blocks.add(ranks[order[i]], sorted.bytes(i), sorted.at(i));
    }
    return sorted.whole();
  }
}
