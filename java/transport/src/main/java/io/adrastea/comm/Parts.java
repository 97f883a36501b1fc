package io.adrastea.comm;

import io.adrastea.engine.collective.Blocks;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Joined;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What {@code Data.parts} consists of. Each part is some bytes of the whole in its packed order; of parts that lie
 * anywhere the whole is all of them, one behind the other. For calls that know no parts it is a payload that nothing
 * can be done with. Does not change.
 */
public final class Parts implements NoData, Blocks {
  private static final int NONE = -1;
  private static final int UNKNOWN = -2;

  private final Placement whole;
  private final Placement[] each; // null: they are told by their elements
  private final long[] counts; // of elements; null where each is told
  private final long[] firsts; // elements; likewise
  private final long[] bytes; // of each
  private final long[] at; // in the whole's packed order
  private int overlapping = UNKNOWN; // a part that overlaps another one
  private Placement joined; // all parts, one behind the other; null: nobody has asked

  private Parts(Placement whole, Placement[] each, long[] counts, long[] firsts, long[] bytes, long[] at) {
    this.whole = whole;
    this.each = each;
    this.counts = counts;
    this.firsts = firsts;
    this.bytes = bytes;
    this.at = at;
  }

  /** Parts of one whole, as many as there are counts and displacements. */
  public static Parts of(Placement whole, long[] counts, long[] displacements) {
    requireThere(whole, counts, displacements);
    if (counts.length != displacements.length) {
      throw new ArgumentException(Reason.COUNT,
          "%d counts and %d displacements of parts; name both of each part".formatted(counts.length,
              displacements.length));
    }
    return of(whole, counts.length, counts, displacements);
  }

  /** Parts of the first counts and displacements alone; where more follow, these may be anything. */
  public static Parts of(Placement whole, int parts, long[] counts, long[] displacements) {
    requireThere(whole, counts, displacements);
    if (parts < 0 || parts > Math.min(counts.length, displacements.length)) {
      throw new ArgumentException(Reason.COUNT,
          "%d parts, of which there are %d counts and %d displacements; as many or more of both are to be there, and 0 "
              .formatted(parts, counts.length, displacements.length) + "parts or more");
    }
    long element = whole.count() == 0 ? 0 : whole.bytes() / whole.count();
    long[] firsts = new long[parts];
    long[] bytes = new long[parts];
    long[] at = new long[parts];
    for (int i = 0; i < parts; i++) {
      firsts[i] = counts[i] == 0 ? Math.clamp(displacements[i], 0, whole.count()) : displacements[i];
      if ((counts[i] | firsts[i]) < 0 || counts[i] > whole.count() - firsts[i]) {
        throw new IndexOutOfBoundsException(
            ("part %d, of %d elements from %d on, does not lie in %s; both are to be 0 or more, and together at most "
                + "%d").formatted(i, counts[i], displacements[i], whole, whole.count()));
      }
      bytes[i] = counts[i] * element;
      at[i] = firsts[i] * element;
    }
    return new Parts(whole, null, Arrays.copyOf(counts, parts), firsts, bytes, at);
  }

  /** What data consists of; null: it has no parts. */
  public static Parts in(Placement data) {
    return data.scattered() instanceof Parts parts ? parts : null;
  }

  private static void requireThere(Placement whole, long[] counts, long[] displacements) {
    requirePartless(whole);
    Objects.requireNonNull(counts, "the counts are null");
    Objects.requireNonNull(displacements, "the displacements are null");
  }

