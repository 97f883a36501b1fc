package io.adrastea.it;

import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The segment's file of a job that is being joined, looked at from outside.
 *
 * @param path where it is or will be
 */
record JobFile(Path path) {
  private static final int RANK_TABLE = 4096;

  /** Returns the file of this user's job of this id, 16 hex digits. */
  static JobFile of(ShmDirectory shm, String job) {
    return new JobFile(SegmentFile.path(shm.path(), Long.parseUnsignedLong(job, 16), 0));
  }

  /**
   * Waits until {@code rank}, run by {@code child}, has prepared its area; then it waits for the others.
   */
  void awaitAttached(int rank, Child child) throws InterruptedException {
    long state = entry(rank) + RankEntryDescriptor.STATE_OFFSET;
    Deadline.met(() -> read(state) == RankEntryDescriptor.STATE_ATTACHED || !child.isAlive());
    if (!child.isAlive()) {
      throw new AssertionError("rank " + rank + " has ended: " + child.await());
    }
    if (read(state) != RankEntryDescriptor.STATE_ATTACHED) {
      throw new AssertionError("rank " + rank + " has not attached to " + path);
    }
  }

  /**
   * Overwrites a 32-bit field of the header: what a program of another layout would have written.
   */
  void patchHeader(int offset, int value) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(word().putInt(0, value), offset);
    }
  }

  /** Makes a rank one of another PID namespace, whose number is that of another process here, which lives. */
  void moveToOtherNamespace(int rank) throws IOException {
    long namespace = entry(rank) + RankEntryDescriptor.PID_NAMESPACE_OFFSET;
    int before = read(namespace);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(word().putInt(0, before ^ 1), namespace);
      channel.write(word().putInt(0, (int) ProcessHandle.current().pid()),
          entry(rank) + RankEntryDescriptor.PID_OFFSET);
    }
  }

  private static long entry(int rank) {
    return RANK_TABLE + (long) rank * RankEntryDescriptor.BYTES;
  }

  int headerField(int offset) {
    if (offset >= SegmentHeaderDescriptor.BYTES) {
      throw new IllegalArgumentException("not in the header: " + offset);
    }
    return read(offset);
  }

  /** 0 while there is no such word. */
  private int read(long offset) {
    if (!Files.exists(path)) {
      return 0;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer word = word();
      return channel.read(word, offset) == word.capacity() ? word.getInt(0) : 0;
    } catch (java.nio.file.NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteBuffer word() {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
