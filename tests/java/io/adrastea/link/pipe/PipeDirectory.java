package io.adrastea.link.pipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where the sockets of one job lie. */
public record PipeDirectory(Path path) implements AutoCloseable {
  /** A new one, with a short name: a socket's name has room for 100 bytes. */
  public static PipeDirectory create() throws IOException {
    return new PipeDirectory(Files.createTempDirectory(Path.of("/tmp"), "adr"));
  }

  /** Settings for links of a kind: {@code pipes} alone, or {@code mixed} with shared memory. */
  public Map<String, String> settings(String kind) {
    return switch (kind) {
      case "pipes" -> settings("pipes", false);
      case "mixed" -> settings("pipes,shm", true);
      default -> throw new IllegalArgumentException("links are 'pipes' or 'mixed', not '" + kind + "'");
    };
  }

  private Map<String, String> settings(String links, boolean mixed) {
    return Map.of("adrastea.links", links, PipeLinkProvider.DIRECTORY, path.toString(), PipeLinkProvider.MIXED,
        Boolean.toString(mixed));
  }

  @Override
  public void close() throws IOException {
    List<Path> sockets;
    try (Stream<Path> files = Files.list(path)) {
      sockets = files.toList();
    }
    for (Path socket : sockets) {
      Files.deleteIfExists(socket);
    }
    Files.deleteIfExists(path);
  }
}
