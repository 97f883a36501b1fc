package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;

/**
 * Columns of a matrix of complex numbers, one behind the other in the buffer: what a transposition unpacks.
 *
 * @param at the first byte of the first column
 * @param columns how many there are, next to each other
 * @param rows of a column
 * @param rowStride bytes from one row to the next
 */
record Columns(long at, int columns, int rows, long rowStride) implements HandLoop {
  @Override
  public void pack(MemorySegment memory, MemorySegment buffer) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        long from = at + row * rowStride + 16L * column;
        long to = 16L * ((long) column * rows + row);
        buffer.set(JAVA_DOUBLE, to, memory.get(JAVA_DOUBLE, from));
        buffer.set(JAVA_DOUBLE, to + 8, memory.get(JAVA_DOUBLE, from + 8));
      }
    }
  }

  @Override
  public void unpack(MemorySegment buffer, MemorySegment memory) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        long to = at + row * rowStride + 16L * column;
        long from = 16L * ((long) column * rows + row);
        memory.set(JAVA_DOUBLE, to, buffer.get(JAVA_DOUBLE, from));
        memory.set(JAVA_DOUBLE, to + 8, buffer.get(JAVA_DOUBLE, from + 8));
      }
    }
  }

  @Override
  public String words() {
    return "columns %d %d %d %d".formatted(at, columns, rows, rowStride);
  }
}
