package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.NaiveType;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Datatypes of random trees on every core, against their type maps as {@link NaiveType} lists them.
 * {@code -Dadrastea.seed} and {@code -Dadrastea.test.datatypes} repeat and lengthen a run.
 */
class DatatypeTreesTest {
  private static final long SEED = Long.getLong("adrastea.seed", 2002);
  private static final int TREES = Integer.getInteger("adrastea.test.datatypes", 6000);
  private static final int DEPTH = 5;
  private static final byte BACKGROUND = (byte) 0xa5;
  private static final long SMALL = 96; // bytes of which every split is tried

  private final List<Spaces> cores = Cores.all().stream()
      .filter(core -> core.unavailabilityCause().isEmpty())
      .map(CoreProvider::spaces)
      .toList();

  /** A type, elements of it in memory, and what they are when they are packed. */
  private static final class Sample {
    final NaiveType type;
    final long count;
    final long[] places; // of each packed byte in memory
    final boolean overlaps;
    final long offset;
    final byte[] memory;
    final byte[] packed;
    final Random random;

    Sample(NaiveType type, Random random) {
      this.type = type;
      this.random = random;
      count = random.nextInt(4);
      places = type.bytes(count);
      long low = Arrays.stream(places).min().orElse(0);
      long high = Arrays.stream(places).max().orElse(-1) + 1;
      overlaps = Arrays.stream(places).distinct().count() < places.length;
      long around = random.nextInt(9);
      offset = around - low;
      memory = new byte[(int) (high - low + around + random.nextInt(9))];
      random.nextBytes(memory);
      packed = new byte[places.length];
      for (int i = 0; i < places.length; i++) {
        places[i] += offset;
        packed[i] = memory[(int) places[i]];
      }
    }
  }

