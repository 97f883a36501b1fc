package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** The calls that take elements of an array as they are: every kind of array, and stretches that are refused. */
@EveryCoreList
class ArrayCallsTest {
  private static final int LENGTH = 64; // elements
  private static final int FIRST = 5;
  private static final int COUNT = 24;

  @Parameter
  String cores;

  /** The calls of one kind of array, with an array of that kind. */
  private interface Kind {
    MemorySegment memory();

    void send(Communicator world, int offset, int count, int peer, int tag);

    Status recv(Communicator world, int offset, int count, int peer, int tag);

    Request isend(Communicator world, int offset, int count, int peer, int tag, Request request);

    Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request);
  }

  private record Bytes(byte[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Shorts(short[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Chars(char[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Ints(int[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Longs(long[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Floats(float[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private record Doubles(double[] array) implements Kind {
    @Override
    public MemorySegment memory() {
      return MemorySegment.ofArray(array);
    }

    @Override
    public void send(Communicator world, int offset, int count, int peer, int tag) {
      world.send(array, offset, count, peer, tag);
    }

    @Override
    public Status recv(Communicator world, int offset, int count, int peer, int tag) {
      return world.recv(array, offset, count, peer, tag);
    }

    @Override
    public Request isend(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.isend(array, offset, count, peer, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int offset, int count, int peer, int tag, Request request) {
      return world.irecv(array, offset, count, peer, tag, request);
    }
  }

  private static List<Kind> kinds() {
    return List.of(
        new Bytes(new byte[LENGTH]),
        new Shorts(new short[LENGTH]),
        new Chars(new char[LENGTH]),
        new Ints(new int[LENGTH]),
        new Longs(new long[LENGTH]),
        new Floats(new float[LENGTH]),
        new Doubles(new double[LENGTH]));
  }

  private static List<Kind> none() {
    return List.of(
        new Bytes(null),
        new Shorts(null),
        new Chars(null),
        new Ints(null),
        new Longs(null),
        new Floats(null),
        new Doubles(null));
  }

  private static int elementBytes(Kind kind) {
    return (int) kind.memory().byteSize() / LENGTH;
  }

  private static MemorySegment stretch(Kind kind) {
    return kind.memory().asSlice(FIRST * elementBytes(kind), COUNT * elementBytes(kind));
  }

  private static void fill(Kind kind, long seed) {
    stretch(kind).copyFrom(MemorySegment.ofArray(Contents.of(COUNT * elementBytes(kind), seed)));
  }

  /** Checks the stretch, and that nothing beside it was touched. */
  private static void check(Kind kind, long seed) {
    int unit = elementBytes(kind);
    Contents.check(COUNT * unit, seed, stretch(kind));
    Contents.checkZero(kind.memory().asSlice(0, FIRST * unit));
    Contents.checkZero(kind.memory().asSlice((FIRST + COUNT) * unit));
  }

  @Test
  void carryEachKindToItsPlace() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request request = new Request();
          int tag = 0;
          for (Kind kind : kinds()) {
            if (world.rank() == 0) {
              fill(kind, tag);
              kind.send(world, FIRST, COUNT, 1, tag);
              fill(kind, ~tag);
              kind.isend(world, FIRST, COUNT, 1, tag, request).await();
            } else {
              Status status = kind.recv(world, FIRST, COUNT, 0, tag);
              assertEquals(COUNT * elementBytes(kind), status.bytes());
              check(kind, tag);
              kind.irecv(world, FIRST, COUNT, 0, tag, request).await();
              check(kind, ~tag);
            }
            tag++;
          }
        });
  }

  private static void refuses(Class<? extends Exception> type, String said, Runnable call) {
    String message = assertThrows(type, call::run).getMessage();
    assertTrue(message.contains(said), message);
  }

  private static void eachRefuses(
      Communicator world, Kind kind, int offset, int count, Class<? extends Exception> type, String said) {
    Request request = new Request();
    refuses(type, said, () -> kind.send(world, offset, count, 0, 0));
    refuses(type, said, () -> kind.recv(world, offset, count, 0, 0));
    refuses(type, said, () -> kind.isend(world, offset, count, 0, 0, request));
    refuses(type, said, () -> kind.irecv(world, offset, count, 0, 0, request));
    assertTrue(!request.isActive());
  }

  @Test
  void refuseStretchesOutsideTheArrayAndNone() throws Exception {
    int most = Integer.MAX_VALUE;
    int[][] stretches = {{-1, 1}, {0, -1}, {0, LENGTH + 1}, {LENGTH, 1}, {most, most}, {1, most}};
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (Kind kind : kinds()) {
            for (int[] stretch : stretches) {
              String said =
                  "offset %d and count %d do not lie in an array of length 64".formatted(stretch[0], stretch[1]);
              eachRefuses(world, kind, stretch[0], stretch[1], IndexOutOfBoundsException.class, said);
            }
          }
          for (Kind kind : none()) {
            eachRefuses(world, kind, 0, 0, NullPointerException.class, "the array is null");
          }
        });
  }
}
