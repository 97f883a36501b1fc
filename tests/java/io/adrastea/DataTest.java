package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.payload.IoEntries;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.junit.jupiter.api.Test;

/** What data shows: which memory, how much of it, and what it refuses. */
class DataTest {
  private static void shows(Data data, long count, long bytes) {
    assertEquals(count, data.count(), "count of " + data);
    assertEquals(bytes, data.bytes(), "bytes of " + data);
  }

  @Test
  void ofAnArrayIsCountedInElements() {
    shows(Data.of(new byte[5]), 5, 5);
    shows(Data.of(new short[5]), 5, 10);
    shows(Data.of(new char[5]), 5, 10);
    shows(Data.of(new int[5]), 5, 20);
    shows(Data.of(new float[5]), 5, 20);
    shows(Data.of(new long[5]), 5, 40);
    shows(Data.of(new double[5]), 5, 40);
    shows(Data.of(new byte[9], 2, 3), 3, 3);
    shows(Data.of(new short[9], 2, 3), 3, 6);
    shows(Data.of(new char[9], 2, 3), 3, 6);
    shows(Data.of(new int[9], 2, 3), 3, 12);
    shows(Data.of(new float[9], 2, 3), 3, 12);
    shows(Data.of(new long[9], 2, 3), 3, 24);
    shows(Data.of(new double[9], 2, 3), 3, 24);
    shows(Data.of(new double[0]), 0, 0);
  }

  @Test
  void ofMemoryIsCountedInBytes() {
    MemorySegment memory = MemorySegment.ofArray(new long[4]);
    shows(Data.of(memory), 32, 32);
    shows(Data.of(memory, 8, 17), 17, 17);
    shows(Data.of(ByteBuffer.allocate(100).position(10).limit(50)), 40, 40);
    shows(Data.of(new IoVector().add(memory).add(Data.of(new int[3]))), 44, 44);
  }

  @Test
  void ofAByteBufferStaysWhereItWasMade() {
    ByteBuffer buffer = ByteBuffer.allocate(100).position(10).limit(50);
    Data data = Data.of(buffer);
    buffer.clear();
    shows(data, 40, 40);
    assertEquals(10, contents(data, buffer.array(), 10)[0]);
  }

