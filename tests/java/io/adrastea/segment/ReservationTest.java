package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a file that others use: reserved without a change, and cleared without one more. */
@Timeout(240)
class ReservationTest {
  private static final int PAGE = 4096;
  private static final int PAGES = 40; // more than are read at once
  private static final int ROUNDS = 200;

  @TempDir
  Path directory;
  private Path path;
  private FileChannel channel;

  @BeforeEach
  void open() throws IOException {
    path = directory.resolve("file");
    channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
  }

  private void write(long offset, int value) throws IOException {
    assertEquals(1, channel.write(ByteBuffer.allocate(1).put((byte) value).flip(), offset));
  }

  private int read(long offset) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(1);
    assertEquals(1, channel.read(found, offset));
    return found.get(0);
  }

  /** The file is cut, which takes its pages as another process can take the last ones of a full file system. */
  @Test
  void aPageThatCannotBeHadIsTheExceptionOfAFullFileSystem() throws IOException {
    write(4 * PAGE - 1, 1);
    MemorySegment memory = channel.map(MapMode.READ_WRITE, 0, 4 * PAGE, Arena.ofAuto());
    Reservation.complete(path, memory, "make room");
    channel.truncate(2 * PAGE);
    for (int i = 0; i < ROUNDS; i++) {
      String said =
          assertThrows(SegmentException.class, () -> Reservation.complete(path, memory, "make room")).getMessage();
      assertTrue(said.contains("16,384 bytes needed") && said.endsWith("make room (a page could not be had)"), said);
    }
    Reservation.complete(path, memory.asSlice(0, 2 * PAGE), "make room");
  }

  @Test
  void allThatIsNotZeroIsCleared() throws IOException {
    int[] used = {0, 1, 2, 15, 16, 17, 33, 38, 39};
    for (int page : used) {
      write((long) page * PAGE, 1);
      write(((long) page + 1) * PAGE - 1, 2);
    }
    write((long) PAGES * PAGE - 1, 3);
    Reservation.clear(channel, PAGE, 38L * PAGE);
    assertEquals(1, read(0));
    assertEquals(2, read(PAGE - 1));
    assertEquals(1, read(39L * PAGE));
    assertEquals(3, read(40L * PAGE - 1));
    ByteBuffer found = ByteBuffer.allocate(38 * PAGE);
    assertEquals(38 * PAGE, channel.read(found, PAGE));
    assertEquals(-1, found.flip().mismatch(ByteBuffer.allocate(38 * PAGE)), "first byte that is not 0");
  }

  @Test
  void noPageIsAddedByClearing() throws Exception {
    write((long) PAGES * PAGE - 1, 1);
    write(7L * PAGE, 1);
    channel.force(true); // a file system on a disk tells then what the file takes
    long before = blocks();
    Reservation.clear(channel, 0, (PAGES + 10L) * PAGE);
    channel.force(true);
    assertEquals(before, blocks());
    assertEquals((long) PAGES * PAGE, Files.size(path), "it ends where it did");
    assertEquals(0, read((long) PAGES * PAGE - 1));
  }

  private long blocks() throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", path.toString()).start();
    return Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip());
  }
}
