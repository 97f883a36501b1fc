package io.adrastea.segment;

import io.adrastea.layout.RegionEntryDescriptor;

/** What a region is for. */
public enum RegionKind {
  /** Shared allocations of its owner: buffers of programs, copy rings, split words. */
  HEAP(RegionEntryDescriptor.KIND_HEAP),
  /** Collectives' slots of a communicator. */
  SLOTS(RegionEntryDescriptor.KIND_SLOTS),
  /** A symmetric heap. */
  SYMMETRIC(RegionEntryDescriptor.KIND_SYMMETRIC);

  private final int number;

  RegionKind(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** {@code null}: there is none of that number. */
  static RegionKind of(int number) {
    return switch (number) {
      case RegionEntryDescriptor.KIND_HEAP -> HEAP;
      case RegionEntryDescriptor.KIND_SLOTS -> SLOTS;
      case RegionEntryDescriptor.KIND_SYMMETRIC -> SYMMETRIC;
      default -> null;
    };
  }
}
