package io.adrastea.datatype;

import io.adrastea.Datatype;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;

/**
 * A datatype as the MPI standard defines it: the list of its basic types with their displacements, and two bounds. Each
 * constructor is written as the list of copies that it stands for; nothing is merged.
 *
 * @param isVoid made of no copies at all, so that its bounds say nothing; a resized one is never so
 * @param of the same datatype as the code makes it
 */
public record NaiveType(boolean isVoid, List<Entry> map, long lower, long upper, Datatype of) {
  /** A basic type of that many bytes. */
  public record Entry(long displacement, int bytes) {}

  private record Copy(NaiveType of, long displacement) {}

  public static NaiveType basic(Datatype of) {
    int bytes = (int) of.size();
    return new NaiveType(false, List.of(new Entry(0, bytes)), 0, bytes, of);
  }

  private static NaiveType of(List<Copy> copies, Datatype of) {
    List<Entry> map = new ArrayList<>();
    long lower = Long.MAX_VALUE;
    long upper = Long.MIN_VALUE;
    for (Copy copy : copies) {
      if (!copy.of.isVoid) {
        copy.of.map.forEach(entry -> map.add(new Entry(copy.displacement + entry.displacement, entry.bytes)));
        lower = Math.min(lower, copy.displacement + copy.of.lower);
        upper = Math.max(upper, copy.displacement + copy.of.upper);
      }
    }
    boolean none = copies.stream().allMatch(copy -> copy.of.isVoid);
    return none ? new NaiveType(true, map, 0, 0, of) : new NaiveType(false, map, lower, upper, of);
  }

  public long extent() {
    return upper - lower;
  }

  public long size() {
    return map.stream().mapToLong(Entry::bytes).sum();
  }

  /** Where each packed byte lies, of so many elements. */
  public long[] bytes(long count) {
    long[] places = new long[(int) (count * size())];
    int at = 0;
    for (long element = 0; element < count; element++) {
      for (Entry entry : map) {
        for (int i = 0; i < entry.bytes; i++) {
          places[at++] = element * extent() + entry.displacement + i;
        }
      }
    }
    return places;
  }

  private void addBlock(List<Copy> copies, long length, long displacement) {
    for (long i = 0; i < length; i++) {
      copies.add(new Copy(this, displacement + i * extent()));
    }
  }

  public NaiveType contiguous(long count) {
    List<Copy> copies = new ArrayList<>();
    addBlock(copies, count, 0);
    return of(copies, Datatype.contiguous(count, of));
  }

