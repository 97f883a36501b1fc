package io.adrastea.cli.info;

import io.adrastea.bootstrap.Bootstraps;
import io.adrastea.cli.base.Version;
import io.adrastea.layout.LayoutDump;
import io.adrastea.segment.HugePages;
import io.adrastea.segment.SegmentFile;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This JVM, the system below it, and where segments lie. */
final class Machine {
  private static final double MIB = 1 << 20;
  private static final double HUNDRED = 100;

  private Machine() {}

  static Section section() {
    List<List<String>> rows = new ArrayList<>(List.of(
        List.of("JVM", jvm()),
        List.of("system", system()),
        List.of("CPUs", cpus()),
        List.of("started as", Bootstraps.words())));
    Bootstraps.launcherWords().ifPresent(words -> rows.add(List.of("launcher", words)));
    rows.addAll(List.of(
        List.of("layout", layout()),
        List.of("segments", segments(SegmentFile.directory())),
        List.of("huge pages", hugePages(HugePages.of(SegmentFile.directory())))));
    return new Section("Adrastea " + Version.text(), rows);
  }

  private static String jvm() {
    return "%s (%s) in %s"
        .formatted(Runtime.version(), property("java.vm.name"), property("java.home"));
  }

  private static String system() {
    return "%s %s, %s".formatted(property("os.name"), property("os.version"), property("os.arch"));
  }

  private static String cpus() {
    Cpus cpus = Cpus.ofThread();
    CpuQuota quota = CpuQuota.here();
    return "%d allowed: %s; quota of the control groups: %s"
        .formatted(
            cpus.count(),
            cpus,
            quota.hundredths() == 0 ? "none" : "%.2f CPUs".formatted(quota.hundredths() / HUNDRED));
  }

  private static String layout() {
    return "version %d, CRC-32C 0x%08x".formatted(LayoutDump.VERSION, LayoutDump.CRC);
  }

  static String segments(Path directory) {
    if (!Files.isDirectory(directory)) {
      return directory + " is not a directory; adrastea.shm.dir names another";
    }
    String note = Files.isWritable(directory) ? "" : ", not writable for this user";
    try {
      long bytes = Files.getFileStore(directory).getUsableSpace();
      return "%s, %,.0f MiB free (%d bytes)%s".formatted(directory, bytes / MIB, bytes, note);
    } catch (IOException e) {
      return "%s, free space unknown: %s%s".formatted(directory, e.getMessage(), note);
    }
  }

  static String hugePages(HugePages pages) {
    return pages.bytes() == 0
        ? "not offered to shared allocations: " + pages.why()
        : "of %d KiB for shared allocations: %s".formatted(pages.bytes() >> 10, pages.why());
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
