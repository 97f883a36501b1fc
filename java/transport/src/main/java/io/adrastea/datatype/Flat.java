package io.adrastea.datatype;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A flattened layout: the blocks of bytes of a datatype in the order of its type map, as nodes that each stand for many
 * of them [SCI-MPICH 2002, 3.3.1]. It is immutable, and is made of the flattened layouts of the datatype's parts, so
 * nobody walks the tree again.
 *
 * <p>
 * It is merged while it is made: adjacent blocks become one, levels of count 1 disappear, copies that continue a stride
 * become more of that stride, a last block and the first of the next copy become one, and lists of displacements that
 * are a stride become one. So every {@link Loop} and every {@link Indexed} stands for at least two copies, and there
 * are no more levels than bits in the number of blocks.
 */
public final class Flat {
  /** The most blocks that a layout may have. */
  public static final long MOST_BLOCKS = 1L << 31;

  /** The layout of no bytes. */
  public static final Flat EMPTY = new Flat(new Node[0]);

  /** So many single blocks in a row are kept as a table rather than as a node each. */
  private static final int MOST_SINGLE_BLOCKS = 16;

  /** A body of so many blocks is looked at for a last one that touches the first of the next copy. */
  private static final int MOST_BLOCKS_TO_TURN = 8;

  private final Node[] nodes;
  private final long bytes;
  private final long blocks;

  private Flat(Node... nodes) {
    this.nodes = nodes;
    long bytes = 0;
    long blocks = 0;
    for (Node node : nodes) {
      bytes = Exact.add(bytes, node.bytes());
      blocks = Exact.add(blocks, node.blocks());
    }
    this.bytes = bytes;
    this.blocks = blocks;
    if (blocks > MOST_BLOCKS) {
      throw new ArithmeticException("%d blocks of bytes are more than %d".formatted(blocks, MOST_BLOCKS));
    }
  }

  /** A part of a layout: some blocks of bytes, relative to where the layout is placed. */
  sealed interface Node permits Blocks, Gather, Runs, Loop, Indexed {
    long position();

    long bytes();

    long blocks();

    Node at(long position);
  }

  /** Blocks of equal size at equal distance. */
  record Blocks(long position, long count, long stride, long size) implements Node {
    @Override
    public long bytes() {
      return Exact.multiply(count, size);
    }

    @Override
    public long blocks() {
      return count;
    }

    @Override
    public Blocks at(long position) {
      return new Blocks(position, count, stride, size);
    }

    private long last() {
      return position + (count - 1) * stride;
    }

    /** The blocks from a number to another one. */
    private Blocks part(long from, long to) {
      return to - from == 1
          ? new Blocks(position + from * stride, 1, 0, size)
          : new Blocks(position + from * stride, to - from, stride, size);
    }
  }

  /** Blocks of equal size, each where a table says. */
  record Gather(long position, long[] displacements, long size) implements Node {
    @Override
    public long bytes() {
      return Exact.multiply(displacements.length, size);
    }

    @Override
    public long blocks() {
      return displacements.length;
    }

    @Override
    public Gather at(long position) {
      return new Gather(position, displacements, size);
    }
  }

  /** Blocks of any sizes. {@code before} has the packed bytes before each of them, and behind those of all. */
  record Runs(long position, long[] displacements, long[] before) implements Node {
    @Override
    public long bytes() {
      return before[displacements.length];
    }

    @Override
    public long blocks() {
      return displacements.length;
    }

    @Override
    public Runs at(long position) {
      return new Runs(position, displacements, before);
    }
  }

  /** Copies of a body at equal distance. */
  record Loop(long position, long count, long stride, Flat body) implements Node {
    @Override
    public long bytes() {
      return Exact.multiply(count, body.bytes);
    }

    @Override
    public long blocks() {
      return Exact.multiply(count, body.blocks);
    }

    @Override
    public Loop at(long position) {
      return new Loop(position, count, stride, body);
    }
  }

  /**
   * Copies of a body, {@code stride} apart, as many from each displacement on as {@code before} tells, which has the
   * copies before each displacement, and behind those of all.
   */
  record Indexed(long position, long[] displacements, long[] before, long stride, Flat body) implements Node {
    @Override
    public long bytes() {
      return Exact.multiply(before[displacements.length], body.bytes);
    }

    @Override
    public long blocks() {
      return Exact.multiply(before[displacements.length], body.blocks);
    }

    @Override
    public Indexed at(long position) {
      return new Indexed(position, displacements, before, stride, body);
    }
  }

  Node[] nodes() {
    return nodes;
  }

  /** Counts the bytes of all blocks. */
  public long bytes() {
    return bytes;
  }

  /** Counts the blocks that are left when all is merged. */
  public long blocks() {
    return blocks;
  }

