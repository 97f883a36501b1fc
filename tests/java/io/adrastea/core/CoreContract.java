package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.core.CorePair.Ranks;
import io.adrastea.link.Inbound;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * A job of three ranks whose cores are those of a {@link CorePair}, and the words in which the contract tests speak.
 */
abstract class CoreContract {
  static final int RANKS = 3;
  static final int CELLS = 16;
  static final int PAYLOAD = 256;

  @Parameter
  CorePair pair;
  @TempDir
  Path directory;
  Ranks ranks;
  final Inbound in = new Inbound();

  @BeforeEach
  void open() {
    ranks = pair.open(directory, RANKS, CELLS, PAYLOAD);
  }

  @AfterEach
  void close() {
    ranks.close();
  }

  Core core(int rank) {
    return ranks.core(rank);
  }

  static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * i + 7);
    }
    return bytes;
  }

  int send(int from, int to, long match, String text) {
    return core(from).trySend(to, KIND_FIRST, match, text.length(), bytes(text), 0, text.length());
  }

  void assertPolls(int rank) {
    assertEquals(Core.PIECE, core(rank).poll(-1, in));
  }

  void assertNothing(int rank, String why) {
    assertEquals(Core.AGAIN, core(rank).poll(-1, in), why);
  }

  void assertNothing(int rank) {
    assertNothing(rank, "nothing is left");
  }

  void assertTakes(int rank, String expected) {
    assertPolls(rank);
    assertEquals(expected.length(), in.length());
    byte[] taken = new byte[in.length()];
    assertEquals(0, core(rank).take(MemorySegment.ofArray(taken), 0, taken.length));
    assertEquals(expected, new String(taken, StandardCharsets.US_ASCII));
  }

  void assertReceives(int rank, long match, int source, String expected) {
    byte[] received = new byte[PAYLOAD];
    int length = core(rank).receive(match, -1, source, MemorySegment.ofArray(received), 0, PAYLOAD, 3, in);
    assertEquals(expected.length(), length);
    assertEquals(expected, new String(received, 0, length, StandardCharsets.US_ASCII));
  }

  int receiveNothing(int rank, long match, long mask, int source, int capacity) {
    byte[] untouched = new byte[PAYLOAD];
    int status = core(rank).receive(match, mask, source, MemorySegment.ofArray(untouched), 0, capacity, 3, in);
    assertArrayEquals(new byte[PAYLOAD], untouched);
    return status;
  }
}
