package io.adrastea;

import io.adrastea.coll.ElementKind;
import io.adrastea.comm.Buffers;
import io.adrastea.comm.TypeMap;
import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Bounds;
import io.adrastea.datatype.Element;
import io.adrastea.datatype.Exact;
import io.adrastea.datatype.Flat;
import io.adrastea.datatype.Form;
import io.adrastea.datatype.Lengths;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * How the elements of a message lie in memory: which basic types, where, and in which order, as MPI's derived datatypes
 * tell it. Packed, they lie in that order without gaps.
 *
 * <p>
 * A datatype does not change, needs neither commit nor free, and any thread may use it. It is flattened when it is
 * made, with adjacent blocks merged [SCI-MPICH 2002, 3.3.1], so its depth costs nothing later. Counts, displacements
 * and extents have 64 bits; what does not fit them is an {@link IllegalArgumentException}, which names the datatype
 * that was to be made and the number. A datatype may have at most 2<sup>31</sup> blocks of bytes that are not adjacent.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "datatypes"}
 */
public final class Datatype {
  /** One byte. */
  public static final Datatype BYTE = new Datatype(Element.BYTE, ByteOrder.nativeOrder());
  /** One boolean, a byte. */
  public static final Datatype BOOLEAN = new Datatype(Element.BOOLEAN, ByteOrder.nativeOrder());
  /** One short, 2 bytes. */
  public static final Datatype SHORT = new Datatype(Element.SHORT, ByteOrder.nativeOrder());
  /** One char, 2 bytes. */
  public static final Datatype CHAR = new Datatype(Element.CHAR, ByteOrder.nativeOrder());
  /** One int, 4 bytes. */
  public static final Datatype INT = new Datatype(Element.INT, ByteOrder.nativeOrder());
  /** One long, 8 bytes. */
  public static final Datatype LONG = new Datatype(Element.LONG, ByteOrder.nativeOrder());
  /** One float, 4 bytes. */
  public static final Datatype FLOAT = new Datatype(Element.FLOAT, ByteOrder.nativeOrder());
  /** One double, 8 bytes. */
  public static final Datatype DOUBLE = new Datatype(Element.DOUBLE, ByteOrder.nativeOrder());
  /** A value and an index: a short and, 4 bytes behind its start, an int; extent 8. */
  public static final Datatype SHORT_INT = pair(ElementKind.SHORT_INT, SHORT, 4, 8);
  /** A value and an index: two ints. */
  public static final Datatype INT_INT = pair(ElementKind.INT_INT, INT, 4, 8);
  /** A value and an index: a long and an int; extent 16. */
  public static final Datatype LONG_INT = pair(ElementKind.LONG_INT, LONG, 8, 16);
  /** A value and an index: a float and an int. */
  public static final Datatype FLOAT_INT = pair(ElementKind.FLOAT_INT, FLOAT, 4, 8);
  /** A value and an index: a double and an int; extent 16. */
  public static final Datatype DOUBLE_INT = pair(ElementKind.DOUBLE_INT, DOUBLE, 8, 16);

  /** A complex number: two floats, the real part first, as {@code float complex} of C. */
  public static final Datatype FLOAT_COMPLEX = complex(ElementKind.FLOAT_COMPLEX, FLOAT);
  /** A complex number: two doubles, the real part first, as {@code double complex} of C. */
  public static final Datatype DOUBLE_COMPLEX = complex(ElementKind.DOUBLE_COMPLEX, DOUBLE);

  /** For {@link #darray}: the block length that shares a dimension out evenly, or 1 of {@link Distribution#CYCLIC}. */
  public static final long DEFAULT_BLOCK = -1;

  /** Bytes of a buffer that the canonical form is made in. */
  private static final long CANONICAL_BYTES = 1 << 16;

  private static final int MOST_LINES = 1000;
  private static final int MOST_LISTED = 4;
  private static final ThreadLocal<ProgramCursor> CURSORS = ThreadLocal.withInitial(ProgramCursor::new);

  private final List<Datatype> parts;
  private final TypeMap map;

  /** Which index of an array is next to which in memory. */
  public enum Order {
    /** The last index: rows one behind the other. */
    C,
    /** The first index: columns one behind the other. */
    FORTRAN
  }

  /** How a dimension of an array is shared out among processes, for {@link #darray}. */
  public enum Distribution {
    /** Each process has one block. */
    BLOCK,
    /** Blocks go round the processes. */
    CYCLIC,
    /** The dimension is not shared out: one process has it all. */
    NONE
  }

  /** Chosen when something is packed first: the settings of a rank hold here, too. */
  private static final class Chosen {
    static final Spaces SPACES = Cores.choose(Tunable.CORE.value()).spaces();
  }

