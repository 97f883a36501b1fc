package io.adrastea.mapping;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Shares a number out among factors that are as close to each other as possible: the least difference between the
 * largest and the smallest, then the smallest largest one, and so on.
 */
public final class BalancedDims {
  private final int[] divisors;
  private final int[] factors;
  private int[] best;

  private BalancedDims(int number, int count) {
    int[] small = IntStream.rangeClosed(1, (int) Math.sqrt(number)).filter(d -> number % d == 0).toArray();
    this.divisors = IntStream.concat(IntStream.of(small), IntStream.of(small).map(d -> number / d)).sorted().distinct()
        .toArray();
    this.factors = new int[count];
  }

  /** {@return so many factors, at least one, of a number of at least 1, the largest first} */
  public static int[] of(int number, int count) {
    BalancedDims dims = new BalancedDims(number, count);
    dims.choose(0, number, number);
    return dims.best;
  }

  /** Chooses the factors from an index on, none larger than {@code most}. */
  private void choose(int index, int left, int most) {
    int count = factors.length - index;
    if (count == 1) {
      factors[index] = left;
      keepIfBetter();
      return;
    }
    for (int factor : divisors) {
      if (factor > most) {
        return;
      }
      if (left % factor != 0 || Math.pow(factor, count) < left) {
        continue; // those behind it, which are no larger, could not make up the rest
      }
      int largest = index == 0 ? factor : factors[0];
      int smallest = (int) Math.ceil(Math.pow(left / factor, 1.0 / (count - 1))); // at most
      if (best != null && largest - smallest > best[0] - best[best.length - 1]) {
        return; // and larger factors leave still smaller ones
      }
      factors[index] = factor;
      choose(index + 1, left / factor, factor);
    }
  }

  private void keepIfBetter() {
    int difference = factors[0] - factors[factors.length - 1];
    int least = best == null ? Integer.MAX_VALUE : best[0] - best[best.length - 1];
    if (difference < least || difference == least && Arrays.compare(factors, best) < 0) {
      best = factors.clone();
    }
  }
}