  /** One block at the origin. */
  public static Flat block(long bytes) {
    return new Flat(new Blocks(0, 1, 0, bytes));
  }

  /** These blocks elsewhere. */
  public Flat at(long displacement) {
    if (displacement == 0) {
      return this;
    }
    Node[] moved = new Node[nodes.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = nodes[i].at(Exact.add(nodes[i].position(), displacement));
    }
    return new Flat(moved);
  }

  /** So many copies at a distance. */
  public Flat repeat(long count, long stride) {
    if (count == 0 || nodes.length == 0) {
      return EMPTY;
    }
    if (count == 1) {
      return this;
    }
    Node folded = nodes.length == 1 ? fold(nodes[0], count, stride) : null;
    if (folded != null) {
      return new Flat(folded);
    }
    Flat turned = turn(count, stride);
    return turned != null ? turned : new Flat(new Loop(0, count, stride, this));
  }

  /** Copies that are one block, or more of the same stride; null: they are not. */
  private static Node fold(Node node, long count, long stride) {
    if (node instanceof Blocks it) {
      if (it.count == 1) {
        return stride == it.size
            ? new Blocks(it.position, 1, 0, Exact.multiply(count, it.size))
            : new Blocks(it.position, count, stride, it.size);
      }
      return stride == Exact.multiply(it.count, it.stride)
          ? new Blocks(it.position, Exact.multiply(count, it.count), it.stride, it.size)
          : null;
    }
    return node instanceof Loop it && stride == Exact.multiply(it.count, it.stride)
        ? new Loop(it.position, Exact.multiply(count, it.count), it.stride, it.body)
        : null;
  }

  /**
   * Copies whose last block touches the first one of the next copy: the first block of all, then copies that each end
   * with both, then what is left of the last one. Null: they do not touch, or there are many blocks.
   */
  private Flat turn(long count, long stride) {
    if (blocks < 2 || blocks > MOST_BLOCKS_TO_TURN) {
      return null;
    }
    List<Blocks> single = new ArrayList<>();
    for (Node node : nodes) {
      if (!(node instanceof Blocks it)) {
        return null;
      }
      for (long i = 0; i < it.count; i++) {
        single.add(it.part(i, i + 1));
      }
    }
    Blocks first = single.getFirst();
    Blocks last = single.getLast();
    if (last.position + last.size != Exact.add(first.position, stride)) {
      return null;
    }
    List<Node> rest = new ArrayList<>(single.subList(1, single.size()));
    List<Node> turned = new ArrayList<>(rest);
    turned.set(rest.size() - 1, new Blocks(last.position, 1, 0, last.size + first.size));
    Flat body = joined(turned).repeat(count - 1, stride);
    return join(new Flat(first), body, joined(rest).at(Exact.multiply(count - 1, stride)));
  }

  /** These one after the other. */
  public static Flat join(Flat... parts) {
    if (parts.length == 1) {
      return parts[0];
    }
    List<Node> all = new ArrayList<>();
    for (Flat part : parts) {
      for (Node node : part.nodes) {
        append(all, node);
      }
    }
    return new Flat(tabled(all).toArray(Node[]::new));
  }

  private static Flat joined(List<Node> nodes) {
    List<Node> all = new ArrayList<>();
    nodes.forEach(node -> append(all, node));
    return new Flat(all.toArray(Node[]::new));
  }

  private static void append(List<Node> all, Node node) {
    if (!all.isEmpty() && all.getLast() instanceof Blocks last && node instanceof Blocks next) {
      if (next.count == 1 && last.last() + last.size == next.position) {
        all.removeLast();
        if (last.count > 1) {
          all.add(last.part(0, last.count - 1));
        }
        append(all, new Blocks(last.last(), 1, 0, last.size + next.size));
        return;
      }
      Blocks longer = continued(last, next);
      if (longer != null) {
        all.set(all.size() - 1, longer);
        return;
      }
    }
    all.add(node);
  }

  /** Both as blocks of one stride; null: they are not. */
  private static Blocks continued(Blocks last, Blocks next) {
    long stride = last.count > 1 ? last.stride : next.count > 1 ? next.stride : next.position - last.position;
    boolean continues =
        last.size == next.size
            && (next.count == 1 || next.stride == stride)
            && next.position == last.position + last.count * stride;
    return continues ? new Blocks(last.position, last.count + next.count, stride, last.size) : null;
  }

  /** Long rows of small nodes as tables. */
  private static List<Node> tabled(List<Node> all) {
    if (all.size() <= MOST_SINGLE_BLOCKS) {
      return all;
    }
    List<Node> result = new ArrayList<>();
    for (int from = 0; from < all.size();) {
      int to = from;
      int count = 0;
      while (to < all.size() && all.get(to) instanceof Blocks it && it.count <= 2) {
        count += (int) it.count;
        to++;
      }
      if (to - from > MOST_SINGLE_BLOCKS) {
        result.add(table(all.subList(from, to), count));
      } else {
        result.addAll(all.subList(from, Math.max(to, from + 1)));
      }
      from = Math.max(to, from + 1);
    }
    return result;
  }

