package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Ranks that exchange large messages by XPMEM, on the stand-in for its kernel module, until something ends it. The
 * arguments:
 *
 * <ul>
 * <li>{@code lose WHO AGAIN}: two ranks, of which rank 0, rank 1 or {@code both} have another user of XPMEM that closes
 * the device while a message lies unmatched, and uses XPMEM {@code again} or not; then buffers are freed and made anew
 * at their addresses;
 * <li>{@code vanish}: three ranks, of which rank 1 sends 60,000 stretches and is gone while rank 0 reads;
 * {@code progress}: beside a progress thread.
 * </ul>
 */
public final class XpmemRank {
  private static final int BYTES = 300_000;
  private static final int ROUNDS = 20;
  private static final int STRETCHES = 150;
  private static final int STRETCH = 200;
  private static final int MESSAGES = 400; // 60,000 stretches

  private final Job job;
  private final Communicator world;
  private long number;

  private XpmemRank(Job job) {
    this.job = job;
    this.world = job.world();
  }

  public static void main(String[] args) throws Throwable {
    boolean progress = List.of(args).contains("progress");
    Job job = progress ? Job.builder().progressThread().join() : Job.join();
    XpmemRank rank = new XpmemRank(job);
    if (args[0].equals("lose")) {
      rank.lose(args[1], List.of(args).contains("again"));
    } else {
      rank.vanish();
    }
    job.close();
  }

  // ---- another user of XPMEM

  private void lose(String who, boolean again) throws Throwable {
    MemorySegment out = StandInMemory.allocate(BYTES);
    MemorySegment in = StandInMemory.allocate(BYTES);
    exchange(out, in); // now both are attached at the other end
    int peer = 1 - world.rank();
    fill(out);
    Request waiting = world.isend(out, peer, 1);
    world.barrier();
    if (who.equals("both") || who.equals(Integer.toString(world.rank()))) {
      StandInMemory.openAndClose();
      if (again) {
        StandInMemory.openAndUse();
      }
    }
    world.barrier();
    world.recv(in, peer, 1);
    check(in);
    waiting.await();
    for (int round = 0; round < ROUNDS; round++) {
      world.barrier();
      exchange(StandInMemory.allocateAgain(out), StandInMemory.allocateAgain(in));
    }
    System.out.printf("rank %d checked %d messages%n", world.rank(), number / 2);
  }

  private void exchange(MemorySegment out, MemorySegment in) {
    int peer = 1 - world.rank();
    fill(out);
    world.sendrecv(Data.of(out), peer, 0, Data.of(in), peer, 0);
    check(in);
  }

  private void fill(MemorySegment out) {
    Filling.write(out, number + world.rank());
  }

  private void check(MemorySegment in) {
    Filling.check(in, number + 1 - world.rank(), "message " + number / 2);
    number += 2;
  }

  // ---- an exporter that vanishes

  private void vanish() throws Throwable {
    if (world.rank() == 1) {
      sendUntilGone();
    } else if (world.rank() == 0) {
      readUntilGone();
    }
    goOn();
  }

  private void sendUntilGone() throws Throwable {
    MemorySegment memory = MappedFiles.allocate(2 * STRETCHES * STRETCH);
    IoVector parts = new IoVector(STRETCHES);
    for (int i = 0; i < STRETCHES; i++) {
      parts.add(memory.asSlice(2 * i * STRETCH, STRETCH));
    }
    for (int i = 0; i < MESSAGES; i++) {
      memory.fill((byte) i);
      world.send(Data.of(parts), 0, 0);
    }
    world.isend(Data.of(parts), 0, 0);
    MappedFiles.cutLast();
    StandInMemory.openAndClose(); // as the kernel does when the process ends
    world.send(Data.of(new byte[1]), 0, 1);
    Runtime.getRuntime().halt(0);
  }

  private void readUntilGone() {
    MemorySegment memory = MemorySegment.ofArray(new byte[STRETCHES * STRETCH]);
    for (int i = 0; i < MESSAGES; i++) {
      world.recv(memory, 1, 0);
      byte expected = (byte) i;
      if (memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)[i % STRETCHES * STRETCH] != expected) {
        throw new IllegalStateException("message %d is wrong".formatted(i));
      }
    }
    world.recv(Data.of(new byte[1]), 1, 1);
    try {
      world.recv(memory, 1, 0);
      throw new IllegalStateException("a message came from memory that is gone");
    } catch (RankFailedException e) {
      System.out.printf("rank %d has failed%n", e.rank());
    }
  }

  /** Ranks 0 and 2: nothing of that is left. */
  private void goOn() throws Throwable {
    int peer = 2 - world.rank();
    MemorySegment out = StandInMemory.allocate(BYTES);
    MemorySegment in = StandInMemory.allocate(BYTES);
    for (int round = 0; round < ROUNDS; round++) {
      Filling.write(out, 2 * round + world.rank());
      world.sendrecv(Data.of(out), peer, 0, Data.of(in), peer, 0);
      Filling.check(in, 2 * round + peer, "message " + round);
    }
    System.out.printf("rank %d goes on%n", world.rank());
  }
}
