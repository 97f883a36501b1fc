package io.adrastea.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** C programs as ranks: those of tests/c/ranks, which the build has made, and where the C library is installed. */
final class CProgram {
  private static final Path BUILDS = Launch.root().resolve("native/target/nar/gnu");

  private CProgram() {}

  /** A program of tests/c/ranks, as {@code of("stress")}. */
  static String of(String name) {
    return only("src/tests/" + name + "_rank").toString();
  }

  /** The native library with the stand-in for XPMEM. */
  static Path xpmemStandIn() {
    return only("src/tests/libadrastea-xpmem-standin.so");
  }

  /** What is preloaded into a rank that tells of its looks at others, see {@link Looks}. */
  static Path looks() {
    return only("src/tests/libadrastea-looks.so");
  }

  /** What {@code cmake --install} has given: include, lib. */
  static Path prefix() {
    return only("target");
  }

  /** One rank of a job that nobody launched. */
  static Launch rank(ShmDirectory shm, String job, int rank, int size, String name, String... words) {
    return Launch.command(of(name))
        .add(words)
        .ofJob(shm, job, rank, size);
  }

  private static Path only(String below) {
    try (Stream<Path> platforms = Files.list(BUILDS)) {
      return platforms
          .map(platform -> platform.resolve(below))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(() -> new AssertionError("the build has made no " + below + " below " + BUILDS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
