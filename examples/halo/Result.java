import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file of the result, opened before the work so that nobody works for nothing. */
final class Result implements AutoCloseable {
  private final Path file;
  private final boolean existed;
  private final FileChannel channel;
  private boolean written;

  Result(String[] args) throws BadInput {
    if (args.length < 2 || args.length > 3) {
      throw new BadInput("needed are a picture, the result's file and, if not 100, the steps");
    }
    try {
      file = Path.of(args[1]);
      existed = Files.exists(file);
      channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    } catch (IOException | InvalidPathException e) {
      String why = e instanceof NoSuchFileException ? "there is no such directory" : e.getMessage();
      throw new BadInput("the result cannot be written to '" + args[1] + "': " + why);
    }
  }

  void write(Picture picture) throws IOException {
    ByteBuffer png = ByteBuffer.wrap(picture.png());
    if (Files.isRegularFile(file)) {
      channel.truncate(0);
    }
    while (png.hasRemaining()) {
      channel.write(png);
    }
    written = true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!written && !existed) {
      Files.deleteIfExists(file);
    }
  }
}
