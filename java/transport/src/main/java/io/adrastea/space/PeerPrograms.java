package io.adrastea.space;

import io.adrastea.datatype.Program;
import java.lang.foreign.MemorySegment;

/**
 * Programs of peers' datatypes, as they were read from their shared memory: copied, and checked, so that nothing of a
 * program that is here leads outside the bounds that it tells. Those that came last are kept, {@link #KEPT} of each
 * peer, and known again by their checksum.
 */
final class PeerPrograms {
  private static final int KEPT = 32;

  /** The programs of one peer. */
  private static final class Known {
    final long[] checksums = new long[KEPT]; // beside the programs, so that a look at all is one at few lines; 0: none
    final Program[] programs = new Program[KEPT];
    int oldest;

    Program find(long checksum) {
      for (int i = 0; i < KEPT; i++) {
        if (checksums[i] == checksum) {
          return programs[i];
        }
      }
      return null;
    }

    void keep(Program program) {
      checksums[oldest] = program.checksum();
      programs[oldest] = program;
      oldest = (oldest + 1) % KEPT;
    }
  }

  private final SharedMemory shared;
  private final Known[] known; // by peer; null: none came yet

  PeerPrograms(SharedMemory shared, int peers) {
    this.shared = shared;
    this.known = new Known[peers];
  }

  /**
   * The program of a peer's elements; null: other words stand there now, since the use that it was for is over.
   *
   * @throws IllegalArgumentException when the peer has no such shared memory, or the words are no program
   */
  Program find(int peer, Exposure far) {
    if (known[peer] == null) {
      known[peer] = new Known();
    }
    Program found = known[peer].find(far.checksum());
    if (found == null) {
      found = read(peer, far);
      if (found != null) {
        known[peer].keep(found);
      }
    }
    return found;
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
