package io.adrastea.space;

import java.lang.foreign.MemorySegment;

/**
 * Memory that each of several ranks has opened to all of them for many accesses, as one of these ranks reaches it: by
 * which way, how many bytes, counted in which unit, and where it is mapped here. Made once for a window, and immutable:
 * any thread may read it, outside of the gate.
 *
 * <p>
 * Ranks are told by their numbers among those that share it. What is mapped is used where it lies [OpenSHMEM over XPMEM
 * 2011, 3]; what is not is described by an {@link Exposure}, for {@link RemoteMemory}.
 */
public final class Exposed {
  /** How a rank reaches the memory of another one. */
  public enum Way {
    /** It lies in shared allocations, and is mapped here. */
    DIRECT,
    /** It is memory of another process, attached here. */
    XPMEM,
    /** The system copies from and to it. */
    CMA,
    /** Its rank does what is asked, by a handler. */
    HANDLER
  }

  /**
   * The memory of one rank.
   *
   * @param way how it is reached
   * @param bytes how many there are
   * @param unit bytes that displacements in it are counted by, at least 1
   * @param memory these bytes, and the rest of their last word, where they are mapped here; null: they are not
   * @param address where they begin in the rank's own process, or where they are mapped, at the same place in a page
   * @param exposure as its rank has told it, for copies that are not made where it lies; null: there is none
   * @param first the displacement of the first byte, in bytes: 0, or in a dynamic window its address in the process
   */
  public record Part(
      Way way, long bytes, int unit, MemorySegment memory, long address, Exposure exposure, long first) {}

  private final Part[] parts;
  private final long[] bytes;
  private final int[] units;
  private final MemorySegment[] direct; // by rank; null: it is not mapped for good

  private Exposed(Part... parts) {
    this.parts = parts;
    this.bytes = new long[parts.length];
    this.units = new int[parts.length];
    this.direct = new MemorySegment[parts.length];
    for (int rank = 0; rank < parts.length; rank++) {
      Part part = parts[rank];
      bytes[rank] = part.bytes;
      units[rank] = part.unit;
      direct[rank] = part.way == Way.DIRECT ? part.memory : null;
    }
  }

  /** Memory of ranks, one part each, in the order of their numbers. */
  public static Exposed of(Part... parts) {
    return new Exposed(parts.clone());
  }

  /** Counts the ranks. */
  public int ranks() {
    return parts.length;
  }

  /** The memory of a rank. */
  public Part part(int rank) {
    return parts[rank];
  }

  /** Bytes of a rank's memory. */
  public long bytes(int rank) {
    return bytes[rank];
  }

  /** Bytes that displacements in a rank's memory are counted by. */
  public int unit(int rank) {
    return units[rank];
  }

  /** A rank's memory where it is reached directly; null: it is reached by another way. */
  public MemorySegment direct(int rank) {
    return direct[rank];
  }
}
