package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.datatype.Packing;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The programs of some datatypes, word for word, and what is packed by them: {@code tests/datatypes/programs.golden},
 * which {@code datatype_test} reads, too. Words that are no program are refused.
 */
class DatatypeGoldenTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("adrastea.root")).resolve("tests/datatypes/programs.golden");

  private static final Map<String, Datatype> TYPES = new LinkedHashMap<>();

  static {
    Datatype cube =
        Datatype.subarray(longs(6, 5, 7), longs(3, 2, 4), longs(1, 2, 1), Datatype.Order.C, Datatype.DOUBLE);
    Datatype particle = Datatype.struct(longs(1, 1, 3), longs(0, 8, 24), Datatype.INT, Datatype.DOUBLE, Datatype.FLOAT);
    Datatype turned = Datatype.struct(longs(1, 1), longs(0, 6), Datatype.INT, Datatype.SHORT);
    Datatype.Distribution[] ways = {Datatype.Distribution.CYCLIC, Datatype.Distribution.BLOCK};
    TYPES.put("empty", Datatype.contiguous(0, Datatype.INT));
    TYPES.put("contiguous", Datatype.contiguous(33, Datatype.INT));
    TYPES.put("vector-1", Datatype.vector(40, 1, 3, Datatype.BYTE));
    TYPES.put("vector-24", Datatype.vector(20, 3, 5, Datatype.DOUBLE));
    TYPES.put("vector-700", Datatype.vector(3, 700, 800, Datatype.BYTE));
    TYPES.put("backwards", Datatype.vector(9, 1, -2, Datatype.SHORT));
    TYPES.put("subarray", cube);
    TYPES.put("subarray-4d", Datatype.subarray(longs(3, 4, 5, 6), longs(2, 2, 3, 3), longs(1, 1, 1, 2),
        Datatype.Order.FORTRAN, Datatype.INT));
    TYPES.put("columns", Datatype.contiguous(5, Datatype.vector(30, 1, 12, Datatype.DOUBLE).resized(0, 8)));
    TYPES.put("woven", Datatype.contiguous(50, particle.resized(0, 40)));
    TYPES.put("turned", Datatype.contiguous(12, turned));
    TYPES.put("gather", Datatype.indexedBlock(2, longs(3, 0, 9, 6, 20, 31), Datatype.FLOAT));
    TYPES.put("runs", Datatype.indexed(longs(3, 1, 0, 7), longs(0, 5, 6, 9), Datatype.LONG));
    TYPES.put("indexed", Datatype.indexed(longs(2, 1, 3), longs(0, 3, 7), cube.resized(0, 2000)));
    TYPES.put("indexed-body", Datatype.hindexed(longs(2, 1), longs(16, 4000), Datatype.struct(longs(1, 1, 1),
        longs(0, 100, 300), particle, cube, Datatype.indexed(longs(1, 2), longs(0, 4), Datatype.INT))));
    TYPES.put("darray", Datatype.darray(6, 4, longs(11, 8), ways, longs(2, 4), new int[] {3, 2}, Datatype.Order.C,
        Datatype.INT));
    TYPES.put("members", Datatype.struct(ones(20), squares(20), filled(20)));
  }

  private static long[] longs(long... numbers) {
    return numbers;
  }

  private static long[] ones(int count) {
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static long[] squares(int count) {
    long[] squares = new long[count];
    Arrays.setAll(squares, i -> 10L * i * i);
    return squares;
  }

  private static Datatype[] filled(int count) {
    Datatype[] types = new Datatype[count];
    Arrays.setAll(types, i -> i % 3 == 0 ? Datatype.INT : Datatype.DOUBLE);
    return types;
  }

  /** The memory that three elements lie in: each byte tells its place. */
  private static MemorySegment memory(Datatype type) {
    byte[] memory = new byte[(int) (type.trueExtent() + 2 * Math.abs(type.extent()))];
    for (int i = 0; i < memory.length; i++) {
      memory[i] = (byte) (i * 31 + i / 251);
    }
    return MemorySegment.ofArray(memory);
  }

  private static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (byte one : bytes) {
      hash = (hash ^ one & 0xff) * 0x100000001b3L;
    }
    return hash;
  }

  private static String describe(String name, Datatype type) {
    Program program = type.map().program();
    byte[] packed = new byte[(int) (3 * type.size())];
    long offset = -type.trueLowerBound() - Math.min(0, 2 * type.extent());
    Packing.pack(program, new ProgramCursor().begin(program, 3), memory(type), offset, MemorySegment.ofArray(packed), 0,
        packed.length);
    StringBuilder text = new StringBuilder("type %s words %d memory %d offset %d packed %d hash %016x%n"
        .formatted(name, program.words().length, memory(type).byteSize(), offset, packed.length, hash(packed)));
    int column = 0;
    for (long word : program.words()) {
      text.append(word).append(++column % 8 == 0 || column == program.words().length ? '\n' : ' ');
    }
    return text.toString();
  }

  @Test
  void programsAreTheGoldenOnes() throws IOException {
    StringBuilder text = new StringBuilder();
    TYPES.forEach((name, type) -> text.append(describe(name, type)));
    assertEquals(Files.readString(GOLDEN), text.toString());
  }

  @Test
  void wordsOfAnotherProgramAreRefusedOrHarmless() {
    Random random = new Random(17);
    int refused = 0;
    for (Datatype type : TYPES.values()) {
      for (int i = 0; i < 3000; i++) {
        long[] words = type.map().program().words();
        spoil(words, random);
        refused += isRefused(words) ? 1 : 0;
      }
    }
    assertTrue(refused > TYPES.size() * 1500, refused + " were refused");
  }

  private static void spoil(long[] words, Random random) {
    for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
      int at = random.nextInt(random.nextInt(4) == 0 ? words.length : Math.min(words.length, 32));
      words[at] = switch (random.nextInt(5)) {
        case 0 -> random.nextLong();
        case 1 -> words[at] + random.nextInt(-2, 3);
        case 2 -> words[random.nextInt(words.length)];
        case 3 -> 1L << random.nextInt(64);
        default -> -words[at];
      };
    }
  }

  /** What is not refused is packed: it has to stay inside its bounds, which MemorySegment watches. */
  private static boolean isRefused(long[] words) {
    Program program;
    try {
      program = Program.of(words);
    } catch (IllegalArgumentException e) {
      return true;
    }
    long length = program.trueUpper() - program.trueLower();
    if (length >= 0 && length < 1 << 20 && program.size() < 1 << 20) {
      MemorySegment memory = MemorySegment.ofArray(new byte[(int) length]);
      MemorySegment packed = MemorySegment.ofArray(new byte[(int) program.size()]);
      ProgramCursor cursor = new ProgramCursor().begin(program, 1);
      Packing.pack(program, cursor, memory, -program.trueLower(), packed, 0, program.size());
      cursor.seek(program, 1, program.size() / 2);
      Packing.unpack(program, cursor, memory, -program.trueLower(), packed, 0, program.size() - program.size() / 2);
    }
    return false;
  }

  @Test
  void aRefusalTellsWhichWordIsWrong() {
    long[] words = TYPES.get("runs").map().program().words();
    words[0]++;
    assertTells(words, "the first is");
    assertTells(new long[3], "these 3 words");
    long[] other = TYPES.get("runs").map().program().words();
    other[1]++;
    assertTells(other, "they say that they are");
    long[] table = TYPES.get("runs").map().program().words();
    table[table.length - 1]++;
    assertTells(table, "node 1");
    assertNull(assertThrows(IllegalArgumentException.class, () -> Program.of(table)).getCause());
  }

  private static void assertTells(long[] words, String what) {
    String message = assertThrows(IllegalArgumentException.class, () -> Program.of(words)).getMessage();
    assertTrue(message.contains(what), message);
  }
}
