package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ranks of a {@link CoreVariant} are given beyond their cores.
 *
 * @param suffix what the name of the variant ends with
 * @param memory where messages lie
 * @param spins whether the first pair waits by spinning, however many ranks there are
 * @param multiple whether they join with {@link io.adrastea.ThreadLevel#MULTIPLE}
 * @param metered whether they measure what their polls take that find nothing, which {@link CpuVariant} is for
 * @param properties system properties; settings among them win over those given to this JVM
 */
public record RankOptions(
    String suffix, Memory memory, boolean spins, boolean multiple, boolean metered, Map<String, String> properties) {
  /** Ranks as they come. */
  public static final RankOptions NONE = of(Memory.NATIVE);

  /** Ranks the first pair of which waits by spinning. */
  static final RankOptions SPINNING =
      new RankOptions("", Memory.NATIVE, true, false, false, Map.of());

  /**
   * Ranks for each kind of memory and each way of large messages.
   *
   * @param ways values of {@code adrastea.lmt}; empty: ranks take the one that this JVM was given
   */
  public static List<RankOptions> each(List<Memory> memories, List<String> ways) {
    List<RankOptions> all = new ArrayList<>();
    for (Memory memory : memories) {
      if (ways.isEmpty()) {
        all.add(of(memory));
      }
      for (String way : ways) {
        all.add(of(memory, suffix(way), Map.of(Tunable.LMT.property(), way)));
      }
    }
    return all;
  }

  /** What marks a forced way in the name of a variant: {@code ffm/ring}. */
  public static String suffix(String way) {
    return way.equals(Tunable.LMT.defaultValue()) ? "" : "/" + way;
  }

  /** Ranks whose messages lie in that memory. */
  public static RankOptions of(Memory memory) {
    return new RankOptions(memory.suffix(), memory, false, false, false, Map.of());
  }

  /** Ranks with a setting, called by a name of their own. */
  public static RankOptions of(String suffix, Map<String, String> properties) {
    return of(Memory.NATIVE, suffix, properties);
  }

  /** Ranks with a setting whose messages lie in that memory; their name ends with {@code suffix}. */
  public static RankOptions of(Memory memory, String suffix, Map<String, String> properties) {
    return new RankOptions(memory.suffix() + suffix, memory, false, false, false, properties);
  }

  /** Ranks that have joined for several threads, so that each can have a {@link Helper}. */
  public static RankOptions withHelpers(int ranks, Cpus cpus) {
    return new RankOptions("", Memory.NATIVE, false, true, false, Helper.properties(ranks, cpus));
  }

  /** Ranks that have joined for several threads, with helpers on those CPUs in turn. */
  public static RankOptions withHelpers(int ranks, Cpus cpus, List<Integer> helpers) {
    return new RankOptions("", Memory.NATIVE, false, true, false, Helper.properties(ranks, cpus, helpers));
  }

  /** Returns the same ranks with further settings, marked in their name. */
  public RankOptions with(RankOptions further) {
    Map<String, String> all = new HashMap<>(properties);
    all.putAll(further.properties);
    return new RankOptions(suffix + further.suffix, memory, spins, multiple, metered, all);
  }

  /** Returns the same ranks, which measure what their polls take that find nothing. */
  RankOptions withMeter() {
    return new RankOptions(suffix, memory, spins, multiple, true, properties);
  }

  /** The words for the worker of a rank of that pair. */
  List<String> words(int pair) {
    List<String> words = new ArrayList<>(List.of(memory.word()));
    if (spins && pair == 0) {
      words.add(Worker.SPIN);
    }
    if (metered) {
      words.add(Worker.METERED);
    }
    if (multiple) {
      words.add(Worker.MULTIPLE);
    }
    return words;
  }
}
