package io.adrastea.space;

import io.adrastea.core.LastingMemory;
import io.adrastea.datatype.Program;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import io.adrastea.shared.SharedHeap;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of a process as other processes can reach it: where it lies, by which spaces, and whether it stays. Its owner
 * describes it and tells them by a message, or by a word that all can read.
 *
 * <p>
 * It has a placement, the stretches; a layout, which is that of bytes or of elements of a datatype, as the owner tells
 * ({@link #elements}) or as the rank that reaches the memory names it ({@link #setElements}); a lifetime; and a key,
 * for networks that ask for one.
 *
 * <p>
 * Only the object that has it in a field changes it, so that a message makes none: a transfer, or a member's memory in
 * a collective, fills it, uses it and fills it again ({@link RemoteMemory#describe}), by one thread at a time. One that
 * was made for many uses ({@link RemoteMemory#expose}) is not changed any more, but by {@link RemoteMemory#publish}
 * before others are told of it and by {@link RemoteMemory#release} when they are done; reading it changes nothing, so
 * several threads may.
 */
public final class Exposure {
  /** It lies in shared allocations of its rank: the I/O vector holds offsets in the segment's file. */
  public static final int SHARED = 1;

  /** It is native memory: the I/O vector holds addresses of its process. */
  public static final int ADDRESS = 2;

  /**
   * Nobody can free it before the use that it is exposed for is over. Without it the owner checks at the end whether it
   * is still there.
   */
  public static final int LASTING = 4;

  /**
   * It holds elements of a datatype: the I/O vector has the origin of the first, and the bytes of them all; how they
   * lie is told by their program, which stands in shared memory of the owner.
   */
  public static final int TYPED = 8;

  private static final byte[] NO_KEY = {};

  private final AddressVector vector = new AddressVector();
  private int flags; // those told by another rank may have more above them, which are not for us
  private long segment;
  private byte[] key = NO_KEY; // never changed
  private Object keeper; // of this rank: what keeps the memory alive; null: the use itself
  private final Cursor cursor = new Cursor();
  private final Stretch stretch = new Stretch();

  // elements of a datatype
  private Program program; // null: there is none, or that of a peer was not read yet
  private long elements;
  private long checksum; // of its words
  private long place; // of its words in the segment's file
  private long words;
  SharedPrograms.Entry published; // of this rank; null: the program is not in shared memory

  /** Makes it memory that cannot be reached. */
  public void clear() {
    flags = 0;
    segment = 0;
    key = NO_KEY;
    keeper = null;
    vector.clear();
    program = null;
  }

  /** Takes over what the owner tells, but for the I/O vector, which is filled by itself. */
  public void set(int flags, long segment) {
    this.flags = flags;
    this.segment = segment;
  }

  /** How it can be reached: {@link #SHARED}, {@link #ADDRESS}, {@link #LASTING}. */
  public int flags() {
    return flags;
  }

  /** XPMEM segment id of its process; 0: it is not told. */
  public long segment() {
    return segment;
  }

  /** Sets the XPMEM segment id of its process; 0: it is not told. */
  public void segment(long segment) {
    this.segment = segment;
  }

  /** What a network asks of those that reach it, of any length; empty: nothing. */
  public byte[] key() {
    return key.clone();
  }

  /** Sets what a network asks of those that reach it. */
  public void key(byte[] key) {
    this.key = key.length == 0 ? NO_KEY : key.clone();
  }

  /**
   * This rank's memory: it stays as long as this exposure is used, whatever arena it is of, since the keeper sees to
   * it; and the keeper stays as long as this exposure is reachable.
   */
  void keptBy(Object keeper) {
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    flags |= isAddress() ? LASTING : 0;
  }

  /** Where it lies. */
  public AddressVector vector() {
    return vector;
  }

  public boolean isShared() {
    return (flags & SHARED) != 0;
  }

  public boolean isAddress() {
    return (flags & ADDRESS) != 0;
  }

  public boolean isLasting() {
    return (flags & LASTING) != 0;
  }

  public boolean isTyped() {
    return (flags & TYPED) != 0;
  }

  /** Peer's memory: whether it holds elements of a datatype. */
  public void typed(boolean isTyped) {
    flags = isTyped ? flags | TYPED : flags & ~TYPED;
  }

  /** Peer's memory: what it tells of its elements. The program is to be read, see {@link RemoteMemory#resolve}. */
  public void elements(long elements, long checksum, long place, long words) {
    this.elements = elements;
    this.checksum = checksum;
    this.place = place;
    this.words = words;
    program = null;
  }

  /** Counts the elements. */
  public long elements() {
    return elements;
  }

  /** The checksum of their program. */
  public long checksum() {
    return checksum;
  }

  /** Where the words of their program lie in the segment's file. */
  public long place() {
    return place;
  }

  /** Counts the words of their program. */
  public long words() {
    return words;
  }

  /** The program of the elements; null: there is none, or it was not read. */
  public Program program() {
    return program;
  }

  /** This rank's memory: the program stands there. */
  void publish(SharedPrograms.Entry entry) {
    published = entry;
    checksum = program.checksum();
    place = entry.place();
    words = entry.words();
  }

  /**
   * Peer's memory: this is the program.
   *
   * @throws IllegalArgumentException when there cannot be so many elements, or they have fewer bytes than were told
   */
  void resolve(Program found) {
    try {
      if (elements < 1 || Math.multiplyExact(elements, found.size()) < vector.total()) {
        throw new IllegalArgumentException(
            "%d elements of %d bytes are no %d bytes".formatted(elements, found.size(), vector.total()));
      }
      Math.addExact(vector.start(0), found.lowest(elements));
      Math.subtractExact(found.highest(elements), found.lowest(elements));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("%d elements from %d on do not lie in memory".formatted(elements,
          vector.start(0)), e);
    }
    program = found;
  }

  /**
   * Makes it elements of a datatype in memory of a peer, by a program of this rank: the peer tells nothing of them.
   *
   * @param whole the memory, bytes in one stretch, as the peer tells it
   * @param origin of the first element in it
   * @param elements how many, at least 1
   * @throws IllegalArgumentException when the memory is in several stretches, or holds elements itself, or there are no
   * elements
   * @throws IndexOutOfBoundsException when an element lies beyond its ends
   */
  public void setElements(Exposure whole, long origin, Program program, long elements) {
    if (whole.isTyped() || whole.vector.count() != 1 || elements < 1) {
      throw new IllegalArgumentException(
          "%d elements in memory of %d stretches%s; at least 1 is allowed, in one stretch of bytes".formatted(elements,
              whole.vector.count(), whole.isTyped() ? ", which holds elements itself" : ""));
    }
    long start;
    long bytes;
    try {
      start = Math.addExact(whole.vector.start(0), origin);
      bytes = Math.multiplyExact(elements, program.size());
      long lowest = Math.addExact(origin, program.lowest(elements));
      long span = Math.subtractExact(program.highest(elements), program.lowest(elements));
      Objects.checkFromIndexSize(lowest, span, whole.vector.size(0));
    } catch (ArithmeticException e) {
      throw new IndexOutOfBoundsException(
          "%d elements at %d do not lie in memory of %d bytes".formatted(elements, origin, whole.vector.size(0)));
    }
    clear();
    flags = whole.flags | TYPED;
    segment = whole.segment;
    key = whole.key;
    vector.add(start, bytes);
    this.program = program;
    this.elements = elements;
  }

  /** The lowest byte of the elements. */
  long lowest() {
    return vector.start(0) + program.lowest(elements);
  }

  /** Counts the bytes from the lowest to the highest of the elements, gaps included. */
  long span() {
    return program.highest(elements) - program.lowest(elements);
  }

  /** The set of spaces that a rank can read such memory through; arguments as of {@link #reader}. */
  public static int readers(int flags, int usable) {
    if ((flags & SHARED) != 0 && Space.SHARED.isIn(usable)) {
      return Space.SHARED.bit();
    }
    return (flags & ADDRESS) != 0 ? usable & (Space.XPMEM.bit() | Space.CMA.bit()) : 0;
  }

  /**
   * What a rank reads such memory through; null: it cannot.
   *
   * @param flags how the memory can be reached
   * @param usable set of spaces by which the rank may try
   */
  public static Space reader(int flags, int usable) {
    int readers = readers(flags, usable);
    return readers == 0 ? null : Space.of(Integer.numberOfTrailingZeros(readers));
  }

  /**
   * What a rank writes such memory through; null: it cannot. Memory that could be freed meanwhile is never written from
   * outside. Arguments as of {@link #reader}.
   */
  public static Space writer(int flags, int usable) {
    return (flags & LASTING) == 0 ? null : reader(flags, usable);
  }

  /** Describes the first bytes of a payload of this rank; see {@link RemoteMemory#describe}. */
  void describe(Payload payload, long bytes, SharedHeap heap, int most, boolean awaited) {
    clear();
    if (bytes == 0) {
      return;
    }
    if (payload instanceof Typed typed) {
      describe(typed, bytes, heap, awaited);
    } else if (isInHeap(payload, bytes, heap, most)) {
      flags = SHARED | LASTING;
    } else if (isNative(payload, bytes, most, awaited)) {
      flags |= ADDRESS;
    } else {
      clear();
    }
    stretch.clear();
  }

  private void describe(Typed payload, long bytes, SharedHeap heap, boolean awaited) {
    MemorySegment memory = payload.memory(0);
    Program type = payload.program();
    long count = (bytes + type.size() - 1) / type.size();
    long low = type.lowest(count);
    long located = heap.locate(memory, payload.offset() + low, type.highest(count) - low);
    if (located >= 0) {
      flags = SHARED | LASTING | TYPED;
      vector.add(located - low, bytes);
    } else if (memory.isNative()) {
      flags = ADDRESS | TYPED | (LastingMemory.outlasts(memory, awaited) ? LASTING : 0);
      vector.add(memory.address() + payload.offset(), bytes);
    }
    program = type;
    elements = count;
  }

  private void begin(Payload payload) {
    cursor.begin(payload.bytes());
    vector.clear();
  }

  /** Fills the I/O vector with offsets; false: something lies elsewhere, or there are too many stretches. */
  private boolean isInHeap(Payload payload, long bytes, SharedHeap heap, int most) {
    begin(payload);
    while (cursor.position() < bytes) {
      long size = next(payload, bytes, most);
      long offset = size < 0 ? -1 : heap.locate(stretch.memory(), stretch.offset(), size);
      if (offset < 0) {
        return false;
      }
      vector.add(offset, size);
    }
    return true;
  }

  /**
   * Fills the I/O vector with addresses, and tells in the flags whether all of them last; false: something has no
   * address, or there are too many stretches.
   */
  private boolean isNative(Payload payload, long bytes, int most, boolean awaited) {
    begin(payload);
    flags = LASTING;
    while (cursor.position() < bytes) {
      long size = next(payload, bytes, most);
      if (size < 0 || !stretch.memory().isNative()) {
        return false;
      }
      flags &= LastingMemory.outlasts(stretch.memory(), awaited) ? LASTING : 0;
      vector.add(stretch.memory().address() + stretch.offset(), size);
    }
    return true;
  }

  /** Goes over the next stretch; its bytes, or -1: there are too many. */
  private long next(Payload payload, long bytes, int most) {
    if (vector.count() == most) {
      return -1;
    }
    payload.stretch(cursor, stretch);
    long size = Math.min(bytes - cursor.position(), stretch.bytes());
    payload.seek(cursor, cursor.position() + size);
    return size;
  }
}
