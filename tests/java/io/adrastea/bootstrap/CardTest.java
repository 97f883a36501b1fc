package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.JoinException;
import io.adrastea.ranktable.Abilities;
import org.junit.jupiter.api.Test;

class CardTest {
  private static Card card(String links) {
    return new Card(new Abilities(0x800000f1, false), links);
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    for (String links : new String[] {"", "tcp=1,abc;net=d=e"}) {
      assertEquals(card(links), Card.read(1, card(links).words()));
    }
    String said = assertThrows(JoinException.class, () -> Card.read(3, "able=\n")).getMessage();
    assertEquals("rank 3 tells 'able=?' of itself, which cannot be read; all ranks of a job need the same version of "
        + "Adrastea", said);
  }

  @Test
  void oneThatIsTooLongIsRefusedWithWhatItSays() {
    String links = "net=" + "a".repeat(CardExchange.MOST_BYTES);
    String said = assertThrows(JoinException.class, () -> card(links).words()).getMessage();
    assertTrue(said.contains("a card of 1034 bytes, and 1000 are allowed: 'net=aaa"), said);
  }
}
