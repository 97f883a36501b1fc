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

  private final int first;
  private final List<Path> files;

  private RankFiles(int first, List<Path> files) {
    this.first = first;
    this.files = files;
  }

  /**
   * Makes the files of so many ranks, and the directory when it is missing.
   *
   * @throws CommandFailure when the directory has files of another job, or something cannot be made
   */
  static RankFiles create(Path directory, int ranks) {
    requireUnused(directory);
    return create(directory, ranks, 0, ranks);
  }

  /**
   * Makes the files of the ranks of one host, in a directory that other hosts may see, too.
   *
   * @param size ranks of the job
   * @param first the lowest rank of the host
   * @param count its ranks
   * @throws CommandFailure when a file is there, or something cannot be made
   */
  static RankFiles create(Path directory, int size, int first, int count) {
    try {
      Files.createDirectories(directory);
      int digits = Integer.toString(size - 1).length();
      List<Path> files = new ArrayList<>();
      for (int rank = first; rank < first + count; rank++) {
        files.add(Files.createFile(directory.resolve(("rank-%0" + digits + "d.out").formatted(rank))));
      }
      return new RankFiles(first, files);
    } catch (FileAlreadyExistsException e) {
      throw Files.isDirectory(directory)
          ? used(directory, Path.of(e.getFile())) // another launcher was quicker
          : failure("--output is '%s', and '%s' is no directory; name another".formatted(directory, e.getFile()));
    } catch (IOException e) {
      throw failure("--output is '%s', where no file can be made: %s".formatted(directory, e));
    }
  }

  /**
   * Refuses a directory that has files of another job; one that is not there has none.
   *
   * @throws CommandFailure when there are some
   */
  static void requireUnused(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> before = Files.newDirectoryStream(directory, NAMES)) {
      for (Path file : before) {
        throw used(directory, file);
      }
    } catch (IOException e) {
      throw failure("--output is '%s', which cannot be looked into: %s".formatted(directory, e));
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
    return files.get(rank - first).toFile();
  }
}
