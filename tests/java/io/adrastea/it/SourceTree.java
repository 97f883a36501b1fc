package io.adrastea.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * A stand-in for a source tree, with the real {@code bin/adrastea} and with a folder of tools that is all its PATH.
 * What is in it is an hour old, so that a build comes out newer.
 */
final class SourceTree {
  private static final String[] TOOLS = {
    "sh",
    "sed",
    "readlink",
    "dirname",
    "find",
    "head",
    "touch",
    "mkdir",
    "rm",
    "cp",
    "cat",
    "date",
    "flock",
    "echo",
    "env"
  };

  private final Path root;
  private final Path tools;

  SourceTree(Path directory) throws IOException {
    root = directory.resolve("a tree");
    tools = Files.createDirectories(directory.resolve("tools"));
    for (String folder : new String[] {"bin", "cmake", "include", "native", "java/transport", "java/cli"}) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.copy(Launch.root().resolve("bin/adrastea"), script(), StandardCopyOption.COPY_ATTRIBUTES);
    write("pom.xml", "<project/>");
    write("native/source.c", "int source;");
    for (String tool : TOOLS) {
      offer(tool);
    }
  }

  Path script() {
    return root.resolve("bin/adrastea");
  }

  Path tools() {
    return tools;
  }

  /** Where the build puts the command line. */
  Path jar() {
    return root.resolve("java/cli/target").resolve(Launch.jar().getFileName());
  }

  /** Makes the tree what it is after a build. */
  SourceTree built() throws IOException {
    Files.createDirectories(jar().getParent());
    Files.copy(Launch.jar(), jar());
    return this;
  }

  /** A source file that is an hour old. */
  void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
    Instant anHourAgo = Instant.now().minus(Duration.ofHours(1));
    Files.setLastModifiedTime(root.resolve(name), FileTime.from(anHourAgo));
  }

  /** A source file that was changed after the build. */
  void edit(String name) throws IOException {
    FileTime built = Files.getLastModifiedTime(jar());
    Files.setLastModifiedTime(root.resolve(name), FileTime.from(built.toInstant().plusSeconds(10)));
  }

  /** Tools for a build: a Maven of these lines of sh, and names of the others. */
  SourceTree buildTools(String maven) throws IOException {
    for (String tool : new String[] {"cmake", "make", "cc"}) {
      program(tools.resolve(tool), "exit 0");
    }
    program(tools.resolve("mvn"), maven);
    return this;
  }

  static void program(Path file, String lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + lines + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void offer(String tool) throws IOException {
    Path target =
        Stream.of(System.getenv("PATH").split(":"))
            .map(folder -> Path.of(folder, tool))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no " + tool + " on PATH"));
    program(tools.resolve(tool), "exec " + target + " \"$@\"");
  }
}
