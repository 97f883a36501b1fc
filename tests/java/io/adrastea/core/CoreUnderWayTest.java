package io.adrastea.core;

import static io.adrastea.core.SlotMember.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several collectives under way at once, for every pair of cores. One thread takes the steps of all members, in an
 * order of chance.
 */
@EveryCorePair
class CoreUnderWayTest extends MembersContract {
  private static final int INT64 = ElementKind.INT64.number();
  private static final int SUM = Operator.SUM.number();

  private final int[][] statuses = new int[RANKS][UNDER_WAY]; // 0: none
  private final int[][] plans = new int[RANKS][UNDER_WAY]; // what is under way there
  private final int[] next = new int[RANKS]; // plan that a member begins next
  private Plan[] all;

  CoreUnderWayTest() {
    super(18);
  }

  /** One collective, as all members call it. */
  private static final class Plan {
    private final int kind;
    private final int root;
    private final int count;
    private final int number;
    private final boolean asks; // buffers are filled and drained by this test
    private final boolean isNative; // and can be reached by address
    private final MemorySegment[] in = new MemorySegment[RANKS];
    private final MemorySegment[] out = new MemorySegment[RANKS];

    Plan(int number, SplittableRandom random) {
      this.number = number;
      kind = random.nextInt(BARRIER, ALLGATHER + 1);
      root = kind == BCAST ? random.nextInt(RANKS) : 0;
      count = kind == BARRIER ? 0 : switch (random.nextInt(5)) {
        case 0 -> random.nextInt(7, 9000);
        case 1 -> random.nextInt(32_768, 40_000);
        default -> random.nextInt(0, 7);
      };
      asks = random.nextInt(4) == 0;
      isNative = random.nextBoolean();
      for (int member = 0; member < RANKS; member++) {
        in[member] = memory(values(member));
        out[member] = memory(new long[kind == ALLGATHER ? count * RANKS : count]);
      }
    }

    private MemorySegment memory(long[] values) {
      MemorySegment array = MemorySegment.ofArray(values);
      return isNative ? Arena.ofAuto().allocate(Math.max(1, array.byteSize()), 64).copyFrom(array) : array;
    }

    long[] values(int member) {
      return IntStream.range(0, count).mapToLong(i -> member * 1_000_003L + 77L * number + i).toArray();
    }

    void check(int member) {
      long[] expected = new long[kind == ALLGATHER ? count * RANKS : count];
      for (int other = 0; other < RANKS; other++) {
        long[] theirs = values(other);
        for (int i = 0; i < count; i++) {
          if (kind == ALLREDUCE) {
            expected[i] += theirs[i];
          } else if (kind == ALLGATHER) {
            expected[other * count + i] = theirs[i];
          } else if (other == root && member != root) {
            expected[i] = theirs[i];
          }
        }
      }
      long[] got = out[member].asSlice(0, 8L * expected.length).toArray(ValueLayout.JAVA_LONG);
      assertArrayEquals(expected, got, () -> "collective %d of kind %d at %d".formatted(number, kind, member));
    }
  }

  /** Begins a member's next collective, if there is a place. */
  private void begin(int member) {
    Plan plan = all[next[member]];
    int status =
        members[member].begin(
            plan.kind, plan.root, 8L * plan.count, plan.kind == BARRIER ? 0 : INT64, plan.kind == ALLREDUCE ? SUM : 0,
            plan.asks ? null : plan.in[member], 0, plan.asks ? null : plan.out[member], 0, 1);
    int which = members[member].begun();
    boolean isTaken = statuses[member][which] != 0;
    assertEquals(isTaken, status == Core.BUSY, "only a fourth one before is in the way");
    if (!isTaken) {
      statuses[member][which] = status;
      plans[member][which] = next[member]++;
      ended(member, which);
    }
  }

  private void ended(int member, int which) {
    if (statuses[member][which] == 0) {
      all[plans[member][which]].check(member);
    }
  }