  private static Node table(List<Node> nodes, int count) {
    long[] displacements = new long[count];
    long[] before = new long[count + 1];
    int at = 0;
    for (Node node : nodes) {
      Blocks it = (Blocks) node;
      for (long i = 0; i < it.count; i++) {
        displacements[at++] = it.position + i * it.stride;
        before[at] = before[at - 1] + it.size;
      }
    }
    return tableOf(displacements, before, count);
  }

  /**
   * Copies from each displacement on, {@code extent} apart.
   *
   * @param displacements in bytes; they are not the caller's any more
   * @param lengths copies from each on; the bytes of all fit 64 bits
   */
  public Flat indexed(long[] displacements, Lengths lengths, long extent) {
    if (nodes.length == 0 || lengths.total() == 0) {
      return EMPTY;
    }
    boolean single = nodes.length == 1 && nodes[0] instanceof Blocks it && it.count == 1;
    if (single && (((Blocks) nodes[0]).size == extent || lengths.most() <= 1)) {
      return listed((Blocks) nodes[0], displacements, lengths);
    }
    long[] before = new long[displacements.length + 1];
    int entries = merge(displacements, lengths, before, 1, extent);
    boolean even = true;
    for (int i = 1; i < entries && even; i++) {
      even = before[i + 1] - before[i] == before[1]
          && displacements[i] - displacements[i - 1] == displacements[1] - displacements[0];
    }
    if (even) {
      long stride = entries > 1 ? displacements[1] - displacements[0] : 0;
      return repeat(before[1], extent).repeat(entries, stride).at(displacements[0]);
    }
    return new Flat(
        new Indexed(0, shortened(displacements, entries), shortened(before, entries + 1), extent, this));
  }

  /**
   * Leaves out entries of no copies, and makes one of entries that continue the one before; all of them in their place.
   *
   * @param before becomes the units before each entry, and behind those of all
   * @param units of each copy
   * @param bytes from a unit to the next
   * @return how many entries are left
   */
  private static int merge(long[] displacements, Lengths lengths, long[] before, long units, long bytes) {
    int entries = 0;
    long sum = 0;
    long end = 0; // of the entry before, in memory
    for (int i = 0; i < displacements.length; i++) {
      long at = displacements[i];
      long length = lengths.get(i) * units;
      if (length != 0) {
        displacements[entries] = at; // no branch on what lies anywhere: half of the time it would go wrong
        entries += at == end & entries > 0 ? 0 : 1;
        sum += length;
        before[entries] = sum;
        end = at + length * bytes;
      }
    }
    return entries;
  }

  private static long[] shortened(long[] numbers, int length) {
    return numbers.length == length ? numbers : Arrays.copyOf(numbers, length);
  }

  /**
   * Blocks of contiguous copies of one block. Blocks of one length of which less than half continue the one before stay
   * what they are: merged they would have two lengths at least, and many blocks of one length are copied faster than
   * half as many of several.
   */
  private static Flat listed(Blocks one, long[] displacements, Lengths lengths) {
    long size = Exact.multiply(lengths.most(), one.size);
    if (lengths.areAlike() && touching(displacements, size) < displacements.length / 2) {
      return new Flat(spread(displacements, size)).at(one.position);
    }
    long[] before = new long[displacements.length + 1];
    int entries = merge(displacements, lengths, before, one.size, 1);
    return new Flat(tableOf(displacements, before, entries)).at(one.position);
  }

  /** Counts the blocks that begin where the one before ends. */
  private static int touching(long[] displacements, long size) {
    int touching = 0;
    for (int i = 1; i < displacements.length; i++) {
      touching += displacements[i] - displacements[i - 1] == size ? 1 : 0;
    }
    return touching;
  }

  /** Blocks of equal length. */
  private static Node spread(long[] displacements, long size) {
    long stride = displacements.length > 1 ? displacements[1] - displacements[0] : 0;
    for (int i = 2; i < displacements.length; i++) {
      if (displacements[i] - displacements[i - 1] != stride) {
        return new Gather(0, displacements, size);
      }
    }
    return new Blocks(displacements[0], displacements.length, stride, size);
  }

  /** Blocks from lists, as the simplest node that they are. */
  private static Node tableOf(long[] displacements, long[] before, int entries) {
    long[] at = shortened(displacements, entries);
    for (int i = 1; i < entries; i++) {
      if (before[i + 1] - before[i] != before[1]) {
        return new Runs(0, at, shortened(before, entries + 1));
      }
    }
    return spread(at, before[1]);
  }
}
