package io.adrastea.topology;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How much of the CPUs a process may use, by its control groups: each of them, up to the root of its hierarchy, may set
 * a quota of CPU time for a period, and the least counts. Version 1 and 2 of control groups are understood, and both at
 * once. Twin of {@code
 * affinity/adr_cpu_quota.h}.
 *
 * @param hundredths of a CPU, rounded up; 0: no limit
 */
public record CpuQuota(int hundredths) {
  /** {@return the quota of this process} */
  public static CpuQuota here() {
    return read(Path.of("/"));
  }

  /**
   * {@return the quota of a process}
   *
   * @param root what its absolute paths are below: {@code proc} and all that is mounted
   */
  public static CpuQuota read(Path root) {
    return ControlGroup.all(root).stream().map(ControlGroup::quota).reduce(new CpuQuota(0), CpuQuota::lesser);
  }

  /**
   * {@return the one of the two that leaves less}
   *
   * @param other another quota
   */
  public CpuQuota lesser(CpuQuota other) {
    return hundredths == 0 || (other.hundredths != 0 && other.hundredths < hundredths) ? other : this;
  }

  /**
   * {@return how many CPUs this keeps busy at most, rounded up: from 1 to {@code cpus}}
   *
   * @param cpus how many may be used
   */
  public int limit(int cpus) {
    return hundredths == 0 ? cpus : Math.max(1, Math.min(cpus, Math.ceilDiv(hundredths, 100)));
  }

  /**
   * A control group of a process, as its directory: that of the process itself or one above.
   *
   * @param directory where its files are
   * @param unified whether it is of version 2
   */
  private record ControlGroup(Path directory, boolean unified) {
    private static final String CONTROLLER = "cpu";
    private static final int MOST = Integer.MAX_VALUE;

    /** The control groups of this process whose quotas hold, the lowest of each hierarchy first. */
    static List<ControlGroup> all(Path root) {
      List<ControlGroup> groups = new ArrayList<>();
      List<String> mounts = Sysfs.lines(root.resolve("proc/self/mountinfo"));
      for (String line : Sysfs.lines(root.resolve("proc/self/cgroup"))) {
        String[] words = line.split(":", 3); // number, controllers, path
        if (words.length == 3 && (words[1].isEmpty() || Set.of(words[1].split(",")).contains(CONTROLLER))) {
          mounts.stream().map(mount -> mount.split(" ")).forEach(mount -> addAll(groups, root, mount, words));
        }
      }
      return groups;
    }

    /** Adds the groups from the process's own up to the root of what is mounted, when it is mounted here. */
    private static void addAll(List<ControlGroup> groups, Path root, String[] mount, String[] words) {
      boolean unified = words[1].isEmpty();
      if (!holds(mount, unified)) {
        return;
      }
      Path top = root.resolve(unescaped(mount[4]).substring(1));
      Path group = top.resolve(below(unescaped(mount[3]), words[2]));
      for (; group != null && group.startsWith(top); group = group.getParent()) {
        groups.add(new ControlGroup(group, unified));
      }
    }

    /**
     * Whether a line of mountinfo (id, parent, device, root, mount point, options, other fields, {@code -}, type,
     * source, options) is of a hierarchy with our controller.
     */
    private static boolean holds(String[] mount, boolean unified) {
      int type = List.of(mount).indexOf("-") + 1;
      if (type < 6 || mount.length < type + 3 || !mount[4].startsWith("/")) {
        return false;
      }
      return unified
          ? mount[type].equals("cgroup2")
          : mount[type].equals("cgroup") && Set.of(mount[type + 2].split(",")).contains(CONTROLLER);
    }

    /**
     * Where a group is below the group that is mounted. One that lies elsewhere (a container that sees its own group
     * only, and the path of the host) counts as the mounted one.
     */
    private static String below(String mounted, String path) {
      String top = mounted.equals("/") ? "" : mounted;
      boolean inside = path.equals(top) || path.startsWith(top + "/");
      return inside && !path.matches(".*/\\.\\.(/.*)?") ? path.substring(top.length()).replaceFirst("^/+", "") : "";
    }

    /** Blanks and the like are written as octal numbers there. */
    private static String unescaped(String text) {
      return text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
    }

    /** Reads the quota of this group alone. */
    CpuQuota quota() {
      if (unified) {
        String[] words = (Sysfs.line(directory.resolve("cpu.max")) + " none none").split(" ");
        return quota(words[0], words[1]);
      }
      return quota(
          Sysfs.line(directory.resolve("cpu.cfs_quota_us")), Sysfs.line(directory.resolve("cpu.cfs_period_us")));
    }

    /** Makes a quota of two numbers; {@code max} and -1 are no limit. */
    private static CpuQuota quota(String quota, String period) {
      String number = "[0-9]{1,15}";
      if (!quota.matches(number) || !period.matches(number) || Long.parseLong(period) == 0) {
        return new CpuQuota(0);
      }
      return new CpuQuota(Math.clamp(Math.ceilDiv(Long.parseLong(quota) * 100, Long.parseLong(period)), 1, MOST));
    }
  }
}