  @Test
  void arePackedAndUnpackedAsTheirTypeMapSays() {
    for (int tree = 0; tree < TREES; tree++) {
      long seed = SEED + tree;
      Random random = new Random(seed);
      NaiveType type = NaiveType.random(random, tree % (DEPTH + 1));
      try {
        Sample sample = new Sample(type, random);
        assertBounds(type);
        assertProgram(type.of().map().program());
        for (Spaces spaces : cores) {
          assertMoved(sample, spaces);
        }
        assertByPrograms(sample);
        assertCanonical(sample);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with -Dadrastea.seed=%d -Dadrastea.test.datatypes=%d, depth %d:%n%s"
            .formatted(SEED, tree + 1, tree % (DEPTH + 1), type.of()), e);
      }
    }
  }

  private static void assertBounds(NaiveType naive) {
    Datatype type = naive.of();
    assertEquals(naive.size(), type.size(), "size");
    assertEquals(naive.extent(), type.extent(), "extent");
    assertEquals(naive.lower(), type.lowerBound(), "lower bound");
    long low = naive.map().stream().mapToLong(NaiveType.Entry::displacement).min().orElse(0);
    long high = naive.map().stream().mapToLong(entry -> entry.displacement() + entry.bytes()).max().orElse(0);
    if (naive.size() > 0) {
      assertEquals(low, type.trueLowerBound(), "true lower bound");
      assertEquals(high - low, type.trueExtent(), "true extent");
    }
  }

  private static void assertProgram(Program program) {
    assertArrayEquals(program.words(), Program.of(program.words()).words());
  }

  private static void assertMoved(Sample sample, Spaces spaces) {
    Program program = sample.type.of().map().program();
    boolean onHeap = sample.random.nextBoolean();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = MemorySegment.ofArray(sample.memory);
      MemorySegment from = onHeap ? memory : arena.allocate(memory.byteSize() + 1).asSlice(1).copyFrom(memory);
      MemorySegment packed =
          sample.random.nextBoolean() ? MemorySegment.ofArray(new byte[sample.packed.length + 7])
              : arena.allocate(sample.packed.length + 7);
      ProgramCursor cursor = new ProgramCursor().begin(program, sample.count);
      for (int at = 0; at < sample.packed.length;) {
        int some = 1 + sample.random.nextInt(sample.random.nextBoolean() ? 9 : sample.packed.length);
        some = Math.min(some, sample.packed.length - at);
        spaces.pack(program, cursor, from, sample.offset, packed, at, some);
        at += some;
        assertEquals(at, cursor.position());
        if (sample.random.nextInt(8) == 0) {
          cursor.seek(program, sample.count, at);
        }
      }
      assertArrayEquals(sample.packed, bytes(packed, sample.packed.length));
      assertEquals(7, bytes(packed.asSlice(sample.packed.length), 7).length);
      assertUntouched(packed.asSlice(sample.packed.length), (byte) 0);
      if (sample.packed.length <= SMALL) {
        assertEverySplit(sample, spaces, from, packed);
      }
      if (!sample.overlaps) {
        assertUnpacked(sample, spaces, packed, onHeap ? MemorySegment.ofArray(new byte[sample.memory.length])
            : arena.allocate(Math.max(1, sample.memory.length)));
      }
    }
  }

  private static void assertEverySplit(Sample sample, Spaces spaces, MemorySegment from, MemorySegment packed) {
    Program program = sample.type.of().map().program();
    ProgramCursor cursor = new ProgramCursor();
    int length = sample.packed.length;
    for (int split = 0; split <= length; split++) {
      packed.fill((byte) 0);
      cursor.begin(program, sample.count);
      spaces.pack(program, cursor, from, sample.offset, packed, 0, split);
      spaces.pack(program, cursor, from, sample.offset, packed, split, length - split);
      assertArrayEquals(sample.packed, bytes(packed, length));
      packed.fill((byte) 0);
      cursor.seek(program, sample.count, split);
      spaces.pack(program, cursor, from, sample.offset, packed, split, length - split);
      cursor.begin(program, sample.count);
      spaces.pack(program, cursor, from, sample.offset, packed, 0, split);
      assertArrayEquals(sample.packed, bytes(packed, length));
    }
  }

  private static void assertUnpacked(Sample sample, Spaces spaces, MemorySegment packed, MemorySegment to) {
    Program program = sample.type.of().map().program();
    to.fill(BACKGROUND);
    ProgramCursor cursor = new ProgramCursor().begin(program, sample.count);
    for (int at = 0; at < sample.packed.length;) {
      int some = Math.min(1 + sample.random.nextInt(30), sample.packed.length - at);
      spaces.unpack(program, cursor, to, sample.offset, packed, at, some);
      at += some;
    }
    assertArrayEquals(unpacked(sample), bytes(to, sample.memory.length));
  }

  /** The bytes of the elements in memory that was all background before. */
  private static byte[] unpacked(Sample sample) {
    byte[] expected = new byte[sample.memory.length];
    Arrays.fill(expected, BACKGROUND);
    for (int i = 0; i < sample.places.length; i++) {
      expected[(int) sample.places[i]] = sample.packed[i];
    }
    return expected;
  }

  private static void assertByPrograms(Sample sample) {
    Datatype type = sample.type.of();
    byte[] packed = new byte[sample.packed.length];
    long bytes = type.pack(
        MemorySegment.ofArray(sample.memory), sample.offset, sample.count, MemorySegment.ofArray(packed), 0);
    assertEquals(sample.packed.length, bytes);
    assertArrayEquals(sample.packed, packed);
    byte[] memory = new byte[sample.memory.length];
    Arrays.fill(memory, BACKGROUND);
    MemorySegment to = MemorySegment.ofArray(memory);
    if (sample.overlaps) {
      assertThrows(IllegalArgumentException.class,
          () -> type.unpack(MemorySegment.ofArray(packed), 0, to, sample.offset, sample.count));
      assertUntouched(to, BACKGROUND);
    } else {
      type.unpack(MemorySegment.ofArray(packed), 0, to, sample.offset, sample.count);
      assertArrayEquals(unpacked(sample), memory);
    }
  }

  private static void assertCanonical(Sample sample) {
    Datatype type = sample.type.of();
    byte[] canonical = new byte[sample.packed.length];
    MemorySegment to = MemorySegment.ofArray(canonical);
    type.packCanonical(MemorySegment.ofArray(sample.memory), sample.offset, sample.count, to, 0);
    assertArrayEquals(turned(sample), canonical);
    if (!sample.overlaps) {
      byte[] memory = new byte[sample.memory.length];
      Arrays.fill(memory, BACKGROUND);
      type.unpackCanonical(to, 0, MemorySegment.ofArray(memory), sample.offset, sample.count);
      assertArrayEquals(unpacked(sample), memory);
    }
  }

  private static byte[] turned(Sample sample) {
    if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
      return sample.packed;
    }
    byte[] turned = new byte[sample.packed.length];
    int at = 0;
    for (int element = 0; element < sample.count; element++) {
      for (NaiveType.Entry entry : sample.type.map()) {
        for (int i = 0; i < entry.bytes(); i++) {
          turned[at + i] = sample.packed[at + entry.bytes() - 1 - i];
        }
        at += entry.bytes();
      }
    }
    return turned;
  }

  private static byte[] bytes(MemorySegment memory, long length) {
    return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static void assertUntouched(MemorySegment memory, byte value) {
    byte[] expected = new byte[(int) memory.byteSize()];
    Arrays.fill(expected, value);
    assertArrayEquals(expected, memory.toArray(ValueLayout.JAVA_BYTE));
  }
}
