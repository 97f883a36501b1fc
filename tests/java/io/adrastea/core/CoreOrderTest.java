package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.link.Inbound;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Pieces of one source come in the order of their sends, whichever way they take. */
@EveryCorePairOnBothWays
class CoreOrderTest extends CoreContract {
  @Test
  void piecesOfOneSourceStayInOrder() {
    for (int round = 0; round < 50; round++) {
      send(0, 1, 1, "a");
      send(0, 1, 1, "bb");
      send(0, 1, 1, "ccc");
      assertTakes(1, "a");
      assertTakes(1, "bb");
      assertTakes(1, "ccc");
    }
  }

  @Test
  void smallAndLargeMessagesOfOneSourceStayInOrder() {
    String large = "l".repeat(CorePair.BOX_BYTES + 1);
    for (int round = 0; round < 50; round++) {
      send(0, 1, 1, large);
      send(0, 1, 1, "small");
      send(0, 1, 1, large + large);
      send(0, 1, 1, "s");
      assertTakes(1, large);
      assertTakes(1, "small");
      assertTakes(1, large + large);
      assertTakes(1, "s");
    }
  }

  @Test
  void aLongMessageGoesInPieces() {
    byte[] message = pattern(2 * PAYLOAD + 10);
    MemorySegment source = MemorySegment.ofArray(message);
    int sent = 0;
    while (sent < message.length) {
      int left = message.length - sent;
      int taken = core(0).trySend(1, sent == 0 ? KIND_FIRST : KIND_NEXT, 5, message.length, source, sent, left);
      assertEquals(Math.min(left, PAYLOAD), taken);
      sent += taken;
    }
    byte[] copy = new byte[message.length];
    for (int at = 0, piece = 0; at < copy.length; piece++) {
      assertPolls(1);
      assertEquals(piece == 0 ? KIND_FIRST : KIND_NEXT, in.kind());
      assertEquals(pair.firstSequence() + piece, in.words()[Inbound.SEQUENCE]);
      assertEquals(message.length, in.totalLength());
      int length = in.length();
      assertEquals(0, core(1).take(MemorySegment.ofArray(copy), at, length));
      at += length;
    }
    assertArrayEquals(message, copy);
    assertNothing(1);
  }

  @Test
  void aMessageCanBeCalledOff() {
    core(0).trySend(1, KIND_FIRST, 5, 1000, MemorySegment.ofArray(pattern(1000)), 0, 1000);
    core(0).trySend(1, KIND_ABORT, 5, 0, MemorySegment.NULL, 0, 0);
    send(0, 1, 6, "next");
    assertPolls(1);
    assertEquals(1000, in.totalLength());
    core(1).release();
    assertPolls(1);
    assertEquals(KIND_ABORT, in.kind());
    assertEquals(0, in.length());
    core(1).release();
    assertTakes(1, "next");
  }

  @Test
  void manyMessagesOfManySizesGoRoundUnharmed() {
    byte[] message = pattern(PAYLOAD);
    byte[] copy = new byte[PAYLOAD];
    for (int i = 0; i < 5000; i++) {
      int from = i % RANKS;
      int to = i / RANKS % RANKS;
      int length = i * 37 % (PAYLOAD + 1);
      assertEquals(length, core(from).trySend(to, KIND_FIRST, i, length, MemorySegment.ofArray(message), 0, length));
      Arrays.fill(copy, (byte) 0);
      assertEquals(length, core(to).receive(i, -1, from, MemorySegment.ofArray(copy), 0, PAYLOAD, 1, in));
      assertEquals(-1, Arrays.mismatch(Arrays.copyOf(message, length), Arrays.copyOf(copy, length)));
    }
  }
}
