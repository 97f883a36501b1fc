package io.adrastea.datatype;

import io.adrastea.Datatype;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Layouts of given basic types in a given order, each of a random tree, no byte of which lies over another: two that
 * are drawn apart for the same basic types fit each other as the ends of a message.
 */
final class DrawnLayout {
  private static final Datatype[] BASIC = {Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.FLOAT,
    Datatype.LONG, Datatype.DOUBLE};

  private DrawnLayout() {}

  /** Basic types in runs, some of which come again. */
  static List<Datatype> signature(Random random) {
    List<Datatype> run = new ArrayList<>();
    for (int runs = random.nextInt(1, 4); runs > 0; runs--) {
      run.addAll(Collections.nCopies(random.nextInt(1, 9), BASIC[random.nextInt(BASIC.length)]));
    }
    return times(random.nextInt(1, 5), run);
  }

  /** So often one after the other. */
  static List<Datatype> times(int count, List<Datatype> basic) {
    List<Datatype> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.addAll(basic);
    }
    return all;
  }

  /** A layout whose elements may follow each other. */
  static NaiveType draw(Random random, List<Datatype> basic) {
    NaiveType drawn = tree(random, basic);
    return apart(random, drawn, random.nextInt(5) == 0 ? -1 : 1);
  }

  private static NaiveType tree(Random random, List<Datatype> basic) {
    int count = basic.size();
    if (count == 1) {
      return NaiveType.basic(basic.getFirst());
    }
    List<Integer> periods = new ArrayList<>();
    for (int period = 1; period < count; period++) {
      if (count % period == 0 && isPeriodic(basic, period)) {
        periods.add(period);
      }
    }
    if (!periods.isEmpty() && random.nextInt(4) != 0) {
      int period = periods.get(random.nextInt(periods.size()));
      return repeated(random, tree(random, basic.subList(0, period)), count / period);
    }
    int middle = random.nextInt(1, count);
    return joined(random, tree(random, basic.subList(0, middle)), tree(random, basic.subList(middle, count)));
  }

  private static boolean isPeriodic(List<Datatype> basic, int period) {
    for (int i = period; i < basic.size(); i++) {
      if (basic.get(i) != basic.get(i - period)) {
        return false;
      }
    }
    return true;
  }

  private static long low(NaiveType type) {
    return type.map().stream().mapToLong(NaiveType.Entry::displacement).min().orElseThrow();
  }

  private static long high(NaiveType type) {
    return type.map().stream().mapToLong(entry -> entry.displacement() + entry.bytes()).max().orElseThrow();
  }

  private static long gap(Random random) {
    return random.nextInt(3) == 0 ? 0 : random.nextInt(1, 24);
  }

  private static NaiveType apart(Random random, NaiveType type, int sign) {
    return type.resized(low(type), sign * (high(type) - low(type) + gap(random)));
  }

  private static NaiveType repeated(Random random, NaiveType of, int count) {
    long width = high(of) - low(of);
    return switch (random.nextInt(5)) {
      case 0 -> apart(random, of, 1).contiguous(count);
      case 1 -> of.vector(count, 1, (width + gap(random)) * (random.nextBoolean() ? 1 : -1), true);
      case 2 -> of.indexed(Collections.nCopies(count, 1L).stream().mapToLong(each -> each).toArray(),
          places(random, count, width), true);
      case 3 -> apart(random, of, 1).indexedBlock(1, places(random, count, 1));
      default -> {
        NaiveType element = of.resized(low(of), width + gap(random));
        int columns = random.nextInt(1, count + 1);
        while (count % columns != 0) {
          columns--;
        }
        long[] some = {count / columns, columns};
        long[] starts = {random.nextInt(2), random.nextInt(3)};
        long[] all = {some[0] + starts[0], some[1] + starts[1] + random.nextInt(2)};
        yield element.subarray(all, some, starts, Datatype.Order.C);
      }
    };
  }

  /** Places in any order, a distance or more from each other. */
  private static long[] places(Random random, int count, long distance) {
    List<Long> places = new ArrayList<>();
    long next = random.nextInt(-20, 20);
    for (int i = 0; i < count; i++) {
      places.add(next);
      next += distance + (random.nextInt(3) == 0 ? random.nextInt(4) : 0);
    }
    if (random.nextBoolean()) {
      Collections.shuffle(places, random);
    }
    return places.stream().mapToLong(each -> each).toArray();
  }

  private static NaiveType joined(Random random, NaiveType first, NaiveType second) {
    long at = random.nextInt(-20, 20);
    boolean behind = random.nextBoolean();
    NaiveType front = behind ? first : second;
    NaiveType back = behind ? second : first;
    long next = at + high(front) - low(back) + gap(random);
    return NaiveType.struct(new long[] {1, 1}, behind ? new long[] {at, next} : new long[] {next, at},
        List.of(first, second));
  }
}
