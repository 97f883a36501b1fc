package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs that a test uses where they are installed. */
final class Programs {
  private Programs() {}

  /** Skips the test when a program is not there, and says which package of Debian brings it. */
  static void require(String program, String debianPackage) {
    boolean there =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(there, program + " is missing; apt-get install " + debianPackage);
  }
}
