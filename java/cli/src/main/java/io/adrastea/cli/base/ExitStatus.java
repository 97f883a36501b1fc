package io.adrastea.cli.base;

import java.util.Map;

/**
 * How a process ended, as its parent sees it.
 *
 * @param code the exit code, or 128 + the number of the signal that ended it
 */
public record ExitStatus(int code) {
  private static final int SIGNAL_BASE = 128;
  private static final Map<Integer, String> SIGNALS =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"),
          Map.entry(31, "SIGSYS"));

  /** Whether it ended well. */
  public boolean ok() {
    return code == 0;
  }

  /** Whether a signal ended it. */
  public boolean isSignal() {
    return SIGNALS.containsKey(code - SIGNAL_BASE);
  }

  /** A predicate: {@code exited with code 3} or {@code was killed by signal 9 (SIGKILL)}. */
  @Override
  public String toString() {
    int signal = code - SIGNAL_BASE;
    return isSignal()
        ? "was killed by signal %d (%s)".formatted(signal, SIGNALS.get(signal))
        : "exited with code " + code;
  }
}
