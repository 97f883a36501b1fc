package io.adrastea.bench.guard;

import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Ways;
import io.adrastea.config.Tunable;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A setting with a value that makes ranks send messages, or take part in collectives, by another way than the one that
 * they take by themselves, or by the same one without a choice: what the choice, or the limit, is compared with. Where
 * ranks that are forced so take less time, the limit between two ways is wrong on the CPUs at hand.
 *
 * @param from the least size of a message, in bytes, that it may make a difference for
 * @param to the largest
 */
record Forced(Tunable setting, String value, int from, int to) {
  private static final String PREFIX = "adrastea.";
  private static final int KIB = 1024;
  private static final int LARGEST_EAGER = 64 * KIB; // longer messages go by rendezvous
  private static final int LARGEST = 1024 * KIB;

  /** All that promises are judged by. */
  static List<Forced> all() {
    Stream<Forced> pieces = Stream.of(
        new Forced(Tunable.BOX_MESSAGE_BYTES, "256", 512, KIB),
        new Forced(Tunable.BOX_MESSAGE_BYTES, "1024", 2 * KIB, 16 * KIB),
        new Forced(Tunable.BOX_MESSAGE_BYTES, "4096", 8 * KIB, 16 * KIB),
        new Forced(Tunable.BOX_MESSAGE_BYTES, "32736", 2 * KIB, 16 * KIB),
        new Forced(Tunable.CELL_BYTES, "4096", 8 * KIB, LARGEST_EAGER),
        new Forced(Tunable.CELL_BYTES, "16384", 16 * KIB, LARGEST_EAGER),
        new Forced(Tunable.EAGER_BYTES, "2048", 4 * KIB, LARGEST_EAGER),
        new Forced(Tunable.EAGER_BYTES, "1048576", 2 * LARGEST_EAGER, LARGEST));
    Stream<Forced> transfers = Stream.of(
        new Forced(Tunable.RING_CHUNK, "2048", 2 * LARGEST_EAGER, LARGEST),
        new Forced(Tunable.RING_CHUNK, "32768", 2 * LARGEST_EAGER, LARGEST),
        new Forced(Tunable.RING_BYTES, "262144", 2 * LARGEST_EAGER, LARGEST),
        new Forced(Tunable.SPLIT_BYTES, "0", 2 * LARGEST_EAGER, LARGEST));
    Stream<Forced> ways = Ways.all().stream().map(way -> new Forced(Tunable.LMT, way, 2 * LARGEST_EAGER, LARGEST));
    Stream<Forced> collectives = Stream.of(
        new Forced(Tunable.COLLECTIVE_WAY, "stages", 512, LARGEST),
        new Forced(Tunable.COLLECTIVE_WAY, "direct", 4 * KIB, LARGEST));
    return Stream.of(pieces, ways, transfers, collectives).flatMap(some -> some).toList();
  }

  /** Whether it makes a difference for what a promise is about. */
  boolean isFor(Promise promise) {
    return promise.isOfCollective() == (setting == Tunable.COLLECTIVE_WAY);
  }

  boolean concerns(int bytes) {
    return bytes >= from && bytes <= to;
  }

  /** Whether one of these words is its setting, alone or with its value: {@code lmt} or {@code lmt=cma}. */
  boolean isNamedBy(List<String> words) {
    return words.stream().anyMatch(word -> words().equals(word) || words().startsWith(word + "="));
  }

  /** The setting and its value as in {@code cell.bytes=4096}. */
  String words() {
    return setting.property().substring(PREFIX.length()) + "=" + value;
  }

  /** What the name of its ranks ends with, as in {@code ffm/cell.bytes=4096}. */
  String suffix() {
    return "/" + words();
  }

  /** The setting that ranks of this name have, as it is given to a program. */
  static String named(String variant) {
    return PREFIX + variant.substring(variant.indexOf('/') + 1);
  }

  /** Ranks with it, whose messages lie in that memory. */
  RankOptions options(Memory memory) {
    return RankOptions.of(memory, suffix(), Map.of(setting.property(), value));
  }
}
