package io.adrastea.agrona;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages from and into Agrona's buffers, in a JVM without flags. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class AgronaMessagesTest {
  private static final int MARGIN = 5;

  @Parameter
  String core;

  private void run(Job.Body body) throws Exception {
    Settings.with(
        Map.of("adrastea.core", core),
        () -> {
          Job.runThreads(2, body);
          return null;
        });
  }

  private static MemorySegment contents(int bytes) {
    byte[] array = new byte[bytes];
    new Random(bytes).nextBytes(array);
    return MemorySegment.ofArray(array);
  }

  /** A buffer with a margin at both ends, and the message in between. */
  private static AgronaKind.Given filled(AgronaKind kind, int bytes) {
    AgronaKind.Given given = kind.make(bytes + 2 * MARGIN);
    given.memory().asSlice(MARGIN, bytes).copyFrom(contents(bytes));
    return given;
  }

  private static void check(AgronaKind.Given received, int bytes) {
    assertEquals(-1, received.memory().mismatch(filled(AgronaKind.SEGMENT, bytes).memory()), "first wrong byte");
  }

  static Stream<Arguments> kinds() {
    return Stream.of(AgronaKind.values())
        .flatMap(kind -> Stream.of(0, 8, 20_000, 300_000).map(bytes -> Arguments.of(kind, bytes)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void areSentAndReceived(AgronaKind kind, int bytes) throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          if (world.rank() == 0) {
            AgronaKind.Given from = filled(kind, bytes);
            world.send(Agrona.memory(from.buffer(), MARGIN, bytes), 1, 3);
            Reference.reachabilityFence(from); // an address keeps nothing
          } else {
            AgronaKind.Given into = kind.make(bytes + 2 * MARGIN);
            Status status = world.recv(Agrona.memory(into.buffer(), MARGIN, bytes), ANY_SOURCE, ANY_TAG);
            assertEquals(List.of(0, 3, (long) bytes), List.of(status.source(), status.tag(), status.bytes()));
            check(into, bytes);
            Reference.reachabilityFence(into);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void areStartedAndCompleted(AgronaKind kind, int bytes) throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          AgronaKind.Given from = filled(kind, bytes);
          AgronaKind.Given into = kind.make(bytes + 2 * MARGIN);
          int peer = 1 - world.rank();
          Request receive = world.irecv(Agrona.memory(into.buffer(), MARGIN, bytes), peer, 0);
          Request send = world.isend(Agrona.memory(from.buffer(), MARGIN, bytes), peer, 0);
          Request.waitAll(send, receive);
          check(into, bytes);
          Reference.reachabilityFence(from); // an address keeps nothing
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void areStartedAgainAndAgain(AgronaKind kind, int bytes) throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          AgronaKind.Given given = world.rank() == 0 ? filled(kind, bytes) : kind.make(bytes + 2 * MARGIN);
          Request request =
              world.rank() == 0
                  ? world.sendInit(AgronaData.of(given.buffer(), MARGIN, bytes), 1, 0)
                  : world.recvInit(AgronaData.of(given.buffer(), MARGIN, bytes), 0, 0);
          for (int i = 0; i < 3; i++) {
            request.start().await();
            check(given, bytes);
            if (world.rank() == 1) {
              given.memory().asSlice(MARGIN, bytes).fill((byte) 0);
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void areSentAndReceivedAtOnce(AgronaKind kind, int bytes) throws Exception {
    run(
        job -> {
          AgronaKind.Given from = filled(kind, bytes);
          AgronaKind.Given into = kind.make(bytes + 2 * MARGIN);
          int peer = 1 - job.world().rank();
          Status status =
              job.world()
                  .sendrecv(
                      AgronaData.of(from.buffer(), MARGIN, bytes),
                      peer,
                      1,
                      AgronaData.of(into.buffer(), MARGIN, bytes),
                      ANY_SOURCE,
                      ANY_TAG);
          assertEquals(List.of(peer, 1, (long) bytes), List.of(status.source(), status.tag(), status.bytes()));
          check(into, bytes);
          Reference.reachabilityFence(from);
        });
  }

  @Test
  void areFoundWhereTheyLieAtEachCall() throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          SegmentBuffer flyweight = new SegmentBuffer();
          byte[][] arrays = {{1, 2, 3}, {4, 5, 6}};
          for (byte[] array : arrays) {
            flyweight.wrap(array, 1, 2);
            if (world.rank() == 0) {
              world.send(Agrona.memory(flyweight, 1, 1), 1, 0);
            } else {
              world.recv(AgronaData.of(flyweight), 0, 0);
              assertEquals(array[2], array[1]);
            }
          }
        });
  }

  @Test
  void areNotWrittenBeyondWhatIsReceived() throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          if (world.rank() == 0) {
            world.send(Agrona.memory(filled(AgronaKind.ARRAY, 8).buffer(), MARGIN, 8), 1, 0);
          } else {
            AgronaKind.Given into = AgronaKind.ARRAY.make(8);
            assertThrows(TruncationException.class, () -> world.recv(Agrona.memory(into.buffer(), 0, 7), 0, 0));
            assertEquals(0, into.memory().get(ValueLayout.JAVA_BYTE, 7));
          }
        });
  }

  private static void refuses(Class<? extends Throwable> type, String said, Executable action) {
    String message = assertThrows(type, action).getMessage();
    assertTrue(message != null && message.contains(said), () -> "it said: " + message);
  }

  /** Checks on one rank; afterwards nothing was sent. */
  private void check(Consumer<Communicator> checks) throws Exception {
    run(
        job -> {
          if (job.world().rank() == 0) {
            checks.accept(job.world());
          }
          job.world().sendrecv(Data.of(MemorySegment.NULL), 1 - job.world().rank(), 99, Data.of(MemorySegment.NULL),
              ANY_SOURCE, 99);
          assertNull(job.world().iprobe(ANY_SOURCE, ANY_TAG));
        });
  }

  private static void refusesAll(
      Communicator world, Class<? extends Throwable> type, String said, MutableDirectBuffer buffer, int index,
      int length) {
    refuses(type, said, () -> world.send(Agrona.memory(buffer, index, length), 1, 0));
    refuses(type, said, () -> world.isend(Agrona.memory(buffer, index, length), 1, 0));
    refuses(type, said, () -> world.sendInit(AgronaData.of(buffer, index, length), 1, 0));
    refuses(type, said,
        () -> world.sendrecv(AgronaData.of(buffer, index, length), 1, 0, Data.of(MemorySegment.NULL), 1, 0));
    refusesReceives(world, type, said, buffer, index, length);
  }

  private static void refusesReceives(
      Communicator world, Class<? extends Throwable> type, String said, MutableDirectBuffer buffer, int index,
      int length) {
    refuses(type, said, () -> world.recv(Agrona.memory(buffer, index, length), 1, 0));
    refuses(type, said, () -> world.irecv(Agrona.memory(buffer, index, length), 1, 0));
    refuses(type, said, () -> world.recvInit(AgronaData.of(buffer, index, length), 1, 0));
    refuses(type, said,
        () -> world.sendrecv(Data.of(MemorySegment.NULL), 1, 0, AgronaData.of(buffer, index, length), 1, 0));
  }

  @ParameterizedTest
  @EnumSource
  void areRefusedBeyondTheirCapacity(AgronaKind kind) throws Exception {
    AgronaKind.Given given = kind.make(8);
    int capacity = given.buffer().capacity();
    check(
        world -> {
          refusesAll(world, IndexOutOfBoundsException.class, "", given.buffer(), 1, capacity);
          refusesAll(world, IndexOutOfBoundsException.class, "", given.buffer(), -1, 4);
          refusesAll(world, IndexOutOfBoundsException.class, "", given.buffer(), 0, -1);
          refusesAll(world, IndexOutOfBoundsException.class, "", given.buffer(), Integer.MAX_VALUE, 1);
        });
  }

  @Test
  void areRefusedWhenTheySayMoreThanTheyHave() throws Exception {
    check(
        world -> {
          refusesAll(world, IndexOutOfBoundsException.class, "", GivenBuffer.over(new byte[8], 1, 8), 0, 8);
          refusesAll(world, IndexOutOfBoundsException.class, "", GivenBuffer.over(new byte[8], -1, 8), 0, 8);
          refusesAll(world, IndexOutOfBoundsException.class, "", GivenBuffer.over(ByteBuffer.allocateDirect(8), 1, 8),
              0, 8);
          refusesAll(world, IllegalArgumentException.class, "address 0",
              GivenBuffer.at(MemorySegment.NULL.reinterpret(8)), 0, 8);
        });
  }

  @Test
  void areRefusedWhenThereIsNone() throws Exception {
    check(
        world -> {
          refusesAll(world, NullPointerException.class, "the buffer is null", null, 0, 0);
          refuses(NullPointerException.class, "the buffer is null", () -> world.send(Agrona.memory(null, 0, 0), 1, 0));
        });
  }

  @Test
  void areRefusedWhenTheirMemoryIsGoneOrAnotherThreads() throws Exception {
    SegmentBuffer closed = new SegmentBuffer();
    try (Arena arena = Arena.ofShared()) {
      closed.wrap(arena.allocate(8));
    }
    try (Arena arena = Arena.ofConfined()) {
      SegmentBuffer confined = new SegmentBuffer(arena.allocate(8));
      check(
          world -> {
            refusesAll(world, IllegalStateException.class, "arena is closed", closed, 0, 8);
            refusesAll(world, WrongThreadException.class, "confined", confined, 0, 8);
          });
    }
  }

  @Test
  void areNotReceivedIntoWhenReadOnly() throws Exception {
    byte[] array = new byte[8];
    check(
        world -> {
          for (MutableDirectBuffer buffer : List.of(
              new SegmentBuffer(MemorySegment.ofArray(array).asReadOnly()),
              GivenBuffer.over(ByteBuffer.wrap(array).asReadOnlyBuffer(), array, 0, 8),
              GivenBuffer.over(ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), 0, 8))) {
            refusesReceives(world, IllegalArgumentException.class, "read-only", buffer, 0, 8);
          }
        });
  }

  @Test
  void areSentWhenReadOnly() throws Exception {
    run(
        job -> {
          Communicator world = job.world();
          byte[] array = {42};
          if (world.rank() == 0) {
            MutableDirectBuffer readOnly = GivenBuffer.over(ByteBuffer.wrap(array).asReadOnlyBuffer(), array, 0, 1);
            world.send(Agrona.memory(readOnly, 0, 1), 1, 0);
          } else {
            byte[] received = new byte[1];
            world.recv(Data.of(received, 0, 1), 0, 0);
            assertEquals(42, received[0]);
          }
        });
  }
}