  /** What packs and unpacks outside of any job. */
  static Spaces spaces() {
    return Chosen.SPACES;
  }

  private Datatype(Supplier<String> label, List<Datatype> parts, Form form, ElementKind kind, ElementKind pair) {
    this.parts = parts;
    this.map = new TypeMap(this, label, form, kind, pair);
  }

  private Datatype(Supplier<String> label, List<Datatype> parts, Form form) {
    this(label, parts, form, kindOf(parts, form.signature().element()), pairOf(parts));
  }

  private Datatype(Element element, ByteOrder order) {
    this(order == ByteOrder.nativeOrder() ? element::name : () -> element.name() + " " + order, List.of(),
        Form.of(element, order));
  }

  /**
   * The kind of what has elements of one basic type: that type, or complex numbers where all parts are made of them.
   */
  private static ElementKind kindOf(List<Datatype> parts, Element element) {
    ElementKind found = null;
    for (Datatype part : parts) {
      if (element != null && part.map.element() == element) {
        ElementKind kind = part.map.kind();
        if (kind == null || found != null && found != kind) {
          return null; // complex numbers and others
        }
        found = kind;
      }
    }
    return found != null || element == null ? found : ElementKind.of(element);
  }

  /** The pair of a value and an index that all parts are made of; null: there are others, or no parts. */
  private static ElementKind pairOf(List<Datatype> parts) {
    ElementKind pair = parts.isEmpty() ? null : parts.get(0).map.pair();
    return parts.stream().allMatch(part -> part.map.pair() == pair) ? pair : null;
  }

  private static Datatype pair(ElementKind pair, Datatype value, long index, long extent) {
    Form form = Form.join(List.of(value.form(), INT.form().at(index))).resized(0, extent);
    return new Datatype(pair::name, List.of(), form, kindOf(List.of(), form.signature().element()), pair);
  }

  private static Datatype complex(ElementKind kind, Datatype part) {
    return new Datatype(kind::name, List.of(), part.form().repeat(2), kind, null);
  }

  /** A basic type whose bytes lie in that order. */
  static Datatype of(Element element, ByteOrder order) {
    return new Datatype(element, order);
  }

  /** Makes a datatype, and says which one it was to be when its numbers are too large. */
  private static Datatype make(Supplier<String> label, List<Datatype> parts, Supplier<Form> form) {
    try {
      Form made = form.get();
      made.bounds().extent();
      return new Datatype(label, parts, made);
    } catch (ArithmeticException e) {
      throw new ArgumentException(Reason.TYPE,
          "%s of %s cannot be made: %s; at most 2^63 - 1 bytes, and %d blocks, can be told"
              .formatted(label.get(), names(parts), e.getMessage(), Flat.MOST_BLOCKS),
          e);
    }
  }

  private static String names(List<Datatype> parts) {
    String few = parts.stream().limit(MOST_LISTED).map(part -> part.map.label()).collect(Collectors.joining(", "));
    return parts.size() > MOST_LISTED ? few + ", ..." : few;
  }

  private static Datatype requireNonNull(Datatype of) {
    return Objects.requireNonNull(of, "the datatype is null");
  }

  /** A copy of a list of objects, all of which have to be there. */
  private static <T> List<T> requireNonNull(T[] list, String what) {
    for (int i = 0; i < Objects.requireNonNull(list, () -> "the " + what + "s are null").length; i++) {
      int index = i;
      Objects.requireNonNull(list[i], () -> "%s %d of %d is null".formatted(what, index, list.length));
    }
    return List.of(list);
  }

  private static void require(boolean right, Supplier<String> label, String what, Object... numbers) {
    if (!right) {
      throw new ArgumentException(Reason.TYPE, label.get() + ": " + what.formatted(numbers));
    }
  }

  private static void requireCount(Supplier<String> label, String what, long count) {
    if (count < 0) {
      throw new ArgumentException(
          Reason.COUNT, "%s: %s is %d; it may be 0 or more".formatted(label.get(), what, count));
    }
  }

  /** The first numbers of a list, for a description; the list may change later. */
  private static Few few(long[] numbers) {
    return new Few(Arrays.copyOf(numbers, Math.min(numbers.length, MOST_LISTED)), numbers.length);
  }

  /** Numbers of a description, made into text when somebody reads it. */
  private record Few(long[] first, int count) {
    @Override
    public String toString() {
      String few = Arrays.stream(first).mapToObj(Long::toString).collect(Collectors.joining(", "));
      return count > first.length ? "[%s, ... %d in all]".formatted(few, count) : "[" + few + "]";
    }
  }

