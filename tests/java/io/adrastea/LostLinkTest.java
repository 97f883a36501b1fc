package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.RankFailedException;
import io.adrastea.link.Link;
import io.adrastea.link.LinkFactory;
import io.adrastea.link.PipeDirectory;
import io.adrastea.link.PipeLink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that fails while the ranks at its ends go on. */
@Timeout(240)
class LostLinkTest {
  @ParameterizedTest
  @ValueSource(strings = {"pipes", "mixed"})
  void whatNeedsTheRankBehindItFailsAndAllElseGoesOn(String kind) throws Exception {
    Map<Integer, PipeLink> pipes = new ConcurrentHashMap<>();
    CountDownLatch received = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(2);
    try (PipeDirectory directory = PipeDirectory.create()) {
      LinkFactory links = (self, size, shm) -> {
        Link[] all = directory.links(kind).links(self, size, shm);
        pipes.put(self, (PipeLink) all[1 - self % 2]);
        return all;
      };
      Job.builder().links(links).runThreads(3, job -> {
        Communicator world = job.world();
        Data word = Data.of(new byte[8]);
        switch (world.rank()) {
          case 0 -> {
            world.recv(word, 1, 0);
            received.countDown();
            RankFailedException failure =
                assertThrows(RankFailedException.class, () -> world.recv(word, 1, 0));
            assertEquals(1, failure.rank());
            assertTrue(failure.getMessage().contains("its connection has ended"), failure.getMessage());
            assertThrows(RankFailedException.class, () -> world.send(word, 1, 0));
            over.countDown();
            world.recv(word, 2, 0); // by the same link in one job, by shared memory in the other
          }
          case 1 -> {
            world.send(word, 0, 0);
            Ranks.await(received);
            pipes.get(1).cut(0);
            assertThrows(RankFailedException.class, () -> world.recv(word, 0, 0));
            over.countDown();
            world.recv(word, 2, 0);
          }
          default -> {
            Ranks.await(over);
            world.send(word, 0, 0);
            world.send(word, 1, 0);
          }
        }
      });
    }
  }

  @Test
  void aRankThatCannotBeLinkedFailsAndTheOthersHearOfIt() {
    IllegalStateException refused = new IllegalStateException("no network here");
    LinkFactory links = (self, size, shm) -> {
      if (self == 1) {
        throw refused;
      }
      return LinkFactory.SHARED_MEMORY.links(self, size, shm);
    };
    Throwable thrown = assertThrows(
        IllegalStateException.class,
        () -> Job.builder().links(links).runThreads(2,
            job -> assertThrows(RankFailedException.class, () -> job.world().recv(Data.of(new byte[8]), 1, 0))));
    assertSame(refused, thrown);
  }
}
