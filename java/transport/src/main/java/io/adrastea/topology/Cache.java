package io.adrastea.topology;

/**
 * A cache for data.
 *
 * @param level 1 is nearest to the CPU
 * @param bytes of the whole cache; 0 when that is not known
 * @param cpus that share it, of those allowed here
 */
public record Cache(int level, long bytes, Cpus cpus) {
  private static final int KILO = 10;

  /** Describes the cache, as in {@code L3 32 MiB}. */
  @Override
  public String toString() {
    return "L" + level + (bytes == 0 ? "" : " " + size());
  }

  private String size() {
    long kib = bytes >> KILO;
    return kib >= 1 << KILO && kib % (1 << KILO) == 0 ? (kib >> KILO) + " MiB" : kib + " KiB";
  }
}
