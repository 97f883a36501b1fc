package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The spaces of the core in Java alone, which has no way to other processes. */
class PureSpacesTest {
  @Test
  void saysThatItHasNoWayToOtherProcesses() {
    Spaces spaces = Cores.choose("java").spaces();
    MemorySegment buffer = Arena.ofAuto().allocate(16);
    int me = (int) ProcessHandle.current().pid();
    assertEquals(Spaces.NOSYS, spaces.read(me, buffer.address(), buffer, 0, 16));
    assertEquals(Spaces.NOSYS, spaces.write(me, buffer.address(), buffer, 0, 16));
    assertEquals(Spaces.NOSYS, spaces.readVector(me, buffer, 1, buffer, 1));
    assertEquals(Spaces.NOSYS, spaces.writeVector(me, buffer, 1, buffer, 1));
    assertEquals(0, spaces.allow(me));
    assertEquals(Spaces.NOSYS, spaces.export());
    assertEquals(Spaces.NOSYS, spaces.advise(buffer));
    assertEquals(Spaces.NOSYS, spaces.reach(1, buffer.address(), 16));
    assertEquals(Spaces.NOSYS, spaces.unreach(1, buffer.address(), 16));
  }
}
