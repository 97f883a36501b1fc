package io.adrastea.segment;

import java.lang.foreign.MemorySegment;

/** Memory of a race: small, made for each turn, without a segment's file. */
public final class GivenView {
  private GivenView() {}

  /** Words on the heap: aligned, as mapped memory is. */
  public static MemorySegment memory(long bytes) {
    return MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES)]);
  }

  /** A view whose cells lie in {@code low} to {@code low + span}. */
  public static View of(MemorySegment memory, long low, long span) {
    return new View(memory, low, span);
  }
}
