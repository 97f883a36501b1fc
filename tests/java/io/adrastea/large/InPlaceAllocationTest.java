package io.adrastea.large;

import static io.adrastea.Garbage.BATCH;
import static io.adrastea.Garbage.each;
import static io.adrastea.Garbage.eachAnswered;
import static io.adrastea.Garbage.memory;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Garbage;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.MessageHandler;
import io.adrastea.Ranks;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** No garbage by messages in parts, in place, or in bursts. */
@Tag("spins")
@EverySharedCoreList
class InPlaceAllocationTest {
  @Parameter
  String cores;

  private static Data parts(int bytes) {
    IoVector parts = new IoVector();
    for (int i = 0; i < 8; i++) {
      parts.add(memory(bytes)).add(Data.of(new byte[bytes])).add(Data.of(new long[bytes], 1, bytes / 8));
    }
    return Data.of(parts);
  }

  @Test
  void isMadeByNoMessageInParts() throws Exception {
    checkParts(parts(8), parts(8), Garbage.MESSAGES); // in a fastbox
    checkParts(parts(300), parts(300), Garbage.MESSAGES); // in a cell
  }

  @Test
  void isMadeByNoLargeMessageInParts() throws Exception {
    checkParts(parts(3000), parts(3000), Garbage.LARGE_MESSAGES);
  }

  private void checkParts(Data out, Data in, int messages) throws Exception {
    Garbage.check(
        cores,
        messages,
        world -> each(i -> world.send(out, 1, 0)),
        world -> each(i -> world.recv(in, 0, 0)));
  }

  /** Requests of the caller; the last of a batch is received first, so the others come unexpected. */
  @Test
  void isMadeByNoRequestInParts() throws Exception {
    Data out = parts(16);
    Data in = parts(16);
    Request send = new Request();
    Request receive = new Request();
    Garbage.check(
        cores,
        world -> eachAnswered(world, i -> world.isend(out, 1, i == BATCH - 1 ? 1 : 0, send).await()),
        world -> eachAnswered(world, i -> world.irecv(in, 0, i == 0 ? 1 : 0, receive).await()));
  }

  @Test
  void isMadeByNoHandler() throws Exception {
    MemorySegment out = memory(64);
    long[] sum = new long[1];
    MessageHandler handler = message -> sum[0] += message.getLong(8) + message.getInt(3) + message.bytes();
    Garbage.check(
        cores, world -> each(i -> world.send(out, 1, 0)), world -> each(i -> world.recv(0, 0, handler)));
  }

  @Test
  void isMadeByNoPoll() throws Exception {
    MemorySegment out = memory(64);
    long[] sum = new long[2];
    MessageHandler handler = message -> {
      sum[0] += message.getLong(8) + message.getInt(3) + message.bytes();
      sum[1]++;
    };
    Garbage.check(
        cores,
        world -> eachAnswered(world, i -> world.send(out, 1, i)),
        world -> eachAnswered(
            world,
            i -> {
              for (sum[1] = i == 0 ? 0 : sum[1]; sum[1] <= i;) {
                world.poll(handler, BATCH - (int) sum[1]);
              }
            }));
  }

  @Test
  void isMadeByNoHandlerOfALargeMessage() throws Exception {
    int bytes = 3 * Ranks.CELL_BYTES;
    Data in = Data.of(new byte[bytes]);
    MessageHandler handler = message -> message.copyTo(0, in);
    MemorySegment out = memory(bytes); // read from a private copy
    checkLarge(job -> out, handler);
    checkLarge(job -> job.allocate(bytes, 64), handler); // read where it lies
  }

  private void checkLarge(Function<Job, MemorySegment> out, MessageHandler handler) throws Exception {
    Garbage.checkJobs(
        cores,
        Garbage.LARGE_MESSAGES,
        job -> {
          MemorySegment memory = out.apply(job);
          return each(i -> Ranks.world(job).send(memory, 1, 0));
        },
        job -> each(i -> Ranks.world(job).recv(0, 0, handler)));
  }

  @Test
  void isMadeByNoMessageHeldWhileOthersAreReceived() throws Exception {
    MemorySegment out = memory(200);
    MemorySegment in = memory(200);
    Garbage.check(
        cores,
        world -> each(
            i -> {
              world.send(out, 1, 0);
              world.send(out, 1, 0);
              world.send(out, 1, 1);
            }),
        world -> each(
            i -> {
              Message first = world.recvMessage(0, 0);
              Message second = world.recvMessage(0, 0);
              world.recv(in, 0, 1);
              first.copyTo(0, in, 0, first.bytes());
              first.release();
              second.close();
            }));
  }

  @Test
  void isMadeByNoLookForAMessageThatCameUnexpected() throws Exception {
    MemorySegment out = memory(100);
    Garbage.check(
        cores,
        world -> eachAnswered(world, i -> world.send(out, 1, i)),
        world -> eachAnswered(
            world,
            i -> {
              Message message = world.tryRecvMessage(0, BATCH - 1 - i);
              while (message == null) {
                Thread.yield(); // only if nothing came: on a busy machine each takes a time slice
                message = world.tryRecvMessage(0, BATCH - 1 - i);
              }
              message.release();
            }));
  }

  @Test
  void isMadeByNoClaim() throws Exception {
    Data array = Data.of(new byte[300]);
    MemorySegment in = memory(300);
    Garbage.check(
        cores,
        world -> each(
            i -> {
              Claim aborted = world.claim(1, 0, 40);
              aborted.putLong(0, i);
              aborted.abort();
              Claim claim = world.claim(1, 0, 300);
              claim.putDouble(8, i);
              claim.copyFrom(0, array);
              claim.commit();
            }),
        world -> each(i -> world.recv(in, 0, 0)));
  }

  @Test
  void isMadeByNoTryThatClaims() throws Exception {
    MemorySegment in = memory(8);
    Garbage.check(
        cores,
        world -> each(
            i -> {
              Claim claim = null;
              while (claim == null) {
                claim = world.tryClaim(1, 0, 8);
              }
              claim.putLong(0, i);
              claim.commit();
            }),
        world -> each(i -> world.recv(in, 0, 0)));
  }

  @Test
  void isMadeByNoBurst() throws Exception {
    Data out = Data.of(memory(8));
    MemorySegment in = memory(8);
    Garbage.check(
        cores,
        world -> each(
            i -> {
              try (Burst burst = world.burst(1)) {
                for (int message = 0; message < 10; message++) {
                  burst.send(out, 0);
                }
              }
            }),
        world -> each(
            i -> {
              for (int message = 0; message < 10; message++) {
                world.recv(in, 0, 0);
              }
            }));
  }
}
