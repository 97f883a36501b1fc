package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Placement.Place;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The words that go before a program when it is started: tools of util-linux that change how a process begins and then
 * execute the program.
 */
final class Prefixes {
  private static final String KILLER = "setpriv";
  private static final String KILL_OPTION = "--pdeathsig";
  private static final String BINDER = "taskset";
  private static final int CANNOT_START = 126;

  private Prefixes() {}

  /**
   * Has the kernel end a program when the thread that started it ends, even by {@code kill -9} of this process
   * (PR_SET_PDEATHSIG). Ranks that use the library watch their launcher themselves; this covers the time before they
   * join, and any other program.
   *
   * @return none where setpriv is missing or lacks the option
   */
  static List<String> ofDeathSignal() {
    return hasDeathSignal() ? List.of(KILLER, KILL_OPTION, "KILL", "--") : List.of();
  }

  private static boolean hasDeathSignal() {
    try {
      Process help = new ProcessBuilder(KILLER, "--help").redirectErrorStream(true).start();
      help.getOutputStream().close();
      byte[] text = help.getInputStream().readAllBytes();
      return new String(text, StandardCharsets.UTF_8).contains(KILL_OPTION);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Binds a process from its first instruction on, with all its threads. A JVM that gets one CPU is the exception: its
   * threads that compile and collect garbage would take turns with the rank, which spins. There the joining thread
   * binds itself ({@code adrastea.bind}), as it does in any other rank too.
   *
   * @throws CommandFailure when taskset is missing and joining would not bind the process
   */
  static List<String> ofBinding(Place place, boolean java) {
    boolean itself = place.binding() == Binding.cpu;
    if (place.binding() == Binding.none || (itself && (java || !Binder.FOUND))) {
      return List.of();
    }
    if (!Binder.FOUND) {
      throw new CommandFailure(
          CANNOT_START,
          "--bind %s needs the program %s (util-linux), which is not on PATH; install it, or choose --bind cpu or none"
              .formatted(place.binding(), BINDER));
    }
    return List.of(BINDER, "-c", place.cpus().toString());
  }

  /** Looks for taskset once, when it is needed. */
  private static final class Binder {
    static final boolean FOUND = look();

    private static boolean look() {
      try {
        new ProcessBuilder(BINDER, "-V").redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
