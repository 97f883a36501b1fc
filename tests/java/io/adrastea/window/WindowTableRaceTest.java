package io.adrastea.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member changes its stretches while others read them: what they take for one version is that of one version. */
@Tag("loops")
class WindowTableRaceTest {
  private static final int VERSIONS = 200_000;
  private static final int MOST = 20; // stretches
  private static final int ROOM = MOST + 1;

  private final MemorySegment head = Arena.ofAuto().allocate(WindowTable.HEAD_BYTES, 128);
  private final MemorySegment[] lists = {list(), list()};

  private static MemorySegment list() {
    return Arena.ofAuto().allocate(WindowTable.listBytes(ROOM), 128);
  }

  private static int count(long version) {
    return (int) (version * 7 % MOST);
  }

  private Void write() {
    for (long version = 1; version <= VERSIONS; version++) {
      long[] words = new long[count(version) * WindowTable.WORDS];
      Arrays.fill(words, version);
      int which = (int) (version & 1);
      WindowTable.publish(head, lists[which], version, ROOM + version, words);
    }
    return null;
  }

  /** Reads until the last version has come; counts what was whole, and what was not. */
  private long[] read() {
    long whole = 0;
    long torn = 0;
    long version = 0;
    while (version < VERSIONS) {
      version = WindowTable.version(head);
      long place = WindowTable.place(head, version);
      long room = WindowTable.room(head, version);
      long count = WindowTable.count(head, version);
      long[] words = new long[(int) Math.min(count, MOST) * WindowTable.WORDS];
      WindowTable.read(lists[(int) (version & 1)], words);
      if (version == 0 || WindowTable.version(head) != version) {
        torn++;
        continue;
      }
      assertEquals(version, place);
      assertEquals(ROOM + version, room);
      assertEquals(count(version), count);
      for (long word : words) {
        assertEquals(version, word);
      }
      whole++;
    }
    return new long[] {whole, torn};
  }

  @Test
  void whatIsReadIsOfOneVersion() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Callable<long[]> reader = this::read;
      Future<long[]> first = threads.submit(reader);
      Future<long[]> second = threads.submit(reader);
      Future<Void> writer = threads.submit(this::write);
      writer.get();
      assertTrue(first.get()[0] > 0);
      assertTrue(second.get()[0] > 0);
    }
  }

  @Test
  void aTableBeginsWithoutStretches() {
    assertEquals(0, WindowTable.version(head));
    assertEquals(0, WindowTable.count(head, 0));
    WindowTable.publish(head, lists[1], 256, ROOM, 1, 2, 3, 4, 5);
    assertEquals(1, WindowTable.version(head));
    assertEquals(1, WindowTable.count(head, 1));
    assertEquals(0, WindowTable.count(head, 0));
    long[] words = new long[WindowTable.WORDS];
    WindowTable.read(lists[1], words);
    assertEquals(4, words[WindowTable.SEGMENT]);
    assertEquals(5, words[WindowTable.NUMBER]);
  }
}
