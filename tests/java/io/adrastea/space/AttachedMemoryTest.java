package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory of peers that is attached by XPMEM, and what is learnt of a peer. The kernel's side is the test's: memory of a
 * file stands for that of the peer, and is gone when the file is cut, as it is when an exporter ends.
 */
@Timeout(240)
class AttachedMemoryTest extends RemoteMemoryContract {
  private static final int BYTES = 4 << 20;
  private static final long SEGMENT = 42; // of the peer
  private static final int OTHER_PEER = 2;
  private static final int INVALID = -22;

  @TempDir
  private Path directory;
  private long status; // what the kernel says of an attachment; 0: it is there
  private final AlteredSpaces spaces =
      new AlteredSpaces(Cores.choose("java").spaces())
          .with("export", arguments -> 7L)
          .with("reach", arguments -> status < 0 ? status : (long) arguments[1])
          .with("unreach", arguments -> (int) Math.min(0, status));
  private final RemoteMemory memory =
      new RemoteMemory(spaces.spaces(), null, null, new int[3], new int[3], Space.all(), rank -> true);

  private static Exposure exposed(MemorySegment there, int[][] stretches) {
    Exposure far = exposure(Exposure.ADDRESS | Exposure.LASTING, there.address(), stretches);
    far.segment(SEGMENT);
    return far;
  }

  private boolean isReached(int peer) {
    Exposure far = exposed(MemorySegment.NULL, new int[][] {{0, 1}});
    return Space.XPMEM.isIn(memory.reaching(peer, far));
  }

