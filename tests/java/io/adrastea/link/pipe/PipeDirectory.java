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

  /**
   * Settings for links of a kind: {@code pipes} alone, {@code mixed} with shared memory, or {@code nodes}, between the
   * ranks of which they are beside shared memory.
   */
  public Map<String, String> settings(String kind) {
    return switch (kind) {
      case "pipes" -> settings("pipes", "");
      case "mixed" -> settings("pipes,shm", PipeLinkProvider.MIXED);
      case "nodes" -> settings("shm,pipes", PipeLinkProvider.NODES);
      default -> throw new IllegalArgumentException("links are 'pipes', 'mixed' or 'nodes', not '" + kind + "'");
    };
  }

  private Map<String, String> settings(String links, String property) {
    return Map.of("adrastea.links", links, PipeLinkProvider.DIRECTORY, path.toString(), PipeLinkProvider.MIXED,
        Boolean.toString(property.equals(PipeLinkProvider.MIXED)), PipeLinkProvider.NODES,
        Boolean.toString(property.equals(PipeLinkProvider.NODES)));
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
