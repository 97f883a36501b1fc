package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.TimeLimitException;
import io.adrastea.message.Calls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls with a time limit end when it comes; a limit that is not reached changes nothing. A call that does not end
 * fails by the test's deadline.
 */
@EveryCoreList
class TimeLimitTest {
  private static final int TAG = 7;
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(Long.MAX_VALUE);

  @Parameter
  String cores;

  /** Calls of rank 0 for 8 bytes of rank 1. */
  enum Call {
    RECV_ARRAY(
        (world, limit) -> assertEquals(8, world.recv(Data.of(new byte[8]), 1, TAG, limit).bytes())), RECV_SEGMENT(
            (world, limit) -> assertEquals(8,
                world.recv(Data.of(MemorySegment.ofArray(new long[1])), 1, TAG, limit).bytes())), RECV_BUFFER(
                    (world, limit) -> assertEquals(8,
                        world.recv(Data.of(ByteBuffer.allocate(8)), 1, TAG, limit).bytes())), RECV_FROM_ANY(
                            (world, limit) -> assertEquals(1,
                                world.recv(Data.of(new byte[1 << 20]), Communicator.ANY_SOURCE, TAG, limit)
                                    .source())), PROBE(
                                        (world, limit) -> {
                                          assertEquals(8, world.probe(1, TAG, limit).bytes());
                                          world.recv(Data.of(new byte[8]), 1, TAG);
                                        }), AWAIT(
                                            (world, limit) -> {
                                              Request request = world.irecv(Data.of(new byte[8]), 1, TAG);
                                              try {
                                                assertEquals(8, request.await(limit).bytes());
                                              } catch (TimeLimitException e) {
                                                assertTrue(request.cancel());
                                                assertTrue(request.await(limit).isCancelled());
                                                throw e;
                                              }
                                            });

    private final BiConsumer<Communicator, Duration> call;

    Call(BiConsumer<Communicator, Duration> call) {
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void endsAtItsLimitAndTheNextCallGoesWell(Call call) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            for (Duration limit : new Duration[] {SHORT, Duration.ZERO, Duration.ofNanos(-1)}) {
              TimeLimitException e = assertThrows(TimeLimitException.class, () -> call.call.accept(world, limit));
              assertTrue(e.getMessage().contains("rank %d waited".formatted(job.world().rank())), e::getMessage);
            }
            over.countDown();
            call.call.accept(world, LONG);
          } else {
            Ranks.await(over);
            world.send(Data.of(Contents.of(8, 1)), 0, TAG);
          }
          world.barrier();
        });
  }

  @Test
  void aRequestGoesOnAfterItsLimit() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            byte[] received = new byte[8];
            Request request = world.irecv(Data.of(received, 0, 8), 1, TAG);
            assertThrows(TimeLimitException.class, () -> request.await(SHORT));
            over.countDown();
            assertEquals(8, request.await().bytes(), "the limit is that of one call");
            Contents.check(8, 1, received);
          } else {
            Ranks.await(over);
            world.send(Data.of(Contents.of(8, 1)), 0, TAG);
          }
          world.barrier();
        });
  }

  @Test
  void aLimitThatIsNoneIsRefused() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          assertThrows(NullPointerException.class, () -> Ranks.world(job).recv(Data.of(new byte[8]), 0, TAG, null));
          assertThrows(NullPointerException.class, () -> Ranks.world(job).probe(0, TAG, null));
        });
  }
}
