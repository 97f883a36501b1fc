package io.adrastea.segment;

import io.adrastea.layout.RegionEntryDescriptor;

/** What a region is for. */
public enum RegionKind {
  /** Shared allocations of its owner: buffers of programs, copy rings, split words. */
  HEAP(RegionEntryDescriptor.KIND_HEAP),
  /** Collectives' slots of a communicator. */
  SLOTS(RegionEntryDescriptor.KIND_SLOTS),
  /** A window's memory. */
  WINDOW(RegionEntryDescriptor.KIND_WINDOW),
  /** A symmetric heap. */
  SYMMETRIC(RegionEntryDescriptor.KIND_SYMMETRIC);

  private static final RegionKind[] BY_NUMBER = values();

  private final int number;

  RegionKind(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** {@code null}: there is none of that number. */
  static RegionKind of(int number) {
    return number >= 1 && number <= BY_NUMBER.length ? BY_NUMBER[number - 1] : null;
  }
}
