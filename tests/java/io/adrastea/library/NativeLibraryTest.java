package io.adrastea.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places where the native library is looked for, and their order. */
class NativeLibraryTest {
  private static final String NAME = System.mapLibraryName("adrastea");

  @TempDir
  Path directory;
  private Path first;
  private Path second;
  private Path tmp;

  @BeforeEach
  void makePlaces() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    first = Files.createDirectory(directory.resolve("first")).resolve(NAME);
    second = Files.createDirectory(directory.resolve("second")).resolve(NAME);
    tmp = Files.createDirectory(directory.resolve("tmp"));
    Files.writeString(first, "first");
    Files.writeString(second, "second");
    Files.createDirectory(empty.resolve(NAME)); // of the right name, but no file
  }

  /** Loads with these settings; a library that is refused is passed over. Gives the files tried. */
  private List<Path> tried(String named, List<Path> refused) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.library", named);
    settings.put(
        "java.library.path",
        Stream.of(directory.resolve("empty"), Path.of(""), first.getParent(), second.getParent())
            .map(Path::toString)
            .collect(java.util.stream.Collectors.joining(File.pathSeparator)));
    settings.put("java.io.tmpdir", tmp.toString());
    List<Path> files = new ArrayList<>();
    return Settings.with(
        settings,
        () -> NativeLibrary.load(
            file -> {
              files.add(file);
              if (refused.contains(file)) {
                throw new IOException("refused");
              }
              return files;
            }));
  }

  private static SymbolLookup loadForReal() {
    return NativeLibrary.load(file -> SymbolLookup.libraryLookup(file, Arena.global()));
  }

  @Test
  void takesTheNamedFileBeforeAllOthers() throws Exception {
    assertEquals(List.of(second), tried(second.toString(), List.of()));
    assertEquals(List.of("adrastea.library: " + second + ": loaded"), NativeLibrary.report());
  }

  @Test
  void replacesTheNamedFileByNoOther() {
    Path missing = directory.resolve("missing.so");
    Throwable failure =
        assertThrows(
            UnsatisfiedLinkError.class,
            () -> Settings.with(
                Map.of("adrastea.library", missing.toString()),
                NativeLibraryTest::loadForReal));
    assertTrue(failure.getMessage().contains("adrastea.library: " + missing), failure.getMessage());
    assertEquals(1, NativeLibrary.report().size(), "no other place was tried");
  }

  @Test
  void saysWhyTheNamedFileDoesNotLoad() {
    Throwable failure =
        assertThrows(
            UnsatisfiedLinkError.class,
            () -> Settings.with(
                Map.of("adrastea.library", first.toString()), // a text
                NativeLibraryTest::loadForReal));
    assertTrue(failure.getMessage().contains("adrastea.library: " + first), failure.getMessage());
  }

  @Test
  void takesTheLibraryPathInItsOrder() throws Exception {
    assertEquals(List.of(first), tried(null, List.of()));
    assertEquals(List.of("java.library.path: " + first + ": loaded"), NativeLibrary.report());
    assertEquals(List.of(first, second), tried(null, List.of(first)));
    assertEquals(
        List.of(
            "java.library.path: " + first + ": refused",
            "java.library.path: " + second + ": loaded"),
        NativeLibrary.report());
  }

  @Test
  void takesTheJarLast() throws Exception {
    List<Path> files = tried(null, List.of(first, second));
    assertEquals(List.of(first, second), files.subList(0, 2));
    assertEquals(3, files.size());
    assertTrue(files.get(2).startsWith(tmp), files::toString);
    String last = NativeLibrary.report().getLast();
    assertEquals("jar: " + Extracted.resource(NAME) + ": loaded", last);
  }

  @Test
  void namesEveryPlaceWhenNoneHasALibrary() {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.library", null);
    settings.put("java.library.path", first.getParent().toString());
    settings.put("java.io.tmpdir", tmp.toString());
    Extracted.Use<Void> refusing =
        file -> {
          throw new IOException("refused");
        };
    String said =
        assertThrows(
            UnsatisfiedLinkError.class,
            () -> Settings.with(settings, () -> NativeLibrary.load(refusing)))
            .getMessage();
    assertTrue(said.contains("java.library.path: " + first + ": refused"), said);
    assertTrue(said.contains("jar: " + NAME), said);
    assertTrue(said.contains(tmp + ": refused"), said);
  }
}
