package io.adrastea.bench.datatypes;

import io.adrastea.Datatype;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A datatype, and the words from which a program in C makes the same one: the constructor's name, its numbers, and what
 * it is made of.
 */
record Described(Datatype type, String words) {
  static final Described FLOAT = new Described(Datatype.FLOAT, "float");
  static final Described DOUBLE = new Described(Datatype.DOUBLE, "double");

  private static Described of(Datatype type, Described part, Object... words) {
    return new Described(type, words(words) + " " + part.words);
  }

  private static String words(Object... words) {
    return Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static String numbers(long[] numbers) {
    return LongStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
  }

  static Described contiguous(long count, Described of) {
    return of(Datatype.contiguous(count, of.type), of, "contiguous", count);
  }

  static Described vector(long count, long blockLength, long stride, Described of) {
    return of(Datatype.vector(count, blockLength, stride, of.type), of, "vector", count, blockLength, stride);
  }

  static Described hvector(long count, long blockLength, long strideBytes, Described of) {
    return of(Datatype.hvector(count, blockLength, strideBytes, of.type), of, "hvector", count, blockLength,
        strideBytes);
  }

  static Described indexedBlock(long blockLength, long[] displacements, Described of) {
    return of(Datatype.indexedBlock(blockLength, displacements, of.type), of, "indexedBlock", displacements.length,
        blockLength, numbers(displacements));
  }

  /** One of each part, at displacements in bytes. */
  static Described struct(long[] displacements, Described... parts) {
    long[] ones = LongStream.generate(() -> 1).limit(parts.length).toArray();
    Datatype[] types = Arrays.stream(parts).map(Described::type).toArray(Datatype[]::new);
    String words = IntStream.range(0, parts.length).mapToObj(i -> displacements[i] + " " + parts[i].words)
        .collect(Collectors.joining(" "));
    return new Described(Datatype.struct(ones, displacements, types), "struct " + parts.length + " " + words);
  }

  /** The first index is next in memory. */
  static Described subarray(long[] sizes, long[] subsizes, long[] starts, Described of) {
    return of(Datatype.subarray(sizes, subsizes, starts, Datatype.Order.FORTRAN, of.type), of, "subarray",
        sizes.length, numbers(sizes), numbers(subsizes), numbers(starts));
  }

  static Described resized(long lowerBound, long extent, Described of) {
    return of(of.type.resized(lowerBound, extent), of, "resized", lowerBound, extent);
  }
}
