package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Contents of messages that tell one message, and one place in it, from another. */
public final class Contents {
  private Contents() {}

  public static byte[] of(int length, long seed) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** Checks that the memory holds exactly these contents. */
  public static void check(int length, long seed, MemorySegment memory) {
    assertEquals(length, memory.byteSize(), "length");
    long difference = MemorySegment.ofArray(of(length, seed)).mismatch(memory);
    assertEquals(-1, difference, () -> "first wrong byte of " + length);
  }

  public static void check(int length, long seed, byte[] array) {
    check(length, seed, MemorySegment.ofArray(array).asSlice(0, length));
  }

  /** Receives a message and checks that it has exactly these contents. */
  public static void recv(Communicator world, int length, long seed, int source, int tag) {
    byte[] received = new byte[length];
    assertEquals(length, world.recv(Data.of(received, 0, length), source, tag).bytes());
    check(length, seed, received);
  }

  /** Checks that nothing was written there. */
  public static void checkZero(MemorySegment memory) {
    MemorySegment zeros = MemorySegment.ofArray(new byte[Math.toIntExact(memory.byteSize())]);
    assertEquals(-1, zeros.mismatch(memory), "the first byte that was written");
  }
}
