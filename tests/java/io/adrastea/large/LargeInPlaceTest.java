package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LargeKind;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large messages received in place: those of shared allocations where their sender has them, others from a copy. */
@EveryCoreList
class LargeInPlaceTest {
  private static final int BYTES = 300_001;
  private static final int GO = 77;

  @Parameter
  String cores;

  private static void checkMessage(Message message, int tag, long seed) {
    assertEquals(0, message.source());
    assertEquals(tag, message.tag());
    assertEquals(BYTES, message.bytes());
    Contents.check(BYTES, seed, message.segment());
  }

  @ParameterizedTest
  @EnumSource(LargeKind.class)
  void holdWhatWasSentWhateverTheBuffer(LargeKind kind) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          int bytes = kind.bytes(BYTES);
          if (Ranks.world(job).rank() == 0) {
            try (LargeBuffer buffer = kind.make(job, bytes).fill(1)) {
              buffer.send(1, 0);
              buffer.send(1, 1);
            }
          } else {
            for (int tag = 0; tag < 2; tag++) {
              try (Message message = Ranks.world(job).recvMessage(0, tag)) {
                assertEquals(bytes, message.bytes());
                Contents.check(bytes, 1, message.segment());
              }
            }
          }
        });
  }

  @Test
  void ofASharedAllocationAreTheSendersMemoryUntilTheyAreGivenBack() throws Exception {
    Ranks.assumeShared(cores);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          long[] place = new long[1];
          if (world.rank() == 0) {
            MemorySegment memory = job.allocate(BYTES, 8);
            memory.copyFrom(MemorySegment.ofArray(Contents.of(BYTES, 2)));
            place[0] = job.offset(memory);
            world.send(Data.of(place, 0, 1), 1, 0);
            Request send = world.isend(memory, 1, 1);
            world.recv(Data.of(place, 0, 0), 1, 2); // the message is open there
            assertFalse(send.test(), "the message has not been given back");
            memory.set(ValueLayout.JAVA_BYTE, 100, (byte) 1);
            world.send(Data.of(place, 0, 0), 1, 3);
            world.recv(Data.of(place, 0, 0), 1, 4);
            assertFalse(send.test(), "the message has not been given back");
            world.send(Data.of(place, 0, 0), 1, 5);
            send.await();
            job.free(memory);
          } else {
            world.recv(Data.of(place, 0, 1), 0, 0);
            Message message = world.recvMessage(0, 1);
            checkMessage(message, 1, 2);
            job.shared(world.jobRank(0), place[0], BYTES).set(ValueLayout.JAVA_BYTE, 7, (byte) ~message.getByte(7));
            assertEquals((byte) ~Contents.of(8, 2)[7], message.getByte(7), "seen at once: there is no copy");
            world.send(Data.of(place, 0, 0), 0, 2);
            world.recv(Data.of(place, 0, 0), 0, 3);
            assertEquals(1, message.getByte(100), "what the sender writes is seen: there is no copy");
            world.send(Data.of(place, 0, 0), 0, 4);
            world.recv(Data.of(place, 0, 0), 0, 5);
            message.release();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = LargeKind.class,
      names = {"ALLOCATION", "GLOBAL", "CLOSABLE", "BYTES", "MIXED_PARTS"})
  void areFoundByTryingUntilTheyAreThere(LargeKind kind) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.recv(Data.of(new byte[0]), 1, GO);
            try (LargeBuffer buffer = kind.make(job, BYTES).fill(3)) {
              buffer.send(1, 4);
            }
          } else {
            assertNull(world.tryRecvMessage(0, 4));
            world.send(Data.of(new byte[0]), 0, GO);
            Message message = world.tryRecvMessage(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            while (message == null) {
              message = world.tryRecvMessage(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
            }
            checkMessage(message, 4, 3);
            message.release();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = LargeKind.class,
      names = {"ALLOCATION", "GLOBAL", "BYTES"})
  void thatTryingHasFoundAreReceivedIntoABufferAllTheSame(LargeKind kind) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            try (LargeBuffer buffer = kind.make(job, BYTES).fill(3)) {
              Request send = buffer.isend(1, 4);
              world.send(Data.of(new byte[0]), 1, GO);
              send.await();
            }
          } else {
            world.recv(Data.of(new byte[0]), 0, GO);
            Message message = world.tryRecvMessage(0, 4); // begins to fetch it, when it has to be copied
            if (message == null) {
              byte[] received = new byte[BYTES];
              assertEquals(BYTES, world.recv(Data.of(received, 0, BYTES), 0, 4).bytes());
              Contents.check(BYTES, 3, received);
            } else {
              checkMessage(message, 4, 3);
              message.release();
            }
          }
        });
  }

  @Test
  void areHeldSeveralAtATimeAndGivenBackInAnyOrder() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          LargeKind[] kinds = LargeKind.values();
          if (world.rank() == 0) {
            Request[] sends = new Request[kinds.length];
            LargeBuffer[] buffers = new LargeBuffer[kinds.length];
            for (int i = 0; i < kinds.length; i++) {
              buffers[i] = kinds[i].make(job, kinds[i].bytes(BYTES)).fill(i);
              sends[i] = buffers[i].isend(1, i);
            }
            Request.waitAll(sends);
            for (LargeBuffer buffer : buffers) {
              buffer.close();
            }
          } else {
            Message[] held = new Message[kinds.length];
            for (int i = 0; i < kinds.length; i++) {
              held[i] = world.recvMessage(0, i);
            }
            for (int i = 0; i < kinds.length; i++) {
              int other = (i * 5 + 3) % kinds.length;
              Contents.check(kinds[other].bytes(BYTES), other, held[other].segment());
              held[other].release();
            }
          }
        });
  }
}
