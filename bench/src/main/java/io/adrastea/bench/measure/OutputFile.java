package io.adrastea.bench.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A file that is opened before the run, so that nobody waits for results which cannot be written. It keeps its old
 * contents until there are new ones; a file made for a run that failed goes away.
 */
public final class OutputFile implements AutoCloseable {
  private final Path path;
  private final boolean existed;
  private final FileChannel channel;
  private boolean written;

  /**
   * @throws IOException when the file cannot be written
   */
  public OutputFile(Path path) throws IOException {
    this.path = path;
    this.existed = Files.exists(path);
    this.channel = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  /** Why a file cannot be opened, in words. */
  public static String reason(Exception e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no such directory";
      case AccessDeniedException denied -> "permission denied";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> e.getMessage();
    };
  }

  /** Replaces the contents. */
  public void write(List<String> lines) throws IOException {
    if (Files.isRegularFile(path)) {
      channel.truncate(0);
    }
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(String.join("\n", lines) + "\n");
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    written = true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!written && !existed) {
      Files.deleteIfExists(path);
    }
  }
}