  /**
   * Elements one behind the other. Reductions combine them one by one: two floats are no complex number, whose product
   * is another one; that is {@link #FLOAT_COMPLEX}.
   *
   * @param count how many, 0 or more
   * @param of what they are
   * @return the datatype
   * @throws NullPointerException when the datatype is null
   * @throws IllegalArgumentException when the count is below 0, or the bytes do not fit 64 bits
   */
  public static Datatype contiguous(long count, Datatype of) {
    Supplier<String> label = () -> "contiguous(%d)".formatted(count);
    requireNonNull(of);
    requireCount(label, "the count", count);
    return make(label, List.of(of), () -> of.form().repeat(count));
  }

  /**
   * Blocks at equal distance.
   *
   * @param count blocks, 0 or more
   * @param blockLength elements of each block, 0 or more
   * @param stride elements from the start of a block to the start of the next, of any sign
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when the datatype is null
   * @throws IllegalArgumentException when a count is below 0, or a place does not fit 64 bits
   */
  public static Datatype vector(long count, long blockLength, long stride, Datatype of) {
    Supplier<String> label = () -> "vector(%d, %d, %d)".formatted(count, blockLength, stride);
    requireNonNull(of);
    return vector(label, count, blockLength, () -> times(stride, of), of);
  }

  /**
   * Blocks at equal distance, which is told in bytes.
   *
   * @param count blocks, 0 or more
   * @param blockLength elements of each block, 0 or more
   * @param strideBytes bytes from the start of a block to the start of the next, of any sign
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when the datatype is null
   * @throws IllegalArgumentException when a count is below 0, or a place does not fit 64 bits
   */
  public static Datatype hvector(long count, long blockLength, long strideBytes, Datatype of) {
    Supplier<String> label = () -> "hvector(%d, %d, %d)".formatted(count, blockLength, strideBytes);
    requireNonNull(of);
    return vector(label, count, blockLength, () -> strideBytes, of);
  }

  private static Datatype vector(
      Supplier<String> label, long count, long blockLength, Supplier<Long> stride, Datatype of) {
    requireCount(label, "the count", count);
    requireCount(label, "the block length", blockLength);
    return make(label, List.of(of), () -> of.form().repeat(blockLength).repeat(count, stride.get()));
  }

  private static long times(long count, Datatype of) {
    return Exact.multiply(count, of.form().bounds().extent());
  }

  /**
   * Blocks of any lengths, anywhere.
   *
   * @param blockLengths elements of each block, 0 or more
   * @param displacements where each begins, in elements
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the arrays differ in length, a block length is below 0, or a place does not
   * fit 64 bits
   */
  public static Datatype indexed(long[] blockLengths, long[] displacements, Datatype of) {
    return indexed("indexed", blockLengths, displacements, of, false);
  }

  /**
   * Blocks of any lengths, anywhere, with displacements in bytes.
   *
   * @param blockLengths elements of each block, 0 or more
   * @param displacements where each begins, in bytes
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the arrays differ in length, a block length is below 0, or a place does not
   * fit 64 bits
   */
  public static Datatype hindexed(long[] blockLengths, long[] displacements, Datatype of) {
    return indexed("hindexed", blockLengths, displacements, of, true);
  }

  /**
   * Blocks of one length, anywhere.
   *
   * @param blockLength elements of each block, 0 or more
   * @param displacements where each begins, in elements
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the block length is below 0, or a place does not fit 64 bits
   */
  public static Datatype indexedBlock(long blockLength, long[] displacements, Datatype of) {
    Objects.requireNonNull(displacements, "the displacements are null");
    Lengths lengths = Lengths.of(displacements.length, blockLength);
    Supplier<String> label = label("indexedBlock", Long.toString(blockLength), few(displacements));
    requireCount(label, "the block length", blockLength);
    return indexed(label, lengths, displacements, of, false);
  }

  private static Supplier<String> label(String name, Object lengths, Object displacements) {
    return () -> "%s(%s, %s)".formatted(name, lengths, displacements);
  }

  private static Datatype indexed(
      String name, long[] blockLengths, long[] displacements, Datatype of, boolean inBytes) {
    Objects.requireNonNull(displacements, "the displacements are null");
    Objects.requireNonNull(blockLengths, "the block lengths are null");
    Supplier<String> label = label(name, few(blockLengths), few(displacements));
    require(blockLengths.length == displacements.length, label, "%d block lengths and %d displacements; there have to "
        + "be as many of both", blockLengths.length, displacements.length);
    Lengths lengths = Lengths.of(blockLengths);
    for (int i = 0; lengths.least() < 0 && i < blockLengths.length; i++) {
      requireCount(label, "block length " + i, blockLengths[i]);
    }
    return indexed(label, lengths, displacements, of, inBytes);
  }

