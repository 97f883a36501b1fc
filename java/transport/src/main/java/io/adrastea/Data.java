package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.comm.Parts;
import io.adrastea.comm.Placement;
import io.adrastea.comm.TypeMap;
import io.adrastea.datatype.Element;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Booleans;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * What is sent, or where a message goes: which memory, how much of it, and of what type. It is the one buffer argument
 * of all calls; {@code send}, {@code recv}, {@code isend} and {@code irecv} take a slice of it, and segments as they
 * are, too.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "data"}
 *
 * <p>
 * Data of an array, or of a buffer of {@link java.nio} whose elements are more than bytes, has the type of its
 * elements, and is counted in elements. Data of memory segments, byte buffers and I/O vectors is bytes. A
 * {@link Datatype} that is placed on memory or on an array is data, too: elements that may have gaps and any order,
 * which are packed and unpacked on their way. Nothing is copied when it is made: it shows its memory, and keeps it
 * reachable. A job with the setting {@code adrastea.check=types} compares the types that are sent with those received;
 * bytes of memory, which have none, go with everything.
 *
 * <p>
 * Data does not change, and any thread may use it. It is made once for many calls, which then cost no object, or in the
 * call itself, {@code world.send(Data.of(array), 1, TAG)}, which costs one where the compiler of the JVM does not make
 * the call part of its caller. Whether an arena is open, and whether memory can be written, is looked up when an
 * operation starts.
 *
 * <p>
 * For large data the arena matters. Other ranks write only to memory that nobody can free meanwhile: that of
 * {@code Arena.global()}, of {@code Arena.ofAuto()}, of {@link Job#allocate} and, in a blocking call, of a confined
 * arena of the calling thread. Any thread may close {@code Arena.ofShared()}: so its memory may take ways of two copies
 * where one would do for the others, and does so in collectives.
 */
public final class Data {
  /**
   * Stands for the input of a collective that lies where its result goes: of {@code allreduce}, {@code scan},
   * {@code exscan} and {@code alltoall}, and at the root of a {@code reduce}, all of it; of {@code allgather}, and at
   * the root of a {@code gather}, this rank's part; of {@code reduceScatter} the output has all of the input, and the
   * result goes to its beginning. At the root of a {@code scatter} it stands for the output: its own part stays in the
   * input. No other call takes it.
   */
  public static final Data IN_PLACE = new Data(null, Placement.IN_PLACE);

  /**
   * No bytes at all: the content of a message that is a signal, or the part of a rank that gets or gives nothing. It
   * has no type, so a job that compares types takes it for any.
   */
  public static final Data EMPTY = empty();

  // Contiguous data stands here itself, and not in its placement: so an array that is wrapped for one send or receive
  // costs one object, and these calls read no other one.
  private final Object base; // the array or the memory that it is contiguous in; null: it is not contiguous
  private final Datatype type; // null: bytes that have no type
  private final long offset; // in bytes
  private final long bytes; // of contiguous memory
  private final Placement scattered; // says alone what it is where it is not contiguous; null: it is contiguous
  // Below: what can be made again of the fields above, by a thread that does not see what another one has made.
  private MemorySegment memory; // null: of an array that no call has seen yet, or not contiguous
  private Placement placement; // null: contiguous, and no call below the face has asked

  private Data(Object array, MemorySegment memory, long offset, long bytes, Datatype type) {
    this.base = array == null ? memory : array;
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
    this.type = type;
    this.scattered = null;
  }

  /** Data that is not contiguous. */
  Data(Datatype type, Placement placement) {
    this.base = null;
    this.offset = 0;
    this.bytes = 0;
    this.type = type;
    this.scattered = placement;
  }

  private static Data empty() {
    Data none = new Data(null, MemorySegment.NULL, 0, 0, null);
    none.placement = Placement.EMPTY;
    return none;
  }

  /**
   * All of a {@code byte[]}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(byte[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code byte[]}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(byte[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, offset, count, Datatype.BYTE);
  }

  /**
   * All of a {@code short[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(short[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code short[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(short[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 1, (long) count << 1, Datatype.SHORT);
  }

  /**
   * All of a {@code char[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(char[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code char[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(char[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 1, (long) count << 1, Datatype.CHAR);
  }

  /**
   * All of an {@code int[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(int[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of an {@code int[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(int[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 2, (long) count << 2, Datatype.INT);
  }

  /**
   * All of a {@code long[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(long[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code long[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(long[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 3, (long) count << 3, Datatype.LONG);
  }

  /**
   * All of a {@code float[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(float[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code float[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(float[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 2, (long) count << 2, Datatype.FLOAT);
  }

  /**
   * All of a {@code double[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(double[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code double[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(double[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 3, (long) count << 3, Datatype.DOUBLE);
  }

  /**
   * All of a {@code boolean[]}, like {@link #of(boolean[], int, int)}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(boolean[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code boolean[]}: bytes, 0 or 1, of {@link Datatype#BOOLEAN}. No segment shows such an array, so its
   * elements are copied one by one, and this keeps as many bytes: for flags, not for streams. Any byte but 0 that is
   * received is true. An I/O vector does not take it.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(boolean[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    TypeMap type = Datatype.BOOLEAN.map();
    return new Data(Datatype.BOOLEAN, new Placement(new Booleans(array, offset, count, type.signature()), type));
  }

  /**
   * All of a segment, as bytes.
   *
   * @param memory native or heap memory
   * @return data without a type
   * @throws NullPointerException when the memory is null
   */
  public static Data of(MemorySegment memory) {
    return new Data(null, memory, 0, Buffers.requireNonNull(memory).byteSize(), null);
  }

  /**
   * Bytes of a segment.
   *
   * @param memory native or heap memory
   * @param offset the first byte
   * @param bytes how many, 0 or more
   * @return data without a type
   * @throws NullPointerException when the memory is null
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   */
  public static Data of(MemorySegment memory, long offset, long bytes) {
    Buffers.requireRange(memory, offset, bytes);
    return new Data(null, memory, offset, bytes, null);
  }

  /**
   * A byte buffer from its position to its limit as they are now, as bytes. Neither is changed, here or by a call, and
   * a later change does not matter.
   *
   * @param buffer direct or on the heap
   * @return data without a type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   */
  public static Data of(ByteBuffer buffer) {
    MemorySegment memory = MemorySegment.ofBuffer(requireBuffer(buffer));
    return new Data(null, memory, 0, memory.byteSize(), null);
  }

  /**
   * The elements of a {@code ShortBuffer} from its position to its limit as they are now. Neither is changed, here or
   * by a call, and a later change does not matter. A view of a {@link ByteBuffer} has the byte order that this one had
   * when it was made, which is big-endian where the program has not said otherwise: so it is asked for.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException when its elements have another byte order, or it has neither an array nor native
   * memory, as a string that is wrapped to a buffer
   */
  public static Data of(ShortBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.SHORT);
  }

  /**
   * The elements of a {@code CharBuffer}, like {@link #of(ShortBuffer)}.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException as {@link #of(ShortBuffer)}
   */
  public static Data of(CharBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.CHAR);
  }

  /**
   * The elements of an {@code IntBuffer}, like {@link #of(ShortBuffer)}.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException as {@link #of(ShortBuffer)}
   */
  public static Data of(IntBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.INT);
  }

  /**
   * The elements of a {@code LongBuffer}, like {@link #of(ShortBuffer)}.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException as {@link #of(ShortBuffer)}
   */
  public static Data of(LongBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.LONG);
  }

  /**
   * The elements of a {@code FloatBuffer}, like {@link #of(ShortBuffer)}.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException as {@link #of(ShortBuffer)}
   */
  public static Data of(FloatBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.FLOAT);
  }

  /**
   * The elements of a {@code DoubleBuffer}, like {@link #of(ShortBuffer)}.
   *
   * @param buffer direct or on the heap, in the byte order of this CPU
   * @return data of that type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   * @throws IllegalArgumentException as {@link #of(ShortBuffer)}
   */
  public static Data of(DoubleBuffer buffer) {
    return elements(requireBuffer(buffer), buffer.order(), Datatype.DOUBLE);
  }

  private static <T extends Buffer> T requireBuffer(T buffer) {
    return Objects.requireNonNull(buffer, "the buffer is null");
  }

  private static Data elements(Buffer buffer, ByteOrder order, Datatype type) {
    if (order != ByteOrder.nativeOrder()) {
      throw new ArgumentException(Reason.BUFFER,
          ("a buffer of %s elements in the order %s, and this CPU has %s; set ByteOrder.nativeOrder() in the "
              + "ByteBuffer before the view of it is made")
              .formatted(type.map().label(), order, ByteOrder.nativeOrder()));
    }
    MemorySegment memory = MemorySegment.ofBuffer(buffer);
    return new Data(null, memory, 0, memory.byteSize(), type);
  }

  /**
   * The entries of an I/O vector, as the bytes of one message. It goes with the vector: entries that are changed later,
   * when no operation with them is on its way, are changed here too.
   *
   * @param vector its entries
   * @return data without a type
   * @throws NullPointerException when the vector is null
   */
  public static Data of(IoVector vector) {
    return new Data(null, new Placement(Objects.requireNonNull(vector, "the I/O vector is null").entries, null));
  }

  /**
   * Elements of a datatype in memory.
   *
   * @param memory native or heap memory
   * @param offset the origin of the first element, in bytes
   * @param count elements, 0 or more
   * @param type how they lie there
   * @return data of that type, of count x {@link Datatype#size} bytes
   * @throws NullPointerException when the memory or the datatype is null
   * @throws IllegalArgumentException when the count is below 0, or so many elements do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the memory
   */
  public static Data of(MemorySegment memory, long offset, long count, Datatype type) {
    requireType(type).requireInside(Buffers.requireNonNull(memory), offset, count);
    if (type.isBlock(count)) {
      return new Data(null, memory, offset + type.trueLowerBound(), count * type.size(), type);
    }
    TypeMap map = type.map();
    Typed elements = new Typed(null, map.signature(), map.program(), memory, offset, count);
    return new Data(type, new Placement(elements, map));
  }

  /**
   * Elements of a datatype in a {@code byte[]}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of any basic types, since bytes may be anything
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the count is below 0, or so many elements do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(byte[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.BYTE);
  }

  /**
   * Elements of a datatype in a {@code short[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#SHORT} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(short[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.SHORT);
  }

  /**
   * Elements of a datatype in a {@code char[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#CHAR} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(char[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.CHAR);
  }

  /**
   * Elements of a datatype in an {@code int[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#INT} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(int[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.INT);
  }

  /**
   * Elements of a datatype in a {@code long[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#LONG} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(long[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.LONG);
  }

  /**
   * Elements of a datatype in a {@code float[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#FLOAT} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(float[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.FLOAT);
  }

  /**
   * Elements of a datatype in a {@code double[]}, like {@link #of(byte[], int, long, Datatype)}.
   *
   * @param array where they lie
   * @param first the element of the array at which the origin of the first one is
   * @param count elements of the datatype, 0 or more
   * @param type how they lie there; made of {@link Datatype#DOUBLE} or {@link Datatype#BYTE}
   * @return data of that type
   * @throws NullPointerException when the array or the datatype is null
   * @throws IllegalArgumentException when the datatype has other basic types, the count is below 0, or so many elements
   * do not fit 64 bits
   * @throws IndexOutOfBoundsException when a byte of them does not lie in the array
   */
  public static Data of(double[] array, int first, long count, Datatype type) {
    return placed(requireArray(array), array.length, first, count, type, Element.DOUBLE);
  }

  private static Data placed(Object array, int length, int first, long count, Datatype type, Element element) {
    requireType(type).requireElements(element);
    requireElements(first, 0, length);
    MemorySegment memory = Buffers.make(array).memory();
    return of(memory, (long) first * element.bytes(), count, type);
  }

  /**
   * Parts of data, one for each rank of a communicator or for each neighbour in a topology, for collectives whose parts
   * are not all equal (the v forms of MPI). No other call takes it.
   *
   * @param whole what they are parts of; no parts themselves
   * @param counts elements of each part, 0 or more
   * @param displacements the first element of each part; that of one without elements may be any number
   * @return data that consists of these parts
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there are not as many counts as displacements, or the data has parts itself
   * @throws IndexOutOfBoundsException when the whole does not hold a part
   */
  public static Data parts(Data whole, long[] counts, long[] displacements) {
    return of(Parts.of(placementOf(whole), counts, displacements));
  }

  /**
   * Parts of data, like {@link #parts(Data, long[], long[])}, of which the arrays begin with those that count, as in
   * MPI: what follows in them is not read.
   *
   * @param whole what they are parts of; no parts themselves
   * @param parts how many there are: ranks of the communicator, or neighbours
   * @param counts elements of each part, 0 or more; at least as many as there are parts
   * @param displacements the first element of each part; at least as many
   * @return data that consists of these parts
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there are fewer counts or displacements, parts are below 0, or the data has
   * parts itself
   * @throws IndexOutOfBoundsException when the whole does not hold a part
   */
  public static Data parts(Data whole, int parts, long[] counts, long[] displacements) {
    return of(Parts.of(placementOf(whole), parts, counts, displacements));
  }

  /**
   * Parts of data, like {@link #parts(Data, int, long[], long[])}.
   *
   * @param whole what they are parts of; no parts themselves
   * @param parts how many there are
   * @param counts elements of each part; at least as many as there are parts
   * @param displacements the first element of each part; at least as many
   * @return data that consists of these parts
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException as {@link #parts(Data, int, long[], long[])}
   * @throws IndexOutOfBoundsException when the whole does not hold a part
   */
  public static Data parts(Data whole, int parts, int[] counts, int[] displacements) {
    return parts(whole, parts, Parts.longs(counts, "counts"), Parts.longs(displacements, "displacements"));
  }

  /**
   * Parts of data, like {@link #parts(Data, long[], long[])}.
   *
   * @param whole what they are parts of; no parts themselves
   * @param counts elements of each part, 0 or more
   * @param displacements the first element of each part; that of one without elements may be any number
   * @return data that consists of these parts
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there are not as many counts as displacements, or the data has parts itself
   * @throws IndexOutOfBoundsException when the whole does not hold a part
   */
  public static Data parts(Data whole, int[] counts, int[] displacements) {
    return parts(whole, Parts.longs(counts, "counts"), Parts.longs(displacements, "displacements"));
  }

  /**
   * Parts that lie anywhere, one for each rank of a communicator or for each neighbour in a topology, each of a type of
   * its own (the w forms of MPI). No other call than a collective takes it.
   *
   * @param each the parts; no parts themselves
   * @return data that consists of these parts
   * @throws NullPointerException when one is null
   * @throws IllegalArgumentException when one has parts itself
   */
  public static Data parts(Data... each) {
    Objects.requireNonNull(each, "the parts are null");
    return of(Parts.of(Arrays.stream(each).map(Data::placementOf).toArray(Placement[]::new)));
  }

  private static Data of(Parts parts) {
    return new Data(null, new Placement(parts, null));
  }

  /**
   * What calls below the face know of it. It is kept, and does not change.
   *
   * @param views where the view of an array is looked for
   */
  Placement placement(Buffers views) {
    Placement found = scattered == null ? placement : scattered;
    return found == null ? placed(memory(views)) : found;
  }

  /** What calls below the face know of it, for a use outside of calls. */
  Placement placement() {
    Placement found = scattered == null ? placement : scattered;
    return found == null ? placed(memory()) : found;
  }

  private Placement placed(MemorySegment memory) {
    Placement made = new Placement(memory, offset, bytes, type == null ? null : type.map(), array() != null);
    placement = made;
    return made;
  }

  /** What calls below the face know of data; null of null, which those calls refuse. */
  private static Placement placementOf(Data data) {
    return data == null ? null : data.placement();
  }

  /**
   * A part of this. A part of an I/O vector has the entries that the vector has now.
   *
   * @param first the first element of the part, or the first byte where there is no type
   * @param count elements, 0 or more, or bytes
   * @return data of the same type, in the same memory
   * @throws IllegalArgumentException when this is no memory: {@link #IN_PLACE}, or parts
   * @throws IndexOutOfBoundsException when this does not hold so many from there on
   */
  public Data part(long first, long count) {
    Buffers.requireInside(first, count, count(), "Data");
    if (scattered != null) {
      return new Data(type, scattered.part(first, count));
    }
    long size = elementBytes();
    Object array = array();
    return new Data(array, array == null ? memory() : memory, offset + first * size, count * size, type);
  }

  /**
   * How many elements there are.
   *
   * @return elements of the type, or bytes where there is none
   */
  public long count() {
    return scattered == null ? bytes / elementBytes() : scattered.count();
  }

  /**
   * How long it is: the length of the message that is sent, and the most that can be received.
   *
   * @return bytes
   */
  public long bytes() {
    return scattered == null ? bytes : scattered.bytes();
  }

  private long elementBytes() {
    return type == null ? 1 : type.size();
  }

  /** What it has elements of; null: it is bytes. */
  Datatype type() {
    return type;
  }

  /** Whether it is not in one stretch of memory, so that it goes as a payload. */
  boolean isScattered() {
    return scattered != null;
  }

  /** The array that it is contiguous elements of; null: of none. */
  private Object array() {
    return base instanceof MemorySegment ? null : base;
  }

  /** Its elements in their packed form, which is in memory from its first byte on. */
  Data packedIn(MemorySegment copy) {
    return new Data(null, copy, 0, bytes(), type);
  }

  /** Where it begins in {@link #memory}, in bytes. */
  long offset() {
    return offset;
  }

  /**
   * Where a slice begins in {@link #memory}, in bytes, for a caller that knows that it is contiguous; refuses a slice
   * that this does not hold.
   */
  long offset(long first, long count) {
    long size = elementBytes();
    // Below 2^31 the product is a number, and no division is needed to compare.
    if ((first | count | size) >>> 31 != 0 || (first + count) * size > bytes) {
      Buffers.requireInside(first, count, count(), "Data");
    }
    return offset + first * size;
  }

  /** How long a slice is, for a caller that knows that there is one. */
  long bytes(long count) {
    return count * elementBytes();
  }

  /** Its length, for a caller that knows that it is contiguous. */
  long contiguousBytes() {
    return bytes;
  }

  /**
   * The contiguous memory that it lies in. An array is shown by a segment, which is looked for among those that were
   * used lately, so that data that is made for a single call makes no segment; data that is kept then has it.
   */
  MemorySegment memory(Buffers views) {
    MemorySegment found = memory;
    if (found == null) { // several threads may come here: each segment of the array is as good as the other
      found = base instanceof MemorySegment given ? given : views.of(base).memory();
      memory = found;
    }
    return found;
  }

  /** The contiguous memory that it lies in, for a use outside of calls. */
  MemorySegment memory() {
    MemorySegment found = memory;
    if (found == null) {
      found = base instanceof MemorySegment given ? given : Buffers.make(base).memory();
      memory = found;
    }
    return found;
  }

  static Data requireNonNull(Data data) {
    return Objects.requireNonNull(data, "the data is null");
  }

  /** Refuses elements that an array does not hold. */
  static void requireElements(int offset, int count, int length) {
    Buffers.requireInside(offset, count, length, "an array");
  }

  private static Datatype requireType(Datatype type) {
    return Objects.requireNonNull(type, "the datatype is null");
  }

  static <T> T requireArray(T array) {
    return Objects.requireNonNull(array, "the array is null");
  }

  @Override
  public String toString() {
    return placement().toString();
  }
}
