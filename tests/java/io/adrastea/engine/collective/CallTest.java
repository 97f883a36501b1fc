package io.adrastea.engine.collective;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import org.junit.jupiter.api.Test;

/** What a call refuses by numbers alone, before anything is begun; no memory is needed. */
class CallTest {
  private static final int RANKS = 64;
  private static final long MOST = 256L * (Integer.MAX_VALUE - 2); // bytes of one part among so many ranks

  /** Gives the ninth rank so many bytes, and the others none. */
  private record OnePart(long length) implements Blocks {
    @Override
    public long bytes(int member) {
      return member == 8 ? length : 0;
    }

    @Override
    public long at(int member) {
      return member > 8 ? length : 0;
    }
  }

  private static void describe(long bytes, int element, int op) {
    new Call(null, Form.PREPARED, 3, RANKS).describeParts(new OnePart(bytes), bytes, element, op, null);
  }

  @Test
  void partsThatTakeTooManyRoundsAreRefused() {
    int longs = ElementKind.INT64.number() | Long.BYTES << Byte.SIZE;
    String message = assertThrows(
        IllegalArgumentException.class, () -> describe(1L << 39, longs, Operator.SUM.number())).getMessage();
    assertEquals(
        "reduceScatter of rank 3 with parts that take 2147483648 rounds of 256 bytes of each; allowed are 0 to "
            + "2147483645 among 64 ranks: take several, of shorter parts",
        message);
    assertThrows(
        IllegalArgumentException.class, () -> describe(MOST + Long.BYTES, longs, Operator.SUM.number()));
    assertDoesNotThrow(() -> describe(MOST, longs, Operator.SUM.number()));
    int longer = ElementKind.BYTES.number() | 1000 << Byte.SIZE; // so a round has more of a part
    assertDoesNotThrow(() -> describe((1L << 39) / 1000 * 1000, longer, Operator.OF_USER));
  }
}
