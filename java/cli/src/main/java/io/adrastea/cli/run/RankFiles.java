package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * A file for the output of each rank, {@code rank-<number>.out}, with as many digits as the largest number has. A
 * directory has those of one job alone: the files of an earlier job are neither overwritten nor mixed with others.
 */
final class RankFiles {
  private static final int CANNOT_CREATE = CommandLine.ExitCode.USAGE;
  private static final String NAMES = "rank-*.out";

  private final List<Path> files;

  private RankFiles(List<Path> files) {
    this.files = files;
  }

  /**
   * Makes the files of so many ranks, and the directory when it is missing.
   *
   * @throws CommandFailure when the directory has files of another job, or something cannot be made
   */
  static RankFiles create(Path directory, int ranks) {
    try {
      Files.createDirectories(directory);
      requireUnused(directory);
      int digits = Integer.toString(ranks - 1).length();
      List<Path> files = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        files.add(Files.createFile(directory.resolve(("rank-%0" + digits + "d.out").formatted(rank))));
      }
      return new RankFiles(files);
    } catch (FileAlreadyExistsException e) {
      throw Files.isDirectory(directory)
          ? used(directory, Path.of(e.getFile())) // another launcher was quicker
          : failure("--output is '%s', and '%s' is no directory; name another".formatted(directory, e.getFile()));
    } catch (IOException e) {
      throw failure("--output is '%s', where no file can be made: %s".formatted(directory, e));
    }
  }

  private static void requireUnused(Path directory) throws IOException {
    try (DirectoryStream<Path> before = Files.newDirectoryStream(directory, NAMES)) {
      for (Path file : before) {
        throw used(directory, file);
      }
    }
  }

  private static CommandFailure used(Path directory, Path file) {
    return failure(
        "--output is '%s', which has '%s' of another job; name another directory, or remove its %s first"
            .formatted(directory, file.getFileName(), NAMES));
  }

  private static CommandFailure failure(String message) {
    return new CommandFailure(CANNOT_CREATE, message);
  }

  /** The file of a rank. */
  File of(int rank) {
    return files.get(rank).toFile();
  }
}