  @Test
  void isReadAndWritten() {
    MemorySegment there = Arena.ofAuto().allocate(10_000);
    for (int i = 0; i < 10_000; i++) {
      there.setAtIndex(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    for (int seed = 0; seed < 10; seed++) {
      int[][] stretches = stretches(seed, 0, 10_000, 3000);
      Exposure far = exposed(there, stretches);
      assertEquals(Space.XPMEM, Exposure.reader(far.flags(), memory.reaching(PEER, far)));
      IoEntries to = vector(seed, 3000);
      assertEquals(3000, memory.read(PEER, Space.XPMEM, far, 0, to, cursor(to), 3000));
      assertSameBytes(joined(there, stretches), packed(to));
    }
    IoEntries from = vector(3, 3000);
    from.unpack(cursor(from), there, 1000, 3000);
    Exposure far = exposed(there, new int[][] {{5000, 3000}});
    assertEquals(3000, memory.write(PEER, Space.XPMEM, far, 0, from, cursor(from), 3000));
    assertSameBytes(packed(from), there.asSlice(5000, 3000));
  }

  /** Each copy meets the error, interpreted and compiled; the process and this rank's memory go on. */
  @Test
  void memoryOfAPeerThatIsGoneIsAFault() throws IOException {
    try (Arena arena = Arena.ofShared();
        FileChannel file =
            FileChannel.open(directory.resolve("peer"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      MemorySegment there = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
      there.fill((byte) 3);
      Exposure far = exposed(there, new int[][] {{0, BYTES / 2}, {BYTES / 2, BYTES / 2}});
      Payload here = contiguous(Arena.ofAuto().allocate(BYTES));
      assertEquals(BYTES, memory.read(PEER, Space.XPMEM, far, 0, here, cursor(here), BYTES));
      file.truncate(0);
      for (int i = 0; i < 20_000; i++) {
        assertEquals(Spaces.FAULT, memory.read(PEER, Space.XPMEM, far, i * 5 % BYTES, here, cursor(here), 1000));
        assertEquals(Spaces.FAULT, memory.write(PEER, Space.XPMEM, far, i * 5 % BYTES, here, cursor(here), 1000));
      }
      assertFalse(memory.isRefused(PEER, Space.XPMEM, Spaces.FAULT), "the memory alone is gone");
      status = Spaces.SRCH; // and now it is known that its process is
      assertEquals(Spaces.SRCH, memory.read(PEER, Space.XPMEM, far, 0, here, cursor(here), 1000));
      assertTrue(memory.isRefused(PEER, Space.XPMEM, Spaces.SRCH));
      assertFalse(isReached(PEER));
    }
  }

  @Test
  void whatIsLearntOfOnePeerSaysNothingOfAnother() {
    assertTrue(memory.isRefused(PEER, Space.XPMEM, INVALID));
    assertFalse(isReached(PEER));
    assertTrue(isReached(OTHER_PEER));
    assertFalse(Space.XPMEM.isIn(memory.usable(PEER)), "it is not offered");
    Exposure own = exposed(MemorySegment.NULL, new int[][] {{0, 1}});
    assertFalse(Space.XPMEM.isIn(memory.reachedBy(PEER, own)), "nor asked for");
    assertTrue(Space.XPMEM.isIn(memory.reachedBy(OTHER_PEER, own)));
  }

  @Test
  void wantOfMemoryPasses() {
    assertTrue(memory.isRefused(PEER, Space.XPMEM, Spaces.NOMEM), "another way may do this time");
    assertTrue(isReached(PEER));
  }

  @Test
  void xpmemThatThisProcessHasLostIsUsedWithNobody() {
    assertEquals(7, memory.segment());
    assertTrue(memory.isRefused(PEER, Space.XPMEM, Spaces.STALE));
    assertFalse(isReached(PEER));
    assertFalse(isReached(OTHER_PEER));
    assertEquals(0, memory.segment());
  }

  @Test
  void anExportThatIsNotWhatItWasIsLost() {
    assertTrue(isReached(PEER));
    spaces.with("export", arguments -> 8L);
    assertEquals(0, memory.segment());
    assertFalse(isReached(PEER));
  }

  @Test
  void cmaIsTriedOnceWithEachPeerBeforeItIsReliedOn() {
    AlteredSpaces altered =
        new AlteredSpaces(Cores.choose("java").spaces())
            .with("read", arguments -> (int) arguments[0] == 11 ? Spaces.PERM : (long) arguments[4]);
    RemoteMemory tried =
        new RemoteMemory(altered.spaces(), null, null, new int[4], new int[] {0, 11, 12, 0}, Space.CMA.bit(),
            rank -> true);
    int asked = altered.calls("read");
    Exposure far = exposed(MemorySegment.NULL, new int[][] {{4096, 1}});
    for (int i = 0; i < 3; i++) {
      assertEquals(0, tried.reaching(1, far));
      assertEquals(Space.CMA.bit(), tried.reaching(2, far));
      assertEquals(0, tried.reaching(3, far), "a process that has no number here");
    }
    assertEquals(asked + 2, altered.calls("read"));
    assertEquals(Space.CMA.bit(), tried.able() & tried.usable(2));
    assertEquals(0, tried.usable(1));
  }

  @Test
  void theCursorStaysBehindWhatWasCopiedWhenTheRestIsRefused() {
    AlteredSpaces altered =
        new AlteredSpaces(Cores.choose("java").spaces()).with("readVector", arguments -> (long) Spaces.PERM);
    RemoteMemory refusing =
        new RemoteMemory(altered.spaces(), null, null, new int[2], new int[] {0, 11}, Space.CMA.bit(), rank -> true);
    Exposure far = exposed(MemorySegment.NULL, new int[][] {{4096, 100}, {8192, 100}});
    Payload to = contiguous(Arena.ofAuto().allocate(300));
    var cursor = cursor(to);
    to.seek(cursor, 70);
    assertEquals(Spaces.PERM, refusing.read(PEER, Space.CMA, far, 0, to, cursor, 200));
    assertEquals(70, cursor.position());
    altered.with("readVector", arguments -> 200L);
    assertEquals(200, refusing.read(PEER, Space.CMA, far, 0, to, cursor, 200));
    assertEquals(270, cursor.position());
  }

  @Test
  void whatIsNotAllowedIsNotTried() {
    AlteredSpaces altered = new AlteredSpaces(Cores.choose("java").spaces()).with("read", arguments -> 1L);
    RemoteMemory none = new RemoteMemory(altered.spaces(), null, null, new int[2], new int[] {1, 2}, 0, rank -> true);
    int asked = altered.calls("read");
    Exposure far = exposed(MemorySegment.NULL, new int[][] {{4096, 1}});
    assertEquals(0, none.reaching(PEER, far));
    assertEquals(asked, altered.calls("read"));
    assertEquals(0, altered.calls("export"));
  }
}
