package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Elements of datatypes that are sent and received, by every call that takes data. */
@EveryCoreList
class TypedMessagesTest {
  private static final int[] COUNTS = {0, 1, 2, 5, 100, 1024, 1025, 20_000, 100_000};
  private static final int GAP = 3; // every so many doubles one is sent
  private static final double UNTOUCHED = -1;

  @Parameter
  String cores;

  private static double[] numbered(int length) {
    return IntStream.range(0, length).asDoubleStream().toArray();
  }

  private static double[] untouched(int length) {
    double[] array = new double[length];
    Arrays.fill(array, UNTOUCHED);
    return array;
  }

  private static Data spread(double[] array, int count) {
    return Data.of(array, 1, 1, Datatype.vector(count, 1, GAP, Datatype.DOUBLE));
  }

  private static void checkSpread(double[] array, int count) {
    for (int i = 0; i < array.length; i++) {
      boolean has = i % GAP == 1 && i / GAP < count;
      assertEquals(has ? i : UNTOUCHED, array[i], "element " + i);
    }
  }

  @Test
  void goFromOneLayoutIntoAnother() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      for (int count : COUNTS) {
        if (world.rank() == 0) {
          world.send(spread(numbered(GAP * count + 2), count), 1, 1);
        } else {
          MemorySegment memory = Arena.ofAuto().allocate(16L * count + 8, 8);
          Datatype type = Datatype.DOUBLE.resized(0, 16);
          Status status = world.recv(Data.of(memory, 8, count, type), 0, 1);
          assertEquals(8L * count, status.bytes());
          for (int i = 0; i < count; i++) {
            assertEquals(1 + GAP * i, memory.get(ValueLayout.JAVA_DOUBLE, 8 + 16L * i));
            assertEquals(0, memory.get(ValueLayout.JAVA_DOUBLE, 16L * i));
          }
        }
      }
    });
  }

  @Test
  void areBytesToAPlainReceiveAndFromAPlainSend() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      for (int count : COUNTS) {
        if (world.rank() == 0) {
          world.send(spread(numbered(GAP * count + 2), count), 1, 1);
          double[] back = untouched(GAP * count + 2);
          world.recv(spread(back, count), 1, 2);
          checkSpread(back, count);
        } else {
          double[] packed = new double[count];
          world.recv(packed, 0, count, 0, 1);
          for (int i = 0; i < count; i++) {
            assertEquals(1 + GAP * i, packed[i]);
          }
          world.send(packed, 0, count, 0, 2);
        }
      }
    });
  }

  @Test
  void fillTheFirstElementsWhenTheMessageIsShort() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(new double[] {1, 4}, 0, 2, 1, 1);
      } else {
        double[] array = untouched(20);
        Status status = world.recv(spread(array, 5), 0, 1);
        assertEquals(16, status.bytes());
        double[] expected = untouched(20);
        expected[1] = 1;
        expected[4] = 4;
        assertArrayEquals(expected, array);
      }
    });
  }
}
