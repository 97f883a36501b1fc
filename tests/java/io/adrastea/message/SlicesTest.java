package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * The calls that take a slice of data: of every kind of array, of memory, of vectors and types, and what is refused.
 */
@EveryCoreList
class SlicesTest {
  private static final int LENGTH = 64; // elements
  private static final int FIRST = 5;
  private static final int COUNT = 24;

  @Parameter
  String cores;

  /** Data of {@link #LENGTH} elements, and the memory that it shows. */
  private record Kind(Data whole, MemorySegment memory, int elementBytes) {
    MemorySegment slice() {
      return memory.asSlice((long) FIRST * elementBytes, (long) COUNT * elementBytes);
    }

    void fill(long seed) {
      slice().copyFrom(MemorySegment.ofArray(Contents.of(COUNT * elementBytes, seed)));
    }

    /** Checks the slice, and that nothing beside it was touched. */
    void check(long seed) {
      Contents.check(COUNT * elementBytes, seed, slice());
      Contents.checkZero(memory.asSlice(0, (long) FIRST * elementBytes));
      Contents.checkZero(memory.asSlice((long) (FIRST + COUNT) * elementBytes));
    }
  }

  private static Kind of(Data whole, MemorySegment memory) {
    return new Kind(whole, memory, (int) memory.byteSize() / LENGTH);
  }

  private static List<Kind> arrays() {
    byte[] bytes = new byte[LENGTH];
    short[] shorts = new short[LENGTH];
    char[] chars = new char[LENGTH];
    int[] ints = new int[LENGTH];
    long[] longs = new long[LENGTH];
    float[] floats = new float[LENGTH];
    double[] doubles = new double[LENGTH];
    return List.of(
        of(Data.of(bytes), MemorySegment.ofArray(bytes)),
        of(Data.of(shorts), MemorySegment.ofArray(shorts)),
        of(Data.of(chars), MemorySegment.ofArray(chars)),
        of(Data.of(ints), MemorySegment.ofArray(ints)),
        of(Data.of(longs), MemorySegment.ofArray(longs)),
        of(Data.of(floats), MemorySegment.ofArray(floats)),
        of(Data.of(doubles), MemorySegment.ofArray(doubles)));
  }

  /** What is no array: memory, an element of several ints, and an I/O vector. */
  private static List<Kind> others() {
    MemorySegment memory = MemorySegment.ofArray(new byte[LENGTH]);
    MemorySegment triples = MemorySegment.ofArray(new int[3 * LENGTH]);
    MemorySegment pieces = MemorySegment.ofArray(new byte[LENGTH]);
    IoVector vector = new IoVector();
    for (int at = 0; at < LENGTH; at += 8) {
      vector.add(pieces.asSlice(at, 8));
    }
    return List.of(
        of(Data.of(memory), memory),
        of(Data.of(triples, 0, LENGTH, Datatype.contiguous(3, Datatype.INT)), triples),
        of(Data.of(vector), pieces));
  }

  @Test
  void carryEachKindToItsPlace() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request mine = new Request();
          int tag = 0;
          for (Kind kind : Stream.concat(arrays().stream(), others().stream()).toList()) {
            if (world.rank() == 0) {
              kind.fill(tag);
              world.send(kind.whole, FIRST, COUNT, 1, tag);
              kind.fill(~tag);
              world.isend(kind.whole, FIRST, COUNT, 1, tag, mine).await();
              kind.fill(2 * tag);
              world.isend(kind.whole, FIRST, COUNT, 1, tag).await();
            } else {
              Status status = world.recv(kind.whole, FIRST, COUNT, 0, tag);
              assertEquals(COUNT * kind.elementBytes, status.bytes());
              kind.check(tag);
              world.irecv(kind.whole, FIRST, COUNT, 0, tag, mine).await();
              kind.check(~tag);
              world.irecv(kind.whole, FIRST, COUNT, 0, tag).await();
              kind.check(2 * tag);
            }
            tag++;
          }
        });
  }

  @Test
  void areOfElementsThatHaveGaps() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int[] spread = new int[2 * LENGTH];
          Data whole = Data.of(spread, 0, LENGTH, Datatype.INT.resized(0, 8));
          if (world.rank() == 0) {
            spread[2 * FIRST] = 1;
            spread[2 * FIRST + 1] = 2; // in a gap
            spread[2 * FIRST + 2] = 3;
            world.send(whole, FIRST, 2, 1, 0);
          } else {
            assertEquals(8, world.recv(whole, FIRST + 1, 2, 0, 0).bytes());
            assertEquals(1, spread[2 * FIRST + 2]);
            assertEquals(0, spread[2 * FIRST + 3]);
            assertEquals(3, spread[2 * FIRST + 4]);
          }
        });
  }

  private static void refuses(Class<? extends Exception> type, String said, Runnable call) {
    String message = assertThrows(type, call::run).getMessage();
    assertTrue(message.contains(said), message);
  }

  private static void eachRefuses(
      Communicator world, Data whole, long first, long count, Class<? extends Exception> type, String said) {
    Request request = new Request();
    refuses(type, said, () -> world.send(whole, first, count, 0, 0));
    refuses(type, said, () -> world.recv(whole, first, count, 0, 0));
    refuses(type, said, () -> world.isend(whole, first, count, 0, 0, request));
    refuses(type, said, () -> world.irecv(whole, first, count, 0, 0, request));
    assertFalse(request.isActive());
  }

  @Test
  void refuseSlicesOutsideTheDataAndNone() throws Exception {
    long most = Long.MAX_VALUE;
    int mostInt = Integer.MAX_VALUE;
    long[][] slices = {
      {-1, 1}, {0, -1}, {0, LENGTH + 1}, {LENGTH, 1}, {mostInt, mostInt}, {1, mostInt}, {most, most}, {1, most},
      {most, 1}, {most / 4 + 1, 0}, {0, most / 2 + 1}, {Long.MIN_VALUE, 1}};
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (Kind kind : Stream.concat(arrays().stream(), others().stream()).toList()) {
            for (long[] slice : slices) {
              String said = "offset %d and count %d do not lie in Data of length 64".formatted(slice[0], slice[1]);
              eachRefuses(world, kind.whole, slice[0], slice[1], IndexOutOfBoundsException.class, said);
            }
          }
          eachRefuses(world, null, 0, 0, NullPointerException.class, "the data is null");
        });
  }

  @Test
  void refuseWhatIsNoMemoryOrIsNotToBeWritten() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
          eachRefuses(world, Data.IN_PLACE, 0, 0, illegal, "IN_PLACE");
          eachRefuses(world, Data.parts(Data.of(new byte[8]), new int[] {8}, new int[] {0}), 0, 8, illegal, "part");
          Data readOnly = Data.of(MemorySegment.ofArray(new byte[8]).asReadOnly());
          refuses(illegal, "read-only", () -> world.recv(readOnly, 0, 8, 0, 0));
          refuses(illegal, "read-only", () -> world.irecv(readOnly, 0, 8, 0, 0));
          refuses(illegal, "destination 3", () -> world.send(readOnly, 0, 8, 3, 0));
          refuses(illegal, "tag -7", () -> world.isend(readOnly, 0, 8, 0, -7));
          Request active = world.irecv(Data.of(new byte[1]), 0, 1);
          Data data = Data.of(new byte[1]);
          assertThrows(IllegalStateException.class, () -> world.isend(data, 0, 1, 0, 1, active));
          assertThrows(IllegalStateException.class, () -> world.irecv(data, 0, 1, 0, 1, active));
          world.send(data, 0, 1, 0, 1);
          active.await();
        });
  }
}
