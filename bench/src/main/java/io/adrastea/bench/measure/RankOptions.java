package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the ranks of a {@link CoreVariant} are given beyond their cores.
 *
 * @param suffix what the name of the variant ends with
 * @param memory where messages lie
 * @param spins whether the first pair waits by spinning, however many ranks there are
 * @param multiple whether they join with {@link io.adrastea.ThreadLevel#MULTIPLE}
 * @param properties system properties; settings among them win over those given to this JVM
 */
public record RankOptions(
    String suffix, Memory memory, boolean spins, boolean multiple, Map<String, String> properties) {
  /** Ranks as they come. */
  public static final RankOptions NONE = of(Memory.NATIVE);

  /** Ranks the first pair of which waits by spinning. */
  static final RankOptions SPINNING =
      new RankOptions("", Memory.NATIVE, true, false, Map.of());

  /** Ranks whose messages lie in that memory. */
  public static RankOptions of(Memory memory) {
    return new RankOptions(memory.suffix(), memory, false, false, Map.of());
  }

  /** Ranks with a setting, called by a name of their own. */
  public static RankOptions of(String suffix, Map<String, String> properties) {
    return new RankOptions(suffix, Memory.NATIVE, false, false, properties);
  }

  /** The words for the worker of a rank of that pair. */
  List<String> words(int pair) {
    List<String> words = new ArrayList<>(List.of(memory.word()));
    if (spins && pair == 0) {
      words.add(Worker.SPIN);
    }
    if (multiple) {
      words.add(Worker.MULTIPLE);
    }
    return words;
  }
}
