package io.adrastea.cli.info;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.library.NativeLibrary;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cores work here, in the order in which they are tried, and what came of the native library.
 */
final class CoreReport {
  private CoreReport() {}

  static Section library() {
    Cores.all()
        .forEach(CoreProvider::unavailabilityCause); // those that need the library look for it now
    List<List<String>> rows = new ArrayList<>();
    for (String place : NativeLibrary.report()) {
      rows.add(List.of(place));
    }
    if (rows.isEmpty()) {
      rows.add(List.of("no core needs it"));
    }
    return new Section("Native library, place by place", rows);
  }

  static Section cores() {
    List<List<String>> rows = new ArrayList<>();
    boolean first = true;
    for (CoreProvider core : Cores.all()) {
      boolean works = core.unavailabilityCause().isEmpty();
      rows.add(
          List.of(
              core.name(),
              works ? first ? "works, chosen by auto" : "works" : "unusable",
              why(core)));
      first &= !works;
    }
    return new Section("Cores, in the order of preference", rows);
  }

  /** How those that work move large messages. */
  static Section spaces() {
    List<List<String>> rows = new ArrayList<>();
    for (CoreProvider core : Cores.all()) {
      if (core.unavailabilityCause().isEmpty()) {
        core.spaces().describe().forEach(line -> rows.add(List.of(core.name(), line)));
      }
    }
    return new Section("Copies and the memory of other processes, core by core (--paths: between two ranks)", rows);
  }

  private static String why(CoreProvider core) {
    return core.unavailabilityCause()
        .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage())
        .orElseGet(
            () ->
                core.lacks().isEmpty()
                    ? "lacks nothing"
                    : "lacks " + String.join(", ", core.lacks()));
  }
}
