package io.adrastea;

import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;

/** What datatypes are to the rooms below, for tests of rooms that know nothing else of them. */
public final class Programs {
  private Programs() {}

  public static Program of(Datatype type) {
    return type.map().program();
  }

  /** Elements from the beginning of a memory on. */
  public static Typed elements(Spaces spaces, Datatype type, MemorySegment memory, long count) {
    return new Typed(spaces, type.map().signature(), type.map().program(), memory, 0, count);
  }
}
