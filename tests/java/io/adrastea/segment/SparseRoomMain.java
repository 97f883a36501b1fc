package io.adrastea.segment;

import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.shared.HugeMapping;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A rank with a sparse region on a file system that fills up, or that offers huge pages. */
public final class SparseRoomMain {
  private static final long LARGE = 1L << 28;
  private static final int PART = 16 * 4096;
  private static final int HUGE = 2 << 20;
  private static final int TOUCHES = 3000; // so many that the touch is compiled meanwhile

  private final Regions regions;
  private final Path path;
  private final int index;
  private final MemorySegment memory;

  private SparseRoomMain(Segment segment, Spaces spaces) {
    regions = segment.regions();
    regions.adviseBy(spaces::advise);
    regions.releaseBy(memory -> spaces.release(memory) == 0);
    path = segment.path();
    index = regions.add(0, RegionKind.SYMMETRIC, 0, LARGE, true);
    memory = regions.memory(regions.get(index));
  }

  /** The directory, and {@code full} or {@code huge}; the core's name is in {@code CORE}. */
  public static void main(String[] arguments) throws Exception {
    Path path = SegmentFile.path(Path.of(arguments[0]), 1, 0);
    try (Segment segment = Segment.create(path, new Geometry(2, 4, 64), 1)) {
      String core = System.getenv("CORE");
      SparseRoomMain main = new SparseRoomMain(segment, Cores.choose(core).spaces());
      if (arguments[1].equals("full")) {
        main.fillUp(core.equals("java"));
      } else {
        main.useHugePages();
      }
      segment.unlink();
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private boolean isRefused(long offset, long bytes) {
    try {
      regions.reserve(index, offset, bytes);
      return false;
    } catch (SegmentException e) {
      require(e.getMessage().contains("bytes needed"), e.getMessage());
      return true;
    }
  }

  private MemorySegment part(long number) {
    return memory.asSlice(number * PART, PART);
  }

  private static void requireBytes(int expected, MemorySegment part) {
    byte[] wanted = new byte[(int) part.byteSize()];
    java.util.Arrays.fill(wanted, (byte) expected);
    require(part.mismatch(MemorySegment.ofArray(wanted)) == -1, "other bytes than " + expected);
  }

  private void requireKept(int parts) {
    for (int i = 0; i < parts; i++) {
      requireBytes(i % 100 + 1, part(i));
    }
  }

  /** Returns how many parts there are room for. */
  private int reserveAll() {
    int parts = 0;
    for (; !isRefused((long) parts * PART, PART); parts++) {
      requireBytes(0, part(parts));
      part(parts).fill((byte) (parts % 100 + 1));
    }
    return parts;
  }

  private void fillUp(boolean keepsPages) throws Exception {
    int parts = reserveAll();
    require(parts > 20, parts + " parts");
    require(isRefused(0, LARGE), "all of it was reserved");
    require(isRefused((parts - 1L) * PART, 3 * PART), "room for a part more");
    requireKept(parts);
    regions.reserve(index, 0, (long) parts * PART); // what is there needs no room
    requireKept(parts);
    requireTouchIsAnError(parts + 1);
    Thread virtual = Thread.ofVirtual().uncaughtExceptionHandler((thread, e) -> System.exit(3))
        .start(() -> requireTouchIsAnError(parts + 1));
    virtual.join();
    requireKept(parts);
    regions.release(index, (parts - 1L) * PART, PART);
    requireKept(parts - 1);
    regions.reserve(index, (keepsPages ? parts - 1L : parts + 7L) * PART, PART); // there is room again
    requireBytes(0, part(keepsPages ? parts - 1L : parts + 7L));
    requireKept(parts - 1);
    regions.giveBack(0, index);
    require(regions.add(0, RegionKind.SYMMETRIC, 0, LARGE, true) == index, "another place");
    System.out.println("refused and kept");
  }

  /** What another process can bring about that takes the room between the look and the touch. */
  private void requireTouchIsAnError(long number) {
    for (int i = 0; i < TOUCHES; i++) {
      try {
        Reservation.touch(part(number));
        throw new AssertionError("pages that are not there were touched, in round " + i);
      } catch (InternalError e) {
        // as it is to be
      }
    }
  }

  private void useHugePages() {
    require(memory.address() % HUGE == 0, "begins in the middle of a huge page");
    regions.reserve(index, 4L * HUGE, 2 * HUGE);
    requireHuge(4, 2);
    memory.asSlice(4L * HUGE, 2 * HUGE).fill((byte) 7);
    regions.reserve(index, 8L * HUGE - 8192, HUGE + 12288); // one, and small ones
    requireHuge(8, 1);
    regions.reserve(index, 3L * HUGE, 4 * HUGE); // over what is in use
    requireBytes(7, memory.asSlice(4L * HUGE, 2 * HUGE));
    requireBytes(0, memory.asSlice(3L * HUGE, HUGE));
    regions.release(index, 4L * HUGE, HUGE);
    requireBytes(7, memory.asSlice(5L * HUGE, HUGE));
    regions.reserve(index, 4L * HUGE, HUGE);
    requireBytes(0, memory.asSlice(4L * HUGE, HUGE));
    System.out.println("on huge pages in " + path);
  }

  private void requireHuge(long first, long count) {
    long found = HugeMapping.bytes(memory.asSlice(first * HUGE, 1));
    require(found == count * HUGE, found + " bytes on huge pages, where " + count * HUGE + " were reserved");
  }
}
