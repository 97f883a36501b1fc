package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.TruncationException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages longer than the receive buffer: of one cell and of many, cut in any cell or anywhere on their way by
 * rendezvous.
 */
@EveryCoreList
class TruncationTest {
  private static final int GO = 50;

  @Parameter
  String cores;

  /** Lengths of a message, and of a buffer that is too short for it. */
  static Stream<Arguments> lengths() {
    return Stream.of(LongMessages.values()).flatMap(TruncationTest::lengths);
  }

  private static Stream<Arguments> lengths(LongMessages way) {
    return Stream.of(
        arguments(way, 1, 0),
        arguments(way, 100, 99),
        arguments(way, Ranks.CELL_BYTES, 17),
        arguments(way, Ranks.CELL_BYTES + 1, Ranks.CELL_BYTES),
        arguments(way, 4 * Ranks.CELL_BYTES, 0),
        arguments(way, 3 * Ranks.ALL_CELLS, Ranks.ALL_CELLS + 5));
  }

  private static Request[] isend(Communicator world, int bytes) {
    return new Request[] {
      world.isend(Data.of(Contents.of(bytes, 1)), 1, 3),
      world.isend(Data.of(Contents.of(Ranks.CELL_BYTES + 8, 2), 0, Ranks.CELL_BYTES + 8), 1, 3),
      world.isend(Data.of(Contents.of(8, 3)), 1, 3)
    };
  }

  private static void send(Communicator world, int bytes) {
    world.send(Data.of(Contents.of(bytes, 1)), 1, 3);
    world.send(Data.of(Contents.of(Ranks.CELL_BYTES + 8, 2), 0, Ranks.CELL_BYTES + 8), 1, 3);
    world.send(Data.of(Contents.of(8, 3)), 1, 3);
  }

  private static void check(
      Communicator world, int bytes, byte[] buffer, Supplier<Status> receive) {
    TruncationException failure = assertThrows(TruncationException.class, receive::get);
    assertEquals(bytes, failure.messageBytes());
    assertEquals(buffer.length, failure.bufferBytes());
    String said =
        "message of %d bytes from rank 0 with tag 3 is longer than the receive buffer of %d bytes"
            .formatted(bytes, buffer.length);
    assertTrue(Ranks.byRank(failure.getMessage()).contains(said), failure.getMessage());
    long same =
        MemorySegment.ofArray(buffer).mismatch(MemorySegment.ofArray(Contents.of(bytes, 1)));
    assertEquals(buffer.length, same, "the beginning is there");
    byte[] next = new byte[Ranks.CELL_BYTES + 8];
    world.recv(Data.of(next), 0, 3);
    Contents.check(next.length, 2, next);
    world.recv(Data.of(next, 0, 8), 0, 3);
    Contents.check(8, 3, next);
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void failsABlockingReceive(LongMessages way, int bytes, int room) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            send(world, bytes);
          } else {
            byte[] buffer = new byte[room];
            check(world, bytes, buffer, () -> world.recv(Data.of(buffer, 0, room), 0, 3));
          }
        });
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void failsAPostedReceive(LongMessages way, int bytes, int room) throws Exception {
    CountDownLatch posted = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Ranks.await(posted);
            send(world, bytes);
          } else {
            byte[] buffer = new byte[room];
            Request receive = world.irecv(Data.of(buffer, 0, room), Communicator.ANY_SOURCE, 3);
            posted.countDown();
            check(world, bytes, buffer, receive::await);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void failsAReceiveOfAnUnexpectedMessage(LongMessages way, int bytes, int room) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request[] sends = isend(world, bytes);
            world.send(Data.of(new byte[0]), 1, GO);
            Request.waitAll(sends);
          } else {
            world.recv(Data.of(new byte[0]), 0, GO); // all others have come before it
            byte[] buffer = new byte[room];
            check(world, bytes, buffer, () -> world.recv(Data.of(buffer, 0, room), 0, 3));
          }
        });
  }
}
