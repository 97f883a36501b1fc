package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.example.ServerLoop;
import io.adrastea.failure.FailingRanks;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server loop of the guide ends with its last client, however its clients end, at every level of threads. */
@EveryCoreList
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerLoopTest {
  @Parameter
  String cores;

  private static void ask(Job job) {
    assertEquals(42, ServerLoop.ask(Ranks.world(job), 41));
  }

  @ParameterizedTest
  @EnumSource
  void endsWhenAllClientsLeave(ThreadLevel level) throws Exception {
    LongMessages.BY_RENDEZVOUS.run(
        cores,
        level,
        4,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            assertEquals(3, new ServerLoop(Ranks.world(job)).run());
          } else {
            ask(job);
          }
        });
  }

  /** Rank 1 throws, rank 2 leaves, rank 3 gives up, rank 4 leaves last. */
  @ParameterizedTest
  @EnumSource
  void endsWhenSomeLeaveAndSomeFail(ThreadLevel level) {
    FailingRanks.run(
        cores,
        level,
        5,
        LongMessages.BY_RENDEZVOUS,
        (job, cause) -> {
          if (Ranks.world(job).rank() == 0) {
            assertEquals(4, new ServerLoop(Ranks.world(job)).run());
            return;
          }
          ask(job);
          switch (Ranks.world(job).rank()) {
            case FailingRanks.GONE -> throw cause;
            case 3 -> job.fail("no license");
            case 4 -> awaitTheEndOfOthers(job);
            default -> {
            }
          }
        });
  }

  private static void awaitTheEndOfOthers(Job job) throws InterruptedException {
    while (Ranks.world(job).failedRanks().size() + Ranks.world(job).leftRanks().size() < 3) {
      Thread.sleep(1);
    }
  }
}
