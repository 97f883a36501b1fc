package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;

/** Parts of arrays of up to three dimensions, row by row. */
record Boxes(List<Box> boxes) implements HandLoop {
  /**
   * Rows of one array. All but the element count of a row is in bytes.
   *
   * @param at the first row
   * @param planes how many planes there are
   * @param planeStride from one plane to the next
   * @param rows in a plane
   * @param rowStride from one row to the next
   * @param elements of a row
   * @param width of an element: 4, a float, or 8, a double
   */
  record Box(long at, int planes, long planeStride, int rows, long rowStride, int elements, int width) {
    int rowBytes() {
      return elements * width;
    }

    long bytes() {
      return (long) planes * rows * rowBytes();
    }
  }

  Boxes {
    boxes = List.copyOf(boxes);
  }

  static Boxes of(Box... boxes) {
    return new Boxes(List.of(boxes));
  }

  @Override
  public void pack(MemorySegment memory, MemorySegment buffer) {
    long to = 0;
    for (int i = 0; i < boxes.size(); i++) {
      Box box = boxes.get(i);
      for (int plane = 0; plane < box.planes; plane++) {
        packPlane(box, memory, box.at + plane * box.planeStride, buffer, to);
        to += (long) box.rows * box.rowBytes();
      }
    }
  }

  /** Short rows are written out; for longer ones, and lengths that no shape has, the JVM's copy is faster. */
  private static void packPlane(Box box, MemorySegment memory, long from, MemorySegment buffer, long to) {
    switch (box.rowBytes()) {
      case 8 -> packDoubles(box.rows, box.rowStride, memory, from, buffer, to);
      case 12 -> packThreeFloats(box.rows, box.rowStride, memory, from, buffer, to);
      case 16 -> packTwoDoubles(box.rows, box.rowStride, memory, from, buffer, to);
      case 32 -> packFourDoubles(box.rows, box.rowStride, memory, from, buffer, to);
      default -> packRows(box.rows, box.rowStride, box.rowBytes(), memory, from, buffer, to);
    }
  }

  private static void packDoubles(int rows, long stride, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      buffer.set(JAVA_DOUBLE, to + 8L * row, memory.get(JAVA_DOUBLE, from + row * stride));
    }
  }

  private static void packTwoDoubles(int rows, long stride, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      buffer.set(JAVA_DOUBLE, to + 16L * row, memory.get(JAVA_DOUBLE, from + row * stride));
      buffer.set(JAVA_DOUBLE, to + 16L * row + 8, memory.get(JAVA_DOUBLE, from + row * stride + 8));
    }
  }

  private static void packFourDoubles(int rows, long stride, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      buffer.set(JAVA_DOUBLE, to + 32L * row, memory.get(JAVA_DOUBLE, from + row * stride));
      buffer.set(JAVA_DOUBLE, to + 32L * row + 8, memory.get(JAVA_DOUBLE, from + row * stride + 8));
      buffer.set(JAVA_DOUBLE, to + 32L * row + 16, memory.get(JAVA_DOUBLE, from + row * stride + 16));
      buffer.set(JAVA_DOUBLE, to + 32L * row + 24, memory.get(JAVA_DOUBLE, from + row * stride + 24));
    }
  }

  private static void packThreeFloats(int rows, long stride, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      buffer.set(JAVA_FLOAT, to + 12L * row, memory.get(JAVA_FLOAT, from + row * stride));
      buffer.set(JAVA_FLOAT, to + 12L * row + 4, memory.get(JAVA_FLOAT, from + row * stride + 4));
      buffer.set(JAVA_FLOAT, to + 12L * row + 8, memory.get(JAVA_FLOAT, from + row * stride + 8));
    }
  }

  private static void packRows(int rows, long stride, int bytes, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(memory, from + row * stride, buffer, to + (long) row * bytes, bytes);
    }
  }

  @Override
  public void unpack(MemorySegment buffer, MemorySegment memory) {
    long from = 0;
    for (int i = 0; i < boxes.size(); i++) {
      Box box = boxes.get(i);
      for (int plane = 0; plane < box.planes; plane++) {
        unpackPlane(box, buffer, from, memory, box.at + plane * box.planeStride);
        from += (long) box.rows * box.rowBytes();
      }
    }
  }

  private static void unpackPlane(Box box, MemorySegment buffer, long from, MemorySegment memory, long to) {
    switch (box.rowBytes()) {
      case 8 -> unpackDoubles(box.rows, box.rowStride, buffer, from, memory, to);
      case 12 -> unpackThreeFloats(box.rows, box.rowStride, buffer, from, memory, to);
      case 16 -> unpackTwoDoubles(box.rows, box.rowStride, buffer, from, memory, to);
      case 32 -> unpackFourDoubles(box.rows, box.rowStride, buffer, from, memory, to);
      default -> unpackRows(box.rows, box.rowStride, box.rowBytes(), buffer, from, memory, to);
    }
  }

  private static void unpackDoubles(int rows, long stride, MemorySegment buffer, long from, MemorySegment memory,
      long to) {
    for (int row = 0; row < rows; row++) {
      memory.set(JAVA_DOUBLE, to + row * stride, buffer.get(JAVA_DOUBLE, from + 8L * row));
    }
  }

  private static void unpackTwoDoubles(int rows, long stride, MemorySegment buffer, long from, MemorySegment memory,
      long to) {
    for (int row = 0; row < rows; row++) {
      memory.set(JAVA_DOUBLE, to + row * stride, buffer.get(JAVA_DOUBLE, from + 16L * row));
      memory.set(JAVA_DOUBLE, to + row * stride + 8, buffer.get(JAVA_DOUBLE, from + 16L * row + 8));
    }
  }

  private static void unpackFourDoubles(int rows, long stride, MemorySegment buffer, long from, MemorySegment memory,
      long to) {
    for (int row = 0; row < rows; row++) {
      memory.set(JAVA_DOUBLE, to + row * stride, buffer.get(JAVA_DOUBLE, from + 32L * row));
      memory.set(JAVA_DOUBLE, to + row * stride + 8, buffer.get(JAVA_DOUBLE, from + 32L * row + 8));
      memory.set(JAVA_DOUBLE, to + row * stride + 16, buffer.get(JAVA_DOUBLE, from + 32L * row + 16));
      memory.set(JAVA_DOUBLE, to + row * stride + 24, buffer.get(JAVA_DOUBLE, from + 32L * row + 24));
    }
  }

  private static void unpackThreeFloats(int rows, long stride, MemorySegment buffer, long from, MemorySegment memory,
      long to) {
    for (int row = 0; row < rows; row++) {
      memory.set(JAVA_FLOAT, to + row * stride, buffer.get(JAVA_FLOAT, from + 12L * row));
      memory.set(JAVA_FLOAT, to + row * stride + 4, buffer.get(JAVA_FLOAT, from + 12L * row + 4));
      memory.set(JAVA_FLOAT, to + row * stride + 8, buffer.get(JAVA_FLOAT, from + 12L * row + 8));
    }
  }

  private static void unpackRows(int rows, long stride, int bytes, MemorySegment buffer, long from,
      MemorySegment memory, long to) {
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(buffer, from + (long) row * bytes, memory, to + row * stride, bytes);
    }
  }

  @Override
  public String words() {
    return "boxes " + boxes.size() + boxes.stream()
        .map(box -> " %d %d %d %d %d %d".formatted(
            box.at, box.planes, box.planeStride, box.rows, box.rowStride, box.rowBytes()))
        .collect(Collectors.joining());
  }
}
