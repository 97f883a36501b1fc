package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.shared.HugeMapping;
import io.adrastea.Job;
import io.adrastea.error.SegmentException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Two ranks write and read each other's shared memory. With the argument {@code exchange}: allocations of many sizes,
 * again and again; with {@code full}: rank 0 allocates until there is no room, then both go on with what they have;
 * with {@code huge}: an allocation of each, and how much of it is mapped by huge pages.
 */
public final class SharedRank {
  private static final int[] SIZES = {1, 8, 127, 4096, 10_001, 300_000, 1 << 20, 5_000_000};
  private static final int ROUNDS = 8;
  private static final int TOLD = 1;
  private static final int DONE = 2;

  private final Job job;
  private final Communicator world;
  private final int peer;
  private final long[] place = new long[2]; // offset and bytes
  private long checked;

  private SharedRank(Job job) {
    this.job = job;
    this.world = job.world();
    this.peer = 1 - world.rank();
  }

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      SharedRank rank = new SharedRank(job);
      if (args[0].equals("full")) {
        rank.full();
      }
      if (args[0].equals("huge")) {
        rank.huge();
      }
      rank.exchange(args[0].equals("full") ? 1 : SIZES.length);
      System.out.printf("%s checked %d bytes%n", job.core(), rank.checked);
    }
  }

  private void exchange(int sizes) {
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < sizes; i++) {
        MemorySegment mine = job.allocate(SIZES[i], 1L << round);
        Filling.write(mine, number(world.rank(), i));
        MemorySegment theirs = swap(mine);
        Filling.check(theirs, number(peer, i), "what rank " + peer + " wrote");
        Filling.write(theirs, number(world.rank(), i + 100));
        awaitPeer();
        Filling.check(mine, number(peer, i + 100), "what rank " + peer + " answered");
        checked += mine.byteSize() + theirs.byteSize();
        job.free(mine);
      }
    }
  }

  private void huge() {
    MemorySegment mine = job.allocate(4 << 20, 8);
    Filling.write(mine, world.rank());
    MemorySegment theirs = swap(mine);
    Filling.check(theirs, peer, "what rank " + peer + " wrote");
    System.out.printf(
        "%s maps %d of its own and %d of its peer's%n", job.core(), HugeMapping.bytes(mine), HugeMapping.bytes(theirs));
    awaitPeer();
  }

  /** Tells the peer where it lies, and reaches what the peer tells. */
  private MemorySegment swap(MemorySegment mine) {
    long[] told = {job.offset(mine), mine.byteSize()};
    world.sendrecv(Data.of(told, 0, 2), peer, TOLD, Data.of(place, 0, 2), peer, TOLD);
    return job.shared(peer, place[0], place[1]);
  }

  private void awaitPeer() {
    world.sendrecv(Data.of(place, 0, 0), peer, DONE, Data.of(place, 0, 0), peer, DONE);
  }

  private static long number(int writer, int index) {
    return writer * 1_000_003L + index;
  }

  private void full() {
    if (world.rank() == 0) {
      long mebibytes = 0;
      try {
        while (true) {
          job.allocate(1 << 20, 8).set(ValueLayout.JAVA_BYTE, (1 << 20) - 1, (byte) 1);
          mebibytes++;
        }
      } catch (SegmentException e) {
        System.out.printf("%d MiB, then: %s%n", mebibytes, e.getMessage());
      }
    }
    awaitPeer();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(100_000);
      Filling.write(message, 1);
      if (world.rank() == 0) {
        world.send(message, 1, DONE);
      } else {
        world.recv(message, 0, DONE);
        Filling.check(message, 1, "a message afterwards");
      }
    }
  }
}
