package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a receiver is told of a signature: whether it matches its own, and how it is called. */
class DigestTest {
  private static final Signature INT = of(Element.INT);
  private static final Signature DOUBLE = of(Element.DOUBLE);
  private static final Signature BYTE = of(Element.BYTE);

  private static Signature of(Element element) {
    return Signature.of(element, ByteOrder.nativeOrder());
  }

  private static Signature join(Signature... signatures) {
    return Signature.join(List.of(signatures));
  }

  private static boolean match(Signature sent, long copies, Signature received) {
    return received.digest().matches(sent.digest().hash(copies), copies * sent.bytes());
  }

  private static String words(Signature signature, long copies) {
    long[] words = new long[2 + Digest.MOST_WORDS];
    int count = signature.digest().write(copies, words, words.length);
    assertTrue(Digest.areSound(words, count));
    return Digest.describe(words, count);
  }

  @Test
  void aSequenceMatchesItselfHoweverItIsPutTogether() {
    Signature pair = join(INT, DOUBLE);
    assertTrue(match(pair, 6, pair.repeat(3)));
    assertTrue(match(pair.repeat(2), 3, pair.repeat(6)));
    assertTrue(match(join(INT, DOUBLE, INT), 1, pair.repeat(2)), "the first part");
    assertTrue(match(join(INT, DOUBLE, INT.repeat(2)), 2, join(INT, DOUBLE, INT, INT, INT, DOUBLE, INT.repeat(2))));
    assertTrue(match(INT, 1L << 60, INT.repeat(1L << 59)));
    assertTrue(match(Signature.EMPTY, 3, Signature.EMPTY));
  }

  @Test
  void othersDoNot() {
    Signature pair = join(INT, DOUBLE);
    assertFalse(match(pair, 1, join(DOUBLE, INT)));
    assertFalse(match(DOUBLE, 3, INT.repeat(6)));
    assertFalse(match(INT, 3, pair), "it ends inside of the double");
    assertFalse(match(INT, 1, BYTE));
    assertFalse(match(BYTE, 4, INT));
    assertFalse(match(of(Element.SHORT), 2, of(Element.CHAR)));
    assertFalse(match(INT, 1, Signature.EMPTY));
    assertFalse(match(Signature.of(Element.INT, ByteOrder.BIG_ENDIAN), 1,
        Signature.of(Element.INT, ByteOrder.LITTLE_ENDIAN)));
    assertTrue(match(Signature.of(Element.BYTE, ByteOrder.BIG_ENDIAN), 1,
        Signature.of(Element.BYTE, ByteOrder.LITTLE_ENDIAN)));
  }

  /** Any two prefixes of any two random signatures, against the sequences written out. */
  @Test
  void matchesAsTheSequencesWrittenOutDo() {
    long seed = Long.getLong("adrastea.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 3000; round++) {
      Signature received = random(random, 4);
      Signature sent = random.nextInt(3) == 0 ? random(random, 4) : varied(received, random);
      List<Element> all = new ArrayList<>();
      List<Element> expected = new ArrayList<>();
      write(sent, all);
      while (expected.size() < all.size() && received.bytes() > 0) {
        write(received, expected);
      }
      boolean equal = all.size() <= expected.size() && expected.subList(0, all.size()).equals(all);
      assertEquals(equal, match(sent, 1, received), words(sent, 1) + " to " + words(received, 1) + ", seed " + seed);
    }
  }

  /** Returns the same sequence put together in another way, or its first part. */
  private static Signature varied(Signature signature, Random random) {
    List<Element> all = new ArrayList<>();
    write(signature, all);
    int length = random.nextInt(all.size() + 1);
    return Signature.join(all.subList(0, length).stream().map(DigestTest::of).toList());
  }

  private static Signature random(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return of(List.of(Element.BYTE, Element.INT, Element.DOUBLE).get(random.nextInt(3)));
    }
    List<Signature> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      parts.add(random(random, depth - 1).repeat(1 + random.nextInt(3)));
    }
    return Signature.join(parts);
  }

  private static void write(Signature signature, List<Element> to) {
    for (Signature.Part part : signature.parts()) {
      for (long i = 0; i < part.count(); i++) {
        if (part.body() == null) {
          to.add(part.element());
        } else {
          write(part.body(), to);
        }
      }
    }
  }

  @Test
  void isToldInWords() {
    assertEquals("int", words(INT, 1));
    assertEquals("12 x int", words(INT.repeat(3), 4));
    assertEquals("int, 3 x double", words(join(INT, DOUBLE.repeat(3)), 1));
    assertEquals("10 x (int, 3 x double)", words(join(INT, DOUBLE.repeat(3)), 10));
    assertEquals("byte, 5 x (int, double)", words(join(BYTE, join(INT, DOUBLE).repeat(5)), 1));
    ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    String order = other == ByteOrder.BIG_ENDIAN ? "big" : "little";
    assertEquals("2 x " + order + "-endian short", words(Signature.of(Element.SHORT, other), 2));
  }

  @Test
  void isCutWhereThereIsNoRoomAndStillCompared() {
    List<Signature> many = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      many.add((i % 2 == 0 ? INT : DOUBLE).repeat(i));
    }
    Signature all = Signature.join(many);
    String told = words(all, 1);
    assertTrue(told.startsWith("double, 2 x int, 3 x double, "), told);
    assertTrue(told.endsWith(", ..."), told);
    long[] few = new long[8];
    assertEquals(8, all.digest().write(1, few, 8));
    assertEquals("double, 2 x int, 3 x double, 4 x int, 5 x double, ...", Digest.describe(few, 8));
    many.set(49, DOUBLE.repeat(50));
    assertFalse(match(Signature.join(many), 1, all));
    Signature deep = INT;
    for (int i = 0; i < 40; i++) {
      deep = join(deep.repeat(2), DOUBLE);
    }
    assertTrue(words(deep, 1).contains("..."), words(deep, 1));
  }

  @Test
  void wordsOfAPeerAreNotBelieved() {
    Random random = new Random(1);
    int sound = 0;
    for (int round = 0; round < 20_000; round++) {
      long[] words = random.longs(2 + random.nextInt(Digest.MOST_WORDS + 1)).toArray();
      for (int i = 0; i < words.length; i++) {
        words[i] = random.nextInt(3) == 0 ? words[i] : words[i] >>> 1 & ~0xFFL | random.nextInt(17) + (words[i] & 0xF0);
      }
      if (Digest.areSound(words, words.length)) {
        sound++;
        assertTrue(Digest.describe(words, words.length).length() < 1500);
      }
    }
    assertTrue(sound > 0);
    assertFalse(Digest.areSound(new long[] {0}, 1));
    assertFalse(Digest.areSound(new long[] {0, -1, 1 << 8}, 3));
    assertFalse(Digest.areSound(new long[] {0, 1, 1 << 8 | 0x7F}, 3));
    assertFalse(Digest.areSound(new long[] {0, 1, 0xF1}, 3));
  }
}
