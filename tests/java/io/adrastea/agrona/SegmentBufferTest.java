package io.adrastea.agrona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What a buffer over a segment can be laid over, and what it refuses. Its accesses are compared with Agrona's own
 * elsewhere.
 */
class SegmentBufferTest {
  private static MemorySegment memory(int bytes) {
    return Arena.ofAuto().allocate(bytes, 8);
  }

  private static <T extends Throwable> void refuses(Class<T> type, String said, Executable action) {
    String message = assertThrows(type, action).getMessage();
    assertTrue(message != null && message.contains(said), () -> "it said: " + message);
  }

  /** Whether the buffer's index 1 is byte {@code at} of the array. */
  private static void checkSees(SegmentBuffer buffer, byte[] array, int at) {
    array[at] = 77;
    assertEquals(77, buffer.getByte(1));
    buffer.putByte(1, (byte) 78);
    assertEquals(78, array[at]);
  }

  @Test
  void beginsWithoutBytes() {
    SegmentBuffer buffer = new SegmentBuffer();
    assertEquals(0, buffer.capacity());
    refuses(IndexOutOfBoundsException.class, "", () -> buffer.getByte(0));
  }

  @Test
  void liesOverAllOfASegmentOrAPart() {
    MemorySegment memory = memory(64);
    SegmentBuffer whole = new SegmentBuffer(memory);
    SegmentBuffer part = new SegmentBuffer(memory, 16, 8);
    whole.putLong(16, 0x1122334455667788L);
    assertEquals(0x1122334455667788L, part.getLong(0));
    assertEquals(8, part.capacity());
    assertEquals(memory.address() + 16, part.addressOffset());
    assertNull(part.byteArray());
    assertNull(part.byteBuffer());
    refuses(IndexOutOfBoundsException.class, "", () -> part.putByte(8, (byte) 1));
    refuses(IndexOutOfBoundsException.class, "", () -> part.getByte(-1));
  }

  @Test
  void liesOverArrays() {
    byte[] array = new byte[32];
    SegmentBuffer buffer = new SegmentBuffer();
    buffer.wrap(array);
    checkSees(buffer, array, 1);
    buffer.wrap(array, 4, 8);
    checkSees(buffer, array, 5);
    assertSame(array, buffer.byteArray());
    assertEquals(4, buffer.wrapAdjustment());
    assertEquals(8, buffer.capacity());
    refuses(IndexOutOfBoundsException.class, "", () -> buffer.wrap(array, 30, 3));
    assertEquals(8, buffer.capacity(), "after a refusal");
  }

  @Test
  void liesOverByteBuffersWhateverTheirPosition() {
    byte[] array = new byte[32];
    ByteBuffer heap = ByteBuffer.wrap(array, 2, 20).slice().position(5);
    SegmentBuffer buffer = new SegmentBuffer();
    buffer.wrap(heap);
    checkSees(buffer, array, 3);
    assertEquals(20, buffer.capacity());
    buffer.wrap(heap, 4, 6);
    checkSees(buffer, array, 7);
    assertEquals(6, buffer.wrapAdjustment(), "in the array");
    assertSame(heap, buffer.byteBuffer());
    ByteBuffer direct = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
    buffer.wrap(direct, 8, 16);
    buffer.putInt(4, 1234567);
    assertEquals(1234567, direct.getInt(12));
    assertEquals(8, buffer.wrapAdjustment());
    assertNull(buffer.byteArray());
  }

  @Test
  void liesOverOtherBuffers() {
    byte[] array = new byte[32];
    SegmentBuffer first = new SegmentBuffer();
    first.wrap(array, 3, 20);
    SegmentBuffer second = new SegmentBuffer();
    second.wrap((DirectBuffer) first, 5, 10);
    checkSees(second, array, 9);
    assertEquals(8, second.wrapAdjustment());
    assertSame(array, second.byteArray());
    second.wrap(first);
    checkSees(second, array, 4);
    refuses(IndexOutOfBoundsException.class, "", () -> second.wrap(first, 15, 6));
  }

