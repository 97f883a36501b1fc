package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.error.RankFailedException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.foreign.MemorySegment;

/**
 * Two ranks, of which rank 0 reads and writes memory of rank 1 by one space, without a transfer, until rank 1 is gone.
 * The arguments: the space, and the core. Messages only tell where the memory is, and when.
 */
public final class SpaceRank {
  private static final int BYTES = 3_000_000;
  private static final int STRETCH = 70_001; // of the exposure, one behind the other

  private final Communicator world;
  private final Space space;
  private final Spaces spaces;

  private SpaceRank(Job job, Space space, String core) {
    this.world = job.world();
    this.space = space;
    this.spaces = Cores.choose(core).spaces();
  }

  public static void main(String[] args) throws Throwable {
    Job job = Job.join();
    SpaceRank rank = new SpaceRank(job, Space.valueOf(args[0]), args[1]);
    if (job.world().rank() == 1) {
      rank.expose();
    } else {
      rank.reach();
    }
    job.close();
  }

  private void expose() throws Throwable {
    MemorySegment memory = MappedFiles.allocate(BYTES);
    Filling.write(memory, 1);
    long segment = space == Space.XPMEM ? spaces.export() : 0;
    world.send(Data.of(new long[] {memory.address(), segment, ProcessHandle.current().pid()}), 0, 0);
    world.recv(Data.of(new byte[1]), 0, 1);
    Filling.check(memory, 2, "what rank 0 has written");
    System.out.println("rank 1 found what was written");
    MappedFiles.cutLast();
    if (space == Space.XPMEM) {
      StandInMemory.openAndClose(); // as the kernel does when the process ends
    }
    Runtime.getRuntime().halt(0);
  }

  private void reach() {
    long[] told = new long[3];
    world.recv(Data.of(told), 1, 0);
    RemoteMemory memory =
        new RemoteMemory(spaces, null, null, new int[] {0, 1}, new int[] {0, (int) told[2]}, space.bit(),
            rank -> ProcessHandle.of(told[2]).isPresent());
    Exposure far = new Exposure();
    far.set(Exposure.ADDRESS | Exposure.LASTING, told[1]);
    for (long at = 0; at < BYTES; at += STRETCH) {
      far.vector().add(told[0] + at, Math.min(STRETCH, BYTES - at));
    }
    if (Exposure.writer(far.flags(), memory.reaching(1, far)) != space) {
      throw new IllegalStateException("memory of rank 1 cannot be reached by " + space);
    }
    Contiguous here = new Contiguous().set(MemorySegment.ofArray(new byte[BYTES]), 0, BYTES);
    require(BYTES, memory.read(1, space, far, 0, here, begin(here), BYTES));
    Filling.check(here.memory(), 1, "what was read");
    Filling.write(here.memory(), 2);
    require(BYTES, memory.write(1, space, far, 0, here, begin(here), BYTES));
    world.send(Data.of(new byte[1]), 1, 1);
    try {
      world.recv(Data.of(new byte[1]), 1, 2);
    } catch (RankFailedException e) {
      reachNoMore(memory, far, here);
    }
  }

  private void reachNoMore(RemoteMemory memory, Exposure far, Contiguous here) {
    long read = memory.read(1, space, far, 0, here, begin(here), BYTES);
    long written = memory.write(1, space, far, 0, here, begin(here), BYTES);
    if (!isGone(read) || !isGone(written)) {
      throw new IllegalStateException("memory of rank 1, which is gone, gave %d and %d".formatted(read, written));
    }
    System.out.println("rank 0 goes on without rank 1");
  }

  private static boolean isGone(long status) {
    return status == Spaces.SRCH || status == Spaces.FAULT;
  }

  private static void require(long wanted, long status) {
    if (status != wanted) {
      throw new IllegalStateException("%d instead of %d bytes".formatted(status, wanted));
    }
  }

  private static Cursor begin(Contiguous payload) {
    Cursor cursor = new Cursor();
    cursor.begin(payload.bytes());
    return cursor;
  }
}
