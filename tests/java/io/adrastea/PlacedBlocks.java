package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.CollectivesTest.Place;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Blocks of bytes on one side of an exchange, as a program may lay them out: one behind the other, as parts of a whole
 * in any order and with gaps, or each by itself.
 */
final class PlacedBlocks {
  private static final byte GAP = (byte) 0xEE;

  private final Job job;
  private final Data data;
  private final Data whole; // null: each by itself
  private final Data[] each;
  private final int[] lengths;
  private final long[] at; // in the whole

  private PlacedBlocks(Job job, Data data, Data whole, Data[] each, int[] lengths, long[] at) {
    this.job = job;
    this.data = data;
    this.whole = whole;
    this.each = each;
    this.lengths = lengths;
    this.at = at;
  }

  private static int[] lengths(byte[][] blocks) {
    return Arrays.stream(blocks).mapToInt(block -> block.length).toArray();
  }

  /** All of one length, one behind the other. */
  static PlacedBlocks equal(Job job, Place place, Datatype type, byte[][] blocks) {
    int length = blocks[0].length;
    byte[] all = new byte[blocks.length * length];
    for (int i = 0; i < blocks.length; i++) {
      System.arraycopy(blocks[i], 0, all, i * length, length);
    }
    Data data = place.make(job, type, all);
    return new PlacedBlocks(job, data, data, null, lengths(blocks),
        IntStream.range(0, blocks.length).mapToLong(i -> (long) i * length).toArray());
  }

  static PlacedBlocks parts(
      Job job, List<Place> places, Datatype type, byte[][] blocks, SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      Data[] each = Arrays.stream(blocks)
          .map(block -> places.get(random.nextInt(places.size())).make(job, type, block)).toArray(Data[]::new);
      return new PlacedBlocks(job, Data.parts(each), null, each, lengths(blocks), null);
    }
    int element = (int) type.size();
    int[] order = IntStream.range(0, blocks.length).toArray();
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int index = order[i];
      order[i] = order[other];
      order[other] = index;
    }
    int[] lengths = lengths(blocks);
    long[] at = new long[blocks.length];
    int end = 0;
    for (int block : order) {
      at[block] = end + random.nextInt(3) * element;
      end = (int) at[block] + lengths[block];
    }
    byte[] all = new byte[end + element];
    Arrays.fill(all, GAP);
    for (int i = 0; i < blocks.length; i++) {
      System.arraycopy(blocks[i], 0, all, (int) at[i], lengths[i]);
    }
    Data whole = places.get(random.nextInt(places.size())).make(job, type, all);
    long unit = whole.count() == 0 ? 1 : whole.bytes() / whole.count();
    Data data = Data.parts(whole, Arrays.stream(lengths).mapToLong(length -> length / unit).toArray(),
        Arrays.stream(at).map(first -> first / unit).toArray());
    return new PlacedBlocks(job, data, whole, null, lengths, at);
  }

  Data data() {
    return data;
  }

  /** The blocks are these, and what lies between them is untouched. */
  void check(byte[][] expected, Supplier<String> words) {
    if (whole == null) {
      for (int i = 0; i < each.length; i++) {
        assertArrayEquals(expected[i], CollectivesTest.contents(job, each[i]), words);
      }
      return;
    }
    byte[] all = CollectivesTest.contents(job, whole);
    boolean[] isBlock = new boolean[all.length];
    for (int i = 0; i < lengths.length; i++) {
      int from = (int) at[i];
      assertArrayEquals(expected[i], Arrays.copyOfRange(all, from, from + lengths[i]), words);
      Arrays.fill(isBlock, from, from + lengths[i], true);
    }
    for (int i = 0; i < all.length; i++) {
      if (!isBlock[i]) {
        assertEquals(GAP, all[i], words);
      }
    }
  }
}