  /** One step of one of a member's collectives, with what it asks for. */
  private void step(int member, int which) {
    SlotMember self = members[member];
    Plan plan = all[plans[member][which]];
    MemorySegment in = plan.in[member];
    MemorySegment out = plan.out[member];
    if (statuses[member][which] == EXPOSE) {
      int by = plan.isNative ? BY_OFFSET : 0;
      assertEquals(0, self.expose(which, by, by == 0 ? 0 : in.address(), by, by == 0 ? 0 : out.address(), SHARED, 0));
    } else {
      serve(member, which, statuses[member][which], in, out);
    }
    statuses[member][which] = self.step(which, plan.asks ? null : in, 0, plan.asks ? null : out, 0, 1);
    ended(member, which);
  }

  private boolean isThrough() {
    return IntStream.range(0, RANKS).allMatch(
        member -> next[member] == all.length && IntStream.of(statuses[member]).noneMatch(MembersContract::goesOn));
  }

  /** The numbers of the collectives wrap around; some members are far ahead of others, and others step seldom. */
  @ParameterizedTest
  @CsvSource({"0, 1", "0, 2", "4294967285, 3", "268435450, 4"})
  void collectivesInAnyOrderGiveWhatTheyAreTo(long done, int seed) {
    closeMembers();
    openMembers(done, 0);
    SplittableRandom random = new SplittableRandom(seed);
    all = IntStream.range(0, 80).mapToObj(number -> new Plan(number, random)).toArray(Plan[]::new);
    for (int i = 0; i < 2_000_000 && !isThrough(); i++) {
      int member = random.nextInt(3) == 0 ? seed % RANKS : random.nextInt(RANKS);
      int which = random.nextInt(UNDER_WAY);
      if (next[member] < all.length && random.nextInt(4) == 0) {
        begin(member);
      } else if (goesOn(statuses[member][which])) {
        step(member, which);
      }
    }
    assertTrue(isThrough(), () -> Arrays.toString(next) + Arrays.deepToString(statuses));
    for (int member = 0; member < RANKS; member++) {
      assertEquals(done + all.length, Words.loadLong(slot,
          part(member) + SlotMemberDescriptor.DONE_OFFSET));
    }
  }

  /** A line is not written again before all have done what it told, though later ones have ended everywhere. */
  @Test
  void whoIsBehindInOneKeepsTheOthersFromTheFifth() {
    begin(0, BARRIER, 0);
    begin(1, BARRIER, 0);
    for (int i = 0; i < 3; i++) { // of member 0, which ends them at once
      assertEquals(0, begin(0, BCAST, 0));
      assertEquals(0, begin(1, BCAST, 0));
    }
    assertEquals(Core.BUSY, begin(0, BCAST, 0));
    assertEquals(0, begin(2, BARRIER, 0));
    assertEquals(0, members[0].step(1, null, 0, null, 0, 1));
    assertEquals(Core.AGAIN, begin(0, BCAST, 0), "member 1 has not done the barrier");
    assertEquals(1, members[0].other(1));
    assertEquals(0, members[1].step(1, null, 0, null, 0, 1));
    assertEquals(0, members[0].step(1, null, 0, null, 0, 1));
  }

  private int begin(int member, int kind, int root) {
    return members[member].begin(kind, root, 0, 0, 0, null, 0, null, 0, 1);
  }

  @Test
  void whoBeginsThemInAnotherOrderIsFound() {
    assertEquals(Core.AGAIN, begin(0, BARRIER, 0));
    assertEquals(Core.AGAIN, begin(0, ALLGATHER, 0));
    assertEquals(MISMATCH, begin(1, ALLGATHER, 0));
    assertEquals(0, members[1].other(members[1].begun()));
    assertEquals(MISMATCH, members[0].step(1, null, 0, null, 0, 1));
    assertEquals(1, members[0].other(1));
    assertEquals((long) ALLGATHER, members[0].words(1)[HEAD] >>> 24 & 0xFF);
  }

  @Test
  void breakingOffEndsAllThatAreUnderWay() {
    for (int i = 0; i < UNDER_WAY; i++) {
      assertEquals(Core.AGAIN, begin(0, BARRIER, 0));
      assertEquals(Core.AGAIN, begin(1, BARRIER, 0));
    }
    assertEquals(0, members[2].breakOff());
    for (int which = 0; which < UNDER_WAY; which++) {
      assertEquals(BROKEN, members[0].step(which, null, 0, null, 0, 1));
      assertEquals(2, members[0].other(which));
    }
  }
}
