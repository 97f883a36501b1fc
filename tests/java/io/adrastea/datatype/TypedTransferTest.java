package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elements of datatypes that are sent once their receive is known, by every way: from layout to layout, into memory
 * that is contiguous and out of it; and what is left of the program of a datatype when the message is over.
 */
@EveryCoreListOfWorld
class TypedTransferTest {
  private static final int SPLIT = 8192;
  private static final byte BACKGROUND = (byte) 0x5a;

  @Parameter
  String cores;

  /** Where the elements lie. */
  enum Place {
    SHARED, NATIVE, CLOSABLE, ARRAY
  }

  /** How they lie: so many bytes of a message of this type, with gaps in memory. */
  enum Shape {
    BYTES, WORDS, BLOCKS, LONG_BLOCKS, RECORDS, TABLE, RUNS, COLUMNS, BACKWARDS;

    Datatype type() {
      return switch (this) {
        case BYTES -> Datatype.BYTE;
        case WORDS -> Datatype.LONG.resized(0, 16);
        case BLOCKS -> Datatype.vector(7, 5, 6, Datatype.LONG);
        case LONG_BLOCKS -> Datatype.vector(3, 700, 1000, Datatype.INT);
        case RECORDS -> Datatype.struct(new long[] {1, 3}, new long[] {8, 0}, Datatype.DOUBLE, Datatype.SHORT)
            .resized(-8, 32);
        case TABLE -> Datatype.indexedBlock(2, displacements(300), Datatype.INT);
        case RUNS -> Datatype.indexed(lengths(300), displacements(300), Datatype.INT);
        case COLUMNS -> Datatype.vector(64, 1, 8, Datatype.LONG).resized(0, 8);
        case BACKWARDS -> Datatype.vector(30, 2, -5, Datatype.LONG);
      };
    }

    private static long[] displacements(int count) {
      long[] all = new long[count];
      for (int i = 0; i < count; i++) {
        all[i] = 9L * i + i % 3;
      }
      return all;
    }

    private static long[] lengths(int count) {
      long[] all = new long[count];
      for (int i = 0; i < count; i++) {
        all[i] = 1 + i % 6;
      }
      return all;
    }

    /** The fewest elements that have so many bytes; columns are no more than there are beside each other. */
    long count(long bytes) {
      long all = (bytes + type().size() - 1) / type().size();
      return this == COLUMNS ? Math.min(8, all) : all;
    }
  }

  /** Elements in memory, whose bytes outside them are to stay. */
  private static final class Elements implements AutoCloseable {
    final Datatype type;
    final long count;
    final MemorySegment memory;
    private final Job job;
    private final Place place;
    private final Arena arena = Arena.ofShared();
    private final long offset;

    Elements(Job job, Place place, Shape shape, long bytes) {
      this.job = job;
      this.place = place;
      type = shape.type();
      count = shape.count(bytes);
      offset = Math.max(0, -type.trueLowerBound()) + 16;
      long size = offset + type.trueLowerBound() + type.trueExtent() + (count - 1) * type.extent() + 16;
      memory = switch (place) {
        case SHARED -> job.allocate(size, 8);
        case NATIVE -> Arena.ofAuto().allocate(size, 8);
        case CLOSABLE -> arena.allocate(size, 8);
        case ARRAY -> MemorySegment.ofArray(new long[(int) (size / 8 + 1)]);
      };
      memory.fill(BACKGROUND);
    }

    Data data() {
      return Data.of(memory, offset, count, type);
    }

    long bytes() {
      return count * type.size();
    }

    void fill(long seed) {
      byte[] bytes = new byte[(int) bytes()];
      new Random(seed).nextBytes(bytes);
      type.unpack(MemorySegment.ofArray(bytes), 0, memory, offset, count);
    }

    /** The first bytes are those of the seed, and nothing else was touched. */
    void check(long seed, long length, long sent) {
      byte[] bytes = new byte[(int) sent];
      new Random(seed).nextBytes(bytes);
      MemorySegment expected = MemorySegment.ofArray(new long[(int) (memory.byteSize() / 8 + 1)]);
      expected.fill(BACKGROUND);
      byte[] packed = new byte[(int) bytes()];
      java.util.Arrays.fill(packed, BACKGROUND);
      System.arraycopy(bytes, 0, packed, 0, (int) length);
      type.unpack(MemorySegment.ofArray(packed), 0, expected, offset, count);
      assertArrayEquals(expected.asSlice(0, memory.byteSize()).toArray(ValueLayout.JAVA_BYTE),
          memory.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() {
      arena.close();
      if (place == Place.SHARED) {
        job.free(memory);
      }
    }
  }

  private void by(String way, Job.Body body) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.eager.bytes", "1024");
    settings.put("adrastea.split.bytes", "" + SPLIT);
    settings.put("adrastea.lmt", way);
    Settings.with(settings, () -> {
      if (way.equals("cma") && cores.contains("java")) {
        assertThrows(IllegalArgumentException.class, () -> Ranks.run(cores, 2, body));
      } else {
        Ranks.run(cores, 2, body);
      }
      return null;
    });
  }

