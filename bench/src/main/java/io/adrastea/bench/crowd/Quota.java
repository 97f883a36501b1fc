package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.OutputFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A cgroup of its own, version 1 or 2, whose processes together get so many CPUs. It lies below that of this process,
 * or below the nearest one above it in which a group with a quota can be made. It goes when all its processes have
 * ended; a group that a bench left, since it was killed, is removed by the next one.
 */
final class Quota implements AutoCloseable {
  private static final String PREFIX = "adrastea-bench-";
  private static final String PROCESSES = "cgroup.procs";
  private static final String QUOTA_1 = "cpu.cfs_quota_us";
  private static final String PERIOD_1 = "cpu.cfs_period_us";
  private static final String QUOTA_2 = "cpu.max";
  private static final String CONTROLLERS_2 = "cgroup.subtree_control";
  private static final long PERIOD_MICROS = 100_000;
  private static final int TRIES = 100;
  private static final long TRY_MILLIS = 20;
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(Quota::remove), "bench cgroups"));
  }

  private final Path directory;

  private Quota(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes one.
   *
   * @param proc the root of /proc
   * @throws BenchException when none can be made; it says what is missing
   */
  static Quota open(Path proc, double cpus) throws BenchException {
    Path directory = null;
    try {
      Place place = Place.find(proc);
      removeStale(proc, place.directory);
      directory = Files.createDirectory(place.directory.resolve(PREFIX + ProcessHandle.current().pid()));
      OPEN.add(directory);
      place.limit(directory, Math.round(cpus * PERIOD_MICROS));
      return new Quota(directory);
    } catch (IOException | UnsupportedOperationException e) {
      if (directory != null) {
        remove(directory);
      }
      throw new BenchException(
          ("a cgroup with a quota cannot be made: %s; it takes one with the controller cpu that this user may write, as"
              + " root has, or a container with a writable /sys/fs/cgroup").formatted(reason(e)));
    }
  }

  private static String reason(Exception e) {
    return e instanceof FileSystemException of ? of.getFile() + ": " + OutputFile.reason(of) : e.getMessage();
  }

  /** Words before a command that is to begin inside. */
  List<String> prefix() {
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", directory.resolve(PROCESSES).toString());
  }

  /** Removes the group, whose processes have been ended before. */
  @Override
  public void close() {
    remove(directory);
  }

  /** The kernel refuses while a process of it is still going. */
  private static void remove(Path directory) {
    for (int i = 0; i < TRIES && Files.exists(directory) && !directory.toFile().delete(); i++) {
      try {
        Thread.sleep(TRY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    OPEN.remove(directory);
  }

  private static void removeStale(Path proc, Path parent) throws IOException {
    try (Stream<Path> groups = Files.list(parent)) {
      groups.filter(group -> group.getFileName().toString().matches(PREFIX + "\\d+"))
          .filter(group -> !Files.exists(proc.resolve(group.getFileName().toString().substring(PREFIX.length()))))
          .forEach(group -> group.toFile().delete());
    }
  }

  /**
   * Where groups can be made.
   *
   * @param directory the group above
   * @param second whether it is of version 2
   */
  private record Place(Path directory, boolean second) {
    /** Version 1 where the controller is there, since then version 2 does not have it. */
    static Place find(Path proc) throws IOException {
      List<String> mounts = Files.readAllLines(proc.resolve("self/mountinfo"));
      List<String> groups = Files.readAllLines(proc.resolve("self/cgroup"));
      for (String line : groups) {
        String[] fields = line.split(":", 3);
        if (List.of(fields[1].split(",")).contains("cpu")) {
          return new Place(directory(mounts, "cgroup", "cpu", fields[2]), false);
        }
      }
      for (String line : groups) {
        if (line.startsWith("0::")) {
          return second(directory(mounts, "cgroup2", "", line.substring("0::".length())));
        }
      }
      throw new IOException("this process is in no cgroup that could have a quota");
    }

    /** In version 2 a group that has processes gives its children no controllers, unless it is the root. */
    private static Place second(Path own) throws IOException {
      for (Path group = own; group != null && Files.exists(group.resolve(PROCESSES)); group = group.getParent()) {
        if (controllers(group).contains("cpu") && Files.isWritable(group)) {
          return new Place(group, true);
        }
      }
      throw new IOException("no group from %s upwards gives the controller cpu to groups below it and can be written"
          .formatted(own));
    }

    private static List<String> controllers(Path group) throws IOException {
      return List.of(Files.readString(group.resolve(CONTROLLERS_2)).strip().split(" "));
    }

    /** The group of this process below the mount of its hierarchy. */
    private static Path directory(List<String> mounts, String type, String controller, String group)
        throws IOException {
      for (String line : mounts) {
        String[] halves = line.split(" - ", 2);
        String[] mount = halves[0].split(" ");
        String[] file = halves[halves.length - 1].split(" ");
        boolean has = controller.isEmpty() || List.of(file[file.length - 1].split(",")).contains(controller);
        if (file[0].equals(type) && has) {
          return below(Path.of(mount[4]), mount[3], group);
        }
      }
      throw new IOException("no file system of type %s%s is mounted"
          .formatted(type, controller.isEmpty() ? "" : " with the controller " + controller));
    }

    /**
     * The directory of a group.
     *
     * @param root the group that the mount shows as its root
     */
    private static Path below(Path mount, String root, String group) {
      String inside = group.startsWith(root) ? group.substring(root.length()) : group;
      Path directory = mount.resolve(inside.replaceFirst("^/+", ""));
      return Files.isDirectory(directory) ? directory : mount; // a container's mount may begin at its own group
    }

    void limit(Path group, long micros) throws IOException {
      if (second) {
        Files.writeString(group.resolve(QUOTA_2), micros + " " + PERIOD_MICROS);
      } else {
        Files.writeString(group.resolve(PERIOD_1), "" + PERIOD_MICROS);
        Files.writeString(group.resolve(QUOTA_1), "" + micros);
      }
    }
  }
}