  /** Parts that lie anywhere. */
  public static Parts of(Placement... each) {
    Placement[] parts = each.clone();
    long[] bytes = new long[parts.length];
    long[] at = new long[parts.length];
    long next = 0;
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = requirePartless(parts[i]).bytes();
      at[i] = next;
      next = Math.addExact(next, bytes[i]);
    }
    return new Parts(joined(parts), parts, null, null, bytes, at);
  }

  private static Placement requirePartless(Placement data) {
    if (Placement.requireNonNull(data) == Placement.IN_PLACE || in(data) != null) {
      throw new ArgumentException(Reason.BUFFER,
          "%s as a part, or to be cut in parts; allowed is memory".formatted(data));
    }
    return data;
  }

  /** Numbers as longs, which refusals call {@code what}. */
  public static long[] longs(int[] numbers, String what) {
    return IntStream.of(Objects.requireNonNull(numbers, () -> "the " + what + " are null")).asLongStream().toArray();
  }

  private static int overlapping(long[] bytes, long... at) {
    int[] order = IntStream.range(0, bytes.length).filter(i -> bytes[i] > 0).boxed()
        .sorted(Comparator.comparingLong(i -> at[i]))
        .mapToInt(Integer::intValue).toArray();
    for (int i = 1; i < order.length; i++) {
      if (at[order[i - 1]] + bytes[order[i - 1]] > at[order[i]]) {
        return order[i];
      }
    }
    return NONE;
  }

  /**
   * A part that overlaps one before it, of contiguous ones alone: it takes long to find out where scattered data lies.
   */
  private static int overlapping(Placement... each) {
    for (int one = 0; one < each.length; one++) {
      for (int other = 0; other < one; other++) {
        if (isContiguous(each[one]) && isContiguous(each[other])
            && stretch(each[one]).asOverlappingSlice(stretch(each[other])).filter(shared -> shared.byteSize() > 0)
                .isPresent()) {
          return one;
        }
      }
    }
    return NONE;
  }

  private static boolean isContiguous(Placement data) {
    return !data.isScattered() && data.bytes() > 0;
  }

  private static MemorySegment stretch(Placement data) {
    return data.memory().asSlice(data.offset(), data.bytes());
  }

  /** What they are parts of, as one piece of data. */
  public Placement whole() {
    return whole;
  }

  /** Whether they were told by their elements of the whole. */
  boolean areOfElements() {
    return each == null;
  }

  /** Counts the parts. */
  public int count() {
    return bytes.length;
  }

  /** Elements of a part, where it was told by these. */
  long count(int part) {
    return counts[part];
  }

  /** The first element of a part, where it was told by these. */
  long first(int part) {
    return firsts[part];
  }

  /** How long a part is. */
  @Override
  public long bytes(int part) {
    return bytes[part];
  }

  /** Where a part begins in the packed order of the whole. */
  @Override
  public long at(int part) {
    return at[part];
  }

  /** Whether they lie one behind the other in the packed order of the whole, from its first element on. */
  boolean areInOrder() {
    long next = 0;
    for (int part = 0; part < bytes.length; part++) {
      if (bytes[part] > 0 && at[part] != next) {
        return false;
      }
      next += bytes[part];
    }
    return true;
  }

  /** All of them as one piece of data, one behind the other. */
  public Placement joined() {
    if (joined == null) { // several threads may come here, and make the same
      joined = each == null && areInOrder()
          ? whole.part(0, LongStream.of(counts).sum())
          : each == null ? joined(IntStream.range(0, count()).mapToObj(this::part).toArray(Placement[]::new)) : whole;
    }
    return joined;
  }

  private static Placement joined(Placement... each) {
    Placement[] typed = Arrays.stream(each).filter(part -> part != Placement.EMPTY).toArray(Placement[]::new);
    TypeMap type = typed.length == 0 ? null : typed[0].type();
    boolean same = Arrays.stream(typed).allMatch(part -> part.type() == type);
    Joined all = new Joined(Arrays.stream(each).map(Placement::unpacked).toArray(Payload[]::new));
    return new Placement(all, same ? type : null);
  }

  /** A part by itself. */
  public Placement part(int part) {
    return each == null ? whole.part(firsts[part], counts[part]) : each[part];
  }

  /** Refuses another number of parts. */
  public void requireCount(String call, int needed, String what) {
    if (count() != needed) {
      throw new ArgumentException(Reason.COUNT,
          "%s with %d parts, and %d %s; there is to be one for each".formatted(call, count(), needed, what));
    }
  }

  /**
   * Refuses parts that cannot be written to now, or that overlap, for a call that writes to them.
   *
   * @param multithreaded any thread may write to them
   */
  public void requireApart(String call, boolean multithreaded) {
    if (each == null) {
      whole.requireReceivable(multithreaded);
    } else {
      for (Placement part : each) {
        part.requireReceivable(multithreaded);
      }
    }
    if (overlapping == UNKNOWN) { // several threads may come here, and find the same
      overlapping = each == null ? overlapping(bytes, at) : overlapping(each);
    }
    if (overlapping != NONE) {
      throw new ArgumentException(Reason.BUFFER,
          "%s into parts of which part %d overlaps another one; what is received needs a place of its own"
              .formatted(call, overlapping));
    }
  }

  @Override
  public long bytes() {
    return whole.bytes();
  }

  @Override
  public IllegalArgumentException refusal() {
    return new ArgumentException(Reason.BUFFER,
        "Data.parts is not one piece of data: only collectives take it, those that have a part for each rank or "
            + "neighbour");
  }

  @Override
  public String toString() {
    return each == null ? "%d parts of %s".formatted(count(), whole) : "%d parts".formatted(count());
  }
}
