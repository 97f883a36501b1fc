package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Memory of two ranks, apart from the job's segment: a file without a name from the moment on that both have it mapped.
 * It grows when asked for more; both ranks ask for the same.
 */
final class SharedBuffer {
  private static final int TAG = 8;
  private static final int PAGE = 4096;
  private static final int MAX_PATH = 4096;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean creator;
  private MemorySegment memory = Arena.global().allocate(8).asSlice(0, 0);

  SharedBuffer(Side side) {
    this.world = side.world();
    this.peer = side.peer();
    this.creator = side.lower();
  }

  /** A segment of exactly {@code bytes}. */
  MemorySegment take(int bytes) {
    try {
      if (memory.byteSize() < bytes) {
        memory = creator ? create((bytes + PAGE - 1L) / PAGE * PAGE) : attach();
      }
      return memory.asSlice(0, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("no shared buffer of " + bytes + " bytes", e);
    }
  }

  private MemorySegment create(long bytes) throws IOException {
    Path file = Files.createTempFile(SegmentFile.directory(), "adrastea-copy-", null);
    try {
      reserve(file, bytes);
      MemorySegment mapped = map(file);
      byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
      world.send(Data.of(path), peer, TAG);
      world.recv(NOTHING, peer, TAG);
      return mapped;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Writes it in full: a file system without room says so here, not at the first access. */
  private static void reserve(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += PAGE) {
        channel.write(ByteBuffer.allocate(PAGE));
      }
    }
  }

  private MemorySegment attach() throws IOException {
    byte[] path = new byte[MAX_PATH];
    int length = (int) world.recv(Data.of(path), peer, TAG).bytes();
    Path file = Path.of(new String(Arrays.copyOf(path, length), StandardCharsets.UTF_8));
    MemorySegment mapped = map(file);
    world.send(NOTHING, peer, TAG);
    return mapped;
  }

  private static MemorySegment map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), Arena.ofAuto());
    }
  }
}
