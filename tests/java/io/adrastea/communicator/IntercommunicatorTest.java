package io.adrastea.communicator;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Communicator.NO_COLOR;
import static io.adrastea.Communicator.NO_RANK;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Intercommunicator;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.ThreadLevel;
import io.adrastea.Threads;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.error.RevokedException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two groups of ranks: how they are brought together, what they send each other, and what becomes of them. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java", "jni,jna,ffm,java", "ffm+mixed", "ffm+nodes", "ffm,java+nodes.round"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IntercommunicatorTest {
  private static final int TAG = 7;

  /** What a rank does with its intercommunicator. */
  private interface Body {
    void run(Job job, Intercommunicator inter) throws Exception;
  }

  @Parameter
  String cores;

  /** The lower ranks of the job are one group, the others, in reverse order, the other; the last of each is leader. */
  private void run(int low, int high, Body body) throws Exception {
    Ranks.run(cores, low + high, job -> {
      try (Communicator local = group(job, low); Intercommunicator inter = join(job, local, low, TAG)) {
        body.run(job, inter);
        job.world().barrier();
      }
    });
  }

  private static Communicator group(Job job, int low) {
    int self = job.world().rank();
    return job.world().split(self < low ? 0 : 1, self < low ? self : -self);
  }

  private static Intercommunicator join(Job job, Communicator local, int low, int tag) {
    boolean isLow = job.world().rank() < low;
    int leader = local.size() - 1;
    return Intercommunicator.create(
        local, leader, local.rank() == leader ? job.world() : null, isLow ? low : low - 1, tag);
  }

  /** Every rank sends its number in the job to all of the remote group, which find out that these are in order. */
  private static void talk(Job job, Intercommunicator inter) {
    int self = job.world().rank();
    for (int rank = 0; rank < inter.remoteSize(); rank++) {
      inter.send(Data.of(new int[] {self}), rank, TAG + inter.rank());
    }
    for (int rank = 0; rank < inter.remoteSize(); rank++) {
      int[] got = new int[1];
      Status status = inter.recv(Data.of(got), rank, ANY_TAG);
      assertEquals(new Status(rank, TAG + rank, Integer.BYTES, false), status);
      assertEquals(inter.remoteGroup().jobRank(rank), got[0]);
    }
    inter.barrier();
    assertNull(inter.iprobe(ANY_SOURCE, ANY_TAG));
  }

  @Test
  void ranksTalkToTheOtherGroupByItsNumbers() throws Exception {
    for (int[] sizes : new int[][] {{1, 1}, {1, 3}, {3, 2}}) {
      run(sizes[0], sizes[1], (job, inter) -> {
        boolean isLow = job.world().rank() < sizes[0];
        int[] low = IntStream.range(0, sizes[0]).toArray();
        int[] high = IntStream.range(0, sizes[1]).map(rank -> sizes[0] + sizes[1] - 1 - rank).toArray();
        assertArrayEquals(isLow ? low : high, inter.group().jobRanks());
        assertArrayEquals(isLow ? high : low, inter.remoteGroup().jobRanks());
        assertEquals(inter.group().rank(), inter.rank());
        assertEquals(sizes[isLow ? 0 : 1], inter.size());
        assertEquals(sizes[isLow ? 1 : 0], inter.remoteSize());
        talk(job, inter);
      });
    }
  }

  @Test
  void messagesWithWildcardsComeFromTheRemoteGroupAlone() throws Exception {
    run(2, 2, (job, inter) -> {
      Communicator world = job.world();
      for (int rank = 0; rank < 4; rank++) {
        world.send(Data.of(new int[] {-1}), rank, TAG); // matches, but for the communicator
      }
      inter.send(Data.of(new int[] {world.rank()}), 0, TAG);
      inter.send(Data.of(new int[] {world.rank()}), 1, TAG);
      boolean[] came = new boolean[2];
      for (int i = 0; i < 2; i++) {
        int[] got = new int[1];
        Status status = inter.recv(Data.of(got), ANY_SOURCE, ANY_TAG);
        assertEquals(inter.remoteGroup().jobRank(status.source()), got[0]);
        came[status.source()] = true;
      }
      assertArrayEquals(new boolean[] {true, true}, came);
      assertNull(inter.iprobe(ANY_SOURCE, ANY_TAG));
      for (int rank = 0; rank < 4; rank++) {
        world.recv(Data.of(new int[1]), rank, TAG);
      }
    });
  }

  @Test
  void allKindsOfMessagesGoBetweenGroups() throws Exception {
    run(1, 1, (job, inter) -> {
      try (Arena arena = Arena.ofShared()) {
        byte[] sent = Contents.of(3 * Ranks.ALL_CELLS, inter.rank());
        byte[] got = new byte[sent.length];
        inter.sendrecv(Data.of(sent), 0, 1, Data.of(got), 0, 1);
        assertArrayEquals(Contents.of(sent.length, 0), got);
        MemorySegment segment = arena.allocate(8);
        Request receive = inter.irecv(segment, 0, 2, new Request());
        inter.isend(Data.of(new long[] {5}), 0, 2).await();
        assertEquals(new Status(0, 2, 8, false), receive.await());
        inter.send(segment, 0, 3);
        assertEquals(8, inter.probe(0, 3).bytes());
        assertEquals(8, inter.mprobe(0, 3).recv(Data.of(got)).bytes());
        Request synchronous = inter.issend(Data.of(new byte[4]), 0, 4, new Request());
        Message message = inter.recvMessage(ANY_SOURCE, 4);
        assertEquals(0, message.source());
        message.release();
        synchronous.await();
        try (Burst burst = inter.burst(0)) {
          burst.send(Data.of(new byte[1]), 5);
          burst.send(Data.of(new byte[1]), 5);
        }
        int count = 0;
        while (count < 2) {
          count += inter.poll(one -> assertEquals(0, one.source()), 2);
        }
        Claim claim = inter.claim(0, 6, 8);
        claim.commit();
        Request persistent = inter.recvInit(Data.of(got, 0, 8), ANY_SOURCE, 6);
        persistent.start();
        assertEquals(0, persistent.await().source());
        inter.send(Data.of(got), NO_RANK, 0);
        assertEquals(NO_RANK, inter.recv(Data.of(got), NO_RANK, 0).source());
      }
    });
  }

  @Test
  void whatACommunicatorCanDoWithMessagesCanBeDoneBetweenGroups() throws Exception {
    run(1, 1, (job, inter) -> {
      try (Arena arena = Arena.ofShared()) {
        long[] number = {10 + job.world().rank()};
        inter.sendrecvReplace(Data.of(number), 0, 1, 0, 1);
        assertEquals(11 - job.world().rank(), number[0]);
        MemorySegment segment = arena.allocate(16);
        Request request = inter.irecv(segment, 8, 8, 0, 2);
        inter.isend(segment, 0, 8, 0, 2).await();
        assertEquals(8, request.await().bytes());
        inter.irecv(segment, 8, 8, 0, 2, request);
        inter.send(segment, 0, 8, 0, 2);
        assertEquals(8, request.await().bytes());
        inter.isend(segment, 0, 2).await();
        assertEquals(16, inter.mprobe(0, 2, Duration.ofMinutes(1)).recv(Data.of(segment)).bytes());
        assertEquals(0, inter.recv(segment, 8, 8, NO_RANK, 2).bytes());
        Request synchronous = inter.ssendInit(Data.of(number), 0, 3).start();
        Request other = inter.issend(Data.of(number), 0, 3);
        inter.recv(0, 3, message -> assertEquals(8, message.bytes()));
        Message found = inter.tryRecvMessage(0, 3);
        while (found == null) {
          found = inter.tryRecvMessage(0, 3);
        }
        found.release();
        Request.waitAll(synchronous, other);
        Claim claim = inter.tryClaim(0, 4, 8);
        while (claim == null) {
          claim = inter.tryClaim(0, 4, 8);
        }
        claim.commit();
        assertEquals(8, inter.irecv(segment, 0, 4).await().bytes());
      }
    });
  }

  @Test
  void mergeIsOneGroupBehindTheOther() throws Exception {
    run(2, 3, (job, inter) -> {
      boolean isLow = job.world().rank() < 2;
      int[][] orders = {{0, 1, 4, 3, 2}, {4, 3, 2, 0, 1}};
      for (int first = 0; first < 2; first++) {
        try (Communicator all = inter.merge(isLow == (first == 1))) {
          assertArrayEquals(orders[first], all.group().jobRanks());
          assertEquals(10, all.allreduce(job.world().rank(), Op.SUM));
        }
      }
      for (boolean high : new boolean[] {false, true}) {
        try (Communicator all = inter.merge(high)) {
          assertArrayEquals(orders[0], all.group().jobRanks());
        }
      }
      talk(job, inter);
      refuses(CollectiveException.class, "says that its group is", () -> inter.merge(job.world().rank() == 3));
      inter.merge(false).close();
    });
  }

  @Test
  void dupAndSplitMakeOthersOfTheSameGroups() throws Exception {
    run(3, 3, (job, inter) -> {
      try (Intercommunicator two = inter.dup()) {
        assertEquals(inter.group(), two.group());
        assertEquals(inter.remoteGroup(), two.remoteGroup());
        inter.send(Data.of(new int[1]), inter.rank(), TAG);
        talk(job, two);
        inter.recv(Data.of(new int[1]), inter.rank(), TAG);
      }
      boolean isLow = job.world().rank() < 3;
      int color = inter.rank() == 2 ? isLow ? NO_COLOR : 5 : 1;
      try (Intercommunicator some = inter.split(color, isLow ? -inter.rank() : 0)) {
        if (inter.rank() == 2) {
          assertNull(some, "nobody of the other group has this color");
        } else {
          assertArrayEquals(isLow ? new int[] {1, 0} : new int[] {5, 4}, some.group().jobRanks());
          assertArrayEquals(isLow ? new int[] {5, 4} : new int[] {1, 0}, some.remoteGroup().jobRanks());
          talk(job, some);
        }
      }
    });
  }

  @Test
  void whoLeavesIsNotInWhatIsShrunk() throws Exception {
    Ranks.run(cores, 5, job -> {
      Communicator local = group(job, 2);
      Intercommunicator inter = join(job, local, 2, TAG);
      int self = job.world().rank();
      inter.barrier();
      if (self == 0 || self == 3) {
        return;
      }
      assertThrows(RankFailedException.class, inter::barrier);
      assertEquals(4, inter.agree(self == 1 ? 5 : 6));
      Intercommunicator left = inter.shrink();
      assertArrayEquals(self == 1 ? new int[] {1} : new int[] {4, 2}, left.group().jobRanks());
      assertArrayEquals(self == 1 ? new int[] {4, 2} : new int[] {1}, left.remoteGroup().jobRanks());
      talk(job, left);
      inter.close();
      if (self != 1) {
        assertThrows(RankFailedException.class, left::barrier);
        assertNull(left.shrink(), "the other group is gone");
        left.close();
        local.close();
      }
    });
  }

  @Test
  void revokingEndsWhatBothGroupsWaitFor() throws Exception {
    CountDownLatch waiting = new CountDownLatch(2);
    run(1, 2, (job, inter) -> {
      if (inter.size() == 1) {
        Ranks.await(waiting);
        inter.revoke();
      } else {
        waiting.countDown();
        if (inter.rank() == 0) {
          assertThrows(RevokedException.class, () -> inter.recv(Data.of(new byte[1]), ANY_SOURCE, TAG));
        } else {
          assertThrows(RevokedException.class, inter::barrier);
        }
      }
      assertThrows(RevokedException.class, () -> inter.merge(false));
      try (Intercommunicator again = inter.shrink()) {
        assertEquals(inter.remoteGroup(), again.remoteGroup());
        talk(job, again);
      }
    });
  }

  @Test
  void failuresAreThoseOfTheRemoteGroupByItsNumbers() throws Exception {
    CountDownLatch acknowledged = new CountDownLatch(1);
    FailingRanks.run(cores, 4, (job, cause) -> {
      Intercommunicator inter = join(job, group(job, 1), 1, TAG); // 0 faces 3, 2, 1
      if (job.world().rank() == FailingRanks.GONE) {
        throw cause;
      }
      FailingRanks.awaitFailed(job, FailingRanks.GONE);
      if (job.world().rank() == 0) {
        RankFailedException failure =
            assertThrows(RankFailedException.class, () -> inter.recv(Data.of(new int[1]), ANY_SOURCE, TAG));
        assertEquals(2, failure.rank());
        assertEquals(FailingRanks.GONE, failure.jobRank());
        FailingRanks.assertFails(2, () -> inter.send(Data.of(new int[1]), 2, TAG));
        assertEquals(List.of(2), inter.failedRanks());
        assertEquals(List.of(2), inter.acknowledgeFailedRanks());
        acknowledged.countDown();
        for (int i = 0; i < 2; i++) {
          int source = inter.recv(Data.of(new int[1]), ANY_SOURCE, TAG).source();
          inter.send(Data.of(new int[1]), source, TAG);
        }
      } else {
        Ranks.await(acknowledged);
        assertEquals(List.of(), inter.failedRanks());
        inter.send(Data.of(new int[1]), 0, TAG);
        assertEquals(0, inter.recv(Data.of(new int[1]), ANY_SOURCE, TAG).source());
      }
      assertThrows(RankFailedException.class, inter::barrier);
    });
  }

  /** The rank itself is not in the remote group: when nobody is left there, nobody can send, at whatever level. */
  @ParameterizedTest
  @EnumSource
  void aWaitForAnybodyOfARemoteGroupThatHasLeftFails(ThreadLevel level) throws Exception {
    Ranks.run(cores, level, 2, job -> {
      Intercommunicator inter = join(job, group(job, 1), 1, TAG);
      if (job.world().rank() == 0) {
        for (int i = 0; i < 2; i++) {
          RankLeftException failure =
              assertThrows(RankLeftException.class, () -> inter.recv(Data.of(new int[1]), ANY_SOURCE, TAG));
          assertEquals(0, failure.rank());
          assertEquals(1, failure.jobRank());
          assertEquals(List.of(0), inter.leftRanks());
          assertEquals(List.of(0), inter.acknowledgeLeftRanks());
          assertEquals(List.of(), inter.failedRanks());
        }
      }
    });
  }

  @Test
  void whatCannotBeMadeIsRefused() throws Exception {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      int self = world.rank();
      Communicator alone = world.split(self, 0);
      refuses(NullPointerException.class, "the local communicator is null", () -> create(null, 0, world, 1 - self, 0));
      refuses(illegal, "local leader 1; the local communicator has ranks 0 to 0",
          () -> create(alone, 1, world, 1 - self, 0));
      refuses(illegal, "tag -1; allowed are 0 to 536870911", () -> create(alone, 0, world, 1 - self, -1));
      refuses(illegal, "tag 536870912;", () -> create(alone, 0, world, 1 - self, 1 << 29));
      refuses(NullPointerException.class, "the leader is to name it", () -> create(alone, 0, null, 1 - self, 0));
      refuses(illegal, "remote leader 2; the communicator that both leaders are in has ranks 0 to 1, of which " + self,
          () -> create(alone, 0, world, 2, 0));
      refuses(illegal, "remote leader " + self, () -> create(alone, 0, world, self, 0));
      Communicator closed = world.dup();
      closed.close();
      refuses(IllegalStateException.class, "Intercommunicator.create of rank " + self + " in " + closed.name(),
          () -> create(closed, 0, world, 1 - self, 0));
      refuses(IllegalStateException.class, "the communicator is closed", () -> create(alone, 0, closed, 1 - self, 0));
      Intercommunicator inter = create(alone, 0, world, 1 - self, 0);
      refuses(illegal, "destination 1; this communicator has ranks 0 to 0",
          () -> inter.send(Data.of(new int[1]), 1, TAG));
      Request receive = inter.irecv(Data.of(new int[1]), 0, TAG);
      refuses(IllegalStateException.class, "has receives outstanding", inter::close);
      receive.cancel();
      receive.await();
      inter.setName("pair");
      assertEquals("pair: rank 0 of 1, facing 1", inter.toString());
      inter.close();
      assertEquals("pair: rank 0 of 1, facing 1, closed", inter.toString());
      for (Runnable call : List.<Runnable>of(inter::close, inter::dup, () -> inter.merge(true), inter::barrier,
          () -> inter.split(0, 0), inter::shrink, () -> inter.agree(0), inter::revoke,
          () -> inter.send(Data.of(new int[1]), 0, TAG), () -> inter.recv(Data.of(new int[1]), 0, TAG))) {
        refuses(IllegalStateException.class, "the communicator is closed", call);
      }
      alone.close();
    });
  }

  private static Intercommunicator create(Communicator local, int leader, Communicator peer, int remote, int tag) {
    return Intercommunicator.create(local, leader, peer, remote, tag);
  }

  @Test
  void ranksOfAGroupThatNameDifferentThingsAreToldAndSoIsTheOtherGroup() throws Exception {
    Ranks.run(cores, 4, job -> {
      Communicator world = job.world();
      int self = world.rank();
      boolean isLow = self < 2;
      for (int round = 0; round < 4; round++) {
        try (Communicator local = world.split(isLow ? 0 : 1, 0)) {
          int tag = self == 1 && round % 2 == 0 ? TAG + 1 : TAG;
          int leader = self == 1 && round % 2 == 1 ? 1 : 0;
          if (isLow) {
            refuses(CollectiveException.class, "rank 1 names leader %d and tag %d, and rank 0 leader 0 and tag 7"
                .formatted(round % 2, round % 2 == 0 ? 8 : 7), () -> create(local, leader, world, 2, tag));
          } else {
            refuses(AdrasteaException.class, "has given up, and has thrown why",
                () -> create(local, 0, world, 0, TAG));
          }
          try (Intercommunicator inter = create(local, 0, world, isLow ? 2 : 0, TAG)) {
            talk(job, inter);
          }
        }
      }
    });
  }

  @Test
  void aRankIsInOneGroupAlone() throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Communicator world = job.world();
      try (Communicator both = world.dup(); Communicator alone = world.subset(TAG, world.rank())) {
        Runnable withAll =
            () -> refuses(CollectiveException.class, "is in both groups", () -> create(both, 1, world, 0, TAG));
        if (world.rank() == 1) {
          withAll.run();
        } else {
          Threads other = Threads.start(1, number -> withAll.run());
          refuses(CollectiveException.class, "rank 0 is in both groups", () -> create(alone, 0, world, 1, TAG));
          other.join();
        }
      }
    });
  }

  /** The group of the one that is interrupted hears of it, and so does the other group; the next one is made. */
  @Test
  void aLeaderThatIsInterruptedTellsBothGroups() throws Exception {
    for (int interrupted = 0; interrupted < 4; interrupted += 2) {
      int leader = interrupted;
      CountDownLatch gaveUp = new CountDownLatch(1);
      Ranks.run(cores, 4, job -> {
        Communicator world = job.world();
        boolean isLow = world.rank() < 2;
        try (Communicator local = world.split(isLow ? 0 : 1, 0)) {
          Runnable create = () -> create(local, 0, world, isLow ? 2 : 0, TAG).close();
          if (world.rank() == leader) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedWaitException.class, create::run);
            Thread.interrupted();
            gaveUp.countDown();
          } else if (world.rank() == 2 - leader || world.rank() == 3 - leader) {
            Ranks.await(gaveUp);
            assertThrows(AdrasteaException.class, create::run);
          } else {
            assertThrows(AdrasteaException.class, create::run);
          }
        }
        try (Communicator local = world.split(isLow ? 0 : 1, 0);
            Intercommunicator inter = create(local, 0, world, isLow ? 2 : 0, TAG)) {
          talk(job, inter);
        }
      });
    }
  }

  @Test
  void whoDiesWhileItIsMadeKeepsNobodyWaiting() throws Exception {
    for (int gone = 0; gone < 4; gone++) {
      int who = gone;
      Ranks.run(cores, 4, job -> {
        Communicator world = job.world();
        boolean isLow = world.rank() < 2;
        Communicator local = world.split(isLow ? 0 : 1, 0);
        if (world.rank() != who) { // it leaves
          assertThrows(AdrasteaException.class, () -> create(local, 0, world, isLow ? 2 : 0, TAG));
        }
      });
    }
  }

  @Test
  void threadsMakeThemAtTheSameTimeByTheirTags() throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Threads.run(3, own -> {
        try (Communicator alone = job.world().subset(own, job.world().rank())) {
          for (int round = 0; round < 50; round++) {
            try (Intercommunicator one = create(alone, 0, job.world(), 1 - job.world().rank(), own)) {
              int[] got = new int[1];
              one.sendrecv(Data.of(new int[] {own}), 0, TAG, Data.of(got), 0, TAG);
              assertEquals(own, got[0]);
            }
          }
        }
      });
    });
  }

  @Test
  void numbersComeBack() throws Exception {
    run(2, 1, (job, inter) -> {
      for (int i = 0; i < 2200; i++) {
        try (Intercommunicator one = inter.dup()) {
          assertNotNull(one);
        }
      }
    });
  }
}
