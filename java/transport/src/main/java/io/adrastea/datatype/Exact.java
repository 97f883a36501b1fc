package io.adrastea.datatype;

/** Arithmetic that refuses what does not fit 64 bits, and tells the numbers. */
public final class Exact {
  private Exact() {}

  /**
   * The sum.
   *
   * @throws ArithmeticException when it does not fit; the message tells both numbers
   */
  public static long add(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      throw tooLarge(a, "+", b);
    }
    return sum;
  }

  /**
   * The product.
   *
   * @throws ArithmeticException when it does not fit; the message tells both numbers
   */
  public static long multiply(long a, long b) {
    long product = a * b;
    if (Math.multiplyHigh(a, b) != product >> 63) {
      throw tooLarge(a, "x", b);
    }
    return product;
  }

  private static ArithmeticException tooLarge(long a, String sign, long b) {
    return new ArithmeticException("%d %s %d does not fit 64 bits".formatted(a, sign, b));
  }
}
