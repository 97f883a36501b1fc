package io.adrastea.topology;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A set of CPUs, by the numbers that the kernel gives them. Never changes. */
public final class Cpus {
  private static final String KEY = "Cpus_allowed_list:";
  private static final int MOST_DIGITS = 5;

  private final BitSet numbers;

  private Cpus(BitSet numbers) {
    this.numbers = numbers;
  }

  /**
   * {@return those, at least one, on which the calling thread may run and which are online; where the system does not
   * tell, as many as the JVM counts}
   */
  public static Cpus ofThread() {
    return read(Path.of("/proc/thread-self/status"), Path.of("/sys"));
  }

  /**
   * The CPUs on which a thread may run and which are online. (The list in {@code status} may have CPUs that could be
   * plugged in.)
   *
   * @param status of the thread, as {@code /proc/thread-self/status}
   * @param sys the root of {@code /sys}
   * @return at least one
   */
  public static Cpus read(Path status, Path sys) {
    Cpus allowed = allowed(status);
    String online = Sysfs.line(sys.resolve("devices/system/cpu/online"));
    Cpus both = isList(online) ? allowed.and(parse(online)) : allowed;
    return both.count() == 0 ? allowed : both;
  }

  private static Cpus allowed(Path status) {
    try {
      for (String line : Files.readAllLines(status)) {
        String list = line.startsWith(KEY) ? line.substring(KEY.length()).strip() : "";
        if (isList(list)) {
          return parse(list);
        }
      }
    } catch (IOException e) {
      // said below
    }
    return of(IntStream.range(0, Runtime.getRuntime().availableProcessors()).toArray());
  }

  /**
   * {@return the set of these numbers}
   *
   * @param numbers from 0, in any order
   * @throws IllegalArgumentException when one is below 0
   */
  public static Cpus of(int... numbers) {
    int least = IntStream.of(numbers).min().orElse(0);
    if (least < 0) {
      throw new ArgumentException(Reason.OTHER, "there is no CPU %d; their numbers are from 0 on".formatted(least));
    }
    BitSet set = new BitSet();
    IntStream.of(numbers).forEach(set::set);
    return new Cpus(set);
  }

  /**
   * {@return the set in which CPU {@code c} is where bit {@code c} of the words is set}
   *
   * @param words as {@link #words} gives them, 64 bits each
   */
  public static Cpus ofWords(long[] words) {
    return new Cpus(BitSet.valueOf(words));
  }

  /**
   * {@return whether a text is a list as the kernel writes it, like {@code 0-3,8}, so that {@link #parse} takes it}
   *
   * @param text that may be a list
   */
  public static boolean isList(String text) {
    String number = "[0-9]{1," + MOST_DIGITS + "}";
    String range = number + "(-" + number + ")?";
    return text.matches(range + "(," + range + ")*")
        && Stream.of(text.split(",")).map(part -> part.split("-")).allMatch(ends -> first(ends) <= last(ends));
  }

  /**
   * {@return the set of the CPUs in a list like {@code 0-3,8}}
   *
   * @param list numbers and ranges with commas between them
   * @throws IllegalArgumentException when it is not such a list
   */
  public static Cpus parse(String list) {
    return of(inOrder(list).stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Reads a list like {@code 8,0-3}.
   *
   * @param list numbers and ranges with commas between them
   * @return the numbers in the order in which the list has them, as often as it has them
   * @throws IllegalArgumentException when it is not such a list
   */
  public static List<Integer> inOrder(String list) {
    if (!isList(list)) {
      throw new ArgumentException(Reason.OTHER, "'%s' is not a list of CPU numbers, as in 0-3,8".formatted(list));
    }
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.split(",")) {
      String[] ends = part.split("-");
      IntStream.rangeClosed(first(ends), last(ends)).forEach(numbers::add);
    }
    return numbers;
  }

  private static int first(String[] ends) {
    return Integer.parseInt(ends[0]);
  }

  private static int last(String[] ends) {
    return Integer.parseInt(ends[ends.length - 1]);
  }

  /** {@return how many there are, from 0 on} */
  public int count() {
    return numbers.cardinality();
  }

  /** {@return the only one, or -1 when there are several} */
  public int only() {
    return count() == 1 ? first() : -1;
  }

  /** {@return the least number, or -1 when there are none} */
  public int first() {
    return numbers.nextSetBit(0);
  }

  /**
   * {@return whether this CPU is one of them}
   *
   * @param cpu a number; one below 0 is not in the set
   */
  public boolean contains(int cpu) {
    return cpu >= 0 && numbers.get(cpu);
  }

  /**
   * {@return those that are in both sets, as a new set}
   *
   * @param other another set
   */
  public Cpus and(Cpus other) {
    BitSet both = (BitSet) numbers.clone();
    both.and(other.numbers);
    return new Cpus(both);
  }

  /**
   * {@return those that are in one of the sets or in both, as a new set}
   *
   * @param other another set
   */
  public Cpus or(Cpus other) {
    BitSet all = (BitSet) numbers.clone();
    all.or(other.numbers);
    return new Cpus(all);
  }

  /** {@return their numbers, each once, ascending} */
  public IntStream stream() {
    return numbers.stream();
  }

  /** {@return what {@link #ofWords} reads, in a new array of only as many words as are needed} */
  public long[] words() {
    return numbers.toLongArray();
  }

  /** Writes the set as the kernel writes lists: {@code 0-3,8}. */
  @Override
  public String toString() {
    List<String> ranges = new ArrayList<>();
    for (int from = first(), to; from >= 0; from = numbers.nextSetBit(to)) {
      to = numbers.nextClearBit(from);
      ranges.add(to - from == 1 ? "" + from : from + "-" + (to - 1));
    }
    return String.join(",", ranges);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cpus cpus && numbers.equals(cpus.numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }
}
