package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import io.adrastea.ranktable.Abilities;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a rank tells those of other nodes, which do not see its entry in the rank table.
 *
 * @param abilities what it can do
 */
record Card(Abilities abilities) {
  private static final Pattern WORDS = Pattern.compile("able=([0-9a-f]{1,8}),core=(c|java)");

  /** The card as a word. */
  String words() {
    return "able=%x,core=%s".formatted(abilities.bits(), abilities.isOfC() ? "c" : "java");
  }

  /**
   * Reads the card of a rank.
   *
   * @throws JoinException when the words are not those of a card
   */
  static Card read(int rank, String words) {
    Matcher card = WORDS.matcher(words);
    if (!card.matches()) {
      throw new JoinException(
          "rank %d tells '%.64s' of itself, which cannot be read; all ranks of a job need the same version of Adrastea"
              .formatted(rank, PlainText.ascii(words)));
    }
    return new Card(new Abilities(Integer.parseUnsignedInt(card.group(1), 16), card.group(2).equals("c")));
  }
}