  private static Datatype indexed(
      Supplier<String> label, Lengths lengths, long[] displacements, Datatype of, boolean inBytes) {
    requireNonNull(of);
    return make(label, List.of(of),
        () -> of.form().indexed(inBytes ? displacements.clone() : scaled(displacements, of), lengths));
  }

  private static long[] scaled(long[] displacements, Datatype of) {
    long[] bytes = new long[displacements.length];
    long extent = of.form().bounds().extent();
    long least = 0;
    long most = 0;
    for (int i = 0; i < bytes.length; i++) {
      least = Math.min(least, displacements[i]);
      most = Math.max(most, displacements[i]);
      bytes[i] = displacements[i] * extent;
    }
    Exact.multiply(least, extent);
    Exact.multiply(most, extent);
    return bytes;
  }

  /**
   * Blocks of several datatypes, anywhere. Its extent ends with its last byte, or where the upper bound of a part lies:
   * for elements that follow each other as structs of C do use {@link #padded} or {@link #of(MemoryLayout)}, for
   * another distance {@link #resized}.
   *
   * @param blockLengths elements of each block, 0 or more
   * @param displacements where each begins, in bytes
   * @param of what the elements of each block are
   * @return the datatype
   * @throws NullPointerException when an argument, or one of the datatypes, is null
   * @throws IllegalArgumentException when there are not as many of all three, a block length is below 0, or a place
   * does not fit 64 bits
   */
  public static Datatype struct(long[] blockLengths, long[] displacements, Datatype... of) {
    Objects.requireNonNull(displacements, "the displacements are null");
    Objects.requireNonNull(blockLengths, "the block lengths are null");
    List<Datatype> parts = requireNonNull(of, "datatype");
    String lists = few(blockLengths) + ", " + few(displacements);
    Supplier<String> label = () -> "struct(%s)".formatted(lists);
    require(blockLengths.length == parts.size() && displacements.length == parts.size(), label,
        "%d block lengths, %d displacements and %d datatypes; there have to be as many of all", blockLengths.length,
        displacements.length, parts.size());
    for (int i = 0; i < blockLengths.length; i++) {
      requireCount(label, "block length " + i, blockLengths[i]);
    }
    return make(label, parts, () -> {
      List<Form> forms = new ArrayList<>();
      for (int i = 0; i < blockLengths.length; i++) {
        forms.add(parts.get(i).form().repeat(blockLengths[i]).at(displacements[i]));
      }
      return Form.join(forms);
    });
  }

  /**
   * A rectangular part of an array of any dimensions, with the extent of the whole array.
   *
   * @param sizes elements of the array in each dimension, 1 or more
   * @param subsizes elements of the part in each dimension, 0 or more
   * @param starts where the part begins in each dimension
   * @param order which dimension's elements are neighbours
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the arrays differ in length or are empty, the part does not lie in the array,
   * or a place does not fit 64 bits
   */
  public static Datatype subarray(long[] sizes, long[] subsizes, long[] starts, Order order, Datatype of) {
    requireNonNull(of);
    Objects.requireNonNull(order, "the order is null");
    Objects.requireNonNull(sizes, "the sizes are null");
    Objects.requireNonNull(subsizes, "the subsizes are null");
    Objects.requireNonNull(starts, "the starts are null");
    String lists = few(sizes) + ", " + few(subsizes) + ", " + few(starts);
    Supplier<String> label = () -> "subarray(%s, %s)".formatted(lists, order);
    require(sizes.length > 0 && subsizes.length == sizes.length && starts.length == sizes.length, label,
        "%d sizes, %d subsizes and %d starts; there have to be as many of all, and one at least", sizes.length,
        subsizes.length, starts.length);
    for (int i = 0; i < sizes.length; i++) {
      require(sizes[i] > 0 && starts[i] >= 0 && subsizes[i] >= 0 && subsizes[i] <= sizes[i] - starts[i], label,
          "in dimension %d, %d elements from %d on do not lie in %d", i, subsizes[i], starts[i], sizes[i]);
    }
    long[] all = sizes.clone();
    long[] some = subsizes.clone();
    long[] first = starts.clone();
    return make(label, List.of(of), () -> {
      Form form = of.form();
      long stride = of.form().bounds().extent();
      for (int k = 0; k < all.length; k++) {
        int i = order == Order.C ? all.length - 1 - k : k;
        form = form.repeat(some[i], stride).at(Exact.multiply(first[i], stride));
        stride = Exact.multiply(stride, all[i]);
      }
      return form.resized(0, stride);
    });
  }

