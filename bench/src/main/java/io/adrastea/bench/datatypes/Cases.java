package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Boxes.Box;
import io.adrastea.bench.datatypes.Case.Group;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** All cases, by group and number. */
final class Cases {
  /** Bytes of each message of {@link Group#NONCONTIG}. */
  static final int NONCONTIG_BYTES = 256 << 10;

  private static final class Made {
    static final List<Case> SHAPES = Shapes.all();
  }

  private Cases() {}

  /** The case of that number. */
  static Case of(Group group, int number) {
    return group == Group.NONCONTIG ? noncontig(number) : Made.SHAPES.get(number);
  }

  /**
   * Blocks of doubles, twice as far apart as they are long.
   *
   * @throws IllegalArgumentException when blocks of so many bytes do not make up 256 KiB
   */
  static Case noncontig(int block) {
    if (block < Double.BYTES || block % Double.BYTES != 0 || NONCONTIG_BYTES % block != 0) {
      throw new IllegalArgumentException(
          "blocks of %d bytes do not make up %d bytes of doubles; powers of two from 8 to 256K are allowed"
              .formatted(block, NONCONTIG_BYTES));
    }
    int count = NONCONTIG_BYTES / block;
    int doubles = block / Double.BYTES;
    Described type = Described.vector(count, doubles, 2L * doubles, Described.DOUBLE);
    Layout layout =
        new Layout(type, 0, Boxes.of(new Box(0, 1, 0, count, 2L * block, doubles, Double.BYTES)));
    return new Case(Group.NONCONTIG, block, "noncontig", "" + block, 2L * NONCONTIG_BYTES, layout, layout);
  }

  /** All shapes of applications, in their order. */
  static List<Case> shapes() {
    return Made.SHAPES;
  }

  /**
   * Returns the cases whose name begins with one of the words, whatever the case of letters.
   *
   * @throws IllegalArgumentException when there is none for a word
   */
  static List<Case> shapes(List<String> words) {
    for (String word : words) {
      if (shapes().stream().noneMatch(one -> begins(one, word))) {
        throw new IllegalArgumentException("there is no shape '%s'; shapes are %s, and what they begin with".formatted(
            word, shapes().stream().map(Case::shape).distinct().collect(Collectors.joining(", "))));
      }
    }
    return shapes().stream().filter(one -> words.stream().anyMatch(word -> begins(one, word))).toList();
  }

  private static boolean begins(Case one, String word) {
    return one.name().toLowerCase(Locale.ROOT).startsWith(word.strip().toLowerCase(Locale.ROOT));
  }

  /** What programs in C read. */
  static String words(List<Case> cases) {
    return cases.stream().map(Case::words).collect(Collectors.joining("\n", "", "\nend\n"));
  }
}
