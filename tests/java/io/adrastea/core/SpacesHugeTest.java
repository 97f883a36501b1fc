package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Asking for huge pages; that they come is for {@code HugeAllocationTest}, on systems that have them. */
@EveryCore
class SpacesHugeTest extends SpacesContract {
  private static final int EINVAL = -22;
  private static final long HUGE = 2 << 20;

  @Test
  void leavesTheBytesAsTheyAre() {
    MemorySegment memory = filled(Arena.ofAuto().allocate(2 * HUGE, HUGE));
    MemorySegment wanted = filled(Arena.ofAuto().allocate(2 * HUGE, HUGE));
    spaces().advise(memory);
    assertEquals(-1, wanted.mismatch(memory));
  }

  @Test
  void isRefusedForPartsOfPages() {
    MemorySegment memory = Arena.ofAuto().allocate(2 * HUGE, HUGE);
    assertEquals(core.equals("java") ? Spaces.NOSYS : EINVAL, spaces().advise(memory.asSlice(8, HUGE)));
  }
}
