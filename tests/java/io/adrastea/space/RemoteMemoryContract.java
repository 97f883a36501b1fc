package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** What reaches memory of a peer in these tests: no transfer, no engine and no message. */
abstract class RemoteMemoryContract {
  static final int PEER = 1;

  static Cursor cursor(Payload payload) {
    Cursor cursor = new Cursor();
    cursor.begin(payload.bytes());
    return cursor;
  }

  static Contiguous contiguous(MemorySegment memory) {
    return new Contiguous().set(memory, 0, memory.byteSize());
  }

  /** Stretches of a memory, in an order and of lengths by the seed, some empty; of at least so many bytes. */
  static int[][] stretches(long seed, int from, int to, int bytes) {
    Random random = new Random(seed);
    int count = 2 + random.nextInt(40);
    int[][] stretches = new int[count + 1][];
    int left = bytes;
    for (int i = 0; i < count; i++) {
      int length = Math.min(left, random.nextInt(4) == 0 ? 0 : random.nextInt(2 * bytes / count + 1));
      stretches[i] = new int[] {from + random.nextInt(to - from - length + 1), length};
      left -= length;
    }
    stretches[count] = new int[] {from, left};
    return stretches;
  }

  /** An exposure of stretches of memory at an address. */
  static Exposure exposure(int flags, long address, int[][] stretches) {
    Exposure exposure = new Exposure();
    exposure.set(flags, 0);
    for (int[] stretch : stretches) {
      exposure.vector().add(address + stretch[0], stretch[1]);
    }
    return exposure;
  }

  /** A vector of fresh memory of several kinds, as long as {@code bytes}. */
  static IoEntries vector(long seed, int bytes) {
    Random random = new Random(seed);
    IoEntries entries = new IoEntries(0);
    for (int left = bytes; left > 0;) {
      int length = Math.min(left, random.nextInt(bytes / 3 + 1));
      MemorySegment memory =
          random.nextInt(3) == 0 ? MemorySegment.ofArray(new byte[length + 5]) : Arena.ofAuto().allocate(length + 5);
      entries.add(memory, 3, length);
      left -= length;
    }
    return entries;
  }

  /** All bytes of a payload. */
  static MemorySegment packed(Payload payload) {
    MemorySegment all = Arena.ofAuto().allocate(Math.max(1, payload.bytes()));
    payload.pack(cursor(payload), all, 0, payload.bytes());
    return all.asSlice(0, payload.bytes());
  }

  /** The bytes of stretches of a memory, one behind the other. */
  static MemorySegment joined(MemorySegment memory, int[][] stretches) {
    IoEntries entries = new IoEntries(stretches.length);
    for (int[] stretch : stretches) {
      entries.add(memory, stretch[0], stretch[1]);
    }
    return packed(entries);
  }

  static void assertSameBytes(MemorySegment wanted, MemorySegment found) {
    assertEquals(wanted.byteSize(), found.byteSize());
    assertEquals(-1, wanted.mismatch(found), "first byte that differs");
  }
}