  /**
   * What one process has of an array that is shared out among a grid of processes, as High Performance Fortran does it;
   * with the extent of the whole array. Ranks count the grid row by row, whatever the order of the array.
   *
   * @param size processes in the grid
   * @param rank the one whose part it is
   * @param sizes elements of the array in each dimension, 1 or more
   * @param distributions how each dimension is shared out
   * @param blockLengths elements of a block in each dimension, or {@link #DEFAULT_BLOCK}
   * @param processes processes of the grid in each dimension
   * @param order which dimension's elements are neighbours
   * @param of what the elements are
   * @return the datatype
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the arrays differ in length or are empty, the grid does not have that size,
   * blocks do not cover a dimension, one that is not shared out has several processes, or a place does not fit 64 bits
   */
  public static Datatype darray(
      int size, int rank, long[] sizes, Distribution[] distributions, long[] blockLengths, int[] processes, Order order,
      Datatype of) {
    requireNonNull(of);
    Objects.requireNonNull(order, "the order is null");
    Objects.requireNonNull(sizes, "the sizes are null");
    Objects.requireNonNull(blockLengths, "the block lengths are null");
    Objects.requireNonNull(processes, "the numbers of processes are null");
    List<Distribution> ways = requireNonNull(distributions, "distribution");
    String lists = "%d, %d, %s, %s".formatted(size, rank, few(sizes), ways.stream().limit(MOST_LISTED).toList());
    Supplier<String> label = () -> "darray(%s, %s)".formatted(lists, order);
    require(sizes.length > 0 && ways.size() == sizes.length && blockLengths.length == sizes.length
        && processes.length == sizes.length, label,
        "%d sizes, %d distributions, %d block lengths and %d numbers of "
            + "processes; there have to be as many of all, and one at least",
        sizes.length, ways.size(),
        blockLengths.length, processes.length);
    long grid = Arrays.stream(processes).asLongStream().reduce(1, (a, b) -> b < 1 || a > size ? Long.MAX_VALUE : a * b);
    require(grid == size && rank >= 0 && rank < size, label,
        "the grid of %s processes has to have %d, and rank %d has to be one of them",
        Arrays.toString(processes), size, rank);
    List<Share> shares = new ArrayList<>();
    int left = rank;
    for (int i = sizes.length - 1; i >= 0; i--) {
      shares.addFirst(share(label, i, sizes[i], ways.get(i), blockLengths[i], processes[i], left % processes[i]));
      left /= processes[i];
    }
    return make(label, List.of(of), () -> {
      Form form = of.form();
      long stride = of.form().bounds().extent();
      for (int k = 0; k < shares.size(); k++) {
        Share share = shares.get(order == Order.C ? shares.size() - 1 - k : k);
        form = share.of(form, stride);
        stride = Exact.multiply(stride, share.size);
      }
      return form.resized(0, stride);
    });
  }

  private static Share share(
      Supplier<String> label, int dimension, long size, Distribution way, long blockLength, int processes, int place) {
    require(size > 0 && (blockLength > 0 || blockLength == DEFAULT_BLOCK), label,
        "dimension %d has %d elements in blocks of %d; both have to be 1 or more", dimension, size, blockLength);
    require(way != Distribution.NONE || processes == 1, label,
        "dimension %d is not shared out, and has %d processes; it has to have one", dimension, processes);
    long even = (size - 1) / processes + 1;
    long length = switch (way) {
      case NONE -> size;
      case BLOCK -> blockLength == DEFAULT_BLOCK ? even : blockLength;
      case CYCLIC -> blockLength == DEFAULT_BLOCK ? 1 : blockLength;
    };
    require(way != Distribution.BLOCK || length >= even, label,
        "in dimension %d, %d blocks of %d do not cover %d elements", dimension, processes, length, size);
    return new Share(size, Math.min(length, size), processes, place);
  }

  /** What a process has of a dimension: blocks of {@code length}, of which every {@code processes}-th is its own. */
  private record Share(long size, long length, int processes, int place) {
    Form of(Form element, long stride) {
      long blocks = (size - 1) / length + 1; // of all processes
      long own = place >= blocks ? 0 : (blocks - 1 - place) / processes + 1;
      long lastBlock = place + (own - 1) * processes;
      boolean cut = own > 0 && lastBlock == blocks - 1 && size % length != 0;
      long round = own > 1 ? Exact.multiply(length * processes, stride) : 0;
      Form whole = element.repeat(length, stride).repeat(cut ? own - 1 : own, round)
          .at(own == 0 ? 0 : Exact.multiply(place * length, stride));
      if (!cut) {
        return whole;
      }
      Form rest = element.repeat(size % length, stride)
          .at(Exact.multiply(lastBlock * length, stride));
      return Form.join(List.of(whole, rest));
    }
  }

