package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.NaiveType;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * One copy between two layouts on every core, against the type maps of both ({@link NaiveType}). Both layouts are drawn
 * apart, or one of them is contiguous, or both are the same. {@code -Dadrastea.seed} and
 * {@code -Dadrastea.test.datatypes} repeat and lengthen a run.
 */
class DatatypeCopyTest {
  private static final long SEED = Long.getLong("adrastea.seed", 2000);
  private static final int PAIRS = Integer.getInteger("adrastea.test.datatypes", 3000);
  private static final int DEPTH = 5;
  private static final byte BACKGROUND = (byte) 0xa5;

  private final List<Spaces> cores = Cores.all().stream()
      .filter(core -> core.unavailabilityCause().isEmpty())
      .map(CoreProvider::spaces)
      .toList();

  /** Elements of a type: where each packed byte lies in a piece of memory that just holds them. */
  private record End(NaiveType type, long count, long[] places, long offset, int memory) {
    static End of(NaiveType type, long count, int around) {
      long[] places = type.bytes(count);
      long low = Arrays.stream(places).min().orElse(0);
      long high = Arrays.stream(places).max().orElse(-1) + 1;
      for (int i = 0; i < places.length; i++) {
        places[i] += around - low;
      }
      return new End(type, count, places, around - low, (int) (high - low) + 2 * around);
    }

    Program program() {
      return type.of().map().program();
    }

    boolean overlaps() {
      return Arrays.stream(places).distinct().count() < places.length;
    }
  }

  private static NaiveType bytes(long count) {
    return NaiveType.basic(Datatype.BYTE).contiguous(count);
  }

  private void assertCopied(End from, End to, Random random) {
    int length = Math.min(from.places.length, to.places.length);
    byte[] source = new byte[from.memory];
    random.nextBytes(source);
    byte[] expected = new byte[to.memory];
    Arrays.fill(expected, BACKGROUND);
    int start = length == 0 ? 0 : random.nextInt(3) == 0 ? random.nextInt(length) : 0;
    for (int i = start; i < length; i++) {
      expected[(int) to.places[i]] = source[(int) from.places[i]];
    }
    boolean onHeap = random.nextInt(3) == 0;
    for (Spaces spaces : cores) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment there = onHeap ? MemorySegment.ofArray(source)
            : Arena.ofAuto().allocate(Math.max(1, source.length)).copyFrom(MemorySegment.ofArray(source));
        MemorySegment here = random.nextInt(3) == 0 ? arena.allocate(Math.max(1, to.memory))
            : Arena.ofAuto().allocate(Math.max(1, to.memory));
        here.fill(BACKGROUND);
        ProgramCursor fromCursor = new ProgramCursor().seek(from.program(), from.count, start);
        ProgramCursor toCursor = new ProgramCursor().seek(to.program(), to.count, start);
        for (int at = start; at < length;) {
          int some = random.nextInt(3) == 0 ? length : 1 + random.nextInt(random.nextBoolean() ? 9 : length);
          some = Math.min(some, length - at);
          spaces.copy(to.program(), toCursor, here, to.offset, from.program(), fromCursor, there, from.offset, some);
          at += some;
          assertEquals(at, fromCursor.position());
          assertEquals(at, toCursor.position());
        }
        assertArrayEquals(expected, here.asSlice(0, to.memory).toArray(ValueLayout.JAVA_BYTE),
            () -> "by " + spaces.getClass().getSimpleName());
      }
    }
  }

  @Test
  void randomLayoutsAreCopiedAsTheirTypeMapsSay() {
    for (int pair = 0; pair < PAIRS; pair++) {
      Random random = new Random(SEED + pair);
      NaiveType first = NaiveType.random(random, pair % (DEPTH + 1));
      NaiveType second = switch (pair % 4) {
        case 0 -> first;
        case 1 -> bytes(Math.max(1, first.size()));
        default -> NaiveType.random(random, random.nextInt(DEPTH + 1));
      };
      try {
        End from = End.of(first, random.nextInt(5), random.nextInt(9));
        End to = End.of(second, 1 + random.nextInt(4), random.nextInt(9));
        if (!to.overlaps()) {
          assertCopied(from, to, random);
        }
        if (!from.overlaps()) {
          assertCopied(to, from, random);
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with -Dadrastea.seed=%d -Dadrastea.test.datatypes=%d:%n%s%nand%n%s"
            .formatted(SEED, pair + 1, first.of(), second.of()), e);
      }
    }
  }

  /** Layouts whose loops are alike, longer than a window, with other strides at each end. */
  @Test
  void regularLayoutsAreCopiedInWhole() {
    NaiveType word = NaiveType.basic(Datatype.LONG);
    NaiveType small = NaiveType.basic(Datatype.SHORT);
    NaiveType[] matrices = {
      word.contiguous(2).vector(40, 3, 5, false),
      word.contiguous(2).vector(40, 3, 9, false),
      word.vector(60, 2, 60, false).resized(0, 16), // columns
      word.vector(60, 2, -64, false).resized(0, 16),
      word.vector(120, 1, 3, false),
      small.vector(480, 1, 2, false),
      word.indexedBlock(1, displacements(120, 5)),
      word.indexedBlock(1, displacements(120, 3)),
      word.indexed(lengths(30), displacements(30, 9), false),
      record(word, small, 8, 16, 24),
      record(word, small, 16, 0, 32),
      record(small, word, 0, 8, 24),
    };
    Random random = new Random(SEED);
    for (NaiveType from : matrices) {
      for (NaiveType to : matrices) {
        long fromCount = Math.max(3, 4000 / from.size());
        long toCount = Math.max(3, 4000 / to.size());
        for (int run = 0; run < 4; run++) {
          End target = End.of(to, toCount, 4);
          assertEquals(false, target.overlaps(), to.of().toString());
          assertCopied(End.of(from, fromCount, 3), target, random);
        }
      }
    }
  }

  private static NaiveType record(NaiveType first, NaiveType second, long firstAt, long secondAt, long extent) {
    return NaiveType.struct(new long[] {1, 2}, new long[] {firstAt, secondAt}, List.of(first, second))
        .resized(0, extent);
  }

  private static long[] displacements(int count, int apart) {
    long[] places = new long[count];
    for (int i = 0; i < count; i++) {
      places[i] = (long) i * apart + i % 2;
    }
    return places;
  }

  private static long[] lengths(int count) {
    long[] lengths = new long[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = 1 + i % 7;
    }
    return lengths;
  }
}
