package io.adrastea.bench.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a cgroup with a quota is made, in given trees of /proc and of cgroups. */
class QuotaTest {
  private static final String GROUP = "adrastea-bench-" + ProcessHandle.current().pid();

  @TempDir
  Path root;

  private Path proc(String mounts, String groups) throws IOException {
    Path self = Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(self.resolve("mountinfo"), mounts.replace("ROOT", root.toString()));
    Files.writeString(self.resolve("cgroup"), groups);
    return root.resolve("proc");
  }

  private Path group(String path, String controllers) throws IOException {
    Path group = Files.createDirectories(root.resolve(path));
    Files.writeString(group.resolve("cgroup.procs"), "");
    Files.writeString(group.resolve("cgroup.subtree_control"), controllers + "\n");
    return group;
  }

  /** What a kernel does by itself when a group goes. */
  private static void removeFiles(Path group) throws IOException {
    try (Stream<Path> files = Files.list(group)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void ofVersion1ItLiesBelowTheGroupOfThisProcess() throws Exception {
    Path own = Files.createDirectories(root.resolve("cpu/service"));
    Path proc = proc("""
        30 20 0:26 / ROOT/memory rw - cgroup cgroup rw,memory
        31 20 0:27 / ROOT/cpu rw,nosuid - cgroup cgroup rw,cpu,cpuacct
        """, "5:memory:/\n4:cpu,cpuacct:/service\n0::/\n");
    Path group = own.resolve(GROUP);
    try (Quota quota = Quota.open(proc, 1.5)) {
      assertEquals("100000", Files.readString(group.resolve("cpu.cfs_period_us")));
      assertEquals("150000", Files.readString(group.resolve("cpu.cfs_quota_us")));
      assertEquals(group.resolve("cgroup.procs").toString(), quota.prefix().getLast());
      removeFiles(group);
    }
    assertFalse(Files.exists(group));
  }

  @Test
  void aMountThatBeginsAtTheGroupOfAContainerIsTheGroup() throws Exception {
    Path own = Files.createDirectories(root.resolve("cpu"));
    Path proc = proc("31 20 0:27 /docker/1 ROOT/cpu rw - cgroup cgroup rw,cpu\n", "4:cpu:/docker/1\n");
    try (Quota quota = Quota.open(proc, 0.5)) {
      assertEquals(own.resolve(GROUP + "/cgroup.procs").toString(), quota.prefix().getLast());
      assertEquals("50000", Files.readString(own.resolve(GROUP).resolve("cpu.cfs_quota_us")));
      removeFiles(own.resolve(GROUP));
    }
  }

  @Test
  void ofVersion2ItLiesBelowTheNearestGroupThatGivesTheController() throws Exception {
    Path user = group("unified/user", "memory cpu");
    group("unified/user/shell", "");
    Path proc = proc("30 20 0:26 / ROOT/unified rw - cgroup2 cgroup2 rw\n", "0::/user/shell\n");
    try (Quota quota = Quota.open(proc, 1.5)) {
      assertEquals(user.resolve(GROUP + "/cgroup.procs").toString(), quota.prefix().getLast());
      assertEquals("150000 100000", Files.readString(user.resolve(GROUP).resolve("cpu.max")));
      removeFiles(user.resolve(GROUP));
    }
  }

  @Test
  void whatIsMissingIsSaid() throws Exception {
    group("unified/user", "memory");
    Path proc = proc("30 20 0:26 / ROOT/unified rw - cgroup2 cgroup2 rw\n", "0::/user\n");
    String said = assertThrows(BenchException.class, () -> Quota.open(proc, 1.5)).getMessage();
    assertTrue(said.contains("no group from " + root.resolve("unified/user") + " upwards gives the controller cpu"),
        said);
    assertTrue(said.contains("as root has"), said);
    Path none = proc("30 20 0:26 / ROOT/x rw - tmpfs tmpfs rw\n", "0::/\n");
    said = assertThrows(BenchException.class, () -> Quota.open(none, 1.5)).getMessage();
    assertTrue(said.contains("no file system of type cgroup2 is mounted"), said);
  }

  @Test
  void aGroupThatABenchLeftIsRemovedByTheNextOne() throws Exception {
    Path own = Files.createDirectories(root.resolve("cpu"));
    Path left = Files.createDirectory(own.resolve("adrastea-bench-7"));
    Path used = Files.createDirectory(own.resolve("adrastea-bench-8"));
    Path proc = proc("31 20 0:27 / ROOT/cpu rw - cgroup cgroup rw,cpu\n", "4:cpu:/\n");
    Files.createDirectory(proc.resolve("8"));
    try (Quota quota = Quota.open(proc, 1.5)) {
      assertEquals(List.of(false, true), List.of(Files.exists(left), Files.exists(used)));
      assertFalse(quota.prefix().isEmpty());
      removeFiles(own.resolve(GROUP));
    }
  }
}
