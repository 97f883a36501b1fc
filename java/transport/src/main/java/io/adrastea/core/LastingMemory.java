package io.adrastea.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Which memory C, or another process, may be given by its bare address. */
public final class LastingMemory {
  private static final MemorySegment.Scope FOREVER = Arena.global().scope();
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});
  private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
  private static final Class<?> BUFFER = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1)).scope().getClass();
  private static final boolean TELLS_AUTOMATIC = tellsAutomatic();

  private LastingMemory() {}

  /** Whether scopes of arenas that only the garbage collector closes can be told from those that are closed by hand. */
  private static boolean tellsAutomatic() {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      return !isAutomatic(shared.scope()) && !isAutomatic(confined.scope());
    }
  }

  /** Whether a scope is that of an automatic arena, or of a direct byte buffer, which its segments keep. */
  private static boolean isAutomatic(MemorySegment.Scope scope) {
    return scope.getClass() == AUTOMATIC || scope.getClass() == BUFFER;
  }

  /**
   * Whether nobody can free this memory, which is kept reachable, as long as an operation with it is on its way.
   *
   * @param awaited the calling thread waits inside a call until the operation is over, and so cannot close an arena of
   * its own
   */
  public static boolean outlasts(MemorySegment buffer, boolean awaited) {
    return buffer.isNative()
        && (buffer.scope().equals(FOREVER)
            || TELLS_AUTOMATIC && isAutomatic(buffer.scope())
            || awaited && isOwn(buffer));
  }

  /**
   * Whether nobody can free this memory while the calling thread is in C: memory of the global arena, or of a confined
   * arena of the calling thread. The caller keeps the segment reachable.
   */
  static boolean is(MemorySegment buffer) {
    return buffer.isNative() && (buffer.scope().equals(FOREVER) || isOwn(buffer));
  }

  private static boolean isOwn(MemorySegment buffer) {
    return buffer.scope().isAlive()
        && buffer.isAccessibleBy(Thread.currentThread())
        && !buffer.isAccessibleBy(STRANGER);
  }
}
