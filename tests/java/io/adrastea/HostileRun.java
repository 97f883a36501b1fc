package io.adrastea;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.segment.SegmentFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of its own for what could end it:
 * {@code HostileRun core|engine|core-beside|engine-beside CORE SEED INPUTS FILE} has a peer write whatever it likes,
 * INPUTS times; beside: also while the rank is in its calls. The seed of the input under way stands in FILE, so that it
 * is known however the process ends.
 */
public final class HostileRun {
  /** A finding. */
  static final int FINDING = 2;

  /** An input did not come to its end. */
  static final int ENDLESS = 3;

  private static final int PATIENCE_SECONDS = 30;

  /** What is done with one input. */
  interface Attack {
    void run(long seed) throws Exception;
  }

  private HostileRun() {}

  public static void main(String[] words) throws Exception {
    CoreProvider provider = Cores.choose(words[1]);
    Path directory = SegmentFile.directory();
    long first = Long.parseLong(words[2]);
    HostileThread beside = words[0].endsWith("-beside") ? HostileThread.started(first) : null;
    Attack attack =
        words[0].startsWith("core") ? new HostileCoreRun(provider, directory, beside)
            : new HostileEngineRun(provider, directory, beside);
    long inputs = Long.parseLong(words[3]);
    AtomicLong reached = new AtomicLong();
    watch(reached);
    try (FileChannel file = FileChannel.open(Path.of(words[4]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer seed = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
      for (long input = 0; input < inputs; input++) {
        seed.putLong(0, first + input);
        attack.run(first + input);
        reached.incrementAndGet();
      }
    } catch (Throwable finding) {
      finding.printStackTrace();
      Runtime.getRuntime().halt(FINDING);
    }
    System.out.println(inputs + " inputs");
    Runtime.getRuntime().halt(0); // what a broken peer has left must not keep the process
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