  public NaiveType vector(long count, long length, long stride, boolean inBytes) {
    List<Copy> copies = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      addBlock(copies, length, i * stride * (inBytes ? 1 : extent()));
    }
    return of(copies,
        inBytes ? Datatype.hvector(count, length, stride, of) : Datatype.vector(count, length, stride, of));
  }

  public NaiveType indexed(long[] lengths, long[] displacements, boolean inBytes) {
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      addBlock(copies, lengths[i], displacements[i] * (inBytes ? 1 : extent()));
    }
    return of(copies,
        inBytes ? Datatype.hindexed(lengths, displacements, of) : Datatype.indexed(lengths, displacements, of));
  }

  public NaiveType indexedBlock(long length, long[] displacements) {
    List<Copy> copies = new ArrayList<>();
    for (long displacement : displacements) {
      addBlock(copies, length, displacement * extent());
    }
    return of(copies, Datatype.indexedBlock(length, displacements, of));
  }

  public static NaiveType struct(long[] lengths, long[] displacements, List<NaiveType> types) {
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      types.get(i).addBlock(copies, lengths[i], displacements[i]);
    }
    Datatype[] parts = types.stream().map(NaiveType::of).toArray(Datatype[]::new);
    return of(copies, Datatype.struct(lengths, displacements, parts));
  }

  public NaiveType resized(long lowerBound, long extent) {
    return new NaiveType(false, map, lowerBound, lowerBound + extent, of.resized(lowerBound, extent));
  }

  public NaiveType subarray(long[] sizes, long[] subsizes, long[] starts, Datatype.Order order) {
    return array(sizes, order, (dimension, index) -> index >= starts[dimension]
        && index < starts[dimension] + subsizes[dimension], Datatype.subarray(sizes, subsizes, starts, order, of));
  }

  /** Whether an index of a dimension is in the part. */
  public interface Has {
    boolean index(int dimension, long index);
  }

  /** The elements of an array that are in a part of it, in the order of memory. */
  public NaiveType array(long[] sizes, Datatype.Order order, Has has, Datatype of) {
    long all = 1;
    for (long size : sizes) {
      all *= size;
    }
    List<Copy> copies = new ArrayList<>();
    for (long place = 0; place < all; place++) {
      long left = place;
      boolean inside = true;
      for (int k = 0; k < sizes.length; k++) {
        int dimension = order == Datatype.Order.C ? sizes.length - 1 - k : k;
        inside &= has.index(dimension, left % sizes[dimension]);
        left /= sizes[dimension];
      }
      if (inside) {
        copies.add(new Copy(this, place * extent()));
      }
    }
    NaiveType part = of(copies, of);
    return new NaiveType(false, part.map, 0, all * extent(), of);
  }

  /** A tree of random shape and numbers. */
  public static NaiveType random(Random random, int depth) {
    if (depth == 0) {
      Datatype[] basic = {Datatype.BYTE, Datatype.BOOLEAN, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.FLOAT,
        Datatype.LONG, Datatype.DOUBLE};
      return basic(basic[random.nextInt(basic.length)]);
    }
    NaiveType of = random(random, depth - 1);
    int most = of.map.size() > 200 ? 2 : 4;
    LongUnaryOperator few = bound -> random.nextInt((int) bound + 1);
    long stride = random.nextInt(-3, 8);
    return switch (random.nextInt(10)) {
      case 0 -> of.contiguous(few.applyAsLong(most));
      case 1 -> of.vector(few.applyAsLong(most), few.applyAsLong(2), stride, false);
      case 2 -> of.vector(few.applyAsLong(most), few.applyAsLong(2), random.nextInt(-40, 120), true);
      case 3 -> of.indexed(lengths(random, most), places(random, most, 12), false);
      case 4 -> of.indexed(lengths(random, most), places(random, most, 150), true);
      case 5 -> of.indexedBlock(few.applyAsLong(2), places(random, most, 12));
      case 6 -> {
        int parts = random.nextInt(1, most);
        List<NaiveType> types = new ArrayList<>(List.of(of));
        while (types.size() < parts) {
          types.add(random(random, random.nextInt(depth)));
        }
        yield struct(lengths(random, parts), places(random, parts, 150), types);
      }
      case 7 -> {
        Datatype.Order order = random.nextBoolean() ? Datatype.Order.C : Datatype.Order.FORTRAN;
        int dimensions = random.nextInt(1, 4);
        long[][] shape = new long[3][dimensions];
        for (int i = 0; i < dimensions; i++) {
          shape[0][i] = random.nextInt(1, 4);
          shape[2][i] = random.nextInt((int) shape[0][i]);
          shape[1][i] = random.nextInt((int) (shape[0][i] - shape[2][i]) + 1);
        }
        yield of.map.size() > 100 ? of.contiguous(1) : of.subarray(shape[0], shape[1], shape[2], order);
      }
      case 8 -> of.map.size() > 100 ? of.contiguous(2) : shared(of, random);
      default -> of.resized(random.nextInt(-8, 8), random.nextInt(1, 100));
    };
  }

  private static NaiveType shared(NaiveType of, Random random) {
    Datatype.Order order = random.nextBoolean() ? Datatype.Order.C : Datatype.Order.FORTRAN;
    long[] sizes = {random.nextInt(1, 7), random.nextInt(1, 7)};
    int[] processes = {random.nextInt(1, 4), random.nextInt(1, 4)};
    Datatype.Distribution[] ways = new Datatype.Distribution[2];
    long[] lengths = new long[2];
    for (int i = 0; i < 2; i++) {
      ways[i] = Datatype.Distribution.values()[random.nextInt(3)];
      processes[i] = ways[i] == Datatype.Distribution.NONE ? 1 : processes[i];
      long even = (sizes[i] + processes[i] - 1) / processes[i];
      lengths[i] = random.nextInt(3) == 0 ? Datatype.DEFAULT_BLOCK
          : ways[i] == Datatype.Distribution.BLOCK ? even + random.nextInt(2) : random.nextInt(1, 4);
    }
    int size = processes[0] * processes[1];
    int rank = random.nextInt(size);
    int[] place = {rank / processes[1], rank % processes[1]};
    Datatype made = Datatype.darray(size, rank, sizes, ways, lengths, processes, order, of.of);
    return of.array(sizes, order, (dimension, index) -> {
      long even = (sizes[dimension] + processes[dimension] - 1) / processes[dimension];
      long length = lengths[dimension] != Datatype.DEFAULT_BLOCK ? lengths[dimension]
          : ways[dimension] == Datatype.Distribution.CYCLIC ? 1 : even;
      return ways[dimension] == Datatype.Distribution.NONE
          || index / length % processes[dimension] == place[dimension];
    }, made);
  }

  private static long[] lengths(Random random, int count) {
    return random.longs(count, 0, 3).toArray();
  }

  private static long[] places(Random random, int count, int most) {
    return random.nextBoolean()
        ? random.longs(count, -most / 3, most).toArray()
        : random.longs(count, 0, most).sorted().toArray();
  }
}
