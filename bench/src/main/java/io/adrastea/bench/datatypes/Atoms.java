package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Atoms of a simulation, each with three coordinates and some properties that lie in arrays of their own: LAMMPS. In
 * the buffer an atom is in one piece.
 *
 * @param coordinates the first byte of the array of coordinates
 * @param properties the first bytes of the arrays of properties
 * @param indices of the atoms, in the order of the message
 */
record Atoms(long coordinates, long[] properties, int[] indices) implements HandLoop {
  private int atomBytes() {
    return 8 * (3 + properties.length);
  }

  @Override
  public void pack(MemorySegment memory, MemorySegment buffer) {
    int atomBytes = atomBytes();
    for (int i = 0; i < indices.length; i++) {
      long from = coordinates + 24L * indices[i];
      long to = (long) i * atomBytes;
      buffer.set(JAVA_DOUBLE, to, memory.get(JAVA_DOUBLE, from));
      buffer.set(JAVA_DOUBLE, to + 8, memory.get(JAVA_DOUBLE, from + 8));
      buffer.set(JAVA_DOUBLE, to + 16, memory.get(JAVA_DOUBLE, from + 16));
      for (int property = 0; property < properties.length; property++) {
        buffer.set(JAVA_DOUBLE, to + 24 + 8L * property,
            memory.get(JAVA_DOUBLE, properties[property] + 8L * indices[i]));
      }
    }
  }

  @Override
  public void unpack(MemorySegment buffer, MemorySegment memory) {
    int atomBytes = atomBytes();
    for (int i = 0; i < indices.length; i++) {
      long to = coordinates + 24L * indices[i];
      long from = (long) i * atomBytes;
      memory.set(JAVA_DOUBLE, to, buffer.get(JAVA_DOUBLE, from));
      memory.set(JAVA_DOUBLE, to + 8, buffer.get(JAVA_DOUBLE, from + 8));
      memory.set(JAVA_DOUBLE, to + 16, buffer.get(JAVA_DOUBLE, from + 16));
      for (int property = 0; property < properties.length; property++) {
        memory.set(JAVA_DOUBLE, properties[property] + 8L * indices[i],
            buffer.get(JAVA_DOUBLE, from + 24 + 8L * property));
      }
    }
  }

  @Override
  public String words() {
    return "atoms %d %d %s %d %s".formatted(coordinates, properties.length,
        Arrays.stream(properties).mapToObj(String::valueOf).collect(Collectors.joining(" ")), indices.length,
        Arrays.stream(indices).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
  }
}