  /**
   * A datatype of the same elements with other bounds, which tell where the next one begins.
   *
   * @param lowerBound bytes from the origin, of any sign
   * @param extent bytes from one element to the next, of any sign
   * @return the datatype
   * @throws IllegalArgumentException when the upper bound does not fit 64 bits
   */
  public Datatype resized(long lowerBound, long extent) {
    Supplier<String> label = () -> "resized(%d, %d)".formatted(lowerBound, extent);
    return make(label, List.of(this), () -> form().resized(lowerBound, extent));
  }

  /**
   * A datatype of the same elements whose extent is rounded up to its {@link #alignment}, so that elements follow each
   * other as structs of C do: a double and an int behind it have an extent of 12 bytes, padded one of 16.
   *
   * @return the datatype; this one when its extent is a multiple already
   * @throws IllegalArgumentException when the upper bound does not fit 64 bits
   */
  public Datatype padded() {
    long alignment = alignment();
    long beyond = extent() % alignment;
    if (beyond == 0) {
      return this;
    }
    long missing = beyond < 0 ? -alignment - beyond : alignment - beyond; // away from 0
    return make(() -> "padded", List.of(this),
        () -> form().resized(lowerBound(), Exact.add(extent(), missing)));
  }

  /**
   * What a layout has. Padding is not sent; the elements keep the byte order of their value layouts. The extent is the
   * size of the layout.
   *
   * @param layout values, sequences and structs of any depth
   * @return the datatype
   * @throws NullPointerException when the layout is null
   * @throws IllegalArgumentException when it has a union, whose bytes have no one type, or an address, which means
   * nothing in another process; the message names it
   */
  public static Datatype of(MemoryLayout layout) {
    return LayoutDatatype.of(Objects.requireNonNull(layout, "the layout is null"));
  }

  /**
   * What a path selects of a layout: a member of a struct, the same member of each struct of a sequence, or a column of
   * a matrix. The extent is the size of the whole layout.
   *
   * @param layout values, sequences and structs of any depth
   * @param path as of {@link MemoryLayout#select}; open sequence elements select all elements, or those of a range
   * @return the datatype
   * @throws NullPointerException when the layout or the path is null
   * @throws IllegalArgumentException when the path does not fit the layout, or selects what {@link #of(MemoryLayout)}
   * refuses
   */
  public static Datatype of(MemoryLayout layout, PathElement... path) {
    Objects.requireNonNull(layout, "the layout is null");
    return LayoutDatatype.of(layout, requireNonNull(path, "path element").toArray(PathElement[]::new));
  }

  /**
   * How many bytes an element has when it is packed: those of its basic types.
   *
   * @return bytes
   */
  public long size() {
    return map.size();
  }

  /**
   * How far the next element is: upper bound less lower bound.
   *
   * @return bytes
   */
  public long extent() {
    return form().bounds().extent();
  }

  /**
   * What the address of an element is to be a multiple of, so that each of its basic types lies where C and Java align
   * it, at a multiple of its own size: the size of the largest one.
   *
   * @return bytes: 1, 2, 4 or 8; 1 for what has no elements
   */
  public long alignment() {
    return form().signature().largest();
  }

  /**
   * Where an element begins for those that place several side by side.
   *
   * @return bytes from the origin
   */
  public long lowerBound() {
    return form().bounds().lower();
  }

  /** Counts the whole elements that so many packed bytes are; -1: the last one is not whole. */
  long wholeElements(long bytes) {
    return size() == 0 ? bytes == 0 ? 0 : -1 : bytes % size() == 0 ? bytes / size() : -1;
  }

  /** Counts the basic types that so many packed bytes are; -1: the last one is not whole. */
  long basicElements(long bytes) {
    return form().signature().count(bytes);
  }

  /**
   * How many packed bytes so many basic elements have: the ints, doubles and so on that elements of this datatype begin
   * with, the other way round than {@link Status#elements}.
   *
   * @param basicElements 0 or more; more than one element of this datatype has go on in the next
   * @return bytes
   * @throws IllegalArgumentException when the number is below 0, the bytes do not fit 64 bits, or the datatype has no
   * elements and the number is not 0
   */
  public long bytesOfElements(long basicElements) {
    require(basicElements >= 0, map::label, "%d basic elements; there may be 0 or more", basicElements);
    long bytes;
    try {
      bytes = form().signature().bytesOf(basicElements);
    } catch (ArithmeticException e) {
      throw new ArgumentException(Reason.COUNT,
          "%d basic elements of %s: %s".formatted(basicElements, map.label(), e.getMessage()), e);
    }
    require(bytes >= 0, map::label, "%d basic elements of a datatype that has none; 0 is allowed", basicElements);
    return bytes;
  }

