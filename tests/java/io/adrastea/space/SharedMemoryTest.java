package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.RegionKind;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Shared allocations of a peer, described by it, and read and written by another rank without a transfer. */
@ParameterizedClass(name = "{0}")
@MethodSource("cores")
class SharedMemoryTest extends RemoteMemoryContract {
  private static final long JOB = 0x77;
  private static final int BYTES = 50_000;
  private static final int PEER = 4; // in the job
  private static final int LOCAL_RANK = 1; // the peer's
  private static final int[] LOCAL_RANKS = {0, RemoteMemory.ELSEWHERE, RemoteMemory.ELSEWHERE, 2, LOCAL_RANK};
  private static final int MOST = 100; // entries of an exposure

  @TempDir
  private Path directory;
  private Segment segment;
  private Segment second; // the same file, mapped again, as by another rank
  private RemoteMemory peer;
  private RemoteMemory memory;
  private MemorySegment there;

  @Parameter
  private String core;

  static Stream<String> cores() {
    return Cores.all().stream().map(CoreProvider::name);
  }

  @BeforeEach
  void create() {
    Path path = SegmentFile.path(directory, JOB, 0);
    Geometry geometry = new Geometry(2, 4, 64);
    segment = Segment.create(path, geometry, JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    second = Segment.attach(path, 2, JOB).orElseThrow();
    SharedHeap heap = new SharedHeap(segment, LOCAL_RANK);
    peer = of(heap, new SharedReach(segment));
    memory = of(new SharedHeap(second, 0), new SharedReach(second));
    there = heap.allocate(BYTES, 8);
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    there.copyFrom(MemorySegment.ofArray(bytes));
  }

  private RemoteMemory of(SharedHeap heap, SharedReach reach) {
    return new RemoteMemory(Cores.choose(core).spaces(), heap, reach, LOCAL_RANKS, new int[LOCAL_RANKS.length],
        Space.all(), rank -> true);
  }

  @AfterEach
  void close() {
    segment.unlink();
    segment.close();
    second.close();
  }

  private IoEntries entries(int[][] stretches) {
    IoEntries entries = new IoEntries(0);
    for (int[] stretch : stretches) {
      entries.add(there, stretch[0], stretch[1]);
    }
    return entries;
  }

  @Test
  void isReadAndWrittenWhereItLies() {
    for (int seed = 0; seed < 20; seed++) {
      IoEntries exposed = entries(stretches(seed, 0, BYTES, 3000));
      Exposure far = new Exposure();
      peer.describe(exposed, 3000, MOST, false, far);
      assertTrue(far.isShared() && far.isLasting());
      assertEquals(Space.SHARED, Exposure.writer(far.flags(), memory.reaching(PEER, far)));
      Payload here = vector(seed, 3000);
      assertEquals(3000, memory.read(PEER, Space.SHARED, far, 0, here, cursor(here), 3000));
      assertSameBytes(packed(exposed), packed(here));
    }
    int[][] apart = {{100, 1000}, {5000, 0}, {9000, 1}, {20_000, 1999}};
    Exposure far = new Exposure();
    peer.describe(entries(apart), 3000, MOST, false, far);
    Payload here = vector(3, 2500);
    here.unpack(cursor(here), there, 30_000, 2500);
    MemorySegment wanted = Arena.ofAuto().allocate(BYTES).copyFrom(there);
    IoEntries into = new IoEntries(0);
    for (int[] stretch : apart) {
      into.add(wanted, stretch[0], stretch[1]);
    }
    var cursor = cursor(into);
    into.seek(cursor, 400);
    into.unpack(cursor, packed(here), 0, 2500);
    assertEquals(2500, memory.write(PEER, Space.SHARED, far, 400, here, cursor(here), 2500));
    assertSameBytes(wanted, there);
  }

  @Test
  void memoryOfAWindowOrASymmetricHeapIsReadAndWrittenWhereItLies() {
    readAndWritten(RegionKind.SYMMETRIC);
  }

  private void readAndWritten(RegionKind kind) {
    int index = segment.regions().add(0, kind, 0, 8192, false); // of another rank, for all
    MemorySegment window = segment.regions().memory(segment.regions().get(index));
    Exposure far = new Exposure();
    peer.describe(contiguous(window.asSlice(100, 3000)), 3000, MOST, false, far);
    assertTrue(far.isShared() && far.isLasting());
    window.asSlice(600, 10).fill((byte) 5);
    byte[] ten = new byte[10];
    Payload here = contiguous(MemorySegment.ofArray(ten));
    assertEquals(10, memory.read(PEER, Space.SHARED, far, 500, here, cursor(here), 10));
    assertEquals(5, ten[9]);
    ten[9] = 6;
    assertEquals(10, memory.write(PEER, Space.SHARED, far, 2990, here, cursor(here), 10));
    assertEquals(6, window.get(ValueLayout.JAVA_BYTE, 3099));
    peer.describe(contiguous(window.asSlice(8000)), 192, MOST, false, far);
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.read(PEER, Space.SHARED, far, 190, here, cursor(here), 10));
  }

