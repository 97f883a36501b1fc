package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.core.Cores;
import io.adrastea.core.OtherMemory;
import io.adrastea.core.Spaces;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of another process by CMA, read and written without a transfer, until that process is gone. */
@Timeout(240)
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "jni", "jna"})
class OtherProcessTest extends RemoteMemoryContract {
  private static final int BYTES = 100_000;
  private static OtherMemory other;
  private static MemorySegment there; // what it holds

  @Parameter
  private String core;

  @BeforeAll
  static void start() {
    other = new OtherMemory();
    there = OtherMemory.initial();
  }

  @AfterAll
  static void end() {
    other.close();
  }

  private RemoteMemory memory(OtherMemory peer) {
    return new RemoteMemory(Cores.choose(core).spaces(), null, null, new int[] {0, 1}, new int[] {0, peer.pid()},
        Space.all(),
        rank -> true);
  }

  /** Neither end's stretches are the other's; entries on the heap are among them. */
  @Test
  void isReadIntoAnyPayload() {
    RemoteMemory memory = memory(other);
    for (int seed = 0; seed < 40; seed++) {
      int[][] stretches = stretches(seed, 0, OtherMemory.BYTES, BYTES);
      Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), stretches);
      assertEquals(Space.CMA, Exposure.reader(far.flags(), memory.reaching(PEER, far)));
      Payload to = seed == 0 ? contiguous(MemorySegment.ofArray(new byte[BYTES])) : vector(seed, BYTES);
      assertEquals(BYTES, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), BYTES));
      assertSameBytes(joined(there, stretches), packed(to));
    }
  }

  /** Whether the process is there was found out before, so that the copy does not have to: unless that was long ago. */
  @Test
  void isLookedAtBeforeItIsRead() {
    AtomicInteger asked = new AtomicInteger();
    RemoteMemory memory = new RemoteMemory(Cores.choose(core).spaces(), null, null, new int[] {0, 1},
        new int[] {0, other.pid()}, Space.all(), rank -> asked.incrementAndGet() > 0);
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), new int[][] {{0, 8}});
    Payload to = contiguous(Arena.ofAuto().allocate(8));
    int looks = 0;
    do {
      asked.set(0);
      memory.look(PEER, Space.CMA);
      looks = asked.get();
      assertEquals(8, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 8));
      sleep(); // until it was long ago
    } while (looks != 1 || asked.get() != 1);
  }

  private static void sleep() {
    try {
      Thread.sleep(150);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isReadInPartsFromAnyPosition() {
    RemoteMemory memory = memory(other);
    int[][] stretches = stretches(99, 0, OtherMemory.BYTES, BYTES);
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), stretches);
    MemorySegment wanted = joined(there, stretches);
    IoEntries to = vector(7, BYTES);
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int length = random.nextInt(BYTES / 4);
      int from = random.nextInt(BYTES - length);
      int at = random.nextInt(BYTES - length);
      var cursor = cursor(to);
      to.seek(cursor, at);
      assertEquals(length, memory.read(PEER, Space.CMA, far, from, to, cursor, length));
      assertEquals(at + length, cursor.position());
      assertSameBytes(wanted.asSlice(from, length), packed(to).asSlice(at, length));
    }
  }

  @Test
  void isWrittenFromAnyPayloadAndNothingBesideIt() {
    RemoteMemory memory = memory(other);
    for (int seed = 0; seed < 10; seed++) {
      int start = new Random(seed).nextInt(1000);
      int[][] stretches = new int[50][];
      for (int i = 0; i < stretches.length; i++) { // no two of them overlap
        stretches[i] = new int[] {start + i * 3000, 1 + i * 50};
      }
      Payload from = vector(seed, 2000);
      from.unpack(cursor(from), there, seed * 10L, from.bytes());
      Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), stretches);
      assertEquals(2000, memory.write(PEER, Space.CMA, far, 500, from, cursor(from), 2000));
      MemorySegment sent = packed(from);
      IoEntries into = new IoEntries(stretches.length);
      for (int[] stretch : stretches) {
        into.add(there, stretch[0], stretch[1]);
      }
      var cursor = cursor(into);
      into.seek(cursor, 500);
      into.unpack(cursor, sent, 0, 2000);
      assertEquals(OtherMemory.crc(there), other.crc());
    }
  }

  /** More stretches than one list holds, of a byte each here, and longer ones there. */
  @Test
  void isReadIntoThousandsOfStretches() {
    RemoteMemory memory = memory(other);
    int[][] stretches = {{10, 700}, {2000, 1}, {5000, 1299}};
    IoEntries to = new IoEntries(0);
    MemorySegment here = Arena.ofAuto().allocate(6000);
    for (int i = 0; i < 2000; i++) {
      to.add(here, 3 * i, 1);
    }
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), stretches);
    assertEquals(2000, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 2000));
    assertSameBytes(joined(there, stretches), packed(to));
  }

  @Test
  void aBufferThatIsClosedIsToldAndTheOtherProcessKeepsItsBytes() {
    RemoteMemory memory = memory(other);
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), new int[][] {{0, 1000}});
    Arena arena = Arena.ofShared();
    Payload closed = contiguous(arena.allocate(1000));
    arena.close();
    assertThrows(IllegalStateException.class,
        () -> memory.read(PEER, Space.CMA, far, 0, closed, cursor(closed), 1000));
    assertThrows(IllegalStateException.class,
        () -> memory.write(PEER, Space.CMA, far, 0, closed, cursor(closed), 1000));
    assertEquals(OtherMemory.crc(there), other.crc());
  }

  @Test
  void moreThanIsExposedIsRefused() {
    RemoteMemory memory = memory(other);
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), new int[][] {{0, 100}});
    Payload to = contiguous(Arena.ofAuto().allocate(200));
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 101));
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.read(PEER, Space.CMA, far, 100, to, cursor(to), 1));
    Exposure large = exposure(Exposure.ADDRESS | Exposure.LASTING, other.address(), new int[][] {{0, 1000}});
    assertThrows(IndexOutOfBoundsException.class,
        () -> memory.read(PEER, Space.CMA, large, 0, to, cursor(to), 201));
  }

  @Test
  void memoryThatIsNotThereIsAFaultAndNoRefusal() {
    RemoteMemory memory = memory(other);
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, 8, new int[][] {{0, 100}});
    Payload to = contiguous(Arena.ofAuto().allocate(100));
    assertEquals(Spaces.FAULT, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 100));
    assertFalse(memory.isRefused(PEER, Space.CMA, Spaces.FAULT));
    assertEquals(Space.CMA, Exposure.reader(far.flags(), memory.reaching(PEER, far)));
  }

  /** The number of a process that is gone may be another's: once it is seen to be gone, the system is not asked. */
  @Test
  void aPeerThatGoesAwayIsTold() throws InterruptedException {
    try (OtherMemory mortal = new OtherMemory()) {
      AtomicBoolean there = new AtomicBoolean(true);
      AlteredSpaces altered = new AlteredSpaces(Cores.choose(core).spaces());
      RemoteMemory memory =
          new RemoteMemory(altered.spaces(), null, null, new int[] {0, 1}, new int[] {0, mortal.pid()},
              Space.all(), rank -> there.get());
      Exposure far =
          exposure(Exposure.ADDRESS | Exposure.LASTING, mortal.address(), new int[][] {{0, 100}, {5000, 100}});
      IoEntries to = vector(1, 200);
      assertEquals(200, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 200));
      mortal.kill();
      assertEquals(Spaces.SRCH, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 200));
      assertEquals(Spaces.SRCH, memory.write(PEER, Space.CMA, far, 0, to, cursor(to), 200));
      assertFalse(memory.isRefused(PEER, Space.CMA, Spaces.SRCH));
      there.set(false);
      Thread.sleep(150); // longer than a sight lasts
      int asked = altered.calls("read") + altered.calls("readVector");
      assertEquals(Spaces.SRCH, memory.read(PEER, Space.CMA, far, 0, to, cursor(to), 200));
      assertEquals(asked, altered.calls("read") + altered.calls("readVector"));
    }
  }
}