  /**
   * Where its first byte in memory lies.
   *
   * @return bytes from the origin
   */
  public long trueLowerBound() {
    return form().bounds().trueLower();
  }

  /**
   * How far its bytes in memory stretch, gaps between them included.
   *
   * @return bytes
   */
  public long trueExtent() {
    return form().bounds().trueUpper() - form().bounds().trueLower();
  }

  /**
   * Whether so many elements are one block of bytes, which begins at the true lower bound of the first.
   */
  boolean isBlock(long count) {
    return form().flat().blocks() == 1 && (count == 1 || size() == extent());
  }

  /** The datatype that has this inside; of none, which is bytes without a type, {@link #BYTE}. */
  static Datatype of(TypeMap map) {
    return map == null ? BYTE : (Datatype) map.datatype();
  }

  /** The inside of it, for what stands below. */
  TypeMap map() {
    return map;
  }

  private Form form() {
    return map.form();
  }

  /**
   * Refuses elements of an array that are others than this datatype has. Bytes may be anything: an array of bytes takes
   * each datatype, and each array takes bytes.
   */
  void requireElements(Element ofArray) {
    int allowed = ofArray.bit() | Element.BYTE.bit();
    if (ofArray != Element.BYTE && (form().signature().elements() & ~allowed) != 0) {
      Datatype node = this;
      while (!node.parts.isEmpty()) {
        node =
            node.parts.stream().filter(part -> (part.form().signature().elements() & ~allowed) != 0).findFirst().get();
      }
      throw new ArgumentException(Reason.TYPE,
          ("%s has elements of %s, which do not fit an array of %s; that takes datatypes of %s and of BYTE, while "
              + "memory segments and arrays of bytes take any").formatted(map.label(), node.map.label(),
                  ofArray.name().toLowerCase(Locale.ROOT), ofArray));
    }
  }

  /**
   * Packs elements into contiguous memory.
   *
   * @param from where the elements lie, native or heap memory
   * @param offset the origin of the first one, in bytes
   * @param count elements, 0 or more
   * @param to where they go
   * @param at the first byte there
   * @return bytes packed: count x {@link #size}
   * @throws IllegalArgumentException when the count is below 0, so many elements do not fit 64 bits, or they go to
   * read-only memory
   * @throws IndexOutOfBoundsException when a byte of them does not lie in either memory; then nothing is packed
   */
  public long pack(MemorySegment from, long offset, long count, MemorySegment to, long at) {
    long bytes = requirePlaces(from, offset, count, to, at, to);
    if (bytes > 0) {
      ProgramCursor cursor = CURSORS.get().begin(map.program(), count);
      Chosen.SPACES.pack(map.program(), cursor, from, offset, to, at, bytes);
    }
    return bytes;
  }

  /**
   * Unpacks elements out of contiguous memory. Bytes between them stay as they are.
   *
   * @param from where they lie packed
   * @param at the first byte there
   * @param to where the elements go, native or heap memory
   * @param offset the origin of the first one, in bytes
   * @param count elements, 0 or more
   * @return bytes unpacked: count x {@link #size}
   * @throws IllegalArgumentException when the count is below 0, so many elements do not fit 64 bits, they have a byte
   * of memory twice, or they go to read-only memory
   * @throws IndexOutOfBoundsException when a byte of them does not lie in either memory; then nothing is unpacked
   */
  public long unpack(MemorySegment from, long at, MemorySegment to, long offset, long count) {
    long bytes = requirePlaces(to, offset, count, from, at, to);
    if (bytes > 0) {
      map.requireReceivable(count);
      ProgramCursor cursor = CURSORS.get().begin(map.program(), count);
      Chosen.SPACES.unpack(map.program(), cursor, to, offset, from, at, bytes);
    }
    return bytes;
  }

  /**
   * Packs elements into their canonical form, for files and other machines: as {@link #pack}, with each basic type
   * big-endian, which is MPI's "external32" with Java's sizes.
   *
   * @param from where the elements lie, native or heap memory
   * @param offset the origin of the first one, in bytes
   * @param count elements, 0 or more
   * @param to where they go
   * @param at the first byte there
   * @return bytes packed: count x {@link #size}
   * @throws IllegalArgumentException when the count is below 0, so many elements do not fit 64 bits, or they go to
   * read-only memory
   * @throws IndexOutOfBoundsException when a byte of them does not lie in either memory; then nothing is packed
   */
  public long packCanonical(MemorySegment from, long offset, long count, MemorySegment to, long at) {
    long bytes = pack(from, offset, count, to, at);
    if (bytes > 0) {
      form().signature().repeat(count).swap(to, at);
    }
    return bytes;
  }