  @Test
  void severalThreadsReadAndWriteOneExposureAtATime() throws Exception {
    int part = 1000;
    int threads = 4;
    int[][] apart = {{100, 1500}, {9000, 1}, {20_000, part * threads - 1501}};
    Exposure far = new Exposure();
    peer.describe(entries(apart), part * threads, MOST, false, far);
    byte[] before = packed(entries(apart)).toArray(ValueLayout.JAVA_BYTE);
    Together.run(threads, thread -> {
      byte[] bytes = new byte[part];
      Payload here = contiguous(MemorySegment.ofArray(bytes));
      for (int round = 0; round < 2000; round++) {
        int from = thread * part + round % 7;
        int length = part - round % 7;
        var cursor = cursor(here);
        assertEquals(length, memory.read(PEER, Space.SHARED, far, from, here, cursor, length));
        assertEquals(length, cursor.position());
        for (int i = 0; i < length; i++) {
          assertEquals((byte) (before[from + i] + round), bytes[i]);
          bytes[i]++;
        }
        assertEquals(length, memory.write(PEER, Space.SHARED, far, from, here, cursor(here), length));
        for (int i = 0; i < from - thread * part; i++) { // those that this round has left out
          bytes[0] = (byte) (before[thread * part + i] + round + 1);
          assertEquals(1, memory.write(PEER, Space.SHARED, far, thread * part + i, here, cursor(here), 1));
        }
      }
    });
  }

  @Test
  void memoryThatAKeeperKeepsIsReliedOnWhateverItsArena() {
    Object keeper = new Object();
    try (Arena confined = Arena.ofConfined()) {
      Payload own = contiguous(confined.allocate(100));
      Exposure kept = peer.expose(own, 100, MOST, keeper);
      assertTrue(kept.isAddress() && kept.isLasting());
      Exposure once = new Exposure();
      peer.describe(own, 100, MOST, false, once);
      assertFalse(once.isLasting());
    }
    Exposure window = peer.expose(contiguous(there), BYTES, MOST, keeper);
    assertTrue(window.isShared() && window.isLasting());
    byte[] ten = new byte[10];
    Payload here = contiguous(MemorySegment.ofArray(ten));
    for (int from = 0; from + 10 <= BYTES; from += 1000) { // exposed once, reached often
      assertEquals(10, memory.read(PEER, Space.SHARED, window, from, here, cursor(here), 10));
      assertEquals(-1, there.asSlice(from, 10).mismatch(MemorySegment.ofArray(ten)));
    }
    assertFalse(peer.expose(contiguous(MemorySegment.ofArray(ten)), 10, MOST, keeper).isLasting(), "an array");
    assertThrows(NullPointerException.class, () -> peer.expose(here, 10, MOST, null));
  }

  @Test
  void whatThePeerDoesNotHaveIsRefused() {
    Exposure far = new Exposure();
    far.set(Exposure.SHARED | Exposure.LASTING, 0);
    far.vector().add(1L << 40, 100);
    Payload here = contiguous(MemorySegment.ofArray(new byte[100]));
    assertThrows(IllegalArgumentException.class,
        () -> memory.read(PEER, Space.SHARED, far, 0, here, cursor(here), 100));
  }

  @Test
  void memoryOnAnotherNodeIsReachedByNothing() {
    Exposure far = new Exposure();
    far.set(Exposure.SHARED | Exposure.ADDRESS | Exposure.LASTING, 7);
    far.vector().add(0, 100);
    assertEquals(0, memory.reaching(2, far));
    assertEquals(0, memory.reachedBy(2, far));
    assertThrows(IllegalArgumentException.class, () -> memory.shared(2, 0, 100));
  }

  @Test
  void anExposureTellsAsMuchAsOthersMayRelyOn() {
    Exposure exposure = new Exposure();
    peer.describe(contiguous(MemorySegment.ofArray(new byte[100])), 100, MOST, true, exposure);
    assertNull(Exposure.reader(exposure.flags(), Space.all()), "an array");
    peer.describe(contiguous(Arena.ofAuto().allocate(100)), 100, MOST, false, exposure);
    assertTrue(exposure.isAddress() && exposure.isLasting(), "automatic");
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      peer.describe(contiguous(confined.allocate(100)), 100, MOST, true, exposure);
      assertTrue(exposure.isAddress() && exposure.isLasting(), "its own, and it waits");
      peer.describe(contiguous(confined.allocate(100)), 100, MOST, false, exposure);
      assertTrue(exposure.isAddress() && !exposure.isLasting(), "its own, and it does not wait");
      peer.describe(contiguous(shared.allocate(100)), 100, MOST, true, exposure);
      assertTrue(exposure.isAddress() && !exposure.isLasting(), "anybody may close it");
    }
    IoEntries mixed = entries(new int[][] {{0, 10}, {100, 0}, {50, 10}});
    mixed.add(Arena.ofAuto().allocate(10), 0, 10);
    peer.describe(mixed, 20, MOST, false, exposure);
    assertTrue(exposure.isShared(), "the first bytes are");
    assertEquals(2, exposure.vector().count());
    peer.describe(mixed, 30, MOST, false, exposure);
    assertTrue(exposure.isAddress() && !exposure.isShared(), "together they have addresses alone");
    assertEquals(3, exposure.vector().count());
    peer.describe(mixed, 30, 3, false, exposure);
    assertTrue(exposure.isAddress());
    peer.describe(mixed, 30, 2, false, exposure);
    assertFalse(exposure.isAddress() || exposure.isShared(), "more stretches than may be told");
    assertEquals(0, exposure.vector().count());
  }
}
