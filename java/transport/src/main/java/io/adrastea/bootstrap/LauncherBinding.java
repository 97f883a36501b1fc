package io.adrastea.bootstrap;

import io.adrastea.segment.ProcessIdentity;
import io.adrastea.topology.Cpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether another launcher has bound this process to CPUs. Twin of {@code bootstrap/adr_launcher_binding.h}. */
final class LauncherBinding {
  private static final Path SYS = Path.of("/sys");

  private LauncherBinding() {}

  /** What this thread is bound to, in words; empty: it may run where its launcher may, or that cannot be told. */
  static Optional<String> words(Optional<ProcessIdentity> launcher) {
    Optional<ProcessIdentity.Named> process = launcher.flatMap(found -> ProcessIdentity.lookUp(found.pid()));
    return process.flatMap(found -> words(found, Path.of("/proc", String.valueOf(found.identity().pid()), "status")));
  }

  private static Optional<String> words(ProcessIdentity.Named launcher, Path status) {
    Cpus own = Cpus.ofThread();
    Cpus whole = Files.isReadable(status) ? Cpus.read(status, SYS) : own;
    return whole.equals(own)
        ? Optional.empty()
        : Optional.of("%s (process %d, which has CPUs %s) has bound this process to CPUs %s".formatted(launcher.name(),
            launcher.identity().pid(), whole, own));
  }
}
