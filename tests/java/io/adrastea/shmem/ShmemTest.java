package io.adrastea.shmem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Op;
import io.adrastea.Ranks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What each call on symmetric memory does. */
@Tag("spins")
@EverySharedCoreList
class ShmemTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final long HEAP = 1 << 20;

  @Parameter
  String cores;

  /** What a PE does with its heap. */
  private interface Body {
    void run(Shmem shmem) throws Exception;
  }

  private void run(int pes, Body body) throws Exception {
    Ranks.run(cores, pes, job -> {
      Shmem shmem = Shmem.of(job, HEAP);
      body.run(shmem);
      shmem.close();
    });
  }

  private static int next(Shmem shmem) {
    return (shmem.pe() + 1) % shmem.pes();
  }

  private static int previous(Shmem shmem) {
    return (shmem.pe() + shmem.pes() - 1) % shmem.pes();
  }

  private static void fill(Symmetric object, long first) {
    for (long index = 0; index < object.bytes() / Long.BYTES; index++) {
      object.local().setAtIndex(LONG, index, first + index);
    }
  }

  private static long[] longs(MemorySegment memory) {
    return memory.toArray(LONG);
  }

  @Test
  void objectsLieAtTheSamePlaceInEachPart() throws Exception {
    run(3, shmem -> {
      assertEquals(3, shmem.pes());
      assertEquals(HEAP, shmem.bytes());
      assertEquals(0, shmem.allocated());
      Symmetric small = shmem.allocate(5);
      Symmetric aligned = shmem.allocate(10_000, 4096);
      assertEquals(0, aligned.offset() % 4096);
      assertEquals(0, aligned.local().address() % 4096);
      assertEquals(5, small.bytes());
      assertEquals(-1, aligned.local().mismatch(MemorySegment.ofArray(new byte[10_000])), "zeros");
      aligned.local().fill((byte) (shmem.pe() + 1));
      shmem.barrierAll();
      for (int pe = 0; pe < 3; pe++) {
        assertEquals(10_000, aligned.at(pe).byteSize());
        assertEquals(pe + 1, aligned.at(pe).get(ValueLayout.JAVA_BYTE, 9_999));
      }
      shmem.barrierAll();
      aligned.free();
      Symmetric again = shmem.allocate(10_000, 4096);
      assertEquals(-1, again.local().mismatch(MemorySegment.ofArray(new byte[10_000])), "zeros again");
      assertEquals(64 + 10_048, shmem.allocated());
      again.free();
      small.free();
      assertEquals(0, shmem.allocated());
    });
  }

  @Test
  void anObjectThatGrowsKeepsWhatIsInIt() throws Exception {
    run(2, shmem -> {
      Symmetric object = shmem.allocate(80);
      fill(object, 100 * shmem.pe());
      object.reallocate(160);
      assertArrayEquals(LongStream.range(0, 20).map(i -> i < 10 ? 100L * shmem.pe() + i : 0).toArray(),
          longs(object.local()));
      Symmetric behind = shmem.allocate(64);
      long before = object.offset();
      object.reallocate(100_000);
      assertTrue(object.offset() != before, "it has moved");
      assertEquals(100L * shmem.pe() + 9, object.local().getAtIndex(LONG, 9));
      assertEquals(0, object.local().getAtIndex(LONG, 20));
      object.reallocate(8);
      assertEquals(100L * shmem.pe(), object.local().get(LONG, 0));
      behind.free();
      object.free();
      assertEquals(0, shmem.allocated());
    });
  }

  @Test
  void singleElementsOfEachType() throws Exception {
    run(2, shmem -> {
      ShmemContext context = shmem.context();
      Symmetric object = shmem.allocate(64);
      int other = next(shmem);
      context.putByte(object, 1, (byte) -3, other);
      context.putShort(object, 2, (short) -300, other);
      context.putInt(object, 4, -70_000, other);
      context.putLong(object, 8, Long.MIN_VALUE + 7, other);
      context.putFloat(object, 16, 1.5f, other);
      context.putDouble(object, 24, -2.25, other);
      shmem.barrierAll();
      for (int pe = 0; pe < 2; pe++) {
        assertEquals(-3, context.getByte(object, 1, pe));
        assertEquals(-300, context.getShort(object, 2, pe));
        assertEquals(-70_000, context.getInt(object, 4, pe));
        assertEquals(Long.MIN_VALUE + 7, context.getLong(object, 8, pe));
        assertEquals(1.5f, context.getFloat(object, 16, pe));
        assertEquals(-2.25, context.getDouble(object, 24, pe));
      }
      assertEquals(0, object.local().get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(0, object.local().get(LONG, 32));
    });
  }

  @Test
  void blocksOfAllKindsOfMemory() throws Exception {
    run(2, shmem -> {
      ShmemContext context = shmem.context();
      Symmetric object = shmem.allocate(4096);
      Symmetric source = shmem.allocate(4096);
      int other = next(shmem);
      MemorySegment outside = Arena.ofAuto().allocate(4096, 8);
      for (int bytes : new int[] {0, 1, 8, 24, 100, 1024, 4000}) {
        byte[] array = new byte[bytes];
        Arrays.fill(array, (byte) (bytes + shmem.pe()));
        outside.fill((byte) (bytes + shmem.pe()));
        source.local().fill((byte) (bytes + shmem.pe()));
        byte[] expected = new byte[bytes];
        Arrays.fill(expected, (byte) (bytes + other));
        for (int way = 0; way < 3; way++) {
          switch (way) {
            case 0 -> context.put(object, 8, Data.of(array), other);
            case 1 -> context.put(object, 8, outside, 16, bytes, other);
            default -> context.put(object, 8, source.local(), 16, bytes, other);
          }
          shmem.barrierAll();
          assertArrayEquals(expected, object.local().asSlice(8, bytes).toArray(ValueLayout.JAVA_BYTE));
          byte[] got = new byte[bytes];
          context.get(Data.of(got), object, 8, shmem.pe());
          assertArrayEquals(expected, got);
          MemorySegment into = Arena.ofAuto().allocate(4096, 8);
          context.get(into, 3, bytes, object, 8, other);
          assertEquals(-1, MemorySegment.mismatch(into, 3, 3 + bytes, MemorySegment.ofArray(array), 0, bytes));
          shmem.barrierAll();
          object.local().fill((byte) 0);
          shmem.barrierAll();
        }
      }
      Datatype spread = Datatype.vector(4, 1, 2, Datatype.LONG);
      long[] gaps = {1, -1, 2, -1, 3, -1, 4, -1};
      context.putNbi(object, 0, Data.of(gaps, 0, 1, spread), other);
      context.quiet();
      shmem.barrierAll();
      assertArrayEquals(new long[] {1, 2, 3, 4, 0}, Arrays.copyOf(longs(object.local()), 5));
      long[] back = new long[8];
      context.getNbi(Data.of(back, 0, 1, spread), object, 0, other);
      context.quiet();
      assertArrayEquals(new long[] {1, 0, 2, 0, 3, 0, 4, 0}, back);
    });
  }

  @Test
  void stridedBlocks() throws Exception {
    run(2, shmem -> {
      ShmemContext context = shmem.context();
      Symmetric object = shmem.allocate(1024);
      MemorySegment from = Arena.ofAuto().allocate(1024, 8);
      for (int at = 0; at < 1024; at++) {
        from.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 7));
      }
      for (int block : new int[] {1, 2, 4, 8, 12}) {
        for (int stride : new int[] {block, 2 * block, 3 * block + 4, -2 * block}) {
          object.local().fill((byte) 0);
          shmem.barrierAll();
          long first = stride < 0 ? 512 : 16;
          context.putStrided(object, first, stride, from, 5, 2 * block + 1, block, 9, next(shmem));
          shmem.barrierAll();
          byte[] expected = new byte[1024];
          for (int i = 0; i < 9; i++) {
            for (int at = 0; at < block; at++) {
              expected[(int) first + i * stride + at] = (byte) ((5 + i * (2 * block + 1) + at) * 7);
            }
          }
          assertArrayEquals(expected, object.local().toArray(ValueLayout.JAVA_BYTE), block + " " + stride);
          MemorySegment into = Arena.ofAuto().allocate(1024, 8);
          context.getStrided(into, 3, block, object, first, stride, block, 9, next(shmem));
          for (int i = 0; i < 9 * block; i++) {
            assertEquals(from.get(ValueLayout.JAVA_BYTE, 5 + i / block * (2 * block + 1) + i % block),
                into.get(ValueLayout.JAVA_BYTE, 3 + i));
          }
          shmem.barrierAll();
        }
      }
    });
  }

  @Test
  void atomicOperations() throws Exception {
    run(1, shmem -> {
      ShmemContext context = shmem.createContext();
      Symmetric object = shmem.allocate(64);
      MemorySegment result = Arena.ofAuto().allocate(8, 8);
      context.setLong(object, 8, 12, 0);
      assertEquals(12, context.fetchLong(object, 8, 0));
      assertEquals(12, context.swapLong(object, 8, 5, 0));
      assertEquals(5, context.compareSwapLong(object, 8, 4, 9, 0));
      assertEquals(5, context.compareSwapLong(object, 8, 5, 9, 0));
      assertEquals(9, context.fetchAddLong(object, 8, -4, 0));
      context.addLong(object, 8, 7, 0);
      assertEquals(12, context.fetchIncLong(object, 8, 0));
      context.incLong(object, 8, 0);
      assertEquals(14, context.fetchAndLong(object, 8, 6, 0));
      context.andLong(object, 8, 4, 0);
      assertEquals(4, context.fetchOrLong(object, 8, 3, 0));
      context.orLong(object, 8, 8, 0);
      assertEquals(15, context.fetchXorLong(object, 8, 5, 0));
      context.xorLong(object, 8, 1, 0);
      context.fetchAddLongNbi(result, 0, object, 8, 1, 0);
      assertEquals(11, result.get(LONG, 0));
      context.compareSwapLongNbi(result, 0, object, 8, 12, -1, 0);
      assertEquals(12, result.get(LONG, 0));
      context.fetchLongNbi(result, 0, object, 8, 0);
      assertEquals(-1, result.get(LONG, 0));
      context.setInt(object, 4, 12, 0);
      assertEquals(12, context.swapInt(object, 4, 5, 0));
      assertEquals(5, context.compareSwapInt(object, 4, 5, 9, 0));
      assertEquals(9, context.fetchAddInt(object, 4, -10, 0));
      assertEquals(-1, context.fetchIncInt(object, 4, 0));
      context.orInt(object, 4, 6, 0);
      assertEquals(6, context.fetchXorInt(object, 4, 2, 0));
      assertEquals(4, context.fetchAndInt(object, 4, 8, 0));
      assertEquals(0, context.fetchInt(object, 4, 0));
      assertEquals(0, object.local().get(ValueLayout.JAVA_INT, 0), "the neighbour");
      context.setDouble(object, 16, 0.5, 0);
      assertEquals(0.5, context.swapDouble(object, 16, -1.25, 0));
      assertEquals(-1.25, context.fetchDouble(object, 16, 0));
      context.setFloat(object, 24, 0.5f, 0);
      assertEquals(0.5f, context.swapFloat(object, 24, -1.25f, 0));
      assertEquals(-1.25f, context.fetchFloat(object, 24, 0));
      context.close();
    });
  }

  @Test
  void atomicOperationsOfAllPesOnOneElement() throws Exception {
    run(4, shmem -> {
      Symmetric object = shmem.allocate(64);
      ShmemContext context = shmem.context();
      int times = 2_000;
      long last = -1;
      for (int i = 0; i < times; i++) {
        long before = context.fetchAddLong(object, 0, 1, 0);
        assertTrue(before > last, "a number comes once");
        last = before;
        context.incInt(object, 8, 0);
        long seen = context.fetchLong(object, 16, 0);
        while (context.compareSwapLong(object, 16, seen, seen + 2, 0) != seen) {
          seen = context.fetchLong(object, 16, 0);
        }
      }
      shmem.barrierAll();
      assertEquals(4L * times, context.getLong(object, 0, 0));
      assertEquals(4 * times, context.getInt(object, 8, 0));
      assertEquals(8L * times, context.getLong(object, 16, 0));
    });
  }

  @Test
  void whatIsPutBehindAFenceIsSeenBehind() throws Exception {
    run(2, shmem -> {
      ShmemContext context = shmem.context();
      Symmetric data = shmem.allocate(256);
      Symmetric flag = shmem.allocate(8);
      MemorySegment from = Arena.ofAuto().allocate(256, 8);
      for (int round = 1; round <= 3_000; round++) {
        if (shmem.pe() == 0) {
          from.fill((byte) round);
          context.put(data, 0, from, 0, 256, 1);
          context.fence();
          context.putLong(flag, 0, round, 1);
          shmem.waits().waitUntilLong(flag, 0, Comparison.GE, round);
        } else {
          assertEquals(round, shmem.waits().waitUntilLong(flag, 0, Comparison.EQ, round));
          for (int at = 0; at < 256; at += 51) {
            assertEquals((byte) round, data.local().get(ValueLayout.JAVA_BYTE, at));
          }
          context.putLong(flag, 0, round, 0);
        }
      }
    });
  }

  @Test
  void putsWithSignals() throws Exception {
    run(3, shmem -> {
      ShmemContext context = shmem.context();
      Symmetric data = shmem.allocate(3 * 64);
      Symmetric signal = shmem.allocate(16);
      for (int round = 1; round <= 200; round++) {
        byte[] from = new byte[64];
        Arrays.fill(from, (byte) (round + shmem.pe()));
        context.putSignal(data, 64L * shmem.pe(), Data.of(from), signal, 0, 1, SignalOp.ADD, next(shmem));
        context.putSignalNbi(data, 64L * shmem.pe(), Data.of(from), signal, 8, round, SignalOp.SET, previous(shmem));
        shmem.waits().waitUntilLong(signal, 0, Comparison.GE, round);
        shmem.waits().waitUntilLong(signal, 8, Comparison.EQ, round);
        assertEquals((byte) (round + previous(shmem)),
            data.local().get(ValueLayout.JAVA_BYTE, 64L * previous(shmem) + 63));
        assertEquals((byte) (round + next(shmem)), data.local().get(ValueLayout.JAVA_BYTE, 64L * next(shmem)));
        shmem.syncAll();
      }
      assertEquals(200, context.fetchLong(signal, 0, shmem.pe()));
    });
  }

  @Test
  void comparisons() throws Exception {
    run(1, shmem -> {
      Symmetric object = shmem.allocate(16);
      ShmemWaits waits = shmem.waits();
      for (long word : new long[] {-5, 3, 4}) {
        shmem.context().putLong(object, 0, word, 0);
        shmem.context().putInt(object, 8, (int) word, 0);
        for (long value : new long[] {-5, 3, 4}) {
          boolean[] expected = {word == value, word != value, word > value, word >= value, word < value, word <= value};
          for (Comparison comparison : Comparison.values()) {
            assertEquals(expected[comparison.ordinal()], waits.testLong(object, 0, comparison, value));
            assertEquals(expected[comparison.ordinal()], waits.testInt(object, 8, comparison, (int) value));
            if (expected[comparison.ordinal()]) {
              assertEquals(word, waits.waitUntilLong(object, 0, comparison, value));
              assertEquals(word, waits.waitUntilInt(object, 8, comparison, (int) value));
            }
          }
        }
      }
    });
  }

  @Test
  void waitsForSeveralWords() throws Exception {
    run(4, shmem -> {
      Symmetric longs = shmem.allocate(4 * 8);
      Symmetric ints = shmem.allocate(4 * 4);
      ShmemContext context = shmem.context();
      ShmemWaits waits = shmem.waits();
      if (shmem.pe() == 0) {
        int[] done = {1, 0, 0, 0};
        int[] indices = new int[4];
        int left = 3;
        while (left > 0) {
          int count = waits.waitUntilSomeLong(longs, 0, 4, done, indices, Comparison.NE, 0);
          assertTrue(count > 0 && count <= left);
          for (int i = 0; i < count; i++) {
            assertEquals(10L * indices[i], context.getLong(longs, 8L * indices[i], 0));
            done[indices[i]] = 1;
          }
          left -= count;
        }
        assertEquals(0, waits.waitUntilSomeLong(longs, 0, 4, done, indices, Comparison.NE, 0), "none is looked at");
        assertEquals(-1, waits.waitUntilAnyLong(longs, 0, 4, done, Comparison.NE, 0));
        waits.waitUntilAllLong(longs, 0, 4, null, Comparison.EQ, 0, 10, 20, 30);
        assertTrue(waits.testAllLong(longs, 0, 4, null, Comparison.EQ, 0, 10, 20, 30));
        assertFalse(waits.testAllLong(longs, 0, 4, null, Comparison.EQ, 0, 10, 20, 31));
        assertEquals(2, waits.testAnyLong(longs, 0, 4, null, Comparison.GT, 10));
        assertEquals(-1, waits.testAnyLong(longs, 0, 4, null, Comparison.GT, 30));
        assertEquals(2, waits.testSomeLong(longs, 0, 4, null, indices, Comparison.GE, 20));
        assertArrayEquals(new int[] {2, 3}, Arrays.copyOf(indices, 2));
        waits.waitUntilAllInt(ints, 4, 3, null, Comparison.EQ, 7);
        assertEquals(1, waits.waitUntilAnyInt(ints, 0, 4, null, Comparison.EQ, 7));
        assertEquals(3, waits.waitUntilSomeInt(ints, 0, 4, null, indices, Comparison.NE, 0, 0, 0, 0));
        assertEquals(3, waits.testSomeInt(ints, 0, 4, null, indices, Comparison.NE, 0));
        assertTrue(waits.testAllInt(ints, 0, 0, null, Comparison.NE, 0), "of none all are so");
      } else {
        context.putLong(longs, 8L * shmem.pe(), 10L * shmem.pe(), 0);
        context.putInt(ints, 4L * shmem.pe(), 7, 0);
      }
      shmem.barrierAll();
    });
  }

  @Test
  void teamsAreNumberedAnew() throws Exception {
    run(5, shmem -> {
      Team all = shmem.team();
      assertEquals(5, all.pes());
      assertEquals(shmem.pe(), all.pe());
      Team odd = all.splitStrided(1, 2, 2);
      if (shmem.pe() % 2 == 0) {
        assertNull(odd);
      } else {
        assertEquals(2, odd.pes());
        assertEquals(shmem.pe() / 2, odd.pe());
        assertEquals(3, odd.numberInHeap(1));
        assertEquals(3, odd.translate(1, all));
        assertEquals(1, all.translate(3, odd));
        assertEquals(-1, all.translate(2, odd));
        Team last = odd.splitStrided(1, 1, 1);
        assertEquals(shmem.pe() == 3, last != null);
        if (last != null) {
          assertEquals(3, last.numberInHeap(0));
          last.close();
        }
        odd.sync();
        odd.close();
      }
      Team.Grid grid = all.split2d(2);
      assertEquals(shmem.pe() == 4 ? 1 : 2, grid.x().pes());
      assertEquals(shmem.pe() % 2, grid.x().pe());
      assertEquals(shmem.pe() % 2 == 0 ? 3 : 2, grid.y().pes());
      assertEquals(shmem.pe() / 2, grid.y().pe());
      grid.x().close();
      grid.y().close();
    });
  }

  /** Each PE of a team tells all others its number there, in as many ways as there are to name a PE. */
  private static void tellAll(Shmem shmem, Team team) {
    Symmetric told = shmem.allocate(5 * 64);
    shmem.barrierAll();
    if (team != null) {
      ShmemContext context = team.createContext(ContextOption.PRIVATE, ContextOption.NOSTORE);
      assertSame(team, context.team());
      assertEquals(Set.of(ContextOption.PRIVATE, ContextOption.NOSTORE), context.options());
      long own = 64L * team.pe();
      long number = 100 + team.pe();
      for (int pe = 0; pe < team.pes(); pe++) {
        context.putLong(told, own, number, pe);
        context.put(told, own + 8, Data.of(new long[] {number + 1}), pe);
        context.putStrided(told, own + 16, 8, MemorySegment.ofArray(new long[] {number + 2}), 0, 8, 8, 1, pe);
        context.fetchAddLong(told, own + 24, number + 3, pe);
        context.putSignal(told, own + 40, Data.of(new long[] {0}), told, own + 32, number + 4, SignalOp.ADD, pe);
      }
      context.quiet();
      team.sync();
      for (int pe = 0; pe < team.pes(); pe++) {
        assertEquals(number, context.getLong(told, own, pe));
        long[] here = Arrays.copyOfRange(longs(told.local()), 8 * pe, 8 * pe + 5);
        assertArrayEquals(new long[] {100 + pe, 101 + pe, 102 + pe, 103 + pe, 104 + pe}, here);
      }
      context.close();
    }
    for (int pe = team == null ? 0 : team.pes(); pe < 5; pe++) {
      assertEquals(0, shmem.context().getLong(told, 64L * pe, shmem.pe()), "of a PE that is in no team of this one");
    }
    shmem.barrierAll();
    told.free();
  }

  @Test
  void contextsOfTeamsNamePesByTheirNumbersThere() throws Exception {
    run(5, shmem -> {
      Team all = shmem.team();
      tellAll(shmem, all);
      Team odd = all.splitStrided(1, 2, 2);
      tellAll(shmem, odd);
      Team behind = all.splitStrided(1, 1, 4);
      Team third = behind == null ? null : behind.splitStrided(0, 3, 2);
      tellAll(shmem, third); // PEs 1 and 4
      Team.Grid grid = all.split2d(2);
      tellAll(shmem, grid.x());
      tellAll(shmem, grid.y());
      Team.Grid columns = grid.y().split2d(2);
      tellAll(shmem, columns.x());
      tellAll(shmem, columns.y());
      assertSame(all, shmem.context().team());
      assertSame(all, shmem.createContext().team());
      assertEquals(Set.of(), shmem.context().options());
    });
  }

  @Test
  void collectivesOnTeams() throws Exception {
    run(4, shmem -> {
      Team part = shmem.team().splitStrided(1, 1, 3);
      collectives(shmem, shmem.team());
      if (part != null) {
        assertEquals(3, part.pes());
      }
      Symmetric to = shmem.allocate(1024);
      Symmetric from = shmem.allocate(1024);
      if (part != null) {
        collectives(part, to, from);
        part.close();
      }
      shmem.barrierAll();
    });
  }

  private static void collectives(Shmem shmem, Team team) {
    Symmetric to = shmem.allocate(1024);
    Symmetric from = shmem.allocate(1024);
    collectives(team, to, from);
    shmem.barrierAll();
    from.free();
    to.free();
  }

  private static void begin(Team team, Symmetric to, Symmetric from) {
    team.sync(); // the others have read what was there
    to.local().fill((byte) 0);
    fill(from, 1000L * team.pe());
    team.sync();
  }

  private static void collectives(Team team, Symmetric to, Symmetric from) {
    int pe = team.pe();
    int pes = team.pes();
    for (int root = 0; root < pes; root++) {
      begin(team, to, from);
      team.broadcast(to, 8, from, 16, 24, root);
      assertArrayEquals(new long[] {0, 1000L * root + 2, 1000L * root + 3, 1000L * root + 4, 0},
          Arrays.copyOf(longs(to.local()), 5), "broadcast of " + root);
    }
    begin(team, to, from);
    team.fcollect(to, 0, from, 8, 16);
    assertArrayEquals(IntStream.range(0, 2 * pes).mapToLong(i -> 1000L * (i / 2) + 1 + i % 2).toArray(),
        Arrays.copyOf(longs(to.local()), 2 * pes), "fcollect");
    begin(team, to, from);
    long all = team.collect(to, 0, from, 0, 8L * pe); // as many words as the number says
    assertEquals(8L * pes * (pes - 1) / 2, all);
    assertArrayEquals(IntStream.range(0, pes).boxed()
        .flatMap(of -> LongStream.range(0, of).mapToObj(i -> 1000L * of + i)).mapToLong(i -> i).toArray(),
        Arrays.copyOf(longs(to.local()), (int) all / 8), "collect");
    begin(team, to, from);
    team.alltoall(to, 0, from, 0, 16);
    assertArrayEquals(IntStream.range(0, 2 * pes).mapToLong(i -> 1000L * (i / 2) + 2L * pe + i % 2).toArray(),
        Arrays.copyOf(longs(to.local()), 2 * pes), "alltoall");
    begin(team, to, from);
    team.alltoalls(to, 0, 3, from, 0, 2, 8, 2);
    long[] expected = new long[6 * pes];
    for (int of = 0; of < pes; of++) {
      expected[6 * of] = 1000L * of + 4L * pe;
      expected[6 * of + 3] = 1000L * of + 4L * pe + 2;
    }
    assertArrayEquals(expected, Arrays.copyOf(longs(to.local()), 6 * pes), "alltoalls");
    begin(team, to, from);
    team.reduce(to, 0, from, 8, 3, Datatype.LONG, Op.SUM);
    long sum = 1000L * pes * (pes - 1) / 2;
    assertArrayEquals(new long[] {sum + pes, sum + 2L * pes, sum + 3L * pes, 0}, Arrays.copyOf(longs(to.local()), 4));
    team.sync();
    team.reduce(from, 8, from, 8, 3, Datatype.LONG, Op.MAX);
    assertEquals(1000L * (pes - 1) + 3, from.local().getAtIndex(LONG, 3), "in place");
    begin(team, to, from);
    team.inscan(to, 0, from, 0, 1, Datatype.LONG, Op.SUM);
    team.exscan(to, 8, from, 0, 1, Datatype.LONG, Op.SUM);
    assertEquals(1000L * pe * (pe + 1) / 2, to.local().get(LONG, 0), "inscan");
    assertEquals(1000L * pe * (pe - 1) / 2, to.local().get(LONG, 8), "exscan");
    to.local().set(LONG, 16, 5);
    team.exscan(to, 16, to, 16, 1, Datatype.LONG, Op.SUM);
    assertEquals(5L * pe, to.local().get(LONG, 16), "exscan in place");
  }

  @Test
  void locksExcludeOthers() throws Exception {
    run(4, shmem -> {
      Symmetric words = shmem.allocate(64);
      Symmetric count = shmem.allocate(16);
      ShmemContext context = shmem.context();
      ShmemLock lock = shmem.lock(words, 8);
      ShmemLock other = shmem.lock(words, 32);
      int times = 500;
      for (int i = 0; i < times; i++) {
        if (i % 5 != 0) {
          lock.set();
        } else {
          while (!lock.test()) {
            Thread.onSpinWait();
          }
        }
        context.putLong(count, 0, context.getLong(count, 0, 1) + 1, 1); // in two steps
        if (i % 50 == 0) {
          other.set();
          context.putInt(count, 8, context.getInt(count, 8, 1) + 1, 1);
          other.clear();
        }
        lock.clear();
      }
      shmem.barrierAll();
      assertEquals(4L * times, context.getLong(count, 0, 1));
      assertEquals(4 * times / 50, context.getInt(count, 8, 1));
      assertArrayEquals(new long[8], longs(words.local()), "free locks are zeros");
      shmem.barrierAll(); // all have looked
      if (shmem.pe() == 0) {
        lock.set();
      }
      shmem.barrierAll();
      if (shmem.pe() != 0) {
        assertFalse(lock.test());
      }
      shmem.barrierAll();
      if (shmem.pe() == 0) {
        lock.clear();
      }
      shmem.barrierAll();
    });
  }

  /** Each PE writes words of its own at all PEs, all read any; a model tells what is to be seen. */
  @Test
  void programsOfChanceAreAsAModelSays() throws Exception {
    int pes = 3;
    int words = 60;
    for (int seed = 1; seed <= 5; seed++) {
      int start = seed;
      run(pes, shmem -> {
        Symmetric object = shmem.allocate(8L * words);
        ShmemContext context = shmem.context();
        Random random = new Random(start); // the same at all PEs, which all work out the model
        long[][] model = new long[pes][words];
        for (int step = 0; step < 300; step++) {
          int actor = random.nextInt(pes);
          int target = random.nextInt(pes);
          int word = random.nextInt(words - 8);
          long value = random.nextLong();
          int kind = random.nextInt(7);
          long before = model[target][word];
          boolean mine = shmem.pe() == actor;
          long got = before;
          switch (kind) {
            case 0 -> {
              model[target][word] = value;
              if (mine) {
                context.putLong(object, 8L * word, value, target);
              }
            }
            case 1 -> {
              long[] block = random.longs(8).toArray();
              System.arraycopy(block, 0, model[target], word, 8);
              if (mine) {
                context.put(object, 8L * word, Data.of(block), target);
              }
            }
            case 2 -> {
              model[target][word] += value;
              got = mine ? context.fetchAddLong(object, 8L * word, value, target) : before;
            }
            case 3 -> {
              model[target][word] = value;
              got = mine ? context.swapLong(object, 8L * word, value, target) : before;
            }
            case 4 -> {
              long expected = random.nextBoolean() ? before : value;
              model[target][word] = expected == before ? ~value : before;
              got = mine ? context.compareSwapLong(object, 8L * word, expected, ~value, target) : before;
            }
            case 5 -> {
              model[target][word] ^= value;
              got = mine ? context.fetchXorLong(object, 8L * word, value, target) : before;
            }
            default -> got = mine ? context.getLong(object, 8L * word, target) : before;
          }
          assertEquals(before, got, "step " + step);
          shmem.barrierAll();
        }
        assertArrayEquals(model[shmem.pe()], longs(object.local()));
        shmem.barrierAll();
      });
    }
  }

  @Test
  void scriptsOfAllocationsAreTheSameAtAllPes() throws Exception {
    run(3, shmem -> {
      Random random = new Random(17);
      java.util.List<Symmetric> objects = new java.util.ArrayList<>();
      Symmetric offsets = shmem.allocate(8 * 3);
      for (int step = 0; step < 200; step++) {
        if (objects.isEmpty() || random.nextInt(5) < 3) {
          objects.add(shmem.allocate(1 + random.nextInt(3_000), 1L << random.nextInt(9)));
        } else if (random.nextBoolean()) {
          objects.remove(random.nextInt(objects.size())).free();
        } else {
          objects.get(random.nextInt(objects.size())).reallocate(1 + random.nextInt(6_000));
        }
        long hash = objects.stream().mapToLong(Symmetric::offset).reduce(7, (a, b) -> 31 * a + b);
        for (int pe = 0; pe < 3; pe++) {
          shmem.context().putLong(offsets, 8L * shmem.pe(), hash, pe);
        }
        shmem.barrierAll();
        for (int pe = 0; pe < 3; pe++) {
          assertEquals(hash, offsets.local().getAtIndex(LONG, pe));
        }
        for (Symmetric object : objects) {
          object.local().fill((byte) step);
        }
        shmem.barrierAll();
      }
    });
  }

  @Test
  void heapsAreMadeAndEndedAgainAndAgain() throws Exception {
    Ranks.run(cores, 2, job -> {
      for (int i = 0; i < 30; i++) {
        try (Shmem shmem = Shmem.of(job, HEAP); Shmem other = Shmem.of(job, 4096)) {
          Symmetric object = shmem.allocate(HEAP);
          Symmetric more = other.allocate(100);
          assertEquals(-1, object.local().mismatch(MemorySegment.ofArray(new byte[(int) HEAP])));
          shmem.barrierAll();
          object.at(1 - shmem.pe()).asSlice(0, HEAP / 2).fill((byte) 1);
          more.at(1 - shmem.pe()).fill((byte) 2);
          shmem.barrierAll();
          assertEquals(1, object.local().get(ValueLayout.JAVA_BYTE, 7));
          assertEquals(2, more.local().get(ValueLayout.JAVA_BYTE, 99));
        }
      }
    });
  }
}
