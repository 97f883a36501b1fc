package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Job;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * In each round every rank writes its place of an array in a file that all map, comes to the barrier and reads the
 * places of all. There are two arrays, used in turn: one is written again only after the barrier that follows its
 * reading. Arguments: the file, rounds.
 */
public final class BarrierRank {
  private static final int LINE = 128;

  private BarrierRank() {}

  public static void main(String[] args) throws IOException {
    int rounds = Integer.parseInt(args[1]);
    try (Job job = Job.join();
        Arena arena = Arena.ofShared()) {
      Communicator world = job.world();
      MemorySegment arrays = map(Path.of(args[0]), 2L * world.size() * LINE, arena);
      for (int round = 1; round <= rounds; round++) {
        long begin = (round % 2) * (long) world.size() * LINE;
        arrays.set(ValueLayout.JAVA_LONG, begin + world.rank() * LINE, round);
        world.barrier();
        for (int rank = 0; rank < world.size(); rank++) {
          check(round, rank, arrays.get(ValueLayout.JAVA_LONG, begin + rank * LINE));
        }
      }
      System.out.println("%s: %d rounds".formatted(job.core(), rounds)); // in one write, which others leave whole
    }
  }

  private static MemorySegment map(Path file, long bytes, Arena arena) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  private static void check(int round, int rank, long written) {
    if (written != round) {
      throw new IllegalStateException(
          "left the barrier of round %d when rank %d had written %d".formatted(round, rank, written));
    }
  }
}
