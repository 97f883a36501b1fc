package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Entries of arrays of floats, by lists of their indices: SPECFEM3D's points. */
record Gather(List<Points> parts) implements HandLoop {
  /**
   * Points of one array.
   *
   * @param at the array's first byte
   * @param floats of a point: 1 or 3
   * @param indices of the points, in the order of the message
   */
  record Points(long at, int floats, int[] indices) {}

  Gather {
    parts = List.copyOf(parts);
  }

  @Override
  public void pack(MemorySegment memory, MemorySegment buffer) {
    long to = 0;
    for (int i = 0; i < parts.size(); i++) {
      Points points = parts.get(i);
      if (points.floats == 1) {
        packOnes(points, memory, buffer, to);
      } else {
        packThrees(points, memory, buffer, to);
      }
      to += 4L * points.floats * points.indices.length;
    }
  }

  private static void packOnes(Points points, MemorySegment memory, MemorySegment buffer, long to) {
    int[] indices = points.indices;
    long at = points.at;
    for (int i = 0; i < indices.length; i++) {
      buffer.set(JAVA_FLOAT, to + 4L * i, memory.get(JAVA_FLOAT, at + 4L * indices[i]));
    }
  }

  private static void packThrees(Points points, MemorySegment memory, MemorySegment buffer, long to) {
    int[] indices = points.indices;
    long at = points.at;
    for (int i = 0; i < indices.length; i++) {
      long from = at + 12L * indices[i];
      long next = to + 12L * i;
      buffer.set(JAVA_FLOAT, next, memory.get(JAVA_FLOAT, from));
      buffer.set(JAVA_FLOAT, next + 4, memory.get(JAVA_FLOAT, from + 4));
      buffer.set(JAVA_FLOAT, next + 8, memory.get(JAVA_FLOAT, from + 8));
    }
  }

  @Override
  public void unpack(MemorySegment buffer, MemorySegment memory) {
    long from = 0;
    for (int i = 0; i < parts.size(); i++) {
      Points points = parts.get(i);
      if (points.floats == 1) {
        unpackOnes(points, buffer, from, memory);
      } else {
        unpackThrees(points, buffer, from, memory);
      }
      from += 4L * points.floats * points.indices.length;
    }
  }

  private static void unpackOnes(Points points, MemorySegment buffer, long from, MemorySegment memory) {
    int[] indices = points.indices;
    long at = points.at;
    for (int i = 0; i < indices.length; i++) {
      memory.set(JAVA_FLOAT, at + 4L * indices[i], buffer.get(JAVA_FLOAT, from + 4L * i));
    }
  }

  private static void unpackThrees(Points points, MemorySegment buffer, long from, MemorySegment memory) {
    int[] indices = points.indices;
    long at = points.at;
    for (int i = 0; i < indices.length; i++) {
      long to = at + 12L * indices[i];
      long next = from + 12L * i;
      memory.set(JAVA_FLOAT, to, buffer.get(JAVA_FLOAT, next));
      memory.set(JAVA_FLOAT, to + 4, buffer.get(JAVA_FLOAT, next + 4));
      memory.set(JAVA_FLOAT, to + 8, buffer.get(JAVA_FLOAT, next + 8));
    }
  }

  @Override
  public String words() {
    return "gather " + parts.size() + parts.stream()
        .map(points -> " %d %d %d %s".formatted(points.at, points.floats, points.indices.length,
            Arrays.stream(points.indices).mapToObj(String::valueOf).collect(Collectors.joining(" "))))
        .collect(Collectors.joining());
  }
}
