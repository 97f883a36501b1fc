package io.adrastea.bench.datatypes;

import io.adrastea.Job;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of a rank, which all its exchanges share: copies of the memory of a case that messages take turns in, and
 * room for packed messages. It grows when asked for more and is kept.
 */
final class RankMemory {
  private static final int PAGE = 4096;
  private static final long LINE = 64;
  private static final long MOST_TURN_BYTES = 64 << 20;
  private static final int MOST_TURNS = 4;

  private final Job job;
  private final boolean shared;
  private final Buffers buffers = new Buffers();
  private final Map<String, Words> words = new HashMap<>();
  private MemorySegment all;

  RankMemory(Side side) {
    this.job = side.job();
    this.shared = side.memory() == Memory.SHARED;
  }

  /**
   * What a case has of it.
   *
   * @param memories copies of the memory of the case
   * @param outgoing room for a message in each turn; those that pack use the first only
   * @param incoming the same for a packed message that comes
   */
  record Room(Words words, MemorySegment[] memories, MemorySegment[] outgoing, MemorySegment incoming) {}

  /** Makes room for a case; what an earlier call returned may overlap. */
  Room take(Case one) {
    long stride = lines(one.memoryBytes());
    long packed = lines(one.bytes());
    int turns = Math.clamp(MOST_TURN_BYTES / stride, 1, MOST_TURNS);
    reserve(turns * (stride + packed) + packed);
    MemorySegment[] memories = slices(0, turns, stride, one.memoryBytes());
    MemorySegment[] outgoing = slices(turns * stride, turns, packed, one.bytes());
    MemorySegment incoming = all.asSlice(turns * (stride + packed), one.bytes());
    Words found =
        words.computeIfAbsent(one.name(), name -> Words.of(one, memories[0], outgoing[0]));
    return new Room(found, memories, outgoing, incoming);
  }

  private MemorySegment[] slices(long at, int count, long stride, long bytes) {
    MemorySegment[] slices = new MemorySegment[count];
    for (int i = 0; i < count; i++) {
      slices[i] = all.asSlice(at + i * stride, bytes);
    }
    return slices;
  }

  /** The old one goes first: no message is under way, and /dev/shm may be small. */
  private void reserve(long bytes) {
    if (all != null && all.byteSize() >= bytes) {
      return;
    }
    if (!shared) {
      all = buffers.take(bytes);
      return;
    }
    if (all != null) {
      job.free(all);
      all = null; // stays so when there is no room
    }
    all = job.allocate(bytes, PAGE).fill((byte) 1);
  }

  private static long lines(long bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
  }
}
