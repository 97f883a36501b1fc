package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import io.adrastea.ranktable.Abilities;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a rank tells those of other nodes, which do not see its entry in the rank table.
 *
 * @param abilities what it can do
 * @param links what its links tell of how it is reached, see {@link io.adrastea.peers.LinkPorts#words}; empty: nothing
 */
record Card(Abilities abilities, String links) {
  private static final Pattern WORDS = Pattern.compile("able=([0-9a-f]{1,8}),core=(c|java)(?:,links=([!-~]+))?");

  /**
   * The card as a word.
   *
   * @throws JoinException when it is longer than a card may be; the message tells which link says how much
   */
  String words() {
    String words = "able=%x,core=%s".formatted(abilities.bits(), abilities.isOfC() ? "c" : "java")
        + (links.isEmpty() ? "" : ",links=" + links);
    if (words.length() > CardExchange.MOST_BYTES) {
      throw new JoinException(
          ("what links are to tell ranks of other nodes makes a card of %d bytes, and %d are allowed: '%s'; leave a "
              + "link out in adrastea.links, or let it tell less (adrastea.tcp.addresses)")
              .formatted(words.length(), CardExchange.MOST_BYTES, links));
    }
    return words;
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
    Abilities abilities = new Abilities(Integer.parseUnsignedInt(card.group(1), 16), card.group(2).equals("c"));
    return new Card(abilities, card.group(3) == null ? "" : card.group(3));
  }
}
