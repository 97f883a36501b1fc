package io.adrastea.bench.measure;

import io.adrastea.topology.Cpu;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Two CPUs for two processes that exchange messages.
 *
 * @param distance how far one is from the other
 * @param first the CPU of the first process
 * @param second the CPU of the second
 */
public record CpuPair(Distance distance, int first, int second) {
  /** What two CPUs share. */
  public enum Distance {
    /** The largest cache, but not the core. */
    NEAR("near", "two cores that share a largest cache"),
    /** No cache. */
    FAR("far", "two cores that share no cache"),
    /** A core. */
    SIBLINGS("siblings", "two CPUs of one core"),
    /** It cannot be told, or there is one CPU only. */
    UNKNOWN("unknown", "CPUs of which it cannot be told what they share");

    private final String title;
    private final String meaning;

    Distance(String title, String meaning) {
      this.title = title;
      this.meaning = meaning;
    }

    /** One word. */
    public String title() {
      return title;
    }

    /** What it means, in other words. */
    public String meaning() {
      return meaning;
    }
  }

  /**
   * One pair of each distance that there is among the CPUs, near before far; a far one of two sockets rather than of
   * one. When there is neither, the first two CPUs (a single one twice), whatever they share.
   *
   * @param cpus at least one
   * @param sys the root of /sys
   */
  public static List<CpuPair> among(List<Integer> cpus, Path sys) {
    Topology topology = Topology.read(sys, Cpus.of(cpus.stream().mapToInt(Integer::intValue).toArray()));
    List<Cpu> known =
        cpus.stream().distinct().map(topology::cpu).filter(cpu -> !cpu.caches().isEmpty()).toList();
    List<CpuPair> found = new ArrayList<>();
    find(known, Distance.NEAR, (a, b) -> shareLastCache(a, b) && a.core() != b.core())
        .ifPresent(found::add);
    find(known, Distance.FAR, (a, b) -> a.packageNumber() != b.packageNumber())
        .or(() -> find(known, Distance.FAR, (a, b) -> !shareLastCache(a, b)))
        .ifPresent(found::add);
    return found.isEmpty() ? List.of(of(cpus.get(0), cpus.get(cpus.size() > 1 ? 1 : 0), sys)) : found;
  }

  /**
   * Two given CPUs.
   *
   * @param first the CPU of the first process
   * @param second the CPU of the second
   * @param sys the root of /sys
   */
  public static CpuPair of(int first, int second, Path sys) {
    Topology topology = Topology.read(sys, Cpus.of(first, second));
    return new CpuPair(first == second ? Distance.UNKNOWN : distance(topology.cpu(first), topology.cpu(second)), first,
        second);
  }

  private static Distance distance(Cpu a, Cpu b) {
    if (a.caches().isEmpty() || b.caches().isEmpty()) {
      return Distance.UNKNOWN;
    }
    if (a.core() == b.core()) {
      return Distance.SIBLINGS;
    }
    return shareLastCache(a, b) ? Distance.NEAR : Distance.FAR;
  }

  private static boolean shareLastCache(Cpu a, Cpu b) {
    return a.caches().getLast().equals(b.caches().getLast());
  }

  private static Optional<CpuPair> find(
      List<Cpu> cpus, Distance distance, BiPredicate<Cpu, Cpu> fits) {
    for (Cpu first : cpus) {
      for (Cpu second : cpus) {
        if (first != second && fits.test(first, second)) {
          return Optional.of(new CpuPair(distance, first.number(), second.number()));
        }
      }
    }
    return Optional.empty();
  }
}