  private static void exchange(Communicator world, Job job, Place from, Place to, Shape sent, Shape received,
      long bytes, int tag) {
    boolean sends = world.rank() == 0;
    try (Elements own = new Elements(job, sends ? from : to, sends ? sent : received, bytes)) {
      long length = sent.count(bytes) * sent.type().size();
      long room = received.count(bytes) * received.type().size();
      if (sends) {
        own.fill(tag);
        world.send(own.data(), 1, tag);
      } else if (room < length) {
        TruncationException e = assertThrows(TruncationException.class, () -> world.recv(own.data(), 0, tag));
        assertEquals(length, e.messageBytes());
        own.check(tag, room, length);
      } else {
        assertEquals(length, world.recv(own.data(), 0, tag).bytes());
        own.check(tag, length, length);
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("%d bytes, %s %s to %s %s: %s".formatted(bytes, from, sent, to, received, e), e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shared", "cma", "ring"})
  void goFromEveryLayoutIntoEveryOtherInWhateverMemory(String way) throws Exception {
    by(way, job -> {
      int tag = 0;
      for (Shape sent : Shape.values()) {
        for (Shape received : Shape.values()) {
          Place from = Place.values()[tag % 4];
          Place to = Place.values()[tag / 4 % 4];
          exchange(job.world(), job, from, to, sent, received, tag % 3 == 0 ? 4000 : 3L * SPLIT + 100, tag);
          exchange(job.world(), job, Place.SHARED, Place.SHARED, sent, received, 3L * SPLIT + 100, tag);
          tag++;
        }
      }
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared", "cma"})
  void goFromAndIntoAllKindsOfMemory(String way) throws Exception {
    by(way, job -> {
      int tag = 0;
      for (Place from : Place.values()) {
        for (Place to : Place.values()) {
          for (Shape shape : List.of(Shape.BYTES, Shape.BLOCKS, Shape.RUNS)) {
            exchange(job.world(), job, from, to, shape, Shape.LONG_BLOCKS, 2L * SPLIT, tag++);
            exchange(job.world(), job, from, to, Shape.LONG_BLOCKS, shape, 2L * SPLIT, tag++);
          }
        }
      }
    });
  }

  /**
   * Elements with gaps go through the front of a copy ring, contiguous bytes through all of it. Either begins while
   * much of the other is still to be read.
   */
  @Test
  void elementsAndContiguousBytesFollowEachOtherThroughOneRing() throws Exception {
    by("ring", job -> {
      boolean sends = job.world().rank() == 0;
      Shape[] shapes = {Shape.BYTES, Shape.BLOCKS, Shape.BYTES, Shape.BYTES, Shape.LONG_BLOCKS, Shape.WORDS};
      for (int round = 0; round < 3; round++) {
        List<Elements> all = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < shapes.length; i++) {
          Elements one = new Elements(job, Place.NATIVE, shapes[i], 900_000 - 100_001L * i);
          all.add(one);
          if (sends) {
            one.fill(i);
          }
          requests.add(sends ? job.world().isend(one.data(), 1, i) : job.world().irecv(one.data(), 0, i));
        }
        requests.forEach(Request::await);
        for (int i = 0; i < shapes.length && !sends; i++) {
          all.get(i).check(i, all.get(i).bytes(), all.get(i).bytes());
        }
      }
    });
  }

  /**
   * The sender packs the first chunk of a message while its receiver is being asked, which may want another one first.
   */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void elementsAreMatchedInAnotherOrderThanTheyWereOffered(String way) throws Exception {
    by(way, job -> {
      boolean sends = job.world().rank() == 0;
      Shape[] shapes = {Shape.BLOCKS, Shape.WORDS, Shape.BYTES, Shape.RECORDS, Shape.LONG_BLOCKS};
      Place[] places = {Place.ARRAY, Place.NATIVE, Place.CLOSABLE, Place.SHARED};
      for (int round = 0; round < 8; round++) {
        Elements[] all = new Elements[4];
        Request[] requests = new Request[all.length];
        for (int i = 0; i < all.length; i++) {
          int tag = sends || i == 0 ? i : all.length - i;
          Place place = places[(round / 2 + (sends ? tag : 2 * tag)) % places.length];
          all[i] = new Elements(job, place, shapes[(round + tag) % shapes.length], 150_000 + 10_001L * tag);
          if (sends) {
            all[i].fill(tag);
            requests[i] = job.world().isend(all[i].data(), 1, tag);
            if (i == 0) {
              requests[i].await(); // nothing is under way when the next one is offered
            }
          } else {
            job.world().recv(all[i].data(), 0, tag);
            all[i].check(tag, all[i].bytes(), all[i].bytes());
          }
        }
        for (int i = 1; i < all.length && sends; i++) {
          requests[i].await();
        }
        for (Elements one : all) {
          one.close();
        }
      }
    });
  }

  /** More datatypes than are kept, by turns, each of them seen again after others have taken its place. */
  @Test
  void anyNumberOfDatatypesIsTold() throws Exception {
    by("shared", job -> {
      int types = 150;
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < types; i++) {
          Datatype type = Datatype.vector(20 + i, 2, 3, Datatype.LONG);
          long bytes = 8L * 3 * (20 + i);
          MemorySegment memory = job.allocate(40 * bytes, 8);
          Data data = Data.of(memory, 0, 30, type);
          if (job.world().rank() == 0) {
            memory.set(ValueLayout.JAVA_LONG, 30 * type.extent() - 8, i);
            job.world().send(data, 1, round);
          } else {
            job.world().recv(data, 0, round);
            assertEquals(i, memory.get(ValueLayout.JAVA_LONG, 30 * type.extent() - 8));
          }
          job.free(memory);
        }
      }
    });
  }
}
