package io.adrastea.ranktable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * CPUs that a thread may run on.
 *
 * @param allowed their numbers
 */
public record Cpus(BitSet allowed) {
  private static final String KEY = "Cpus_allowed_list:";

  /** Of the calling thread; where the system does not tell, as many as the JVM counts. */
  public static Cpus ofThread() {
    return read(Path.of("/proc/thread-self/status"));
  }

  static Cpus read(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(KEY)) {
          return new Cpus(parse(line.substring(KEY.length()).trim()));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // said below
    }
    BitSet all = new BitSet();
    all.set(0, Runtime.getRuntime().availableProcessors());
    return new Cpus(all);
  }

  /** Reads a list like {@code 0-3,8}. */
  static BitSet parse(String list) {
    BitSet cpus = new BitSet();
    for (String part : list.split(",")) {
      String[] ends = part.split("-");
      cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
    }
    return cpus;
  }

  /** How many there are. */
  public int count() {
    return allowed.cardinality();
  }

  /** The only one, or -1 when there are several. */
  public int only() {
    return count() == 1 ? allowed.nextSetBit(0) : -1;
  }
}
