package io.adrastea.library;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the jar as files of the system, for as long as they are needed. */
class ExtractedTest {
  private static final String NAME = System.mapLibraryName("adrastea");

  @TempDir
  Path tmp;
  @TempDir
  Path home;

  private static <T> T in(Path tmp, Path home, Callable<T> action) throws Exception {
    return Settings.with(
        Map.of("java.io.tmpdir", tmp.toString(), "user.home", home.toString()), action);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void givesThePackedFileToItsUserAlone() throws Exception {
    byte[] contents =
        in(
            tmp,
            home,
            () -> Extracted.with(
                NAME,
                file -> {
                  assertEquals(tmp, file.getParent().getParent());
                  assertEquals("rwx------", permissions(file.getParent()));
                  assertEquals("rwx------", permissions(file));
                  return Files.readAllBytes(file);
                }));
    try (InputStream packed = Extracted.class.getResourceAsStream(Extracted.resource(NAME))) {
      assertArrayEquals(packed.readAllBytes(), contents);
    }
  }

  @Test
  void leavesALoadedLibraryUsableAndNothingBehind() throws Exception {
    SymbolLookup library =
        in(
            tmp,
            home,
            () -> Extracted.with(NAME, file -> SymbolLookup.libraryLookup(file, Arena.global())));
    assertTrue(library.find("adr_channel_open").isPresent());
    assertEquals(List.of(), list(tmp));
    assertEquals(List.of(), list(home));
  }

  @Test
  void goesOnToTheHomeDirectoryWhenTheFileCannotBeUsed() throws Exception {
    Path used =
        in(
            tmp,
            home,
            () -> Extracted.with(
                NAME,
                file -> {
                  if (file.startsWith(tmp)) {
                    throw new UnsatisfiedLinkError("noexec");
                  }
                  return file;
                }));
    assertTrue(used.startsWith(home), used::toString);
    assertEquals(List.of(), list(tmp));
    assertEquals(List.of(), list(home));
  }

  @Test
  void goesOnWhenADirectoryIsMissingOrCannotBeWritten() throws Exception {
    Path file = Files.writeString(tmp.resolve("file"), "no directory");
    for (Path unusable : List.of(tmp.resolve("missing"), file, Path.of("/proc"))) {
      Path used = in(unusable, home, () -> Extracted.with(NAME, found -> found));
      assertTrue(used.startsWith(home), used::toString);
    }
  }

  @Test
  void namesEveryDirectoryWhenNoneWillDo() {
    String said =
        assertThrows(
            IOException.class,
            () -> in(
                tmp,
                home,
                () -> Extracted.with(
                    NAME,
                    file -> {
                      throw new IllegalStateException("refused");
                    })))
            .getMessage();
    for (Path directory : List.of(tmp, home, Path.of("").toAbsolutePath())) {
      assertTrue(said.contains(directory + ": refused"), said);
    }
  }

  @Test
  void namesAFileThatTheJarDoesNotHave() {
    String said =
        assertThrows(IOException.class, () -> Extracted.with("nonsense", file -> file))
            .getMessage();
    assertTrue(said.contains("the jar has no " + Extracted.resource("nonsense")), said);
  }

  @Test
  void removesCopiesLeftLongAgoAndNoOthers() throws Exception {
    Path stale = Files.createDirectory(tmp.resolve("adrastea-native-1"));
    Files.writeString(stale.resolve(NAME), "left by a process that died");
    Path recent = Files.createDirectory(tmp.resolve("adrastea-native-2"));
    Path target = Files.createDirectory(home.resolve("kept"));
    Path link = Files.createSymbolicLink(tmp.resolve("adrastea-native-3"), target);
    Path other = Files.createDirectory(tmp.resolve("another"));
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3600));
    for (Path old : List.of(stale, target, other)) {
      Files.setLastModifiedTime(old, longAgo);
    }
    in(tmp, home, () -> Extracted.with(NAME, file -> file));
    assertFalse(Files.exists(stale));
    assertTrue(Files.isDirectory(recent));
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.isDirectory(target));
    assertTrue(Files.isDirectory(other));
  }
}
