package io.adrastea.style;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The files of the project, without what was built or downloaded. */
final class Sources {
  static final Path ROOT = Path.of(System.getProperty("adrastea.root"));

  /** Folders that hold what was built or downloaded. */
  private static final Set<String> PASSED_OVER = Set.of("target", "build", ".git", ".m2");

  private Sources() {}

  /** Returns the files in a folder, or below it, whose names are such. */
  static List<Path> below(Path folder, Pattern names) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path inside, BasicFileAttributes attributes) {
        String name = inside.getFileName().toString();
        return !inside.equals(folder) && (PASSED_OVER.contains(name) || name.startsWith("target-"))
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile() && names.matcher(file.getFileName().toString()).matches()) {
          files.add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    return files;
  }
}
