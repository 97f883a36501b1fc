package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contents of large messages from parts of arrays into parts of arrays, and from and to native memory, while the
 * garbage collector moves whatever it may: arrays are made anew for each message, so that they are young.
 */
@EveryCoreList
class LargeArrayTest {
  private static final int PIECE = 1 << 16; // most that is copied at once, while a collection has to wait
  private static final int CHUNK = 8192; // of the copy ring, and of a cell
  private static final int FIRST = 3; // element
  private static final long LEAST_PAUSE = 10_000_000; // nanoseconds between collections
  private static final int[] SIZES = {
    CHUNK - 8, CHUNK, CHUNK + 8, PIECE - 8, PIECE, PIECE + 8, 2 * PIECE - CHUNK, 2 * PIECE + 8, 5 * PIECE + 24
  };

  @Parameter
  String cores;

  /** Memory of one end, in whose middle the message lies. */
  private enum Kind {
    BYTES, LONGS, DOUBLES, NATIVE;

    private Place make(int bytes) {
      int longs = bytes / Long.BYTES;
      return switch (this) {
        case BYTES -> {
          byte[] array = new byte[bytes + 2 * FIRST];
          yield new Place(Data.of(array, FIRST, bytes), MemorySegment.ofArray(array), FIRST);
        }
        case LONGS -> {
          long[] array = new long[longs + 2 * FIRST];
          yield new Place(Data.of(array, FIRST, longs), MemorySegment.ofArray(array), FIRST * Long.BYTES);
        }
        case DOUBLES -> {
          double[] array = new double[longs + 2 * FIRST];
          yield new Place(Data.of(array, FIRST, longs), MemorySegment.ofArray(array), FIRST * Long.BYTES);
        }
        case NATIVE -> {
          MemorySegment memory = Arena.ofAuto().allocate(bytes + 2 * FIRST);
          yield new Place(Data.of(memory, FIRST, bytes), memory, FIRST);
        }
      };
    }
  }

  private record Place(Data data, MemorySegment memory, int start) {
    void fill(int bytes, long seed) {
      MemorySegment.copy(MemorySegment.ofArray(Contents.of(bytes, seed)), 0, memory, start, bytes);
    }

    void check(int bytes, long seed) {
      long wrong = memory.asSlice(start, bytes).mismatch(MemorySegment.ofArray(Contents.of(bytes, seed)));
      if (wrong >= 0) {
        throw new AssertionError("wrong from byte %d of %d on".formatted(wrong, bytes));
      }
      Contents.checkZero(memory.asSlice(0, start));
      Contents.checkZero(memory.asSlice(start + bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void arriveWholeWhileGarbageIsCollected(String way) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread collector = Thread.ofPlatform().start(() -> collect(over));
    try {
      Settings.with(
          Map.of("adrastea.lmt", way, "adrastea.eager.bytes", "" + CHUNK),
          () -> {
            Ranks.run(cores, 2, LargeArrayTest::everyKind);
            return null;
          });
    } finally {
      over.set(true);
      collector.join();
    }
  }

  private static void collect(AtomicBoolean over) {
    while (!over.get()) {
      long begin = System.nanoTime();
      System.gc();
      long took = System.nanoTime() - begin;
      LockSupport.parkNanos(Math.max(LEAST_PAUSE, 2 * took)); // else the ranks would hardly run in between
    }
  }

  private static void everyKind(Job job) {
    int tag = 0;
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.values()) {
        for (int bytes : SIZES) {
          try {
            exchange(job, from, to, bytes, tag++);
          } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("%d bytes from %s into %s: %s".formatted(bytes, from, to, e), e);
          }
        }
      }
    }
  }

  /** A message that is waited for, and two at a time. */
  private static void exchange(Job job, Kind from, Kind to, int bytes, int tag) {
    Communicator world = Ranks.world(job);
    boolean sends = world.rank() == 0;
    Place[] places = new Place[3];
    for (int i = 0; i < places.length; i++) {
      places[i] = (sends ? from : to).make(bytes);
      if (sends) {
        places[i].fill(bytes, tag + i);
      }
    }
    if (sends) {
      world.send(places[0].data(), 1, tag);
      Request first = world.isend(places[1].data(), 1, tag);
      Request second = world.isend(places[2].data(), 1, tag);
      first.await();
      second.await();
    } else {
      assertEquals(bytes, world.recv(places[0].data(), 0, tag).bytes());
      Request first = world.irecv(places[1].data(), 0, tag);
      Request second = world.irecv(places[2].data(), 0, tag);
      assertEquals(bytes, first.await().bytes());
      assertEquals(bytes, second.await().bytes());
      for (int i = 0; i < places.length; i++) {
        places[i].check(bytes, tag + i);
      }
    }
  }
}
