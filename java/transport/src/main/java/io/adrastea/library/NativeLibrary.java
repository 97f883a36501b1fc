package io.adrastea.library;

import io.adrastea.config.Tunable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the native library comes from: the file named by {@code adrastea.library}, or {@code java.library.path}, or the
 * jar. Each place tried, and what came of it, is kept for {@code adrastea info}.
 */
public final class NativeLibrary {
  private static final String NAME = System.mapLibraryName("adrastea");
  private static final List<String> REPORT = new ArrayList<>();

  private NativeLibrary() {}

  /**
   * Loads the library.
   *
   * @param loader loads one file; what it throws means that this file cannot be used
   * @throws UnsatisfiedLinkError when no place has a library that loads; the message names them all
   */
  public static synchronized <T> T load(Extracted.Use<T> loader) {
    REPORT.clear();
    if (Tunable.LIBRARY.isSet()) {
      return named(Path.of(Tunable.LIBRARY.value()), loader);
    }
    for (Path file : onLibraryPath()) {
      try {
        return found("java.library.path: " + file, loader.with(file));
      } catch (Exception | LinkageError e) {
        failed("java.library.path: " + file, e);
      }
    }
    REPORT.add("java.library.path: no usable " + NAME + " in " + System.getProperty("java.library.path"));
    return fromJar(loader);
  }

  /** A library that was asked for by name is not silently replaced by another. */
  private static <T> T named(Path file, Extracted.Use<T> loader) {
    try {
      return found("adrastea.library: " + file, loader.with(file));
    } catch (Exception | LinkageError e) {
      failed("adrastea.library: " + file, e);
      throw new UnsatisfiedLinkError(String.join("; ", REPORT));
    }
  }

  private static <T> T fromJar(Extracted.Use<T> loader) {
    try {
      return found("jar: " + Extracted.resource(NAME), Extracted.with(NAME, loader));
    } catch (IOException e) {
      failed("jar", e);
      throw new UnsatisfiedLinkError(String.join("; ", REPORT));
    }
  }

  private static List<Path> onLibraryPath() {
    return Stream.of(System.getProperty("java.library.path", "").split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, NAME))
        .filter(Files::isRegularFile)
        .toList();
  }

  private static <T> T found(String place, T library) {
    REPORT.add(place + ": loaded");
    return library;
  }

  private static void failed(String place, Throwable cause) {
    REPORT.add(place + ": " + (cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage()));
  }

  /** The places tried so far, in order, each with what came of it. */
  public static synchronized List<String> report() {
    return List.copyOf(REPORT);
  }
}
