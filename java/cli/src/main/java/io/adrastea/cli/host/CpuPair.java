package io.adrastea.cli.host;

import java.io.IOException;
import java.nio.file.Files;
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
    /** A core, or it cannot be told. */
    OTHER("other", "CPUs of one core, or it cannot be told what they share");

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

    /** In other words. */
    public String meaning() {
      return meaning;
    }
  }

  private static final String CPU = "devices/system/cpu/cpu";
  private static final int MAX_CACHES = 10;

  /** What the kernel says of a CPU. */
  private record Place(int cpu, String socket, String core, String cache) {
    static Place of(int cpu, Path sys) {
      Path directory = sys.resolve(CPU + cpu);
      String socket = read(directory.resolve("topology/physical_package_id"));
      return new Place(
          cpu, socket, socket + "/" + read(directory.resolve("topology/core_id")), cache(directory));
    }

    /** The CPUs that share the cache of the highest level. */
    private static String cache(Path directory) {
      String shared = "";
      int highest = 0;
      for (int index = 0; index < MAX_CACHES; index++) {
        Path cache = directory.resolve("cache/index" + index);
        String level = read(cache.resolve("level"));
        if (level.matches("[0-9]") && Integer.parseInt(level) > highest) {
          highest = Integer.parseInt(level);
          shared = read(cache.resolve("shared_cpu_list"));
        }
      }
      return shared;
    }

    boolean isKnown() {
      return !cache.isEmpty() && !socket.isEmpty();
    }

    private static String read(Path file) {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        return ""; // not known
      }
    }
  }

  /**
   * One pair of each distance that there is among the CPUs, near before far; a far one of two sockets
   * rather than of one. When there is neither, the first two CPUs (a single one twice).
   *
   * @param cpus at least one
   * @param sys the root of /sys
   */
  public static List<CpuPair> among(List<Integer> cpus, Path sys) {
    List<Place> places =
        cpus.stream().distinct().map(cpu -> Place.of(cpu, sys)).filter(Place::isKnown).toList();
    List<CpuPair> found = new ArrayList<>();
    find(places, Distance.NEAR, (a, b) -> a.cache.equals(b.cache) && !a.core.equals(b.core))
        .ifPresent(found::add);
    find(places, Distance.FAR, (a, b) -> !a.socket.equals(b.socket))
        .or(() -> find(places, Distance.FAR, (a, b) -> !a.cache.equals(b.cache)))
        .ifPresent(found::add);
    return found.isEmpty()
        ? List.of(new CpuPair(Distance.OTHER, cpus.get(0), cpus.get(cpus.size() > 1 ? 1 : 0)))
        : found;
  }

  private static Optional<CpuPair> find(
      List<Place> places, Distance distance, BiPredicate<Place, Place> fits) {
    for (Place first : places) {
      for (Place second : places) {
        if (first.cpu != second.cpu && fits.test(first, second)) {
          return Optional.of(new CpuPair(distance, first.cpu, second.cpu));
        }
      }
    }
    return Optional.empty();
  }
}
