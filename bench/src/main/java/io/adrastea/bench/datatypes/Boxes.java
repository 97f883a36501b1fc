package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;

/** Parts of arrays of up to three dimensions, row by row. */
record Boxes(List<Box> boxes) implements HandLoop {
  /** Rows from so many bytes on are copied by the JVM's copy, shorter ones element by element. */
  private static final int COPIED = 128;

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

  private static void packPlane(Box box, MemorySegment memory, long from, MemorySegment buffer, long to) {
    if (box.rowBytes() >= COPIED) {
      for (int row = 0; row < box.rows; row++) {
        MemorySegment.copy(memory, from + row * box.rowStride, buffer, to + (long) row * box.rowBytes(),
            box.rowBytes());
      }
    } else if (box.width == Double.BYTES && box.elements == 1) {
      packDoubles(box.rows, box.rowStride, memory, from, buffer, to);
    } else if (box.width == Double.BYTES) {
      packDoubleRows(box, memory, from, buffer, to);
    } else {
      packFloatRows(box, memory, from, buffer, to);
    }
  }

  private static void packDoubles(int rows, long stride, MemorySegment memory, long from, MemorySegment buffer,
      long to) {
    for (int row = 0; row < rows; row++) {
      buffer.set(JAVA_DOUBLE, to + 8L * row, memory.get(JAVA_DOUBLE, from + row * stride));
    }
  }

  private static void packDoubleRows(Box box, MemorySegment memory, long from, MemorySegment buffer, long to) {
    for (int row = 0; row < box.rows; row++) {
      long first = from + row * box.rowStride;
      long next = to + (long) row * box.rowBytes();
      for (int i = 0; i < box.elements; i++) {
        buffer.set(JAVA_DOUBLE, next + 8L * i, memory.get(JAVA_DOUBLE, first + 8L * i));
      }
    }
  }

  private static void packFloatRows(Box box, MemorySegment memory, long from, MemorySegment buffer, long to) {
    for (int row = 0; row < box.rows; row++) {
      long first = from + row * box.rowStride;
      long next = to + (long) row * box.rowBytes();
      for (int i = 0; i < box.elements; i++) {
        buffer.set(JAVA_FLOAT, next + 4L * i, memory.get(JAVA_FLOAT, first + 4L * i));
      }
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
    if (box.rowBytes() >= COPIED) {
      for (int row = 0; row < box.rows; row++) {
        MemorySegment.copy(buffer, from + (long) row * box.rowBytes(), memory, to + row * box.rowStride,
            box.rowBytes());
      }
    } else if (box.width == Double.BYTES && box.elements == 1) {
      unpackDoubles(box.rows, box.rowStride, buffer, from, memory, to);
    } else if (box.width == Double.BYTES) {
      unpackDoubleRows(box, buffer, from, memory, to);
    } else {
      unpackFloatRows(box, buffer, from, memory, to);
    }
  }

  private static void unpackDoubles(int rows, long stride, MemorySegment buffer, long from, MemorySegment memory,
      long to) {
    for (int row = 0; row < rows; row++) {
      memory.set(JAVA_DOUBLE, to + row * stride, buffer.get(JAVA_DOUBLE, from + 8L * row));
    }
  }

  private static void unpackDoubleRows(Box box, MemorySegment buffer, long from, MemorySegment memory, long to) {
    for (int row = 0; row < box.rows; row++) {
      long first = to + row * box.rowStride;
      long next = from + (long) row * box.rowBytes();
      for (int i = 0; i < box.elements; i++) {
        memory.set(JAVA_DOUBLE, first + 8L * i, buffer.get(JAVA_DOUBLE, next + 8L * i));
      }
    }
  }

  private static void unpackFloatRows(Box box, MemorySegment buffer, long from, MemorySegment memory, long to) {
    for (int row = 0; row < box.rows; row++) {
      long first = to + row * box.rowStride;
      long next = from + (long) row * box.rowBytes();
      for (int i = 0; i < box.elements; i++) {
        memory.set(JAVA_FLOAT, first + 4L * i, buffer.get(JAVA_FLOAT, next + 4L * i));
      }
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
