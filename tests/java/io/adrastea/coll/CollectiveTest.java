package io.adrastea.coll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The collectives of one slot, its members being threads. */
class CollectiveTest {
  private static final int LONG = ElementKind.INT64.number();

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 0", "5, 2", "17, 0"})
  void nobodyPassesABarrierBeforeAllHaveCome(int ranks, int choices) throws Exception {
    Members members = new Members(ranks, choices);
    AtomicInteger come = new AtomicInteger();
    members.run(
        member -> {
          for (int round = 1; round <= 50; round++) {
            come.incrementAndGet();
            assertEquals(0, members.go(member, SlotMember.BARRIER, 0, 0, 0, 0, null, null));
            assertTrue(come.get() >= round * ranks, "all have come to round " + round);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 2", "4, 0", "17, 0", "18, 2"})
  void collectivesInAnyOrderGiveWhatTheyAreTo(int ranks, int choices) throws Exception {
    Members members = new Members(ranks, choices);
    members.run(
        member -> {
          SplittableRandom random = new SplittableRandom(ranks);
          for (int round = 0; round < 100; round++) {
            int count = random.nextInt(3) > 0 ? random.nextInt(1, 7) : random.nextInt(1, 12_000);
            int root = random.nextInt(ranks);
            switch (random.nextInt(4)) {
              case 0 -> assertEquals(0, members.go(member, SlotMember.BARRIER, 0, 0, 0, 0, null, null));
              case 1 -> bcast(members, member, root, count, round);
              case 2 -> allreduce(members, member, count, round);
              default -> allgather(members, member, count, round);
            }
          }
        });
  }

  private static long value(int member, int round, int i) {
    return member * 1_000_003L + round * 77L + i;
  }

  private static long[] values(int member, int round, int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = value(member, round, i);
    }
    return values;
  }

  private static void bcast(Members members, int member, int root, int count, int round) {
    long[] data = values(member, round, count);
    MemorySegment memory = MemorySegment.ofArray(data);
    assertEquals(0, members.go(member, SlotMember.BCAST, root, 8L * count, LONG, 0, memory, memory));
    for (int i = 0; i < count; i++) {
      assertEquals(value(root, round, i), data[i]);
    }
  }

  private static void allreduce(Members members, int member, int count, int round) {
    long[] in = values(member, round, count);
    long[] out = new long[count];
    assertEquals(
        0,
        members.go(
            member, SlotMember.ALLREDUCE, 0, 8L * count, LONG, Operator.SUM.number(), MemorySegment.ofArray(in),
            MemorySegment.ofArray(out)));
    for (int i = 0; i < count; i++) {
      long sum = 0;
      for (int other = 0; other < members.size(); other++) {
        sum += value(other, round, i);
      }
      assertEquals(sum, out[i]);
    }
  }

  private static void allgather(Members members, int member, int count, int round) {
    long[] in = values(member, round, count);
    long[] out = new long[count * members.size()];
    assertEquals(
        0,
        members.go(
            member, SlotMember.ALLGATHER, 0, 8L * count, LONG, 0, MemorySegment.ofArray(in),
            MemorySegment.ofArray(out)));
    for (int i = 0; i < out.length; i++) {
      assertEquals(value(i / count, round, i % count), out[i]);
    }
  }
}
