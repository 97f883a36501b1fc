package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.atomic.Words;
import io.adrastea.bench.measure.Hosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Memory in which all ranks meet before a call, and write down when they began and ended it. The time of a call goes
 * from the last rank's begin to the last rank's end: by the clock that all processes of a machine share. Ranks that
 * each have a CPU begin at the same time, so nobody has done his part before. {@code adr_mpi_collectives.c} does the
 * same.
 */
final class StartLine {
  /** So many calls are written down at most before their times are taken. */
  static final int CALLS = 256;

  private static final int TAG = 21;
  private static final int CPU_WORDS = 64; // of 64 CPUs each
  private static final int PAIR = 128; // two cache lines: a CPU may fetch both
  private static final long LEAD_NANOS = 1000; // longer than all need to see when to begin
  private static final int MOST_LOOKS = 10_000;
  private static final long NUMBER = 0;
  private static final long AT = Long.BYTES;
  private static final long CAME = 0;
  private static final long BEGINS = PAIR;
  private static final long ENDS = BEGINS + CALLS * Long.BYTES;
  private static final long SEAT = ENDS + CALLS * Long.BYTES;

  private final int rank;
  private final int ranks;
  private final boolean sharesCpu;
  private final MemorySegment memory;
  private final long mine;
  private long meetings;

  /** Every rank of the job makes one at the same time. */
  StartLine(Job job) {
    Communicator world = job.world();
    this.rank = world.rank();
    this.ranks = world.size();
    this.sharesCpu = cpus(job, world) < ranks;
    this.mine = seat(rank);
    String file = System.getenv(Hosts.START_LINE);
    this.memory = file == null ? meetingPlace(job, world) : mapped(Path.of(file), seat(ranks));
  }

  /** How many CPUs the ranks have together, on whatever hosts they are. */
  private static int cpus(Job job, Communicator world) {
    BitSet own = new BitSet();
    job.cpus(world.rank()).stream().forEach(own::set);
    long[] all = new long[world.size() * CPU_WORDS];
    world.allgather(Data.of(Arrays.copyOf(own.toLongArray(), CPU_WORDS)), Data.of(all));
    for (int word = CPU_WORDS; word < all.length; word++) {
      all[word % CPU_WORDS] |= all[word];
    }
    return BitSet.valueOf(Arrays.copyOf(all, CPU_WORDS)).cardinality();
  }

  /** A file that the bench has made for ranks that share no other memory. */
  private static MemorySegment mapped(Path file, long bytes) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Rank 0 has it. */
  private static MemorySegment meetingPlace(Job job, Communicator world) {
    long bytes = seat(world.size());
    long[] offset = new long[1];
    if (world.rank() != 0) {
      world.recv(Data.of(offset), 0, TAG);
      return job.shared(0, offset[0], bytes);
    }
    MemorySegment memory = job.allocate(bytes, PAIR);
    offset[0] = job.offset(memory);
    for (int to = 1; to < world.size(); to++) {
      world.send(Data.of(offset), to, TAG);
    }
    return memory;
  }

  private static long seat(int of) {
    return PAIR + of * SEAT;
  }

  /** Returns when all ranks have called it; at the same time, where each has a CPU. */
  void meet() {
    meetings++;
    Words.storeReleaseLong(memory, mine + CAME, meetings); // SYNC start-came: the times of the calls before
    if (rank == 0) {
      awaitOthers();
      Words.storeRelaxedLong(memory, AT, System.nanoTime() + (sharesCpu ? 0 : LEAD_NANOS));
      Words.storeReleaseLong(memory, NUMBER, meetings); // SYNC start-number: when to begin
    } else {
      for (int looks = 0; Words.loadAcquireLong(memory, NUMBER) < meetings; looks++) { // SYNC start-number
        pause(looks);
      }
    }
    long at = Words.loadRelaxedLong(memory, AT);
    while (System.nanoTime() - at < 0) {
      Thread.onSpinWait();
    }
  }

  private void awaitOthers() {
    for (int of = 1; of < ranks; of++) {
      long came = seat(of) + CAME;
      for (int looks = 0; Words.loadAcquireLong(memory, came) < meetings; looks++) { // SYNC start-came
        pause(looks);
      }
    }
  }

  /** Whoever is waited for may be off its CPU. */
  private void pause(int looks) {
    if (sharesCpu || looks >= MOST_LOOKS) {
      Thread.yield();
    }
  }

  /** Writes down when this rank began and ended a call. */
  void note(int call, long begin, long end) {
    memory.set(ValueLayout.JAVA_LONG, mine + BEGINS + (long) call * Long.BYTES, begin);
    memory.set(ValueLayout.JAVA_LONG, mine + ENDS + (long) call * Long.BYTES, end);
  }

  /** The time from the last begin to the last end of a call, once all have met after it. */
  long slowest(int call) {
    long begin = begin(0, call);
    long end = end(0, call);
    for (int of = 1; of < ranks; of++) {
      begin = Math.max(begin, begin(of, call));
      end = Math.max(end, end(of, call));
    }
    return end - begin;
  }

  /** Whether no rank ended a call before the last one had begun it. */
  boolean allMet(int call) {
    long begin = begin(0, call);
    long end = end(0, call);
    for (int of = 1; of < ranks; of++) {
      begin = Math.max(begin, begin(of, call));
      end = Math.min(end, end(of, call));
    }
    return end >= begin;
  }

  private long begin(int of, int call) {
    return memory.get(ValueLayout.JAVA_LONG, seat(of) + BEGINS + (long) call * Long.BYTES);
  }

  private long end(int of, int call) {
    return memory.get(ValueLayout.JAVA_LONG, seat(of) + ENDS + (long) call * Long.BYTES);
  }
}
