package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.error.SegmentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs and requests tell in words what they are, to a person who prints them. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InWordsTest {
  private static final int TAG = 7;

  @Parameter
  String cores;

  @Test
  void aJobNamesItselfItsRankAndItsCore() throws Exception {
    Job[] left = new Job[2];
    Ranks.run(cores, 2, job -> {
      int rank = job.world().rank();
      left[rank] = job;
      assertTrue(job.toString().matches("job [0-9a-f]{16}: rank %d of 2, core %s".formatted(rank, job.core())),
          job::toString);
    });
    assertTrue(left[0].toString().endsWith(", left"), left[0]::toString);
    assertEquals(left[0].toString().split(":")[0], left[1].toString().split(":")[0], "both name one job");
  }

  @Test
  void aRequestTellsWhatItDoesAndHowItEnded() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator self = job.world();
      Request request = new Request();
      assertEquals("request, never used", request.toString());
      self.irecv(Data.of(new int[4]), Communicator.ANY_SOURCE, Communicator.ANY_TAG, request);
      assertEquals("request, active: receive from any rank with any tag, 0 of 16 bytes", request.toString());
      self.send(Data.of(new int[2]), 0, TAG);
      request.await();
      assertEquals("request, inactive: 8 bytes from rank 0 with tag 7", request.toString());
      self.isend(Data.of(new int[2]), Communicator.NO_RANK, TAG, request);
      assertEquals("request, active: complete, not reported", request.toString());
      request.await();
    });
  }

  @Test
  void aPersistentRequestTellsWhatItDoesAlsoWhileItIsInactive() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator self = job.world();
      Request receive = self.recvInit(Data.of(new byte[9]), 0, TAG);
      assertEquals("persistent request, inactive: receive from rank 0 with tag 7, 0 of 9 bytes", receive.toString());
      receive.start();
      assertEquals("persistent request, active: receive from rank 0 with tag 7, 0 of 9 bytes", receive.toString());
      self.send(Data.EMPTY, 0, TAG);
      receive.await();
      Request bcast = self.bcastInit(Data.of(new byte[8]), 0);
      assertEquals("persistent request, inactive: bcast of 8 bytes from root 0", bcast.toString());
    });
  }

  @Test
  void anAllocationThatDoesNotFitIsToldToBeSmaller() throws Exception {
    Ranks.run(cores, 1, job -> {
      Refusals.refuses(SegmentException.class, "or allocate less, or free what is not needed any more",
          () -> job.allocate(1L << 50, 64));
    });
  }
}
