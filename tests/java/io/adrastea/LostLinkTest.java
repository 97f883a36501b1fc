package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.JoinException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.pipe.AddedLinks;
import io.adrastea.link.pipe.PipeDirectory;
import io.adrastea.link.pipe.PipeLinkProvider;
import io.adrastea.peers.Links;
import io.adrastea.peers.NodeLink;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that fails while the ranks at its ends go on. */
@Timeout(240)
class LostLinkTest {
  @ParameterizedTest
  @ValueSource(strings = {"pipes", "mixed"})
  void whatNeedsTheRankBehindItFailsAndAllElseGoesOn(String kind) throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(2);
    try (PipeDirectory directory = PipeDirectory.create()) {
      Settings.with(directory.settings(kind), () -> {
        Job.runThreads(3, job -> {
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
              PipeLinkProvider.opened(1).cut(0);
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
        return null;
      });
    }
  }

  @Test
  void aRankThatCannotBeLinkedFailsAndTheOthersHearWhy() throws Exception {
    IllegalStateException refused = new IllegalStateException("no network here");
    Throwable thrown = assertThrows(
        IllegalStateException.class,
        () -> AddedLinks.with(self -> {
          if (self.rank() == 1) {
            throw refused;
          }
          return self.sharedMemory();
        }, () -> Job.runThreads(2, job -> {
          String said =
              assertThrows(RankFailedException.class, () -> job.world().recv(Data.of(new byte[8]), 1, 0)).getMessage();
          assertTrue(said.contains("has failed: IllegalStateException: no network here; a receive"), said);
        })));
    assertSame(refused, thrown);
    assertEquals(0, thrown.getSuppressed().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void ofTwoRanksThatChooseDifferentLinksTheSecondIsRefusedAndTheFirstHearsWhy(int first) throws Exception {
    AddedLinks.with(JobRank::sharedMemory, () -> {
      List<Links> links = List.of(Links.SHARED_MEMORY, Links.inForce());
      CountDownLatch made = new CountDownLatch(1);
      try (ThreadJob threadJob = ThreadJob.create(2)) {
        Threads.run(2, rank -> {
          JoinedRank joined = threadJob.enter(rank, () -> false);
          EngineSettings settings =
              new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), TransferSettings.inForce(), true,
                  Gate.Threads.IN_TURN, links.get(rank));
          if (rank == first) {
            try (Job job = new Job(joined, false, settings)) {
              made.countDown();
              String said = assertThrows(RankFailedException.class,
                  () -> job.world().recv(Data.of(new byte[8]), 1 - rank, 0)).getMessage();
              assertTrue(said.contains(refusal(1 - rank)), said);
            }
          } else {
            Ranks.await(made);
            String said = assertThrows(JoinException.class, () -> new Job(joined, false, settings)).getMessage();
            assertTrue(said.startsWith(refusal(rank)), said);
          }
        });
      }
    });
  }

  private static String refusal(int rank) {
    String[] names = {"shm", "added"};
    return "rank %d reaches rank %d by the link '%s', and is reached from it by '%s'".formatted(rank, 1 - rank,
        names[rank], names[1 - rank]);
  }

  @Test
  void aProcessThatCannotBeLinkedKeepsNoFileOpen(@TempDir Path directory) throws Exception {
    AddedLinks.with(self -> {
      assertEquals(1, filesOpen(directory));
      throw new IllegalStateException("no network here");
    }, () -> Settings.with(Map.of("adrastea.shm.dir", directory.toString()),
        () -> assertThrows(IllegalStateException.class, Job::join)));
    assertEquals(0, filesOpen(directory));
  }

  @Test
  void aRankWhoseLinkFailsAsItClosesHasLeftAllTheSame() throws Exception {
    IllegalStateException failure = new IllegalStateException("on purpose");
    Throwable thrown = assertThrows(
        IllegalStateException.class,
        () -> AddedLinks.with(self -> self.rank() == 1 ? failingToClose(self.sharedMemory(), failure) : self
            .sharedMemory(), () -> Job.runThreads(2, job -> {
              if (job.world().rank() == 0) {
                assertThrows(RankLeftException.class, () -> job.world().recv(Data.of(new byte[8]), 1, 0));
              }
            })));
    assertSame(failure, thrown);
    assertEquals(0, thrown.getSuppressed().length);
  }

  private static Link failingToClose(Link real, RuntimeException failure) {
    return (Link) Proxy.newProxyInstance(NodeLink.class.getClassLoader(), new Class<?>[] {NodeLink.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            throw failure;
          }
          try {
            method.setAccessible(true);
            return method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  /** How many files in a directory this process has open, whether or not they still have names. */
  private static long filesOpen(Path directory) {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(each -> isIn(directory, each)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isIn(Path directory, Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory);
    } catch (IOException e) { // it has been closed meanwhile
      return false;
    }
  }
}