  @Test
  void ofABufferIsItsElementsFromPositionToLimit() {
    ByteBuffer direct = ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder());
    shows(Data.of(ShortBuffer.allocate(9).position(2).limit(5)), 3, 6);
    shows(Data.of(CharBuffer.allocate(9).position(2).limit(5)), 3, 6);
    shows(Data.of(IntBuffer.allocate(9).position(2).limit(5)), 3, 12);
    shows(Data.of(LongBuffer.allocate(9).position(2).limit(5)), 3, 24);
    shows(Data.of(FloatBuffer.allocate(9).position(2).limit(5)), 3, 12);
    shows(Data.of(DoubleBuffer.allocate(9).position(2).limit(5)), 3, 24);
    shows(Data.of(direct.asShortBuffer().position(1)), 39, 78);
    shows(Data.of(direct.asCharBuffer().position(1)), 39, 78);
    shows(Data.of(direct.asIntBuffer().position(1)), 19, 76);
    shows(Data.of(direct.asLongBuffer().position(1)), 9, 72);
    shows(Data.of(direct.asFloatBuffer().position(1)), 19, 76);
    shows(Data.of(direct.asDoubleBuffer().position(1)), 9, 72);
    shows(Data.of(ByteBuffer.allocate(50).position(2).order(ByteOrder.nativeOrder()).asIntBuffer()), 12, 48);
    shows(Data.of(LongBuffer.allocate(0)), 0, 0);
    assertEquals(Datatype.CHAR, Data.of(direct.asCharBuffer()).type());
    assertEquals(Datatype.DOUBLE, Data.of(direct.asDoubleBuffer()).type());
  }

  @Test
  void ofABufferIsReceivedIntoAndCombined() throws Exception {
    Ranks.run("java", 1, job -> {
      Communicator world = job.world();
      IntBuffer from = IntBuffer.wrap(new int[] {1, 2, 3, 4}).position(1).limit(3);
      IntBuffer to = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer();
      Data into = Data.of(to);
      Data given = Data.of(from);
      from.clear();
      to.position(2);
      world.send(given, 0, 1);
      assertEquals(2, world.recv(into, 0, 1).count(Datatype.INT));
      Op.SUM.apply(Data.of(new int[] {10, 20, 30, 40}), into);
      int[] all = new int[4];
      to.clear().get(all);
      assertArrayEquals(new int[] {12, 23, 30, 40}, all);
      world.send(Data.of(from.asReadOnlyBuffer()), 0, 1);
      refuses(IllegalArgumentException.class, "read-only",
          () -> world.recv(Data.of(IntBuffer.allocate(4).asReadOnlyBuffer()), 0, 1));
      world.recv(into, 0, 1);
    });
  }

  @Test
  void aBufferOfAnotherByteOrderOrWithoutMemoryIsRefused() {
    ByteOrder foreign =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer bytes = ByteBuffer.allocate(16).order(foreign);
    String order = " elements in the order " + foreign;
    refuses(IllegalArgumentException.class, "SHORT" + order, () -> Data.of(bytes.asShortBuffer()));
    refuses(IllegalArgumentException.class, "CHAR" + order, () -> Data.of(bytes.asCharBuffer()));
    refuses(IllegalArgumentException.class, "INT" + order, () -> Data.of(bytes.asIntBuffer()));
    refuses(IllegalArgumentException.class, "LONG" + order, () -> Data.of(bytes.asLongBuffer()));
    refuses(IllegalArgumentException.class, "FLOAT" + order, () -> Data.of(bytes.asFloatBuffer()));
    refuses(IllegalArgumentException.class, "DOUBLE" + order, () -> Data.of(bytes.asDoubleBuffer()));
    refuses(IllegalArgumentException.class, "buffer", () -> Data.of(CharBuffer.wrap("a string")));
    refuses(NullPointerException.class, "the buffer is null", () -> Data.of((LongBuffer) null));
    shows(Data.of(bytes), 16, 16);
  }

  /** The bytes that data shows, after the first byte of the array from {@code at} on was set to its index. */
  private static byte[] contents(Data data, byte[] array, int at) {
    array[at] = (byte) at;
    MemorySegment memory = data.memory().asSlice(data.offset(), data.bytes());
    return memory.toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void partsAreInTheSameMemory() {
    double[] array = {0, 1, 2, 3, 4, 5, 6, 7};
    Data part = Data.of(array, 2, 5).part(1, 3);
    shows(part, 3, 24);
    assertArrayEquals(new double[] {3, 4, 5}, doubles(part));
    Data none = part.part(3, 0);
    shows(none, 0, 0);
    Data bytes = Data.of(MemorySegment.ofArray(array), 16, 40).part(8, 24);
    assertArrayEquals(new double[] {3, 4, 5}, doubles(bytes));
  }

  private static double[] doubles(Data data) {
    return data.memory().asSlice(data.offset(), data.bytes()).toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
  }

  @Test
  void partsOfAVectorHaveThoseOfItsEntriesThatTheyCover() {
    byte[] first = {1, 2, 3};
    byte[] second = {4, 5, 6, 7};
    IoVector vector = new IoVector().add(Data.of(first)).add(Data.of(new byte[0])).add(Data.of(second, 1, 3));
    Data all = Data.of(vector);
    shows(all, 6, 6);
    Data part = all.part(2, 2);
    vector.clear();
    shows(all, 0, 0);
    shows(part, 2, 2);
    assertEquals(2, part.placement().payload(null).memories());
    assertEquals(3, entry(part, 0));
    assertEquals(5, entry(part, 1));
  }

  private static byte entry(Data data, int index) {
    IoEntries entries = (IoEntries) data.placement().payload(null);
    return entries.memory(index).get(ValueLayout.JAVA_BYTE, entries.offset(index));
  }

  @Test
  void aVectorTakesTheEntriesOfAnother() {
    IoVector vector = new IoVector().add(Data.of(new byte[3])).add(Data.of(new long[2]));
    vector.add(Data.of(vector));
    assertEquals(4, vector.size());
    assertEquals(38, vector.bytes());
  }

  @Test
  void anEntryOfAVectorIsReplacedByContiguousDataAlone() {
    IoVector vector = new IoVector().add(Data.of(new byte[3])).add(Data.of(new long[2]));
    assertEquals(8 + 16, vector.set(0, Data.of(new int[9], 3, 2)).bytes());
    assertEquals(12, vector.entries.offset(0));
    Data parts = Data.of(new IoVector().add(Data.of(new byte[1])));
    Refusals.refuses(IllegalArgumentException.class, "one entry is contiguous", () -> vector.set(0, parts));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.set(2, Data.of(new byte[1])));
    assertEquals(24, vector.bytes());
  }

  private static void doesNotFit(String said, Runnable call) {
    String message = assertThrows(IndexOutOfBoundsException.class, call::run).getMessage();
    assertTrue(message.contains(said), message);
  }

  @Test
  void thatDoesNotFitItsMemoryIsRefusedInWords() {
    doesNotFit("offset 5 and count 4 do not lie in an array of length 8", () -> Data.of(new double[8], 5, 4));
    doesNotFit("together at most 8", () -> Data.of(new byte[8], 9, 0));
    doesNotFit("offset -1 and count 4", () -> Data.of(new short[8], -1, 4));
    doesNotFit("offset 1 and count -4", () -> Data.of(new char[8], 1, -4));
    doesNotFit("offset 2147483647 and count 2147483647",
        () -> Data.of(new int[8], Integer.MAX_VALUE, Integer.MAX_VALUE));
    doesNotFit("an array of length 8", () -> Data.of(new long[8], 0, 9));
    doesNotFit("an array of length 8", () -> Data.of(new float[8], 8, 1));
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    doesNotFit("offset 1 and count 8 do not lie in a segment of length 8", () -> Data.of(memory, 1, 8));
    doesNotFit("segment of length 8", () -> Data.of(memory, Long.MAX_VALUE, Long.MAX_VALUE));
    doesNotFit("Data of length 3", () -> Data.of(new double[8], 2, 3).part(1, 3));
    doesNotFit("Data of length 8", () -> Data.of(new IoVector().add(memory)).part(8, 1));
  }

  @Test
  void ofNothingIsRefusedInWords() {
    assertEquals("the array is null", refusal(() -> Data.of((double[]) null)));
    assertEquals("the array is null", refusal(() -> Data.of((byte[]) null, 0, 0)));
    assertEquals("the buffer is null", refusal(() -> Data.of((MemorySegment) null)));
    assertEquals("the buffer is null", refusal(() -> Data.of((MemorySegment) null, 0, 0)));
    assertEquals("the buffer is null", refusal(() -> Data.of((ByteBuffer) null)));
    assertEquals("the I/O vector is null", refusal(() -> Data.of((IoVector) null)));
    assertEquals("the data is null", refusal(() -> new IoVector().add((Data) null)));
  }

  private static String refusal(Runnable call) {
    return assertThrows(NullPointerException.class, call::run).getMessage();
  }

  @Test
  void tellsWhatItIs() {
    assertEquals("Data.EMPTY", Data.EMPTY.toString());
    assertEquals("3 double elements from 2", Data.of(new double[8], 2, 3).toString());
    assertEquals("4 bytes from 1", Data.of(MemorySegment.ofArray(new byte[8]), 1, 4).toString());
    assertEquals("1 entries of 8 bytes together", Data.of(new IoVector().add(Data.of(new byte[8]))).toString());
  }
}
