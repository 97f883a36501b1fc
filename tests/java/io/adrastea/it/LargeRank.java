package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.error.AdrasteaException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Two ranks exchange large messages. The arguments:
 *
 * <ul>
 * <li>{@code exchange KIND...}: from every one of these kinds of buffers into every one;
 * <li>{@code huge BYTES}: one message of so many bytes, and what memory of the rank has grown by it;
 * <li>{@code cut}: one from a file that is cut short before it is received, then another one.
 * </ul>
 */
public final class LargeRank {
  private static final int[] SIZES = {9000, 32_769, 300_001, 3_000_007};
  private static final int BLOCK = 1 << 20;
  private static final int PAGE = 4096;

  private final Job job;
  private final Communicator world;
  private final int peer;
  private long checked;

  private LargeRank(Job job) {
    this.job = job;
    this.world = job.world();
    this.peer = 1 - world.rank();
  }

  public static void main(String[] args) throws IOException {
    try (Job job = Job.join()) {
      LargeRank rank = new LargeRank(job);
      switch (args[0]) {
        case "huge" -> rank.huge(Long.parseLong(args[1]));
        case "cut" -> rank.cut();
        default -> rank.exchange(Arrays.copyOfRange(args, 1, args.length));
      }
    }
  }

  private void exchange(String[] kinds) {
    long number = 0;
    for (String from : kinds) {
      for (String to : kinds) {
        for (int bytes : SIZES) {
          MemorySegment out = buffer(from, bytes);
          MemorySegment in = buffer(to, bytes);
          for (int round = 0; round < 3; round++) {
            Filling.write(out, number + world.rank());
            world.sendrecv(Data.of(out), peer, round, Data.of(in), peer, round);
            Filling.check(in, number + peer, from + " to " + to);
            checked += bytes;
            number += 2;
          }
          free(from, out);
          free(to, in);
        }
      }
    }
    System.out.printf("%s checked %d bytes%n", job.core(), checked);
  }

  private MemorySegment buffer(String kind, int bytes) {
    return switch (kind) {
      case "native" -> Arena.ofAuto().allocate(bytes);
      case "file" -> MappedFiles.allocate(bytes);
      case "array" -> MemorySegment.ofArray(new byte[bytes]);
      default -> job.allocate(bytes, 1);
    };
  }

  private void free(String kind, MemorySegment memory) {
    if (kind.equals("shared")) {
      job.free(memory);
    }
  }

  /** Whoever copies finds no memory: both ends fail, and nothing else. */
  private void cut() {
    MemorySegment memory = MappedFiles.allocate(SIZES[SIZES.length - 1]);
    Filling.write(memory, 1);
    transfer(memory); // it is attached at the other end now
    try {
      if (world.rank() == 0) {
        MappedFiles.cutLast();
      } else {
        memory = MemorySegment.ofArray(new byte[(int) memory.byteSize()]);
      }
      world.barrier();
      transfer(memory);
      System.out.println("went through");
    } catch (AdrasteaException e) {
      System.out.println("failed: " + e.getMessage());
    }
    exchange(new String[] {"array", "file"});
  }

  /** All its pages are there before the message; one that is smaller goes first, by the same way. */
  private void huge(long bytes) throws IOException {
    boolean sends = world.rank() == 0;
    MemorySegment memory = Arena.ofAuto().allocate(bytes, PAGE);
    MemorySegment block = MemorySegment.ofArray(new long[BLOCK / Long.BYTES]);
    Filling.write(block, 1);
    for (long at = 0; at < bytes; at += BLOCK) {
      stamp(block, sends ? at : ~at);
      long now = Math.min(BLOCK, bytes - at);
      MemorySegment.copy(block, 0, memory, at, now);
    }
    transfer(memory.asSlice(0, Math.min(bytes, 32 * BLOCK)));
    residentKibibytes(); // its classes are there
    world.barrier();
    long before = residentKibibytes();
    transfer(memory);
    long growth = residentKibibytes() - before;
    for (long at = 0; at < bytes; at += BLOCK) {
      stamp(block, at);
      long now = Math.min(BLOCK, bytes - at);
      if (block.asSlice(0, now).mismatch(memory.asSlice(at, now)) >= 0) {
        throw new IllegalStateException("wrong in the block at byte " + at);
      }
    }
    System.out.printf("checked %d bytes, grew by %d KiB%n", bytes, growth);
  }

  private void transfer(MemorySegment memory) {
    if (world.rank() == 0) {
      world.send(memory, 1, 0);
    } else {
      world.recv(memory, 0, 0);
    }
  }

  /** Each page is another one. */
  private static void stamp(MemorySegment block, long number) {
    for (int at = 0; at < BLOCK; at += PAGE) {
      block.set(ValueLayout.JAVA_LONG, at, Filling.word(number, at));
    }
  }

  private static long residentKibibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
