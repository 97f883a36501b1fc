package io.adrastea.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the figures were taken on.
 *
 * @param caches of CPU 0, as in {@code L1d 48K, L2 2M, L3 260M shared by 0-1}
 * @param governor of CPU 0's frequency, {@code none} where the kernel sets none
 */
public record Machine(String cpu, String caches, String governor, String kernel, String jvm) {
  private static final String UNKNOWN = "unknown";
  private static final String CPU0 = "devices/system/cpu/cpu0/";
  private static final int MAX_CACHES = 10;

  /** This machine. */
  public static Machine here() {
    return describe(Path.of("/proc"), Path.of("/sys"));
  }

  /**
   * @param proc the root of /proc
   * @param sys the root of /sys
   */
  public static Machine describe(Path proc, Path sys) {
    return new Machine(
        cpuModel(proc),
        describeCaches(sys.resolve(CPU0 + "cache")),
        read(sys.resolve(CPU0 + "cpufreq/scaling_governor")).orElse("none"),
        describeKernel(proc),
        "%s, %s".formatted(describeJvm(), String.join(" ", WorkerCommand.options())));
  }

  /** Returns this machine with ranks whose JVMs get the flags of a command, and not those of the benches' own. */
  public Machine withJvmOf(String command) {
    return new Machine(cpu, caches, governor, kernel, "%s, as %s starts it".formatted(describeJvm(), command));
  }

  private static String cpuModel(Path proc) {
    try {
      for (String line : Files.readAllLines(proc.resolve("cpuinfo"))) {
        if (line.startsWith("model name") && line.contains(":")) {
          return line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " ");
        }
      }
    } catch (IOException e) {
      // Said as unknown: a heading is no reason to fail.
    }
    return UNKNOWN + " (" + System.getProperty("os.arch") + ")";
  }

  private static String describeCaches(Path directory) {
    List<String> caches = new ArrayList<>();
    for (int index = 0; index < MAX_CACHES; index++) {
      describeCache(directory.resolve("index" + index)).ifPresent(caches::add);
    }
    return caches.isEmpty() ? UNKNOWN : String.join(", ", caches);
  }

  private static Optional<String> describeCache(Path cache) {
    String type = read(cache.resolve("type")).orElse("");
    Optional<String> level = read(cache.resolve("level"));
    Optional<String> size = read(cache.resolve("size"));
    if (type.equals("Instruction") || level.isEmpty() || size.isEmpty()) {
      return Optional.empty();
    }
    String which = level.get() + (type.equals("Data") ? "d " : " ");
    return Optional.of("L" + which + size.get() + sharers(cache, level.get()));
  }

  /** Tells which CPUs share a large cache; that the threads of a core share its small ones goes unsaid. */
  private static String sharers(Path cache, String level) {
    String shared = read(cache.resolve("shared_cpu_list")).orElse("");
    boolean told = level.compareTo("3") >= 0 && shared.matches(".*[,-].*");
    return told ? " shared by CPUs " + shared : "";
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String describeKernel(Path proc) {
    return System.getProperty("os.name")
        + " "
        + read(proc.resolve("sys/kernel/osrelease")).orElse(System.getProperty("os.version"));
  }

  private static String describeJvm() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }
}