  /**
   * Unpacks elements out of their canonical form, which {@link #packCanonical} makes.
   *
   * @param from where they lie packed
   * @param at the first byte there
   * @param to where the elements go, native or heap memory
   * @param offset the origin of the first one, in bytes
   * @param count elements, 0 or more
   * @return bytes unpacked: count x {@link #size}
   * @throws IllegalArgumentException when the count is below 0, so many elements do not fit 64 bits, they have a byte
   * of memory twice, or they go to read-only memory
   * @throws IndexOutOfBoundsException when a byte of them does not lie in either memory; then nothing is unpacked
   */
  public long unpackCanonical(MemorySegment from, long at, MemorySegment to, long offset, long count) {
    long bytes = requirePlaces(to, offset, count, from, at, to);
    if (bytes == 0) {
      return 0;
    }
    map.requireReceivable(count);
    long some = Math.clamp(CANONICAL_BYTES / size(), 1, count);
    ProgramCursor cursor = CURSORS.get().begin(map.program(), count);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment turned = arena.allocate(some * size());
      for (long done = 0; done < bytes; done += turned.byteSize()) {
        long part = Math.min(turned.byteSize(), bytes - done);
        MemorySegment.copy(from, at + done, turned, 0, part);
        form().signature().repeat(part / size()).swap(turned, 0);
        Chosen.SPACES.unpack(map.program(), cursor, to, offset, turned, 0, part);
      }
    }
    return bytes;
  }

  /**
   * Checks once that all bytes lie in their memories, and that what they go to can be written, before any is moved: C
   * does not ask. The bytes of all.
   */
  private long requirePlaces(
      MemorySegment memory, long offset, long count, MemorySegment packed, long at, MemorySegment written) {
    Buffers.requireNonNull(memory);
    Buffers.requireNonNull(packed);
    if (written.isReadOnly()) {
      throw new ArgumentException(Reason.BUFFER, "the memory that %s go to is read-only; a writable one is needed"
          .formatted(written == packed ? "packed elements" : "the elements"));
    }
    long bytes = requireInside(memory, offset, count);
    if (at < 0 || bytes > packed.byteSize() - at) {
      throw new IndexOutOfBoundsException(
          "%d element(s) of %s are %d bytes, which do not lie from byte %d on in packed memory of %d bytes"
              .formatted(count, map.label(), bytes, at, packed.byteSize()));
    }
    return bytes;
  }

  /**
   * Refuses elements that do not lie in memory.
   *
   * @return the bytes that they have
   */
  long requireInside(MemorySegment memory, long offset, long count) {
    requireCount(map::label, "the count of elements", count);
    Bounds bounds;
    try {
      bounds = form().bounds().repeat(count, extent()).at(offset);
    } catch (ArithmeticException e) {
      throw new ArgumentException(Reason.COUNT,
          "%d element(s) of %s from byte %d on: %s".formatted(count, map.label(), offset, e.getMessage()), e);
    }
    if (bounds.size() > 0 && (bounds.trueLower() < 0 || bounds.trueUpper() > memory.byteSize())) {
      throw new IndexOutOfBoundsException(
          "%d element(s) of %s from byte %d on have bytes %d to %d, which do not all lie in memory of %d bytes"
              .formatted(
                  count, map.label(), offset, bounds.trueLower(), bounds.trueUpper() - 1, memory.byteSize()));
    }
    return bounds.size();
  }

  /**
   * The tree that it is: a line for each datatype, below what it was made into.
   *
   * @return some lines of text
   */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    List<Datatype> rest = new ArrayList<>(List.of(this)); // the last is next; a tree may be deeper than a stack
    List<Integer> depths = new ArrayList<>(List.of(0));
    while (!rest.isEmpty() && lines.size() < MOST_LINES) {
      Datatype next = rest.removeLast();
      int depth = depths.removeLast();
      lines.add("  ".repeat(Math.min(depth, MOST_LINES)) + next.describe());
      for (Datatype part : next.parts.reversed()) {
        rest.add(part);
        depths.add(depth + 1);
      }
    }
    if (!rest.isEmpty()) {
      lines.add("...");
    }
    return String.join("\n", lines);
  }

  private String describe() {
    if (parts.isEmpty() && size() == extent()) {
      return map.label();
    }
    String lower = lowerBound() == 0 ? "" : ", lower bound " + lowerBound();
    return "%s: %d bytes, extent %d%s".formatted(map.label(), size(), extent(), lower);
  }
}