  @Test
  void liesOverBuffersOfOthers() {
    byte[] array = new byte[32];
    SegmentBuffer buffer = new SegmentBuffer();
    buffer.wrap(GivenBuffer.over(array, 3, 20), 5, 10);
    checkSees(buffer, array, 9);
    ByteBuffer direct = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
    buffer.wrap(GivenBuffer.over(direct, 8, 16), 2, 8);
    buffer.putInt(0, 1234567);
    assertEquals(1234567, direct.getInt(10));
    MemorySegment memory = memory(32);
    buffer.wrap(GivenBuffer.at(memory), 8, 8);
    buffer.putInt(0, 7654321);
    assertEquals(7654321, new SegmentBuffer(memory).getInt(8));
  }

  @Test
  void liesOverAnAddress() {
    MemorySegment memory = memory(16);
    SegmentBuffer buffer = new SegmentBuffer();
    buffer.wrap(memory.address(), 16);
    buffer.putLong(8, 99);
    assertEquals(99, new SegmentBuffer(memory).getLong(8));
    refuses(IllegalArgumentException.class, "address 0", () -> buffer.wrap(0, 1));
    refuses(IllegalArgumentException.class, "-1 bytes", () -> buffer.wrap(memory.address(), -1));
  }

  @Test
  void refusesNothing() {
    SegmentBuffer buffer = new SegmentBuffer();
    refuses(NullPointerException.class, "the segment is null", () -> new SegmentBuffer(null));
    refuses(NullPointerException.class, "the segment is null", () -> new SegmentBuffer(null, 0, 1));
    refuses(NullPointerException.class, "the array is null", () -> buffer.wrap((byte[]) null));
    refuses(NullPointerException.class, "the byte buffer is null", () -> buffer.wrap((ByteBuffer) null));
    refuses(NullPointerException.class, "the buffer is null", () -> buffer.wrap((DirectBuffer) null));
    refuses(NullPointerException.class, "the buffer is null", () -> buffer.wrap((DirectBuffer) null, 0, 0));
    refuses(NullPointerException.class, "the byte order is null", () -> new SegmentBuffer(memory(8)).getLong(0, null));
  }

  @Test
  void refusesMoreThanAnIndexReaches() {
    MemorySegment large = MemorySegment.ofAddress(8).reinterpret(1L << 31);
    refuses(IllegalArgumentException.class, "2147483648 bytes", () -> new SegmentBuffer(large));
    assertEquals(Integer.MAX_VALUE, new SegmentBuffer(large, 0, Integer.MAX_VALUE).capacity());
  }

  @Test
  void readsReadOnlyMemoryAndRefusesToWriteIt() {
    SegmentBuffer buffer = new SegmentBuffer(memory(16).asReadOnly());
    assertEquals(0, buffer.getLong(0));
    assertEquals(0, buffer.getLongVolatile(8));
    assertThrows(RuntimeException.class, () -> buffer.putLong(0, 1));
    assertThrows(RuntimeException.class, () -> buffer.putLongRelease(0, 1));
    assertThrows(RuntimeException.class, () -> buffer.getAndAddLong(0, 1));
    assertThrows(RuntimeException.class, () -> buffer.setMemory(0, 16, (byte) 1));
    assertThrows(RuntimeException.class, () -> buffer.putBytes(0, new byte[4]));
    assertEquals(0, buffer.getLong(0));
  }

