package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.comm.Placement;
import io.adrastea.core.Cores;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * The bytes of a typed message are copied once at each end, straight between the elements and the memory that both
 * ranks share: never to or from a buffer in between, but for a message that came before anybody asked for it.
 */
@EverySharedCoreList
class TypedCopiesTest {
  private static final int GO = 1;
  private static final int TAG = 2;
  private static final int[] BYTES = {16, 64, 1000, Ranks.CELL_BYTES, 3 * Ranks.CELL_BYTES + 8, 200_000};

  @Parameter
  String cores;

  /** Counts the bytes that are packed and unpacked, by the memory that they go to and come from. */
  private static final class Counted implements Payload {
    private final Payload payload;
    private long packed; // into shared memory
    private long unpacked; // out of it
    private long beside; // to and from other memory
    private long most; // in one call

    Counted(Payload payload) {
      this.payload = payload;
    }

    private void count(MemorySegment memory, long at, long bytes, boolean pack) {
      long address = memory.address() + at;
      boolean inside = memory.isNative()
          && sharedMemory().stream().anyMatch(range -> range[0] <= address && address + bytes <= range[1]);
      if (!inside) {
        beside += bytes;
      } else if (pack) {
        packed += bytes;
      } else {
        unpacked += bytes;
      }
      most = Math.max(most, bytes);
    }

    @Override
    public long bytes() {
      return payload.bytes();
    }

    @Override
    public int memories() {
      return payload.memories();
    }

    @Override
    public MemorySegment memory(int index) {
      return payload.memory(index);
    }

    @Override
    public void seek(Cursor cursor, long position) {
      payload.seek(cursor, position);
    }

    @Override
    public void stretch(Cursor cursor, Stretch to) {
      payload.stretch(cursor, to);
    }

    @Override
    public void pack(Cursor cursor, MemorySegment to, long at, long bytes) {
      count(to, at, bytes, true);
      payload.pack(cursor, to, at, bytes);
    }

    @Override
    public void unpack(Cursor cursor, MemorySegment from, long at, long bytes) {
      count(from, at, bytes, false);
      payload.unpack(cursor, from, at, bytes);
    }

    @Override
    public void retain() {
      payload.retain();
    }

    @Override
    public void release() {
      payload.release();
    }
  }

  /** Where the segments of jobs are mapped; they grow, so it is looked up for each copy. */
  private static List<long[]> sharedMemory() {
    try {
      return Files.readAllLines(Path.of("/proc/self/maps")).stream()
          .filter(line -> line.contains("rw-s"))
          .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
          .map(ends -> new long[] {Long.parseUnsignedLong(ends[0], 16), Long.parseUnsignedLong(ends[1], 16)})
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The elements of a message in an array or in native memory, and what moves them for this rank. */
  private record End(MemorySegment memory, Counted payload, Data data) {
    static End of(Communicator world, String cores, boolean onHeap, int bytes) {
      Datatype type = Datatype.hvector(bytes / 8, 1, 24, Datatype.LONG);
      MemorySegment memory =
          onHeap ? MemorySegment.ofArray(new long[3 * bytes / 8]) : Arena.ofAuto().allocate(3L * bytes, 8);
      String[] names = cores.split(",");
      Counted payload = new Counted(Data.of(memory, 0, 1, type).placement()
          .payload(Cores.choose(names[world.rank() % names.length]).spaces()));
      return new End(memory, payload, new Data(type, new Placement(payload, type.map())));
    }
  }

  private void exchange(LongMessages way, boolean onHeap, boolean unexpected) throws Exception {
    // a large message that could be read in place needs no copy at one of its ends: here both are to copy
    Settings.with(Map.of("adrastea.lmt", "ring"), () -> {
      way.run(cores, 2, job -> {
        Communicator world = Ranks.world(job);
        for (int bytes : BYTES) {
          exchange(world, End.of(world, cores, onHeap, bytes), bytes, unexpected, way);
        }
      });
      return null;
    });
  }

  private static void exchange(Communicator world, End end, int bytes, boolean unexpected, LongMessages way) {
    Data word = Data.of(new byte[1]);
    Counted counted = end.payload;
    boolean aside = unexpected && (way == LongMessages.IN_PIECES || bytes <= Ranks.CELL_BYTES);
    if (world.rank() == 0) {
      if (!unexpected) {
        world.recv(word, 1, GO);
      }
      Request request = world.isend(end.data, 1, TAG);
      world.send(word, 1, GO);
      request.await();
      assertArrayEquals(new long[] {bytes, 0, 0}, new long[] {counted.packed, counted.unpacked, counted.beside},
          "sent " + bytes);
    } else {
      Request request = null;
      if (!unexpected) {
        request = world.irecv(end.data, 0, TAG);
        world.send(word, 0, GO);
      }
      world.recv(word, 0, GO);
      Status status = unexpected ? world.recv(end.data, 0, TAG) : request.await();
      assertEquals(bytes, status.bytes());
      assertArrayEquals(aside ? new long[] {0, 0, bytes} : new long[] {0, bytes, 0},
          new long[] {counted.packed, counted.unpacked, counted.beside}, "received " + bytes);
    }
    assertTrue(counted.most <= 1 << 16, "at once: " + counted.most);
    world.barrier();
  }

  private static void exchangeInBlockingCalls(Communicator world, End end, int bytes) {
    Data word = Data.of(new byte[1]);
    Counted counted = end.payload;
    if (world.rank() == 0) {
      world.recv(word, 1, GO);
      world.send(end.data, 1, TAG);
      assertArrayEquals(new long[] {bytes, 0, 0}, new long[] {counted.packed, counted.unpacked, counted.beside},
          "sent " + bytes);
    } else {
      world.send(word, 0, GO);
      assertEquals(bytes, world.recv(end.data, 0, TAG).bytes());
      assertArrayEquals(new long[] {0, bytes, 0}, new long[] {counted.packed, counted.unpacked, counted.beside},
          "received " + bytes);
    }
    world.barrier();
  }

  @Test
  void areOneAtEachEndOfBlockingCalls() throws Exception {
    Settings.with(Map.of("adrastea.lmt", "ring"), () -> {
      Ranks.run(cores, 2, job -> {
        Communicator world = Ranks.world(job);
        for (int bytes : BYTES) {
          exchangeInBlockingCalls(world, End.of(world, cores, false, bytes), bytes);
          exchangeInBlockingCalls(world, End.of(world, cores, true, bytes), bytes);
        }
      });
      return null;
    });
  }

  @Test
  void areOneAtEachEnd() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      exchange(way, false, false);
      exchange(way, true, false);
    }
  }

  @Test
  void areThoseOfAnUnexpectedMessageFromWhereItWasPutAside() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      exchange(way, false, true);
    }
  }
}
