package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Core;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaving a job by one thread, while others of its rank use it and other ranks its memory. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingBesideOthersTest {
  private static final int BYTES = 1 << 20;
  private static final long CONTROL = 0xFFFF_FFFFL; // upper half of the match word of what transfers tell each other

  private final CountDownLatch left = new CountDownLatch(1);

  private static void inJava(Callable<Void> action) throws Exception {
    Settings.with(Map.of("adrastea.core", "java"), action);
  }

  private static <T> FutureTask<T> start(String name, Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    new Thread(task, name).start();
    return task;
  }

  private static void assertClosed(Throwable failure) {
    assertInstanceOf(IllegalStateException.class, failure);
    assertTrue(failure.getMessage().contains("rank 0 has closed its job"), failure::toString);
  }

  /** Rank 1 has no room for what rank 0 tells it, until another thread of rank 0 has come in and is out again. */
  private static final class NoRoom implements AlteredRank.Change {
    private final Consumer<Job> does;
    private Job job;
    private Thread other;
    private volatile boolean there; // room
    private boolean told; // rank 1
    private boolean closedBefore; // the core

    private NoRoom(Consumer<Job> does) {
      this.does = does;
    }

    private void comeIn() {
      does.accept(job);
      there = true;
    }

    @Override
    public Object call(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
      closedBefore |= name.equals("close") && !told;
      if (!name.equals("trySend") || (long) arguments[2] >>> Integer.SIZE != CONTROL) {
        return real.call();
      }
      if (other == null) {
        other = new Thread(this::comeIn, "other");
        other.start();
        while (other.getState() != Thread.State.WAITING) { // it is at the lock, which this thread has
          Thread.onSpinWait();
        }
      }
      told = there;
      return there ? real.call() : Core.AGAIN;
    }
  }

  /**
   * Rank 0 holds a message of rank 1 when one thread leaves, which gives it back: rank 1 would fail if that were not
   * told.
   */
  private static void leave(Consumer<Job> meanwhile, Consumer<Job> leaves, Consumer<Job> peer) throws Exception {
    inJava(
        () -> {
          NoRoom noRoom = new NoRoom(meanwhile);
          try (ThreadJob threadJob = ThreadJob.create(2)) {
            FutureTask<Void> other = start("rank 1", () -> sendFromShared(threadJob, peer));
            noRoom.job = AlteredRank.job(threadJob.enter(0, () -> false), true, noRoom, AlteredRank.NONE);
            noRoom.job.world().recvMessage(1, 7);
            leaves.accept(noRoom.job);
            other.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
            noRoom.other.join();
            assertTrue(noRoom.told);
            assertFalse(noRoom.closedBefore);
          }
          return null;
        });
  }

  @Test
  void keepsNoOtherThreadOutWhileItLetsGoOfWhatIsWaitedFor() throws Exception {
    Throwable[] heard = {null};
    leave(
        job -> heard[0] = assertThrows(RuntimeException.class, () -> job.world().iprobe(1, 99)),
        job -> {
          String said = assertThrows(IllegalStateException.class, job::close).getMessage();
          assertTrue(said.contains("not released"), said);
        },
        peer -> {});
    assertClosed(heard[0]);
  }

  @Test
  void goesOnToItsEndThoughTheRankFailsMeanwhile() throws Exception {
    leave(job -> job.fail(""), Job::close, ClosingBesideOthersTest::awaitFailure);
  }

  private static void awaitFailure(Job job) {
    while (job.failedRanks().isEmpty()) { // the class has a deadline
      Thread.onSpinWait();
    }
  }

  private static Void sendFromShared(ThreadJob threadJob, Consumer<Job> then) {
    try (Job job = AlteredRank.job(threadJob.enter(1, () -> false), true, AlteredRank.NONE, AlteredRank.NONE)) {
      job.world().send(job.allocate(BYTES, 64), 0, 7);
      then.accept(job);
    }
    return null;
  }

  /** Memory that nothing else here refers to. */
  private static MemorySegment memory(WeakReference<?>[] sent) {
    MemorySegment memory = Arena.ofAuto().allocate(BYTES);
    sent[0] = new WeakReference<>(memory);
    return memory;
  }

  private static Void send(Communicator world, WeakReference<?>[] sent) {
    world.send(memory(sent), 1, 7);
    return null;
  }

  private static void awaitPeer(Communicator world) {
    world.recv(Data.of(new byte[0]), 1, 8);
  }

  private void closeWhileAnotherSends(Job job, WeakReference<?>[] sent) throws Exception {
    FutureTask<Void> sending = start("sending", () -> send(job.world(), sent));
    awaitPeer(job.world());
    String said = assertThrows(IllegalStateException.class, job::close).getMessage();
    left.countDown();
    assertTrue(said.contains("send to rank 1 with tag 7"), said);
    assertClosed(
        assertThrows(ExecutionException.class, () -> sending.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS)).getCause());
  }

  private static void failWhileItSends(Job job, WeakReference<?>[] sent) {
    job.world().isend(memory(sent), 1, 7);
    awaitPeer(job.world());
    throw new ArithmeticException("on purpose");
  }

  /** Rank 0 does as it is told, while rank 1 knows of its message and does not receive it. */
  private void run(Job.Body first) throws Exception {
    Ranks.run(
        "java",
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          if (job.world().rank() == 0) {
            first.run(job);
            return;
          }
          job.world().probe(0, 7);
          job.world().send(Data.of(new byte[0]), 0, 8);
          Ranks.await(left);
        });
  }

  private static void assertKept(WeakReference<?> sent) {
    WeakReference<?> other = new WeakReference<>(Arena.ofAuto().allocate(BYTES));
    while (other.get() != null) {
      System.gc();
    }
    assertNotNull(sent.get());
  }

  @Test
  void keepsTheMemoryOfASendThatItEndsForThoseWhoMayStillReadIt() throws Exception {
    WeakReference<?>[] sent = {null};
    run(job -> closeWhileAnotherSends(job, sent));
    assertKept(sent[0]);
  }

  @Test
  void asARankThatFailsKeepsTheMemoryOfItsSends() {
    WeakReference<?>[] sent = {null};
    left.countDown();
    assertThrows(ArithmeticException.class, () -> run(job -> failWhileItSends(job, sent)));
    assertKept(sent[0]);
  }
}
