package io.adrastea.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts the looks of a process at other ranks of its job, whether they live, by {@code tests/c/looks_library.c}, which
 * is preloaded: so a test waits until a rank was looked at, and not for a while in which it should have been.
 */
final class Looks {
  private static final String FILE = "ADRASTEA_TEST_LOOKS";

  private final Path file;

  private Looks(Path file) {
    this.file = file;
  }

  /**
   * Has the process that is to be launched write its looks down.
   *
   * @param directory a temporary one
   */
  static Looks of(Launch launch, Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "looks", null);
    launch.variable("LD_PRELOAD", CProgram.looks()).variable(FILE, file);
    return new Looks(file);
  }

  /**
   * Waits until it has looked at {@code rank} twice more. A rank that is taken for dead is not looked at again: so the
   * first of the two, too, has found it alive.
   *
   * @param child the process that looks
   */
  void awaitTwoMore(int rank, Child child) throws InterruptedException {
    long enough = count(rank) + 3; // one that has begun before may yet be written down
    Deadline.met(() -> count(rank) >= enough || !child.isAlive());
    if (count(rank) < enough) {
      throw new AssertionError("it has not looked at rank %d again; %s".formatted(rank, child));
    }
  }

  private long count(int rank) {
    return count(file, rank);
  }

  /** How often this process, launched so, has looked at {@code rank}. */
  static long ofThis(int rank) {
    return count(Path.of(System.getenv(FILE)), rank);
  }

  private static long count(Path file, int rank) {
    try {
      long count = 0;
      for (byte look : Files.readAllBytes(file)) {
        count += look == rank ? 1 : 0;
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
