package io.adrastea.space;

import io.adrastea.datatype.Program;
import java.lang.foreign.MemorySegment;

/**
 * Programs of peers' datatypes, as they were read from their shared memory: copied, and checked, so that nothing of a
 * program that is here leads outside the bounds that it tells. Those that came last are kept, {@link #KEPT} of each
 * peer, and known again by their checksum.
 */
final class PeerPrograms {
  private static final int KEPT = 16;

  private final SharedMemory shared;
  private final Program[][] programs; // by peer; null: none came yet

  PeerPrograms(SharedMemory shared, int peers) {
    this.shared = shared;
    this.programs = new Program[peers][];
  }

  /**
   * The program of a peer's elements; null: other words stand there now, since the use that it was for is over.
   *
   * @throws IllegalArgumentException when the peer has no such shared memory, or the words are no program
   */
  Program find(int peer, Exposure far) {
    if (programs[peer] == null) {
      programs[peer] = new Program[KEPT];
    }
    int slot = (int) (far.checksum() & KEPT - 1);
    Program known = programs[peer][slot];
    if (known != null && known.checksum() == far.checksum()) {
      return known;
    }
    Program read = read(peer, far);
    programs[peer][slot] = read == null ? known : read;
    return read;
  }

  private Program read(int peer, Exposure far) {
    if (far.words() < 1 || far.words() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("a program of %d words".formatted(far.words()));
    }
    long bytes = far.words() * Long.BYTES;
    var mapping = shared.mapping(peer, far.place(), bytes);
    long[] words = new long[(int) far.words()];
    MemorySegment.copy(mapping.memory(), far.place() - mapping.offset(), MemorySegment.ofArray(words), 0, bytes);
    return Program.checksum(words) == far.checksum() ? Program.of(words) : null;
  }
}
