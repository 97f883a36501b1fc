package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Placement.Place;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/**
 * Binds a process from its first instruction on, with all its threads (util-linux' taskset). A JVM that gets one CPU is
 * the exception: its threads that compile and collect garbage would take turns with the rank, which spins. There the
 * joining thread binds itself ({@code
 * adrastea.bind}), as it does in any other rank too.
 */
final class ProcessBinding {
  private static final String TOOL = "taskset";
  private static final int CANNOT_START = 126;

  private ProcessBinding() {}

  /**
   * The words that go before a program.
   *
   * @throws CommandFailure when the tool is missing and joining would not bind the process
   */
  static List<String> prefix(Place place, boolean java) {
    boolean itself = place.binding() == Binding.cpu;
    if (place.binding() == Binding.none || (itself && (java || !Tool.FOUND))) {
      return List.of();
    }
    if (!Tool.FOUND) {
      throw new CommandFailure(
          CANNOT_START,
          "--bind %s needs the program %s (util-linux), which is not on PATH; install it, or choose --bind cpu or none"
              .formatted(place.binding(), TOOL));
    }
    return List.of(TOOL, "-c", place.cpus().toString());
  }

  /** Looked for once, when it is needed. */
  private static final class Tool {
    static final boolean FOUND = look();

    private static boolean look() {
      try {
        new ProcessBuilder(TOOL, "-V").redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
