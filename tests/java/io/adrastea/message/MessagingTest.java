package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.BufferKind;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.TestBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents and statuses of messages of every size, from and to every kind of buffer. */
@EveryCoreList
class MessagingTest {
  private static final int[] SIZES = {
    0,
    1,
    8,
    Ranks.CELL_BYTES - 1,
    Ranks.CELL_BYTES,
    Ranks.CELL_BYTES + 1,
    5 * Ranks.CELL_BYTES + 3,
    Ranks.ALL_CELLS,
    3 * Ranks.ALL_CELLS + 1
  };

  @Parameter
  String cores;

  private static void checkStatus(Status status, int source, int tag, int bytes) {
    assertEquals(source, status.source(), "source");
    assertEquals(tag, status.tag(), "tag");
    assertEquals(bytes, status.bytes(), "bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {48, 3 * Ranks.CELL_BYTES + 8})
  void carriesEveryKindOfBufferIntoEveryKind(int bytes) throws Exception {
    Ranks.run(cores, 2, job -> everyKind(Ranks.world(job), bytes));
  }

  private static void everyKind(Communicator world, int bytes) {
    int tag = 0;
    for (BufferKind from : BufferKind.values()) {
      for (BufferKind to : BufferKind.values()) {
        if (world.rank() == 0) {
          from.make(bytes).fill(tag).send(world, 1, tag);
          from.make(bytes).fill(~tag).isend(world, 1, tag).await();
        } else {
          TestBuffer first = to.make(bytes);
          checkStatus(first.recv(world, 0, tag), 0, tag, bytes);
          first.check(tag);
          TestBuffer second = to.make(bytes);
          checkStatus(second.irecv(world, 0, tag).await(), 0, tag, bytes);
          second.check(~tag);
        }
        tag++;
      }
    }
  }

  @Test
  void carriesEverySizeBothWays() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          for (int size : SIZES) {
            byte[] received = new byte[size];
            if (world.rank() == 0) {
              world.send(Data.of(Contents.of(size, size)), peer, 7);
            }
            checkStatus(world.recv(Data.of(received, 0, size), peer, 7), peer, 7, size);
            Contents.check(size, size, received);
            if (world.rank() == 1) {
              world.send(Data.of(received, 0, size), peer, 7);
            }
          }
        });
  }

  @Test
  void carriesAllSizesAtOnceWithoutWaiting() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          byte[][] received = new byte[SIZES.length][];
          Request[] requests = new Request[2 * SIZES.length];
          for (int i = 0; i < SIZES.length; i++) {
            int size = SIZES[i];
            received[i] = new byte[size];
            requests[i] = world.irecv(Data.of(received[i], 0, size), peer, i);
            requests[SIZES.length + i] = world.isend(Data.of(Contents.of(size, i)), peer, i);
          }
          Request.waitAll(requests.clone()); // which leaves those that are reported here
          for (int i = 0; i < SIZES.length; i++) {
            checkStatus(requests[i].status(), peer, i, SIZES[i]);
            Contents.check(SIZES[i], i, received[i]);
          }
        });
  }

  @Test
  void carriesAHundredMebibytes() throws Exception {
    int bytes = 100 << 20;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(bytes);
            if (world.rank() == 0) {
              memory.copyFrom(MemorySegment.ofArray(Contents.of(bytes, 5)));
              world.send(memory, 1, 0);
            } else {
              checkStatus(world.recv(memory, 0, 0), 0, 0, bytes);
              Contents.check(bytes, 5, memory);
            }
          }
        });
  }

  @Test
  void receivesLessThanTheBufferHolds() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(Contents.of(100, 1)), 1, 0);
          } else {
            MemorySegment memory = MemorySegment.ofArray(new byte[200]);
            checkStatus(world.recv(memory, 0, 0), 0, 0, 100);
            Contents.check(100, 1, memory.asSlice(0, 100));
            Contents.checkZero(memory.asSlice(100));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 2 * Ranks.ALL_CELLS})
  void sendsToItself(int bytes) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int self = world.rank();
          byte[] received = new byte[bytes];
          world.send(Data.of(Contents.of(bytes, self)), self, 3);
          checkStatus(world.recv(Data.of(received, 0, bytes), self, 3), self, 3, bytes);
          Contents.check(bytes, self, received);
          Request receive = world.irecv(Data.of(received, 0, bytes), self, 4);
          world.send(Data.of(Contents.of(bytes, ~self)), self, 4);
          checkStatus(receive.await(), self, 4, bytes);
          Contents.check(bytes, ~self, received);
        });
  }

  @Test
  void sendsFromReadOnlyMemory() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          byte[] received = new byte[10];
          Ranks.world(job).send(MemorySegment.ofArray(Contents.of(10, 1)).asReadOnly(), 0, 0);
          Ranks.world(job).recv(Data.of(received, 0, 10), 0, 0);
          Contents.check(10, 1, received);
          Ranks.world(job).send(Data.of(java.nio.ByteBuffer.wrap(Contents.of(10, 2)).asReadOnlyBuffer()), 0, 0);
          Ranks.world(job).recv(Data.of(received, 0, 10), 0, 0);
          Contents.check(10, 2, received);
        });
  }
}
