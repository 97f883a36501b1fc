package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.base.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of {@code --output}: their names, and which directories are refused. */
class RankFilesTest {
  @TempDir
  Path directory;

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void checkRefused(Path folder, String said) {
    CommandFailure refused = assertThrows(CommandFailure.class, () -> RankFiles.create(folder, 2));
    assertEquals(2, refused.exitCode());
    assertTrue(refused.getMessage().contains(said), refused.getMessage());
  }

  @Test
  void numbersHaveAsManyDigitsAsTheLargest() throws IOException {
    Path folder = directory.resolve("a/b"); // is made
    RankFiles files = RankFiles.create(folder, 11);
    assertEquals(11, names(folder).size());
    assertEquals(folder.resolve("rank-02.out").toFile(), files.of(2));
    assertEquals(folder.resolve("rank-10.out").toFile(), files.of(10));
    RankFiles.create(directory.resolve("c"), 10);
    assertEquals("rank-9.out", names(directory.resolve("c")).getLast());
  }

  @Test
  void filesOfAnotherJobAreNeitherOverwrittenNorMixedWithOthers() throws IOException {
    Files.writeString(directory.resolve("rank-007.out"), "kept");
    checkRefused(directory,
        "which has 'rank-007.out' of another job; name another directory, or remove its rank-*.out");
    assertEquals(List.of("rank-007.out"), names(directory));
    assertEquals("kept", Files.readString(directory.resolve("rank-007.out")));
  }

  @Test
  void otherFilesOfTheDirectoryDoNotMatter() throws IOException {
    Files.writeString(directory.resolve("notes"), "text");
    RankFiles.create(directory, 1);
    assertEquals(List.of("notes", "rank-0.out"), names(directory));
  }

  @Test
  void whatIsNoDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "text");
    checkRefused(file, "is no directory; name another");
    checkRefused(file.resolve("below"), "where no file can be made");
    assertEquals("text", Files.readString(file));
  }
}
