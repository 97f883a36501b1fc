package io.adrastea.cli.info;

import io.adrastea.Communicator;
import io.adrastea.Job;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A process whose two ranks, threads of it, send each other messages for a while, written before and read after, large
 * ones from and to native memory and arrays. Prints what they believe then of the ways that these can take, as they
 * tell the log: of those that fit a fastbox the sender, of large ones the receiver.
 */
final class CostPeer {
  private static final String LOG = "io.adrastea";
  private static final List<String> OF_PEER = List.of("to rank 1, ", "rank 0, "); // what the one and the other believe
  private static final int[] SHORT_SIZES = {2048, 4096, 8192, 16_384}; // one of each class of fastbox or cells
  private static final int[] SIZES = {1 << 17, 1 << 18, 1 << 21};
  private static final int MESSAGES = 2000; // of each size and kind of buffers, enough to try each way
  private static final long NANOS = 400_000_000; // for them at most
  private static final int LINE = 64;
  private static final int TAG = 1;

  private CostPeer() {}

  public static void main(String[] words) {
    Logger logger = Logger.getLogger(LOG);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
    logger.addHandler(new Printer());
    Job.builder().runThreads(2, CostPeer::run);
  }

  private static void run(Job job) {
    try (Arena arena = Arena.ofConfined()) {
      for (int size : SHORT_SIZES) {
        exchange(job.world(), arena.allocate(size, LINE));
      }
      for (int size : SIZES) {
        MemorySegment array = MemorySegment.ofArray(new long[size / Long.BYTES]);
        List<MemorySegment> buffers =
            List.of(arena.allocate(size, LINE), MemorySegment.ofArray(new long[size / Long.BYTES]));
        for (MemorySegment from : buffers) {
          for (MemorySegment to : buffers) {
            exchange(job.world(), job.world().rank() == 0 ? from : to);
          }
        }
      }
    }
  }

  /** Messages of the first rank, each answered. The last one says that it is, by words of 0. */
  private static void exchange(Communicator world, MemorySegment message) {
    MemorySegment answer = MemorySegment.ofArray(new long[1]);
    long end = System.nanoTime() + NANOS;
    long left = MESSAGES;
    while (left != 0) {
      if (world.rank() == 0) {
        left = System.nanoTime() < end ? left - 1 : 0;
        write(message, left);
        world.send(message, 1, TAG);
        world.recv(answer, 1, TAG);
      } else {
        world.recv(message, 0, TAG);
        left = read(message);
        world.send(answer, 0, TAG);
      }
    }
  }

  private static void write(MemorySegment memory, long word) {
    for (long at = 0; at < memory.byteSize(); at += LINE) {
      memory.set(ValueLayout.JAVA_LONG, at, word);
    }
  }

  private static long read(MemorySegment memory) {
    long all = 0;
    for (long at = 0; at < memory.byteSize(); at += LINE) {
      all |= memory.get(ValueLayout.JAVA_LONG, at);
    }
    return all;
  }

  /** Prints what the log is told of the ways at the end, without what stands above it in the log. */
  private static final class Printer extends Handler {
    @Override
    public void publish(LogRecord entry) {
      String said = entry.getMessage();
      for (String peer : OF_PEER) {
        if (said.startsWith(peer) && !said.endsWith("from now on")) {
          System.out.println(said.substring(peer.length()));
        }
      }
    }

    @Override
    public void flush() {
      System.out.flush();
    }

    @Override
    public void close() {
      flush();
    }
  }
}
