package io.adrastea.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the figures were taken on. */
record Machine(String cpu, String kernel, String jvm) {
  private static final String UNKNOWN = "unknown";

  /**
   * @param proc the root of /proc
   */
  static Machine describe(Path proc) {
    return new Machine(cpuModel(proc), describeKernel(proc), describeJvm());
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

  private static String describeKernel(Path proc) {
    try {
      return System.getProperty("os.name")
          + " "
          + Files.readString(proc.resolve("sys/kernel/osrelease")).strip();
    } catch (IOException e) {
      return System.getProperty("os.name") + " " + System.getProperty("os.version");
    }
  }

  private static String describeJvm() {
    return System.getProperty("java.vm.name")
        + " "
        + System.getProperty("java.vm.version")
        + ", "
        + String.join(" ", WorkerCommand.JVM_OPTIONS);
  }
}
