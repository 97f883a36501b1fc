package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Datatype;
import io.adrastea.Programs;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.datatype.Program;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Typed;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

/** Elements of a datatype in shared allocations of a peer, and what a peer may tell of them that cannot be. */
@ParameterizedClass(name = "{0}")
@MethodSource("cores")
class PeerElementsTest extends RemoteMemoryContract {
  private static final long JOB = 0x78;
  private static final Datatype TYPE = Datatype.indexed(new long[] {1, 3, 2, 9}, new long[] {0, 5, 10, 20},
      Datatype.LONG);
  private static final long COUNT = 40;

  @TempDir
  private Path directory;
  private Segment segment;
  private Segment second; // the same file, mapped again, as by another rank
  private SharedHeap heap; // the peer's
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
    segment = Segment.create(path, new Geometry(2, 4, 64), JOB);
    segment.reserveArea(0);
    segment.reserveArea(1);
    second = Segment.attach(path, 2, JOB).orElseThrow();
    heap = new SharedHeap(segment, PEER);
    peer = of(heap, new SharedReach(segment));
    memory = of(new SharedHeap(second, 0), new SharedReach(second));
    there = heap.allocate(COUNT * TYPE.extent(), 8);
    byte[] bytes = new byte[(int) there.byteSize()];
    new Random(1).nextBytes(bytes);
    there.copyFrom(MemorySegment.ofArray(bytes));
  }

  private RemoteMemory of(SharedHeap heap, SharedReach reach) {
    return new RemoteMemory(Cores.choose(core).spaces(), heap, reach, new int[] {0, 1}, new int[2], Space.all(),
        rank -> true);
  }

  @AfterEach
  void close() {
    segment.unlink();
    segment.close();
    second.close();
  }

  private Typed elements(MemorySegment of, Datatype type, long count) {
    return Programs.elements(Cores.choose(core).spaces(), type, of, count);
  }

  /** What the peer tells of memory, as it comes in a message. */
  private Exposure told(Typed payload) {
    Exposure own = new Exposure();
    peer.describe(payload, payload.bytes(), 10, false, own);
    peer.publish(own);
    assertTrue(own.isTyped() && own.isShared());
    Exposure far = new Exposure();
    far.set(own.flags(), 0);
    far.vector().add(own.vector().start(0), own.vector().size(0));
    far.elements(own.elements(), own.checksum(), own.place(), own.words());
    return far;
  }

  @Test
  void areReadAndWrittenFromAnyByteOn() {
    Typed payload = elements(there, TYPE, COUNT);
    Exposure far = told(payload);
    assertTrue(memory.resolve(PEER, far));
    Random random = new Random(2);
    for (int i = 0; i < 50; i++) {
      int from = random.nextInt((int) payload.bytes());
      int bytes = random.nextInt((int) payload.bytes() - from + 1);
      Payload here =
          i % 2 == 0 ? contiguous(Arena.ofAuto().allocate(payload.bytes())) : vector(i, (int) payload.bytes());
      var cursor = cursor(here);
      here.seek(cursor, from);
      assertEquals(bytes, memory.read(PEER, Space.SHARED, far, from, here, cursor, bytes));
      assertSameBytes(packed(payload).asSlice(from, bytes), packed(here).asSlice(from, bytes));
      here.seek(cursor, from);
      assertEquals(bytes, memory.write(PEER, Space.SHARED, far, from, here, cursor, bytes));
    }
  }

  @Test
  void canBeNamedByTheRankThatReachesThem() {
    Exposure window = peer.expose(contiguous(there), there.byteSize(), 1, there);
    Typed payload = elements(there, TYPE, COUNT);
    Exposure far = new Exposure();
    far.setElements(window, 0, payload.program(), COUNT);
    assertTrue(memory.resolve(PEER, far), "the peer has told nothing of them");
    MemorySegment mine = Arena.ofAuto().allocate(payload.bytes());
    Payload here = contiguous(mine);
    assertEquals(payload.bytes(),
        memory.read(PEER, Space.SHARED, far, 0, here, cursor(here), payload.bytes()));
    assertSameBytes(packed(payload), packed(here));
    mine.fill((byte) 3);
    assertEquals(payload.bytes(),
        memory.write(PEER, Space.SHARED, far, 0, here, cursor(here), payload.bytes()));
    assertSameBytes(mine, packed(payload));
  }

  @Test
  void cannotBeNamedBeyondTheEndsOfTheMemory() {
    Exposure window = peer.expose(contiguous(there), there.byteSize(), 1, there);
    Program program = elements(there, TYPE, COUNT).program();
    long span = program.highest(COUNT) - program.lowest(COUNT);
    long first = -program.lowest(COUNT);
    Exposure far = new Exposure();
    far.setElements(window, first, program, COUNT);
    far.setElements(window, first + there.byteSize() - span, program, COUNT);
    for (long origin : new long[] {first - 1, first + there.byteSize() - span + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class, () -> far.setElements(window, origin, program, COUNT));
    }
    for (long count : new long[] {there.byteSize(), Long.MAX_VALUE / 2, Long.MAX_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class, () -> far.setElements(window, first, program, count));
    }
    assertThrows(IllegalArgumentException.class, () -> far.setElements(far, 0, program, 1), "elements of elements");
    assertThrows(IllegalArgumentException.class, () -> far.setElements(window, first, program, 0));
    window.vector().add(0, 8);
    assertThrows(IllegalArgumentException.class, () -> far.setElements(window, 0, program, 1), "two stretches");
  }

  @Test
  void areReadByTwoThreadsAtATime() throws Exception {
    Typed payload = elements(there, TYPE, COUNT);
    Exposure far = told(payload);
    assertTrue(memory.resolve(PEER, far));
    MemorySegment all = packed(payload);
    Together.run(2, thread -> {
      Random random = new Random(thread);
      Payload here = contiguous(Arena.ofAuto().allocate(payload.bytes()));
      for (int i = 0; i < 300; i++) {
        int from = random.nextInt((int) payload.bytes());
        int bytes = random.nextInt((int) payload.bytes() - from + 1);
        var cursor = cursor(here);
        here.seek(cursor, from);
        assertEquals(bytes, memory.read(PEER, Space.SHARED, far, from, here, cursor, bytes));
        assertSameBytes(all.asSlice(from, bytes), packed(here).asSlice(from, bytes));
      }
    });
  }

  @Test
  void whoseProgramIsAnotherOneByNowAreNotThere() {
    Exposure far = told(elements(there, TYPE, COUNT));
    far.elements(COUNT, far.checksum() + 1, far.place(), far.words());
    assertFalse(memory.resolve(PEER, far));
  }

  @Test
  void thatCannotBeAreRefused() {
    Exposure far = told(elements(there, TYPE, COUNT));
    long[] good = {far.elements(), far.checksum(), far.place(), far.words()};
    refused(far, good[0], good[1], 1L << 40, good[3]);
    refused(far, good[0], good[1], good[2], 0);
    refused(far, good[0], good[1], good[2], -1);
    refused(far, good[0], good[1], good[2], Long.MAX_VALUE);
    refused(far, 0, good[1], good[2], good[3]);
    refused(far, -1, good[1], good[2], good[3]);
    refused(far, COUNT - 1, good[1], good[2], good[3]);
    refused(far, Long.MAX_VALUE, good[1], good[2], good[3]);
    far.elements(COUNT + 100_000, good[1], good[2], good[3]);
    assertTrue(memory.resolve(PEER, far));
    Payload here = contiguous(Arena.ofAuto().allocate(8));
    assertThrows(IllegalArgumentException.class,
        () -> memory.read(PEER, Space.SHARED, far, 0, here, cursor(here), 8), "they end behind the region");
  }

  /** Cores believe what they are told: whoever asks for more than there is must not come so far. */
  @Test
  void areNotCopiedBeyondTheEnds() {
    Typed payload = elements(there, TYPE, COUNT);
    Exposure far = told(payload);
    assertTrue(memory.resolve(PEER, far));
    long all = payload.bytes();
    Payload longer = contiguous(Arena.ofAuto().allocate(all + 8));
    Payload shorter = contiguous(Arena.ofAuto().allocate(all - 8));
    Typed fewer = elements(Arena.ofAuto().allocate(COUNT * TYPE.extent()), TYPE, COUNT - 1);
    beyond(far, 0, longer, all + 8);
    beyond(far, 8, longer, all);
    beyond(far, -8, longer, 8);
    beyond(far, 0, longer, -8);
    beyond(far, 0, shorter, all);
    beyond(far, 0, fewer, all);
    Exposure bytes = new Exposure();
    bytes.set(Exposure.SHARED | Exposure.LASTING, 0);
    bytes.vector().add(heap.offset(there), all);
    beyond(bytes, 0, fewer, all);
  }

  private void beyond(Exposure far, long position, Payload here, long bytes) {
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.read(PEER, Space.SHARED, far, position, here, cursor(here), bytes));
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.write(PEER, Space.SHARED, far, position, here, cursor(here), bytes));
  }

  /** The programs of an exchange of many datatypes, say of all sides of a box, are read once. */
  @Test
  void keepThePrograms() {
    Exposure[] told = new Exposure[20];
    Program[] first = new Program[told.length];
    for (int i = 0; i < 2 * told.length; i++) {
      int number = i % told.length;
      Typed payload = elements(there, Datatype.vector(2 + number, 1, 3, Datatype.SHORT), 1);
      told[number] = told(payload);
      assertTrue(memory.resolve(PEER, told[number]));
      if (i < told.length) {
        first[number] = told[number].program();
      } else {
        assertSame(first[number], told[number].program());
      }
    }
  }

  private void refused(Exposure far, long elements, long checksum, long place, long words) {
    far.elements(elements, checksum, place, words);
    assertThrows(IllegalArgumentException.class, () -> memory.resolve(PEER, far));
  }

  /** Any words with their right checksum: refused, or elements that lie in the peer's memory, or are refused then. */
  @Test
  void byAnyWordsAreRefusedOrLieInThePeersMemory() {
    long[] right = Programs.of(TYPE).words();
    MemorySegment place = heap.allocate(right.length * 8L, 8);
    Random random = new Random(3);
    int accepted = 0;
    for (int i = 0; i < 4000; i++) {
      long[] words = right.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        words[random.nextInt(words.length)] += random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(33) - 16;
      }
      place.copyFrom(MemorySegment.ofArray(words));
      Exposure far = new Exposure();
      far.set(Exposure.SHARED | Exposure.LASTING | Exposure.TYPED, 0);
      far.vector().add(heap.offset(there), 800);
      far.elements(10, Program.checksum(words), heap.offset(place), words.length);
      Payload here = contiguous(Arena.ofAuto().allocate(800));
      try {
        assertTrue(memory.resolve(PEER, far));
        accepted++;
        memory.write(PEER, Space.SHARED, far, 0, here, cursor(here), 800);
        memory.read(PEER, Space.SHARED, far, 0, here, cursor(here), 800);
      } catch (IllegalArgumentException e) {
        continue; // told in words
      }
    }
    assertTrue(accepted > 0);
  }

  /** Programs make room for others, but not while somebody is told of them. */
  @Test
  void keepTheirProgramAsLongAsItIsTold() {
    Exposure held = new Exposure();
    Typed first = elements(there, TYPE, 2);
    peer.describe(first, first.bytes(), 10, false, held);
    peer.publish(held);
    Exposure told = told(first);
    for (int i = 0; i < 300; i++) {
      Typed other = elements(there, Datatype.vector(2 + i % 100, 1, 2 + i / 100, Datatype.SHORT), 1);
      Exposure exposure = new Exposure();
      peer.describe(other, other.bytes(), 10, false, exposure);
      peer.publish(exposure);
      assertTrue(exposure.isTyped());
      peer.release(exposure);
    }
    assertTrue(memory.resolve(PEER, told), "its words are there");
    peer.release(held);
  }
}
