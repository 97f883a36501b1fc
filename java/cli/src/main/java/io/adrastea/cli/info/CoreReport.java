package io.adrastea.cli.info;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import io.adrastea.library.NativeLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which cores work here, in the order in which they are tried, and what came of the native library.
 */
final class CoreReport {
  private static final String INDENT = "  ";

  /** What a core without futex, or a core on a kernel without membarrier, cannot do. */
  private static final List<String> NO_WAKING =
      List.of(
          "sleeping until woken, and waking others (all ranks of its job nap, up to 16 ms at a time)",
          "cheap waits (for the first 100 ms naps take some 5 % of a CPU, sleeping less than 1 %)");

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
    String chosen = chosen();
    for (CoreProvider core : Cores.all()) {
      boolean works = core.unavailabilityCause().isEmpty();
      List<String> why = why(core);
      rows.add(List.of(core.name(), works ? core.name().equals(chosen) ? "works, chosen by auto" : "works" : "unusable",
          why.getFirst()));
      why.stream().skip(1).forEach(lack -> rows.add(List.of("", "", lack)));
    }
    return new Section("Cores, in the order of preference", rows);
  }

  /** Empty: auto is refused, and the settings tell why. */
  private static String chosen() {
    try {
      return Cores.choose("auto").name();
    } catch (JoinException e) {
      return "";
    }
  }

  /** How those that work move large messages. */
  static Section spaces() {
    List<List<String>> rows = new ArrayList<>();
    for (CoreProvider core : Cores.all()) {
      if (core.unavailabilityCause().isEmpty()) {
        core.spaces().describe().forEach(line -> addParts(rows, core.name(), line));
      }
    }
    return new Section("Copies and the memory of other processes, core by core (--paths: between two ranks)", rows);
  }

  /** A row for each part of a line, which would be too wide. */
  private static void addParts(List<List<String>> rows, String core, String line) {
    String[] parts = line.split("; ");
    rows.add(List.of(core, parts[0]));
    Stream.of(parts).skip(1).forEach(part -> rows.add(List.of("", INDENT + part)));
  }

  /** One line, or one for each thing that it lacks. */
  private static List<String> why(CoreProvider core) {
    return core.unavailabilityCause()
        .map(cause -> List.of(cause.getMessage() == null ? cause.toString() : cause.getMessage()))
        .orElseGet(() -> lacks(core));
  }

  private static List<String> lacks(CoreProvider core) {
    Stream<String> all =
        core.prepareToWake() ? core.lacks().stream() : Stream.concat(NO_WAKING.stream(), core.lacks().stream());
    List<String> lacks = all.map("lacks "::concat).toList();
    return lacks.isEmpty() ? List.of("lacks nothing") : lacks;
  }
}