  @Test
  void refusesMemoryThatIsGone() {
    SegmentBuffer buffer = new SegmentBuffer();
    try (Arena arena = Arena.ofConfined()) {
      buffer.wrap(arena.allocate(8, 8));
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> buffer.getLong(0));
      assertTrue(assertThrows(CompletionException.class, other::join).getCause() instanceof WrongThreadException);
    }
    assertThrows(IllegalStateException.class, () -> buffer.getLongVolatile(0));
    assertThrows(IllegalStateException.class, () -> buffer.putInt(0, 1));
  }

  @Test
  void saysWhetherWordsCanBeAtomic() {
    MemorySegment memory = memory(32);
    new SegmentBuffer(memory).verifyAlignment();
    new SegmentBuffer(memory, 8, 24).verifyAlignment();
    new SegmentBuffer(MemorySegment.ofArray(new long[4])).verifyAlignment();
    new SegmentBuffer(memory.asReadOnly()).verifyAlignment();
    refuses(IllegalStateException.class, "misaligned", () -> new SegmentBuffer(memory, 4, 16).verifyAlignment());
    for (MemorySegment heap : new MemorySegment[] {MemorySegment.ofArray(new byte[16]),
      MemorySegment.ofArray(new int[4])}) {
      refuses(IllegalStateException.class, "short type", () -> new SegmentBuffer(heap).verifyAlignment());
    }
  }

  @Test
  void refusesAtomicAccessToMisalignedWords() {
    AtomicBuffer buffer = new SegmentBuffer(memory(32));
    assertThrows(IllegalArgumentException.class, () -> buffer.getLongVolatile(4));
    assertThrows(IllegalArgumentException.class, () -> buffer.putIntRelease(2, 1));
    assertThrows(IllegalArgumentException.class, () -> buffer.compareAndSetLong(1, 0, 1));
    AtomicBuffer bytes = new SegmentBuffer(MemorySegment.ofArray(new byte[16]));
    assertThrows(IllegalArgumentException.class, () -> bytes.getAndAddLong(8, 1));
    assertEquals(0, bytes.getLong(8));
  }

  @Test
  void hasNoAddressOnTheHeapButForAgronasOwnBuffers() {
    refuses(
        UnsupportedOperationException.class,
        "no address",
        () -> new SegmentBuffer(MemorySegment.ofArray(new long[2])).addressOffset());
    refuses(
        UnsupportedOperationException.class,
        "no address",
        () -> new SegmentBuffer(MemorySegment.ofArray(new byte[2]).asReadOnly()).addressOffset());
    refuses(
        UnsupportedOperationException.class,
        "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED",
        () -> new SegmentBuffer(MemorySegment.ofArray(new byte[2])).addressOffset());
  }

  @Test
  void refusesNegativeNaturalNumbers() {
    SegmentBuffer buffer = new SegmentBuffer(memory(32));
    refuses(NumberFormatException.class, "-5 is no natural", () -> buffer.putNaturalIntAscii(0, -5));
    refuses(NumberFormatException.class, "-5 is no natural", () -> buffer.putNaturalLongAscii(0, -5));
    refuses(NumberFormatException.class, "-5 is no natural", () -> buffer.putNaturalPaddedIntAscii(0, 4, -5));
    refuses(NumberFormatException.class, "-5 is no natural", () -> buffer.putNaturalIntAsciiFromEnd(-5, 20));
    assertArrayEquals(new byte[32], buffer.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
  }

  @Test
  void isEqualToOneWithTheSameBytes() {
    SegmentBuffer native1 = new SegmentBuffer(memory(19));
    SegmentBuffer heap = new SegmentBuffer(MemorySegment.ofArray(new byte[19]));
    assertEquals(native1, heap);
    assertEquals(native1.hashCode(), heap.hashCode());
    heap.putByte(18, (byte) 1);
    assertNotEquals(native1, heap);
    assertNotEquals(native1, new SegmentBuffer(memory(18)));
    assertNotEquals(native1, "another type");
  }

  @Test
  void doesNotGrow() {
    SegmentBuffer buffer = new SegmentBuffer(memory(16));
    assertEquals(false, buffer.isExpandable());
    buffer.checkLimit(16);
    refuses(IndexOutOfBoundsException.class, "limit=17", () -> buffer.checkLimit(17));
  }
}
