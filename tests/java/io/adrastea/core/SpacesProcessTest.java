package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of other processes, on the kinds of core that have a way there. */
@Timeout(240)
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "jni", "jna"})
class SpacesProcessTest extends SpacesContract {
  private static final int ME = (int) ProcessHandle.current().pid();
  private static final long UNMAPPED = 8; // in the first page
  private static final int AROUND = 20;
  private static final int INVALID = -22;

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 4097, 1 << 16, (1 << 16) + 1, LARGE})
  void memoryOfAnyKindIsReadIntoAndWrittenFrom(int length) {
    MemorySegment there = filled(Arena.ofAuto().allocate(length + AROUND));
    MemorySegment written = Arena.ofAuto().allocate(length + AROUND);
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (MemorySegment here : buffers(length + AROUND, confined, shared)) {
        assertEquals(length, spaces().read(ME, there.address() + 3, here, 7, length));
        assertMoved(there, 3, here, 7, length);
        written.fill((byte) 0);
        assertEquals(length, spaces().write(ME, written.address() + 11, here, 7, length));
        assertMoved(here, 7, written, 11, length);
      }
    }
  }

  @Test
  void theMemoryOfAnotherProcessIsReadAndWritten() {
    try (OtherMemory other = new OtherMemory()) {
      MemorySegment wanted = filled(Arena.ofAuto().allocate(OtherMemory.BYTES));
      MemorySegment here = MemorySegment.ofArray(new byte[OtherMemory.BYTES]);
      assertEquals(OtherMemory.BYTES, spaces().read(other.pid(), other.address(), here, 0, OtherMemory.BYTES));
      assertMoved(wanted, 0, here, 0, OtherMemory.BYTES);
      wanted.asSlice(99_999, 100_001).fill((byte) 0x5a);
      assertEquals(100_001, spaces().write(other.pid(), other.address() + 99_999, wanted, 99_999, 100_001));
      assertEquals(OtherMemory.crc(wanted), other.crc());
    }
  }

  @Test
  void aProcessThatIsGoneIsToldApart() {
    try (OtherMemory other = new OtherMemory()) {
      other.kill();
      MemorySegment here = MemorySegment.ofArray(new byte[64]);
      assertEquals(Spaces.SRCH, spaces().read(other.pid(), other.address(), here, 0, 64));
      assertEquals(Spaces.SRCH, spaces().write(other.pid(), other.address(), here, 0, 64));
      assertZero(here);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, LARGE})
  void whereNoMemoryIsNothingIsMoved(int length) {
    for (MemorySegment here : new MemorySegment[] {MemorySegment.ofArray(new byte[length]),
      Arena.ofAuto().allocate(length)}) {
      assertEquals(Spaces.FAULT, spaces().read(ME, UNMAPPED, here, 0, length));
      assertEquals(Spaces.FAULT, spaces().write(ME, UNMAPPED, here, 0, length));
      assertZero(here);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, LARGE})
  void aClosedArenaIsRefusedAndNothingIsMoved(int length) {
    MemorySegment closed = closed(Arena.ofShared(), length);
    MemorySegment there = Arena.ofAuto().allocate(length);
    assertThrows(IllegalStateException.class, () -> spaces().read(ME, there.address(), closed, 0, length));
    assertThrows(IllegalStateException.class, () -> spaces().write(ME, there.address(), closed, 0, length));
    assertZero(there);
  }

  /** Stretches of one memory as {@code struct iovec}: offset and length in turn. */
  private static MemorySegment list(MemorySegment memory, long... stretches) {
    MemorySegment list = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, stretches.length);
    for (int i = 0; i < stretches.length; i += 2) {
      list.setAtIndex(ValueLayout.JAVA_LONG, i, memory.address() + stretches[i]);
      list.setAtIndex(ValueLayout.JAVA_LONG, i + 1, stretches[i + 1]);
    }
    return list;
  }

  @Test
  void listsAreReadAndWrittenStretchByStretch() {
    MemorySegment there = filled(Arena.ofAuto().allocate(200_000));
    MemorySegment here = Arena.ofAuto().allocate(200_000);
    MemorySegment remote = list(there, 10, 5, 1000, 70_000, 150_000, 1);
    MemorySegment local = list(here, 100_000, 70_001, 7, 5);
    assertEquals(70_006, spaces().readVector(ME, remote, 3, local, 2));
    MemorySegment read = joined(there.asSlice(10, 5), there.asSlice(1000, 70_000), there.asSlice(150_000, 1));
    assertEquals(-1, read.mismatch(joined(here.asSlice(100_000, 70_001), here.asSlice(7, 5))));
    MemorySegment back = Arena.ofAuto().allocate(200_000);
    assertEquals(70_006, spaces().writeVector(ME, local, 2, list(back, 10, 5, 1000, 70_000, 150_000, 1), 3));
    assertEquals(-1, read.mismatch(joined(back.asSlice(10, 5), back.asSlice(1000, 70_000), back.asSlice(150_000, 1))));
    assertZero(back.asSlice(15, 985));
    assertZero(here.asSlice(12, 99_988));
  }

  private static MemorySegment joined(MemorySegment... parts) {
    long bytes = 0;
    for (MemorySegment part : parts) {
      bytes += part.byteSize();
    }
    MemorySegment all = MemorySegment.ofArray(new byte[(int) bytes]);
    long end = 0;
    for (MemorySegment part : parts) {
      MemorySegment.copy(part, 0, all, end, part.byteSize());
      end += part.byteSize();
    }
    return all;
  }

  @Test
  void aListWithABadStretchIsRefused() {
    MemorySegment here = Arena.ofAuto().allocate(64);
    MemorySegment bad = list(MemorySegment.NULL, UNMAPPED, 64);
    assertEquals(Spaces.FAULT, spaces().readVector(ME, bad, 1, list(here, 0, 64), 1));
    assertEquals(Spaces.FAULT, spaces().writeVector(ME, list(here, 0, 64), 1, bad, 1));
  }

  @Test
  void aParentIsAllowedInAndNotEverybodyByMistake() {
    assertEquals(0, spaces().allow((int) ProcessHandle.current().parent().orElseThrow().pid()));
    assertEquals(INVALID, spaces().allow(0));
    assertEquals(INVALID, spaces().allow(-1));
  }

  @Test
  void withoutXpmemNothingIsExportedAndNothingReached() {
    assumeFalse(Files.exists(Path.of("/dev/xpmem")), "there is XPMEM");
    assertTrue(spaces().export() < 0);
    assertTrue(spaces().reach(1, 4096, 64) < 0);
    assertTrue(spaces().unreach(1, 4096, 64) < 0);
  }
}
