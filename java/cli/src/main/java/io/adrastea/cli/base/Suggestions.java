package io.adrastea.cli.base;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The words that may have been meant by one that does not exist. */
public final class Suggestions {
  private static final int MOST = 3;
  private static final int LETTERS_PER_SLIP = 3;

  private Suggestions() {}

  /**
   * The words that are like the given one, the likeliest first: it is the beginning of theirs, or becomes theirs by a
   * slip or two (a letter left out, added, changed, or two swapped), one for each three letters.
   *
   * @param word as it was written
   * @param words what could have been written
   * @return at most three; none when nothing is alike
   */
  public static List<String> of(String word, Collection<String> words) {
    String written = word.toLowerCase(Locale.ROOT);
    int slips = letters(written) == 0 ? 0 : Math.max(1, letters(written) / LETTERS_PER_SLIP);
    record Near(String name, int slips) {}
    return words.stream()
        .distinct()
        .map(name -> new Near(name, slips(written, name.toLowerCase(Locale.ROOT))))
        .filter(near -> near.slips <= slips)
        .sorted(Comparator.comparingInt(Near::slips).thenComparing(Near::name))
        .limit(MOST)
        .map(Near::name)
        .toList();
  }

  /**
   * Makes a sentence of the words that are like the given one.
   *
   * @param word as it was written
   * @param words what could have been written
   * @return as in {@code "Did you mean --label?"}; empty when nothing is alike
   */
  public static String sentence(String word, Collection<String> words) {
    List<String> near = of(word, words);
    return near.isEmpty() ? "" : "Did you mean " + String.join(" or ", near) + "?";
  }

  private static int letters(String word) {
    return (int) word.chars().filter(Character::isLetterOrDigit).count();
  }

  /** The beginning of a word is no slip further than one. */
  private static int slips(String written, String name) {
    boolean begins = letters(written) >= 2 && name.startsWith(written);
    return begins ? Math.min(1, name.length() - written.length()) : distance(written, name);
  }

  /** Letters left out, added, changed, or swapped with their neighbour. */
  private static int distance(String a, String b) {
    int[][] least = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        least[i][j] = Math.min(least[i - 1][j - 1] + change, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[a.length()][b.length()];
  }
}
