package io.adrastea.communicator;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Communicator.NO_RANK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What is sent to no rank is dropped at once, and what is received from none is empty. */
@EveryCoreList
class NoRankTest {
  private static final Status EMPTY = new Status(ANY_SOURCE, ANY_TAG, 0, false);
  private static final Status OF_NOBODY = new Status(NO_RANK, ANY_TAG, 0, false);
  private static final Duration LIMIT = Duration.ofSeconds(1);

  @Parameter
  String cores;

  private final byte[] bytes = {1, 2, 3};
  private final Data data = Data.of(bytes);

  @Test
  void isCompleteAtOnce() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          world.send(data, NO_RANK, 0);
          world.send(MemorySegment.ofArray(bytes), NO_RANK, 0);
          world.send(Data.of(new IoVector().add(MemorySegment.ofArray(bytes))), NO_RANK, 0);
          world.ssend(data, NO_RANK, 0);
          assertEquals(OF_NOBODY, world.recv(data, NO_RANK, 0));
          assertEquals(OF_NOBODY, world.recv(MemorySegment.ofArray(bytes), NO_RANK, ANY_TAG));
          assertEquals(OF_NOBODY, world.recv(Data.of(new IoVector()), NO_RANK, ANY_TAG));
          assertEquals(OF_NOBODY, world.recv(data, NO_RANK, 0, LIMIT));
          assertEquals(OF_NOBODY, world.probe(NO_RANK, 0));
          assertEquals(OF_NOBODY, world.probe(NO_RANK, 0, LIMIT));
          assertEquals(OF_NOBODY, world.iprobe(NO_RANK, ANY_TAG));
          assertArrayEquals(new byte[] {1, 2, 3}, bytes, "a receive from nobody writes nothing");
        });
  }

  @Test
  void isCompleteAtOnceAsARequest() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Request mine = new Request();
          for (int i = 0; i < 3; i++) {
            assertEquals(EMPTY, world.isend(data, NO_RANK, 0).await());
            assertEquals(EMPTY, world.issend(data, NO_RANK, 0).await(LIMIT));
            assertEquals(OF_NOBODY, world.irecv(data, NO_RANK, 0).await());
            assertTrue(world.irecv(data, NO_RANK, ANY_TAG, mine).test());
            assertEquals(OF_NOBODY, mine.status());
          }
          Request[] persistent =
              {world.sendInit(data, NO_RANK, 0), world.ssendInit(data, NO_RANK, 0), world.recvInit(data, NO_RANK, 0)};
          for (int i = 0; i < 3; i++) {
            for (Request request : persistent) {
              request.start();
            }
            Request.waitAll(persistent);
            assertEquals(OF_NOBODY, persistent[2].status());
          }
          assertArrayEquals(new byte[] {1, 2, 3}, bytes);
        });
  }

  @Test
  void isEitherEndOfASendAndReceive() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int right = world.rank() == 0 ? 1 : NO_RANK;
          int left = world.rank() == 1 ? 0 : NO_RANK;
          int[] mine = {world.rank() + 10};
          int[] theirs = {-1};
          Status status = world.sendrecv(Data.of(mine), right, 3, Data.of(theirs), left, 3);
          assertEquals(left, status.source());
          assertEquals(world.rank() == 1 ? 10 : -1, theirs[0]);
          status = world.sendrecvReplace(Data.of(mine), right, 3, left, 3);
          assertEquals(left, status.source());
          assertEquals(10, mine[0], "rank 1 has that of rank 0, which keeps its own");
        });
  }

  @Test
  void hasAnEmptyMessageInPlace() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (int i = 0; i < 100; i++) {
            Message[] messages = {world.recvMessage(NO_RANK, 0), world.tryRecvMessage(NO_RANK, ANY_TAG)};
            for (Message message : messages) {
              assertEquals(NO_RANK, message.source());
              assertEquals(ANY_TAG, message.tag());
              assertEquals(0, message.bytes());
              assertEquals(0, message.segment().byteSize());
              assertThrows(IndexOutOfBoundsException.class, () -> message.getByte(0));
              message.release();
            }
            world.recv(NO_RANK, 0, message -> assertEquals(0, message.bytes()));
          }
        });
  }

  @Test
  void isRefusedWhereRoomOfARankIsWritten() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (Runnable call : new Runnable[] {() -> world.claim(NO_RANK, 0, 8), () -> world.tryClaim(NO_RANK, 0, 8),
            () -> world.burst(NO_RANK)}) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
            assertTrue(e.getMessage().contains("to NO_RANK, where nobody has what is written"), e::getMessage);
          }
        });
  }

  @Test
  void doesNotHideOtherMistakes() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          assertThrows(IllegalArgumentException.class, () -> world.send(data, NO_RANK, -1));
          assertThrows(NullPointerException.class, () -> world.recv((Data) null, NO_RANK, 0));
          assertThrows(IllegalArgumentException.class,
              () -> world.recv(MemorySegment.ofArray(bytes).asReadOnly(), NO_RANK, 0));
          IllegalArgumentException e =
              assertThrows(IllegalArgumentException.class, () -> world.recv(data, NO_RANK - 1, 0));
          assertTrue(e.getMessage().contains("source -3; this communicator has ranks 0 to 0, and ANY_SOURCE (-1) and "
              + "NO_RANK (-2)"), e::getMessage);
          job.close();
          assertThrows(IllegalStateException.class, () -> world.send(data, NO_RANK, 0));
          assertThrows(IllegalStateException.class, () -> world.recv(data, NO_RANK, 0));
          assertThrows(IllegalStateException.class, () -> world.isend(data, NO_RANK, 0));
        });
  }
}
