package io.adrastea.failure;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A message whose sender failed in the middle of it, before anybody asked for it: its receive fails, once, and it keeps
 * no others waiting.
 */
@EveryCoreList
class CutShortTest {
  private static final int GONE = 1;
  private static final int OTHER = 2;
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final int MOST_TRIES = 10_000;

  @Parameter
  String cores;

  /**
   * What rank 0 does, when a part of a message with tag 5 from the rank that is about to fail is there, and behind it
   * one of the other's.
   */
  private interface Body {
    void run(Job job) throws Exception;
  }

  private void run(LongMessages way, Body body) {
    CountDownLatch begun = new CountDownLatch(1); // nobody makes room meanwhile, so that it cannot all be sent
    CountDownLatch seen = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    FailingRanks.run(cores, ThreadLevel.SERIALIZED, 3, way,
        (job, cause) -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == GONE) {
            world.isend(Data.of(new byte[BIG]), 0, 5);
            begun.countDown();
            Ranks.await(sent);
            throw cause;
          } else if (world.rank() == OTHER) {
            Ranks.await(seen);
            world.send(Data.of(Contents.of(8, OTHER)), 0, 6);
            sent.countDown();
            Ranks.await(done);
          } else {
            Ranks.await(begun);
            world.probe(GONE, 5);
            seen.countDown();
            world.probe(OTHER, 6);
            body.run(job);
            done.countDown();
          }
        });
  }

  private static void check(RankFailedException failure) {
    assertEquals(GONE, failure.rank());
    assertTrue(failure.getMessage().contains("has failed: IllegalArgumentException: on purpose; a receive "),
        failure.getMessage());
  }

  private static Object next(Communicator world) throws InterruptedException {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      try (Message message = world.tryRecvMessage(ANY_SOURCE, ANY_TAG)) {
        if (message != null) {
          assertArrayEquals(Contents.of(8, OTHER), message.segment().toArray(ValueLayout.JAVA_BYTE));
          return message.source();
        }
      } catch (RankFailedException e) {
        check(e);
        return "failure";
      }
      Thread.sleep(1);
    }
    return "nothing";
  }

  @ParameterizedTest
  @EnumSource
  void isToldToOneWhoDoesNotWaitAndThenTheOthersAreGivenOut(LongMessages way) {
    run(
        way,
        job -> {
          assertEquals("failure", next(Ranks.world(job)));
          assertEquals(OTHER, next(Ranks.world(job)));
          assertNull(Ranks.world(job).tryRecvMessage(ANY_SOURCE, ANY_TAG));
        });
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByAProbeUntilItsReceiveFails(LongMessages way) {
    run(
        way,
        job -> {
          Communicator world = Ranks.world(job);
          check(assertThrows(RankFailedException.class, () -> world.recv(Data.of(new byte[8]), GONE, 7)));
          assertEquals(GONE, world.probe(ANY_SOURCE, ANY_TAG).source());
          check(assertThrows(RankFailedException.class, () -> world.recv(Data.of(new byte[BIG]), ANY_SOURCE, ANY_TAG)));
          assertNull(world.iprobe(GONE, ANY_TAG));
          byte[] received = new byte[8];
          assertEquals(OTHER, world.recv(Data.of(received, 0, 8), ANY_SOURCE, ANY_TAG).source());
          Contents.check(8, OTHER, received);
        });
  }
}
