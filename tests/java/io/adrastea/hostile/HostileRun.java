package io.adrastea.hostile;

import io.adrastea.HostileEngineRun;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.segment.SegmentFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of its own for what could end it: {@code HostileRun CORE SEED FILE LEVEL=INPUTS...} has a peer write
 * whatever it likes, INPUTS times at each LEVEL, which is {@code core} or {@code engine}, or {@code core-beside} or
 * {@code engine-beside}: also while the rank is in its calls. The seed of the input under way stands in FILE, and
 * behind it which of the levels it is of, so that both are known however the process ends.
 */
public final class HostileRun {
  /** A finding. */
  public static final int FINDING = 2;

  /** An input did not come to its end. */
  public static final int ENDLESS = 3;

  /** The bytes of FILE: the seed, and the number of the level. */
  public static final int PLACE_BYTES = 2 * Long.BYTES;

  private static final int PATIENCE_SECONDS = 120;
  private static final int FIRST_LEVEL = 3; // of the words

  /** What is done with one input. */
  public interface Attack {
    void run(long seed) throws Exception;
  }

  private HostileRun() {}

  public static void main(String[] words) throws Exception {
    CoreProvider provider = Cores.choose(words[0]);
    long first = Long.parseLong(words[1]);
    AtomicLong reached = new AtomicLong();
    watch(reached);
    try (FileChannel file = FileChannel.open(Path.of(words[2]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer place = file.map(FileChannel.MapMode.READ_WRITE, 0, PLACE_BYTES);
      HostileThread beside = null; // which takes a CPU from the first level on that wants it
      for (int level = 0; level < words.length - FIRST_LEVEL; level++) {
        String[] parts = words[FIRST_LEVEL + level].split("=");
        place.putLong(Long.BYTES, level);
        boolean besides = parts[0].endsWith("-beside");
        if (besides && beside == null) {
          beside = HostileThread.started(first);
        }
        attack(attack(parts[0], provider, besides ? beside : null), first, Long.parseLong(parts[1]), place, reached);
        System.out.println(parts[0] + ": " + parts[1] + " inputs");
      }
    } catch (Throwable finding) {
      finding.printStackTrace();
      Runtime.getRuntime().halt(FINDING);
    }
    Runtime.getRuntime().halt(0); // what a broken peer has left must not keep the process
  }

  private static Attack attack(String level, CoreProvider provider, HostileThread beside) throws Exception {
    Path directory = SegmentFile.directory();
    return level.startsWith("core") ? new HostileCoreRun(provider, directory, beside)
        : new HostileEngineRun(provider, directory, beside);
  }

  private static void attack(Attack attack, long first, long inputs, ByteBuffer place, AtomicLong reached)
      throws Exception {
    for (long input = 0; input < inputs; input++) {
      place.putLong(0, first + input);
      attack.run(first + input);
      reached.incrementAndGet();
    }
  }

  private static void watch(AtomicLong reached) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (long seen = -1;; seen = reached.get()) {
                sleep();
                if (seen == reached.get()) {
                  Thread.getAllStackTraces().forEach(HostileRun::print);
                  Runtime.getRuntime().halt(ENDLESS);
                }
              }
            });
  }

  private static void print(Thread thread, StackTraceElement[] stack) {
    System.err.println(thread);
    for (StackTraceElement frame : stack) {
      System.err.println("  at " + frame);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(1000L * PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
