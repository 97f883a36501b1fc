package io.adrastea.bench.datatypes;

import java.util.Locale;

/**
 * A message that is measured: what is sent, where it goes, both in one piece of memory that each rank has.
 *
 * @param group what it is measured with
 * @param number of the case in its group, which ranks are told
 * @param shape which generator made it, as DDTBench calls it
 * @param variety its sizes
 */
record Case(Group group, int number, String shape, String variety, long memoryBytes, Layout send, Layout receive) {
  /** Cases that are shown together. */
  enum Group {
    /** Strided blocks of 256 KiB [SCI-MPICH 2002, 3.4]; the number is the size of a block. */
    NONCONTIG,
    /** The shapes of applications. */
    SHAPES;

    /** The word that commands begin with. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  String name() {
    return shape + "/" + variety;
  }

  /** The application it comes from. */
  String application() {
    return shape.replaceFirst("_.*", "");
  }

  /** Bytes of the message. */
  int bytes() {
    return Math.toIntExact(send.bytes());
  }

  /** A line for the programs in C. */
  String words() {
    return "case %s %d %s %d %d\nsend %s\nreceive %s".formatted(
        group.word(), number, name(), memoryBytes, bytes(), words(send), words(receive));
  }

  /** How many words the datatype has comes first, so that a program can pass over it. */
  private static String words(Layout layout) {
    String type = layout.described().words();
    return "%d %d %s %s".formatted(layout.origin(), type.split(" ").length, type, layout.hand().words());
  }
}
