package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.RankEntryDescriptor.DOORBELL_ACTIVE_OFFSET;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.core.CorePair.Ranks;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;

/** A job of three ranks with fastboxes of which none is open yet, and the words in which their tests speak. */
abstract class CoreBoxContract extends CoreContract {
  /** Bytes of a ring, and the longest message in it: shorter than a cell. */
  static final int RING = 4096;

  static final int LIMIT = 200;
  static final int THRESHOLD = 3;

  Segment segment;
  MemorySegment memory;
  Geometry geometry;

  @Override
  @BeforeEach
  void open() {
    open(new BoxSettings(RING / 64, LIMIT, THRESHOLD, 0));
  }

  void open(BoxSettings boxes) {
    geometry = new Geometry(RANKS, CELLS, PAYLOAD, boxes);
    segment = GivenSegment.formatted(directory, geometry);
    memory = segment.memory();
    Core[] cores = new Core[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      cores[rank] = (rank % 2 == 0 ? pair.even() : pair.odd()).open(segment, rank);
    }
    ranks = new Ranks(segment, cores);
  }

  /** Makes the fastbox from one rank to another, and lets the sender find it. */
  void connect(int from, int to) {
    segment.reserveBox(to, from);
    assertEquals(0, core(to).openBox(from));
    assertEquals(0, send(from, to, 0, ""));
    assertTakes(to, "");
  }

  /** Offset of the ring of the fastbox from one rank to another. */
  long ring(int from, int to) {
    return geometry.boxRingOffset(to, from);
  }

  /** The bitmap of a rank's active fastboxes. */
  long marks(int rank) {
    return Words.loadLong(memory, geometry.rankEntryOffset(rank) + DOORBELL_ACTIVE_OFFSET);
  }

  void setMarks(int rank, long bits) {
    Words.storeLong(memory, geometry.rankEntryOffset(rank) + DOORBELL_ACTIVE_OFFSET, bits);
  }

  int sendBytes(int from, int to, long match, byte[] message) {
    return core(from)
        .trySend(to, KIND_FIRST, match, message.length, MemorySegment.ofArray(message), 0, message.length);
  }

  /** Polls for a whole message from {@code source} and takes it. */
  void assertTakesBytes(int rank, int source, byte[] expected) {
    assertPolls(rank);
    assertEquals(source, in.source());
    byte[] taken = new byte[in.length()];
    assertEquals(0, core(rank).take(MemorySegment.ofArray(taken), 0, taken.length));
    assertArrayEquals(expected, taken);
  }

  /** Bytes that differ from message to message. */
  static byte[] message(int number, int length) {
    byte[] bytes = pattern(length);
    if (length > 0) {
      bytes[length / 2] = (byte) number;
    }
    return bytes;
  }

  static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
