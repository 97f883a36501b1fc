package io.adrastea.spread;

/** Operators of the tests over bytes, with elements of {@link #ELEMENT} bytes. */
enum Operation {
  /** Commutes, and any brackets give the same. */
  SUM {
    @Override
    int of(int left, int right) {
      return left + right;
    }
  },

  /** Two by two matrices of bytes: does not commute, and any brackets give the same. */
  MATRIX {
    @Override
    int of(int left, int right) {
      int product = 0;
      for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 2; column++) {
          int cell = 0;
          for (int k = 0; k < 2; k++) {
            cell += (left >>> 8 * (2 * row + k) & 255) * (right >>> 8 * (2 * k + column) & 255);
          }
          product |= (cell & 255) << 8 * (2 * row + column);
        }
      }
      return product;
    }
  },

  /** Commutes, and each way to set brackets gives something else, as sums of floating-point numbers do. */
  ROUNDED {
    @Override
    int of(int left, int right) {
      return Integer.rotateLeft(left, 7) * Integer.rotateLeft(right, 7) + left + right + 12345;
    }
  },

  /** Does not commute, and each way to set brackets gives something else. */
  ORDERED {
    @Override
    int of(int left, int right) {
      return Integer.rotateLeft(left * 31, 5) + right;
    }
  };

  static final int ELEMENT = 4;

  abstract int of(int left, int right);

  boolean commutes() {
    return this == SUM || this == ROUNDED;
  }

  /** Whether all orders of the operands that leave them in rank order give the same. */
  boolean associates() {
    return this == SUM || this == MATRIX;
  }
}
