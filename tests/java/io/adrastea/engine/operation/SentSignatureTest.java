package io.adrastea.engine.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.datatype.Element;
import io.adrastea.datatype.Signature;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a peer tells of the types of a message. */
class SentSignatureTest {
  private static final Signature INT = Signature.of(Element.INT, ByteOrder.nativeOrder());
  private static final Signature LONG = Signature.of(Element.LONG, ByteOrder.nativeOrder());

  private final MemorySegment memory = MemorySegment.ofArray(new long[100]);
  private final SentSignature sent = new SentSignature();

  /** Tells so many, and tells how many bytes that takes. */
  private int write(Signature signature, long copies) {
    SentSignature own = new SentSignature();
    own.set(new Contiguous(memory, 0, copies * 4, signature, copies), SentSignature.MOST_BYTES);
    return own.write(memory);
  }

  @Test
  void comesAsItWasTold() {
    int bytes = write(INT, 5);
    assertEquals(24, bytes);
    assertTrue(sent.set(memory, bytes));
    assertEquals("5 x int", sent.toString());
    assertTrue(sent.matches(INT, 20));
    assertFalse(sent.matches(LONG, 20));
    assertTrue(sent.matches(null, 20), "memory without a type");
    SentSignature copy = new SentSignature();
    copy.set(sent);
    sent.clear();
    assertTrue(sent.matches(LONG, 20), "nothing was told");
    assertFalse(copy.matches(LONG, 20));
  }

  @Test
  void isTakenBackByNone() {
    assertTrue(sent.set(memory, write(INT, 5)));
    assertTrue(sent.set(memory, 0));
    assertTrue(sent.matches(LONG, 20));
  }

  @Test
  void thatNoCorrectRankTellsIsRefusedAndNotKept() {
    int bytes = write(INT, 5);
    for (int wrong : new int[] {1, 8, 23, 25, SentSignature.MOST_BYTES + 8}) {
      assertFalse(sent.set(memory, wrong), wrong + " bytes");
      assertTrue(sent.matches(LONG, 20));
    }
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, -1);
    assertFalse(sent.set(memory, bytes), "a count below zero");
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 8, 1);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 1 << 8 | 0x40);
    assertFalse(sent.set(memory, bytes), "no basic type");
    assertTrue(sent.matches(LONG, 20));
  }

  @Test
  void thatDoesNotFitASmallCellIsStillCompared() {
    SentSignature own = new SentSignature();
    Signature mixed = Signature.join(IntStream.range(0, 20).mapToObj(i -> i % 2 == 0 ? INT : LONG).toList());
    own.set(new Contiguous(memory, 0, 240, mixed, 2), 64);
    int bytes = own.write(memory);
    assertEquals(64, bytes);
    assertTrue(sent.set(memory, bytes));
    assertTrue(sent.matches(mixed.repeat(2), 240));
    assertFalse(sent.matches(INT, 240));
    assertEquals("2 x (int, long, int, long, int, ...)", sent.toString());
  }
}
