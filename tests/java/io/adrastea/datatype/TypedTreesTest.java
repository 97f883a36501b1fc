package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages between layouts of random trees, drawn apart at both ends for the same basic types, by every pair of cores,
 * in every protocol, against the type maps of both ({@link NaiveType}). {@code -Dadrastea.seed} and
 * {@code -Dadrastea.test.datatypes} repeat and lengthen a run.
 */
class TypedTreesTest {
  private static final long SEED = Long.getLong("adrastea.seed", 2002);
  private static final int MESSAGES = Integer.getInteger("adrastea.test.datatypes", 6000) / 120;
  private static final int GO = 1;
  private static final int TAG = 2;
  private static final int MOST_BYTES = 150_000;
  private static final byte BACKGROUND = (byte) 0xa5;

  /** How a message goes. */
  private enum Call {
    SEND, UNEXPECTED, ISEND, SYNCHRONOUS, PERSISTENT, PROBED, CLAIMED, IN_PLACE, TRUNCATED
  }

  private static Stream<String> pairs() {
    List<String> cores = List.of("ffm", "jni", "jna", "java");
    return cores.stream().flatMap(one -> cores.stream().map(other -> one + "," + other));
  }

  /** One end of a message: elements in memory of some kind, and where their bytes lie there. */
  private static final class End implements AutoCloseable {
    final long[] places;
    final MemorySegment memory;
    final Data data;
    private final Job job;
    private final Arena arena = Arena.ofShared();
    private final boolean isShared;

    End(Job job, Random random, NaiveType type, long count) {
      this.job = job;
      places = type.bytes(count);
      long low = Arrays.stream(places).min().orElse(0);
      long high = Arrays.stream(places).max().orElse(-1) + 1;
      long around = random.nextInt(9);
      for (int i = 0; i < places.length; i++) {
        places[i] += around - low;
      }
      int bytes = (int) (high - low + 2 * around + 1);
      byte[] array = new byte[bytes];
      int kind = random.nextInt(4);
      isShared = kind == 2;
      memory = switch (kind) {
        case 0 -> MemorySegment.ofArray(array);
        case 1 -> arena.allocate(bytes);
        case 2 -> job.allocate(bytes, 8).asSlice(0, bytes);
        default -> Arena.ofAuto().allocate(bytes);
      };
      data = Data.of(memory, around - low, count, type.of());
    }

    byte[] bytes() {
      return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
      arena.close();
      if (isShared) {
        job.free(memory);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void goBetweenLayoutsDrawnApart(String cores) throws Exception {
    for (LongMessages way : LongMessages.values()) {
      way.run(cores, 2, job -> {
        for (int i = 0; i < MESSAGES; i++) {
          try {
            exchange(job, new Random(SEED + i));
          } catch (AssertionError e) {
            throw new AssertionError("with -Dadrastea.seed=%d, message %d, %s".formatted(SEED, i, way), e);
          }
        }
      });
    }
  }

  /** Both ranks draw the same, and each looks at what it has. */
  private static void exchange(Job job, Random random) {
    Communicator world = Ranks.world(job);
    List<Datatype> basic = DrawnLayout.signature(random);
    int[] each = {random.nextInt(1, 4), random.nextInt(1, 4)};
    NaiveType[] types = new NaiveType[2];
    for (int end = 0; end < 2; end++) {
      types[end] = DrawnLayout.draw(random, DrawnLayout.times(each[end], basic));
    }
    long size = basic.stream().mapToLong(Datatype::size).sum() * each[0] * each[1];
    long rounds = switch (random.nextInt(4)) {
      case 0 -> 1;
      case 1 -> Math.max(1, random.nextInt(3000) / size);
      default -> Math.max(1, random.nextInt(MOST_BYTES) / size);
    };
    Call call = Call.values()[random.nextInt(Call.values().length)];
    byte[] contents = new byte[(int) (rounds * size)];
    random.nextBytes(contents);
    long[] counts = {rounds * each[1], rounds * each[0]};
    long cut = call == Call.TRUNCATED ? random.nextLong(counts[1]) : counts[1];
    int me = world.rank();
    try (End end = new End(job, random, types[me], me == 0 ? counts[0] : cut)) {
      if (me == 0) {
        for (int i = 0; i < contents.length; i++) {
          end.memory.set(ValueLayout.JAVA_BYTE, end.places[i], contents[i]);
        }
        byte[] before = end.bytes();
        send(world, call, end.data);
        assertArrayEquals(before, end.bytes(), () -> "what was sent by " + call);
      } else {
        end.memory.fill(BACKGROUND);
        byte[] expected = end.bytes();
        for (int i = 0; i < end.places.length; i++) {
          expected[(int) end.places[i]] = contents[i];
        }
        receive(world, call, end.data, contents.length);
        assertArrayEquals(expected, end.bytes(), () -> "%s of %d bytes from%n%s%ninto%n%s".formatted(call,
            contents.length, types[0].of(), types[1].of()));
      }
      world.barrier(); // a rank that copies straight from this memory has done so
    }
  }

  private static void send(Communicator world, Call call, Data data) {
    Data word = Data.of(new byte[1]);
    switch (call) {
      case UNEXPECTED -> {
        Request request = world.isend(data, 1, TAG);
        world.send(word, 1, GO);
        request.await();
      }
      case ISEND -> {
        world.recv(word, 1, GO);
        world.isend(data, 1, TAG).await();
      }
      case SYNCHRONOUS -> world.ssend(data, 1, TAG);
      case PERSISTENT -> {
        Request request = world.sendInit(data, 1, TAG);
        for (int i = 0; i < 2; i++) {
          request.start().await();
        }
      }
      case CLAIMED -> {
        if (data.bytes() <= Ranks.CELL_BYTES) {
          try (Claim claim = world.claim(1, TAG, (int) data.bytes())) {
            claim.copyFrom(0, data);
            claim.commit();
          }
        } else {
          world.send(data, 1, TAG);
        }
      }
      default -> world.send(data, 1, TAG);
    }
  }

  private static void receive(Communicator world, Call call, Data data, int bytes) {
    Data word = Data.of(new byte[1]);
    Status expected = new Status(0, TAG, bytes, false);
    switch (call) {
      case UNEXPECTED -> {
        world.recv(word, 0, GO);
        assertEquals(expected, world.recv(data, 0, TAG));
      }
      case ISEND -> {
        Request request = world.irecv(data, 0, TAG);
        world.send(word, 0, GO);
        assertEquals(expected, request.await());
      }
      case PERSISTENT -> {
        Request request = world.recvInit(data, 0, TAG);
        for (int i = 0; i < 2; i++) {
          assertEquals(expected, request.start().await());
        }
      }
      case PROBED -> assertEquals(expected, world.mprobe(0, TAG).recv(data));
      case IN_PLACE -> {
        try (Message message = world.recvMessage(0, TAG)) {
          message.copyTo(0, data);
        }
      }
      case TRUNCATED -> {
        TruncationException e =
            Assertions.assertThrows(TruncationException.class, () -> world.recv(data, 0, TAG));
        assertEquals(bytes, e.messageBytes());
        assertEquals(data.bytes(), e.bufferBytes());
      }
      default -> assertEquals(expected, world.recv(data, 0, TAG));
    }
  }
}
