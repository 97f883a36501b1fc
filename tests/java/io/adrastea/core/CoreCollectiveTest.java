package io.adrastea.core;

import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotLineDescriptor.HEAD_OFFSET;
import static io.adrastea.layout.SlotLineDescriptor.PROGRESS_OFFSET;
import static io.adrastea.layout.SlotLineDescriptor.STEP_SHIFT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.coll.Combine;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotLineDescriptor;
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
import org.junit.jupiter.params.provider.ValueSource;

/** What every core does in collectives, for every pair of cores. One thread takes the steps of all members. */
@EveryCorePair
class CoreCollectiveTest extends MembersContract {
  private static final int INT64 = ElementKind.INT64.number();
  private static final int DOUBLE = ElementKind.DOUBLE.number();
  private static final int SUM = Operator.SUM.number();
  private static final int UNFINISHED = Core.AGAIN;

  private final MemorySegment[] in = new MemorySegment[RANKS];
  private final MemorySegment[] out = new MemorySegment[RANKS];
  private final boolean[] asked = new boolean[RANKS]; // that member's buffers are filled and drained by this test
  private final int[] statuses = new int[RANKS];
  private final int[] which = new int[RANKS]; // that member's collective
  private final int[] by = new int[RANKS]; // how others can reach that member's buffers
  private long segment; // XPMEM segment id of each member
  private int spaces = SHARED | XPMEM | CMA; // through which each can reach the others

  CoreCollectiveTest() {
    super(18);
  }

  private static long line(int member, long sequence) {
    return part(member) + SlotMemberDescriptor.LINES_OFFSET + (sequence & 3) * SlotLineDescriptor.BYTES;
  }

  private void begin(int member, int kind, int root, long bytes, int element, int op) {
    MemorySegment from = asked[member] ? null : in[member];
    MemorySegment to = asked[member] ? null : out[member];
    statuses[member] = members[member].begin(kind, root, bytes, element, op, from, 0, to, 0, 1);
    which[member] = members[member].begun();
  }

  private int other(int member) {
    return members[member].other(which[member]);
  }

  /** One step of a member, with what it asks for. */
  private void step(int member) {
    int which = this.which[member];
    if (statuses[member] == EXPOSE) {
      long from = in[member].isNative() ? in[member].address() : 0;
      long to = out[member].isNative() ? out[member].address() : 0;
      assertEquals(0, members[member].expose(which, from == 0 ? 0 : by[member], from, to == 0 ? 0 : by[member], to,
          spaces, segment));
      assertEquals(Core.INVAL, members[member].expose(which, 256, 0, 0, 0, 0, 0), "no such way");
    } else {
      serve(member, which, statuses[member], in[member], out[member]);
    }
    MemorySegment from = asked[member] ? null : in[member];
    MemorySegment to = asked[member] ? null : out[member];
    statuses[member] = members[member].step(which, from, 0, to, 0, 1);
  }

  /** Steps all members, in an order of chance, until each has ended, or can never. */
  private void finish() {
    for (int i = 0; i < 20_000 && IntStream.of(statuses).anyMatch(MembersContract::goesOn); i++) {
      int member = random.nextInt(RANKS);
      if (goesOn(statuses[member])) {
        step(member);
      }
    }
  }

  private void all(int kind, int root, long bytes, int element, int op) {
    for (int member = 0; member < RANKS; member++) {
      begin(member, kind, root, bytes, element, op);
    }
    finish();
    assertArrayEquals(new int[RANKS], statuses);
  }

  private long[] values(int member, int count, int round) {
    return IntStream.range(0, count).mapToLong(i -> member * 1_000_003L + 77L * round + i).toArray();
  }

  private void buffers(int count, int outCount, int round) {
    for (int member = 0; member < RANKS; member++) {
      in[member] = MemorySegment.ofArray(values(member, count, round));
      out[member] = MemorySegment.ofArray(new long[outCount]);
    }
  }

  private long[] result(int member) {
    return out[member].toArray(ValueLayout.JAVA_LONG);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void nobodyPassesABarrierBeforeTheLastHasComeWhoeverThatIs(int last) {
    for (int round = 0; round < 10; round++) {
      Arrays.fill(statuses, UNFINISHED);
      for (int member = 0; member < RANKS; member++) {
        if (member != last) {
          begin(member, BARRIER, 0, 0, 0, 0);
          assertEquals(Core.AGAIN, statuses[member]);
          assertEquals(Core.AGAIN, members[member].step(which[member], null, 0, null, 0, 5));
        }
      }
      begin(last, BARRIER, 0, 0, 0, 0);
      assertEquals(0, statuses[last]);
      finish();
      assertArrayEquals(new int[RANKS], statuses);
    }
  }

  @Test
  void aBarrierThatWasLeftIsGoneOnWithAndWaitsForWhoIsMissing() {
    begin(0, BARRIER, 0, 0, 0, 0);
    begin(1, BARRIER, 0, 0, 0, 0);
    assertEquals(Core.AGAIN, members[0].step(which[0], null, 0, null, 0, 5));
    assertEquals(2, other(0));
    begin(2, BARRIER, 0, 0, 0, 0);
    finish();
    assertArrayEquals(new int[RANKS], statuses);
    all(BARRIER, 0, 0, 0, 0);
  }

  /** Small and longer ones, with buffers at hand or asked for, the numbers of the collectives wrapping around. */
  @ParameterizedTest
  @CsvSource({"0, false", "0, true", "4294967291, false", "268435452, true"})
  void collectivesInAnyOrderGiveWhatTheyAreTo(long done, boolean asks) {
    closeMembers();
    openMembers(done, 0);
    for (int round = 0; round < 60; round++) {
      for (int member = 0; member < RANKS; member++) {
        asked[member] = asks && random.nextBoolean();
      }
      int count = random.nextInt(3) > 0 ? random.nextInt(0, 7) : random.nextInt(7, 9000);
      int root = random.nextInt(RANKS);
      switch (random.nextInt(9)) {
        case 0 -> all(BARRIER, 0, 0, 0, 0);
        case 1 -> bcast(root, count, round);
        case 2 -> allreduce(count, round);
        case 3 -> byUser(count, round);
        case 4 -> allgather(count, round);
        case 5 -> fold(REDUCE, root, count, round);
        case 6 -> fold(SCAN, 0, count, round);
        case 7 -> fold(EXSCAN, 0, count, round);
        default -> fold(REDUCE_SCATTER, 0, count, round);
      }
    }
  }

  /**
   * A reduce, scan, exscan or reduce_scatter: sums, or an operator of the caller's on elements of any length, into
   * memory of its own or in place. What is not to be written is not.
   */
  private void fold(int kind, int root, int about, int round) {
    int unit = new int[] {0, 8, 24, 2400, 8192}[random.nextInt(5)];
    int step = Math.max(8, unit) / 8 * (kind == REDUCE_SCATTER ? RANKS : 1);
    int count = (about + step - 1) / step * step;
    boolean isInPlace = random.nextInt(3) == 0;
    buffers(count, count, round);
    for (int member = 0; member < RANKS; member++) {
      if (isInPlace) {
        out[member] = in[member];
      } else {
        out[member].fill((byte) 7);
      }
    }
    long[][] before = new long[RANKS][];
    for (int member = 0; member < RANKS; member++) {
      before[member] = result(member);
    }
    int[] ends = parts(kind, count, Math.max(8, unit) / 8);
    all(kind, ends == null ? root : 1, 8L * count, unit == 0 ? INT64 : unit << 8, unit == 0 ? SUM : USER_OPERATOR);
    for (int member = 0; member < RANKS; member++) {
      boolean gets = kind == REDUCE ? member == root : kind != EXSCAN || member > 0;
      int until = kind == SCAN ? member : kind == EXSCAN ? member - 1 : RANKS - 1;
      long[] expected = gets ? folded(until, count, round, unit == 0 ? 1 : 31) : before[member];
      long[] found = result(member);
      if (kind == REDUCE_SCATTER) {
        int begin = ends == null ? member * (count / RANKS) : member == 0 ? 0 : ends[member - 1];
        int part = ends == null ? count / RANKS : ends[member] - begin;
        expected = Arrays.copyOfRange(expected, begin, begin + part);
        if (!isInPlace) { // of a larger buffer the rest stays
          assertArrayEquals(Arrays.copyOfRange(before[member], part, count), Arrays.copyOfRange(found, part, count));
        }
        found = Arrays.copyOf(found, part);
      }
      assertArrayEquals(expected, found,
          "%d of %d by %d, member %d, root %d".formatted(kind, count, unit, member, root));
    }
  }

  /** Tells each member where the parts of a reduce_scatter end, in words; null: they are of the same length. */
  private int[] parts(int kind, int count, int step) {
    if (kind != REDUCE_SCATTER || random.nextBoolean()) {
      return null;
    }
    int[] ends = IntStream.range(0, RANKS).map(i -> random.nextInt(count / step + 1) * step).sorted().toArray();
    ends[RANKS - 1] = count;
    for (SlotMember member : members) {
      for (int part = 0; part < RANKS; part++) {
        member.parts().setAtIndex(ValueLayout.JAVA_LONG, GIVE_BYTES * RANKS + part,
            8L * (ends[part] - (part == 0 ? 0 : ends[part - 1])));
      }
    }
    return ends;
  }

  /** The operands of all members until this one, combined from the left. */
  private long[] folded(int until, int count, int round, int factor) {
    long[] folded = values(0, count, round);
    for (int member = 1; member <= until; member++) {
      long[] operand = values(member, count, round);
      Arrays.setAll(folded, i -> factor * folded[i] + operand[i]);
    }
    return folded;
  }

  /** Every size at which a way or a round ends, any root, with buffers at hand and asked for. */
  @ParameterizedTest
  @ValueSource(ints = {REDUCE, SCAN, EXSCAN, REDUCE_SCATTER})
  void operandsOfAllLengthsAreCombinedInTheOrderOfTheMembers(int kind) {
    int[] counts = {0, 1, 3, 6, 7, 8, 255, 256, 257, 300, 1536, 1537, 3072, 4096, 6144, 6145, 20_000};
    for (int round = 0; round < 2 * counts.length; round++) {
      for (int member = 0; member < RANKS; member++) {
        asked[member] = round >= counts.length && random.nextBoolean();
      }
      fold(kind, kind == REDUCE ? round % RANKS : 0, counts[round % counts.length], round);
    }
  }

  /** A member that needs nobody's line waits for none: it is four collectives ahead at most. */
  @ParameterizedTest
  @ValueSource(ints = {REDUCE, SCAN, EXSCAN})
  void whoNeedsNobodysOperandDoesNotWait(int kind) {
    buffers(1, 1, 0);
    for (int i = 0; i < 4; i++) {
      begin(0, kind, kind == REDUCE ? 2 : 0, 8, INT64, SUM);
      assertEquals(0, statuses[0]);
    }
    begin(0, kind, kind == REDUCE ? 2 : 0, 8, INT64, SUM);
    assertEquals(Core.AGAIN, statuses[0]);
    int status = statuses[0];
    for (int i = 0; i < 5; i++) {
      for (int member = 1; member < RANKS; member++) {
        begin(member, kind, kind == REDUCE ? 2 : 0, 8, INT64, SUM);
      }
      statuses[0] = i == 0 ? status : 0;
      finish();
      assertArrayEquals(new int[RANKS], statuses);
    }
  }

  /**
   * A member whose quarter of the stages is free fills its first buffer before it shows its line, which tells that: so
   * others wait for one line of it, not for two.
   */
  @ParameterizedTest
  @ValueSource(ints = {BCAST, ALLREDUCE, ALLGATHER, REDUCE, SCAN, EXSCAN, GATHER, SCATTER, ALLTOALL})
  void aLineTellsThatTheFirstBufferIsFilled(int kind) {
    boolean combines = kind == ALLREDUCE || kind >= REDUCE && kind <= EXSCAN;
    int root = kind == REDUCE || kind == GATHER ? 2 : 0;
    closeMembers();
    openMembers(8, 0);
    buffers(3 * 120, 3 * 120, 1);
    all(kind, root, 960, combines ? INT64 : 0, combines ? SUM : 0); // which makes the stages
    for (int round = 2; round <= 9; round++) {
      buffers(3 * 120, 3 * 120, round);
      for (int member = 0; member < RANKS; member++) { // not every core reaches other memory in the call
        in[member] = Arena.global().allocate(960 * RANKS, 64).copyFrom(in[member]);
        out[member] = Arena.global().allocate(960 * RANKS, 64);
      }
      begin(0, kind, root, 960, combines ? INT64 : 0, combines ? SUM : 0);
      assertEquals(8L + round, Words.loadLong(slot, line(0, 8 + round) + HEAD_OFFSET) >>> 32);
      if (round > 5) { // a root knows by then that the first quarter is free again
        assertEquals(1L,
            Words.loadLong(slot, line(0, 8 + round) + SlotLineDescriptor.WHAT_OFFSET) >>> STEP_SHIFT & 1);
        assertNotEquals(8L + round, Words.loadLong(slot, line(0, 8 + round) + PROGRESS_OFFSET) >>> 32);
      }
      for (int member = 1; member < RANKS; member++) {
        begin(member, kind, root, 960, combines ? INT64 : 0, combines ? SUM : 0);
      }
      finish();
      assertArrayEquals(new int[RANKS], statuses);
      long[] others = values(0, 360, round);
      long[] expected = switch (kind) {
        case BCAST, ALLGATHER, EXSCAN -> Arrays.copyOf(others, 120);
        case SCATTER, ALLTOALL -> Arrays.copyOfRange(others, 120, 240);
        case ALLREDUCE -> Arrays.copyOf(folded(2, 360, round, 1), 120);
        case SCAN -> Arrays.copyOf(folded(1, 360, round, 1), 120);
        default -> new long[120];
      };
      assertArrayEquals(expected, Arrays.copyOf(result(1), 120));
    }
  }

  /** Each takes another one for the root, or for the reader, and ends without a look: the next collective tells. */
  @ParameterizedTest
  @CsvSource({"5, 1, 5, 2, 5, 0", "5, 2, 2, 1, 2, 2", "6, 0, 5, 0, 5, 1"})
  void whoCalledSomethingElseUnseenIsFoundByTheNext(
      int kind, int root, int secondKind, int secondRoot, int thirdKind, int thirdRoot) {
    buffers(8, 8, 0);
    int[][] calls = {{kind, root}, {secondKind, secondRoot}, {thirdKind, thirdRoot}};
    for (int member = 0; member < RANKS; member++) {
      boolean isBcast = calls[member][0] == BCAST;
      begin(member, calls[member][0], calls[member][1], 8, isBcast ? 0 : INT64, isBcast ? 0 : SUM);
    }
    assertArrayEquals(new int[RANKS], statuses);
    for (int member = 0; member < RANKS; member++) {
      begin(member, BARRIER, 0, 0, 0, 0);
    }
    finish();
    assertArrayEquals(new int[] {MISMATCH, MISMATCH, MISMATCH}, statuses);
  }

  @Test
  void lengthsOfElementsThatDifferAreFound() {
    for (int member = 0; member < RANKS; member++) {
      in[member] = MemorySegment.ofArray(new long[12]);
      out[member] = MemorySegment.ofArray(new long[12]);
    }
    begin(0, REDUCE_SCATTER, 0, 48, 8 << 8, USER_OPERATOR);
    begin(1, REDUCE_SCATTER, 0, 48, 16 << 8, USER_OPERATOR);
    begin(2, REDUCE_SCATTER, 0, 48, 8 << 8, USER_OPERATOR);
    finish();
    assertEquals(MISMATCH, statuses[0]);
    assertEquals(1, other(0));
    assertEquals(48L << 16 | 15 << 8 | 192, members[0].words(which[0])[WHAT]);
  }

  /** Lengths of parts that differ at two members are another call, though their sum is the same. */
  @Test
  void lengthsOfPartsThatDifferAreFound() {
    buffers(6, 6, 0);
    for (int member = 0; member < RANKS; member++) {
      for (int part = 0; part < RANKS; part++) {
        members[member].parts().setAtIndex(ValueLayout.JAVA_LONG, GIVE_BYTES * RANKS + part,
            part != member ? 8 : 48 - 8 * (RANKS - 1));
      }
    }
    for (int member = 0; member < RANKS; member++) {
      begin(member, REDUCE_SCATTER, 1, 48, INT64, SUM);
    }
    finish();
    assertArrayEquals(new int[] {MISMATCH, MISMATCH, MISMATCH}, statuses);
  }

  /** They are whole elements, and all of the bytes together. */
  @Test
  void partsThatCannotBeAreRefused() {
    buffers(6, 6, 0);
    begin(0, REDUCE_SCATTER, 1, 48, INT64, SUM);
    assertEquals(Core.INVAL, statuses[0], "nobody has told of parts");
    long[][] wrong = {{8, 8, 8}, {20, 20, 8}, {56, -8, 0}, {40, 16, 0}, {Long.MAX_VALUE, 48, 0}};
    for (long[] lengths : wrong) {
      MemorySegment.copy(lengths, 0, members[0].parts(), ValueLayout.JAVA_LONG, 8L * GIVE_BYTES * RANKS, RANKS);
      begin(0, REDUCE_SCATTER, 1, 48, INT64, SUM);
      assertEquals(Core.INVAL, statuses[0], Arrays.toString(lengths));
    }
    begin(0, REDUCE_SCATTER, 2, 48, INT64, SUM);
    assertEquals(Core.INVAL, statuses[0]);
  }

  private static MemorySegment lasting(MemorySegment array) {
    return Arena.ofAuto().allocate(Math.max(1, array.byteSize()), 64).copyFrom(array);
  }

  private void lastingBuffers(int count, int outCount, int round) {
    buffers(count, outCount, round);
    for (int member = 0; member < RANKS; member++) {
      in[member] = lasting(in[member]);
      out[member] = lasting(out[member]);
    }
  }

  /**
   * Spaces that the lines tell of are lost before some of the copies, or before all: the owners of the memory copy, and
   * the results are the same.
   */
  @ParameterizedTest
  @CsvSource({"1, false", "4, true", "8, false", "8, true"})
  void memoryThatCannotBeReachedAfterAllIsCopiedByItsOwner(int lost, boolean asks) {
    this.lost = lost;
    segment = 77;
    Arrays.fill(by, BY_ADDRESS);
    Arrays.fill(asked, asks);
    for (int round = 0; round < 8; round++) {
      int count = 32_768 + random.nextInt(20_000);
      int root = round % RANKS;
      lastingBuffers(count, count, round);
      all(BCAST, root, 8L * count, INT64, 0);
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(member == root ? new long[count] : values(root, count, round), result(member, count));
      }
      lastingBuffers(count, count * RANKS, round);
      all(ALLGATHER, 0, 8L * count, INT64, 0);
      for (int member = 0; member < RANKS; member++) {
        for (int other = 0; other < RANKS; other++) {
          long[] part = Arrays.copyOfRange(result(member, RANKS * count), other * count, (other + 1) * count);
          assertArrayEquals(values(other, count, round), part);
        }
      }
      lastingBuffers(count, count, round);
      if (round % 2 == 1) {
        System.arraycopy(in, 0, out, 0, RANKS);
      }
      all(ALLREDUCE, 0, 8L * count, INT64, SUM);
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(folded(RANKS - 1, count, round, 1), result(member, count));
      }
    }
    assertTrue(relayed > 0);
    assertTrue(lost == 8 || mapped + copied > 0);
  }

  /** Every member's memory is reached by offset (1), by address (2), or each in its own way. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1, false", "2, 2, 2, false", "1, 2, 1, false", "2, 1, 2, true", "1, 1, 2, true"})
  void largeDataGoesStraightFromTheMemoryOfTheMembers(int first, int second, int third, boolean asks) {
    by[0] = first;
    by[1] = second;
    by[2] = third;
    Arrays.fill(asked, asks);
    for (int round = 0; round < 6; round++) {
      int count = 32_768 + random.nextInt(50_000);
      int root = round % RANKS;
      lastingBuffers(count, count, round);
      all(BCAST, root, 8L * count, INT64, 0);
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(member == root ? new long[count] : values(root, count, round), result(member, count));
      }
      lastingBuffers(count, count * RANKS, round);
      all(ALLGATHER, 0, 8L * count, INT64, 0);
      for (int member = 0; member < RANKS; member++) {
        for (int other = 0; other < RANKS; other++) {
          long[] part = Arrays.copyOfRange(result(member, RANKS * count), other * count, (other + 1) * count);
          assertArrayEquals(values(other, count, round), part);
        }
      }
    }
    assertEquals(0, needed, "no stage was needed");
    assertTrue(mapped + copied > 0);
    for (int round = 0; round < 6; round++) {
      int count = 8192 + random.nextInt(70_000);
      boolean isInPlace = round % 2 == 1;
      boolean byUser = round % 3 == 2;
      lastingBuffers(count, count, round);
      if (isInPlace) {
        System.arraycopy(in, 0, out, 0, RANKS);
      }
      all(ALLREDUCE, byUser ? 8 : 0, 8L * count, byUser ? 0 : INT64, byUser ? USER_OPERATOR : SUM);
      long[] expected = values(0, count, round);
      for (int member = 1; member < RANKS; member++) {
        long[] operand = values(member, count, round);
        Arrays.setAll(expected, i -> (byUser ? 31 : 1) * expected[i] + operand[i]);
      }
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(expected, result(member, count));
      }
      int root = round % RANKS;
      reduceLasting(REDUCE, root, 32_768 + random.nextInt(3000), round);
      reduceLasting(REDUCE_SCATTER, 0, RANKS * (11_000 + random.nextInt(1000)), round);
    }
  }

  /** Reduces in place and by an operator of the program's in some rounds. */
  private void reduceLasting(int kind, int root, int count, int round) {
    boolean byUser = round % 3 == 2;
    lastingBuffers(count, count, round);
    if (round % 2 == 1) {
      System.arraycopy(in, 0, out, 0, RANKS);
    }
    all(kind, root, 8L * count, byUser ? 8 << 8 : INT64, byUser ? USER_OPERATOR : SUM);
    long[] expected = values(0, count, round);
    for (int member = 1; member < RANKS; member++) {
      long[] operand = values(member, count, round);
      Arrays.setAll(expected, i -> (byUser ? 31 : 1) * expected[i] + operand[i]);
    }
    int part = count / RANKS;
    for (int member = 0; member < RANKS; member++) {
      if (kind == REDUCE_SCATTER) {
        assertArrayEquals(
            Arrays.copyOfRange(expected, member * part, (member + 1) * part), result(member, part));
      } else if (member == root) {
        assertArrayEquals(expected, result(member, count));
      }
    }
  }

  private long[] result(int member, int count) {
    return out[member].asSlice(0, 8L * count).toArray(ValueLayout.JAVA_LONG);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whereOneMembersMemoryCannotBeReachedAllGoThroughStages(int unreachable) {
    Arrays.fill(by, BY_OFFSET);
    by[unreachable] = 0;
    int count = 20_000;
    lastingBuffers(count, count * RANKS, 0);
    all(ALLGATHER, 0, 8L * count, INT64, 0);
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(values(unreachable, count, 0),
          Arrays.copyOfRange(result(member, RANKS * count), unreachable * count, (unreachable + 1) * count));
    }
    assertEquals(RANKS, needed);
    assertEquals(0, mapped + copied);
  }

  @ParameterizedTest
  @ValueSource(ints = {BCAST, ALLREDUCE, ALLGATHER})
  void byTheSystemAloneOnlyAnAllgatherGoesStraight(int kind) {
    Arrays.fill(by, BY_ADDRESS);
    spaces = SHARED | CMA;
    int count = 20_000;
    lastingBuffers(count, count * RANKS, 0);
    all(kind, 0, 8L * count, INT64, kind == ALLREDUCE ? SUM : 0);
    assertEquals(kind == ALLGATHER ? 0 : RANKS, needed);
    assertEquals(kind == ALLGATHER, mapped + copied > 0);
  }

  /** A member breaks off; its program may close the communicator then. */
  private void leave(int member, boolean closes) {
    assertEquals(0, members[member].breakOff());
    if (closes) {
      assertEquals(0, members[member].closeState());
    }
  }

  /** Steps all until a root is asked to write the output of another member, which has its memory told. */
  private void bcastUntilTheRootWrites() {
    Arrays.fill(by, BY_ADDRESS);
    lastingBuffers(120_000, 120_000, 0);
    for (int member = 0; member < RANKS; member++) {
      begin(member, BCAST, 0, 960_000, INT64, 0);
    }
    for (int i = 0; i < 10 && statuses[0] != WRITE; i++) {
      step(1);
      step(2);
      step(0);
    }
    assertEquals(WRITE, statuses[0]);
    assertEquals(1, other(0));
  }

  /** Nor of one that has closed since then. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyWritesMemoryOfAMemberThatHasBrokenOff(boolean closes) {
    bcastUntilTheRootWrites();
    leave(1, closes);
    assertEquals(BROKEN, members[0].beginWrite(which[0]));
    assertEquals(0, members[1].isWrittenBy(0));
  }

  @Test
  void whoBreaksOffIsToldWhoWritesItsMemory() {
    bcastUntilTheRootWrites();
    assertEquals(0, members[0].beginWrite(which[0]));
    assertEquals(0, members[1].breakOff());
    assertEquals(1, members[1].isWrittenBy(0));
    assertEquals(0, members[1].isWrittenBy(2));
    assertEquals(0, members[2].isWrittenBy(0), "another one's");
    assertEquals(0, members[0].endWrite());
    assertEquals(0, members[1].isWrittenBy(0));
  }

  @Test
  void aRootWritesAShareOfWhatTheOthersGet() {
    Arrays.fill(by, BY_ADDRESS);
    lastingBuffers(120_000, 120_000, 0);
    all(BCAST, 1, 960_000, INT64, 0);
    assertEquals(RANKS - 1, written, "a third of each output");
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(member == 1 ? new long[120_000] : values(1, 120_000, 0), result(member, 120_000));
    }
  }

  private void openTwoMembers(boolean asks) {
    slot = Arena.ofAuto().allocate(SlotDescriptor.bytes(2), SlotLineDescriptor.BYTES);
    Words.store(slot, SlotDescriptor.RANKS_OFFSET, 2);
    for (int rank = 0; rank < 2; rank++) {
      members[rank].close();
      Words.store(slot, SlotDescriptor.BYTES + rank * Integer.BYTES, rank);
      members[rank] = core(rank).slotMember(slot, rank);
      asked[rank] = asks;
    }
  }

  /** Neither reads what the other gives; whose buffers cannot be told of goes through stages with the other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothOfTwoMembersWriteWhatTheyGiveInAnAllgather(boolean asks) {
    int count = 60_000;
    openTwoMembers(asks);
    Arrays.fill(by, BY_ADDRESS);
    for (int round = 0; round < 4; round++) {
      by[1] = round == 3 ? 0 : BY_ADDRESS;
      lastingBuffers(count, 2 * count, round);
      begin(0, ALLGATHER, 0, 8L * count, INT64, 0);
      begin(1, ALLGATHER, 0, 8L * count, INT64, 0);
      finish();
      assertArrayEquals(new int[RANKS], statuses);
      for (int member = 0; member < 2; member++) {
        assertArrayEquals(values(0, count, round), result(member, count));
        assertArrayEquals(values(1, count, round), Arrays.copyOfRange(result(member, 2 * count), count, 2 * count));
      }
    }
    assertEquals(3 * 2, written);
    assertEquals(0, mapped + copied);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bothOfTwoMembersWriteTheHalfThatTheyCombineInAnAllreduce(boolean asks) {
    int count = 50_001;
    openTwoMembers(asks);
    Arrays.fill(by, BY_ADDRESS);
    for (int round = 0; round < 4; round++) {
      boolean byUser = round % 2 == 1;
      lastingBuffers(count, count, round);
      for (int member = 0; member < 2; member++) {
        begin(member, ALLREDUCE, byUser ? 8 : 0, 8L * count, byUser ? 0 : INT64, byUser ? USER_OPERATOR : SUM);
      }
      finish();
      assertArrayEquals(new int[RANKS], statuses);
      long[] left = values(0, count, round);
      long[] right = values(1, count, round);
      long[] expected = new long[count];
      Arrays.setAll(expected, i -> (byUser ? 31 : 1) * left[i] + right[i]);
      assertArrayEquals(expected, result(0, count));
      assertArrayEquals(expected, result(1, count));
    }
    assertEquals(4 * 2, written, "a half, by each");
  }

  /** Its memory may be written over from then on, also where it closes before the others look. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasReadMemoryOfOneThatBrokeOffSaysSo(boolean closes) {
    Arrays.fill(by, BY_OFFSET);
    by[2] = 0; // so the root writes nothing, for which the others would wait
    lastingBuffers(120_000, 120_000, 0);
    for (int member = 0; member < RANKS; member++) {
      begin(member, BCAST, 0, 960_000, INT64, 0);
    }
    for (int i = 0; i < 10 && statuses[1] != REACH && statuses[1] != READ; i++) {
      step(0);
      step(1);
      step(2);
    }
    assertTrue(statuses[1] == REACH || statuses[1] == READ, "lines were read");
    leave(0, closes);
    for (int i = 0; i < 20 && goesOn(statuses[1]); i++) {
      step(1);
    }
    assertEquals(BROKEN, statuses[1]);
    assertEquals(0, other(1));
  }

  /** Barriers say no progress: one that is 2^30 collectives old could be taken for nonsense. */
  @Test
  void progressThatWasNotNeededForLongIsStillKnownToBeOld() {
    for (int member = 0; member < RANKS; member++) {
      for (long sequence = 4; sequence < 8; sequence++) {
        Words.storeLong(slot, line(member, sequence) + PROGRESS_OFFSET, sequence << 32 | 1);
      }
    }
    closeMembers();
    openMembers((1L << 30) - 1, 0);
    for (int i = 0; i < 4; i++) {
      all(BARRIER, 0, 0, 0, 0);
    }
    buffers(600, 600, 0);
    begin(1, BCAST, 0, 4800, 0, 0);
    step(1);
    assertEquals(Core.AGAIN, statuses[1]);
    begin(0, BCAST, 0, 4800, 0, 0);
    begin(2, BCAST, 0, 4800, 0, 0);
    finish();
    assertArrayEquals(new int[RANKS], statuses);
    assertArrayEquals(values(0, 600, 0), result(1));
  }

  private void bcast(int root, int count, int round) {
    buffers(count, count, round);
    all(BCAST, root, 8L * count, INT64, 0);
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(member == root ? new long[count] : values(root, count, round), result(member));
    }
  }

  private void allreduce(int count, int round) {
    buffers(count, count, round);
    all(ALLREDUCE, 0, 8L * count, INT64, SUM);
    long[] expected = new long[count];
    for (int member = 0; member < RANKS; member++) {
      long[] operand = values(member, count, round);
      Arrays.setAll(expected, i -> expected[i] + operand[i]);
    }
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(expected, result(member));
    }
  }

  /** An operator that is neither commutative nor associative: combined in the order of the members, from the left. */
  private void byUser(int count, int round) {
    buffers(count, count, round);
    all(ALLREDUCE, 8, 8L * count, 0, USER_OPERATOR);
    long[] expected = values(0, count, round);
    for (int member = 1; member < RANKS; member++) {
      long[] operand = values(member, count, round);
      Arrays.setAll(expected, i -> 31 * expected[i] + operand[i]);
    }
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(expected, result(member));
    }
  }

  private void allgather(int count, int round) {
    buffers(count, count * RANKS, round);
    all(ALLGATHER, 0, 8L * count, INT64, 0);
    for (int member = 0; member < RANKS; member++) {
      for (int other = 0; other < RANKS; other++) {
        long[] part = Arrays.copyOfRange(result(member), other * count, (other + 1) * count);
        assertArrayEquals(values(other, count, round), part);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40, 3000})
  void anAllreduceMayBeInPlace(int count) {
    for (int round = 0; round < 4; round++) {
      buffers(count, count, round);
      System.arraycopy(in, 0, out, 0, RANKS);
      all(ALLREDUCE, 0, 8L * count, INT64, SUM);
      long[] expected = new long[count];
      for (int member = 0; member < RANKS; member++) {
        long[] operand = values(member, count, round);
        Arrays.setAll(expected, i -> expected[i] + operand[i]);
      }
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(expected, result(member));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6, 200, 2000})
  void sumsOfDoublesAreThoseInTheOrderOfTheMembersBitForBit(int count) {
    double[] expected = new double[count];
    for (int member = 0; member < RANKS; member++) {
      double[] operand = new double[count];
      for (int i = 0; i < count; i++) {
        operand[i] = random.nextDouble() * Math.pow(10, random.nextInt(30));
        expected[i] = member == 0 ? operand[i] : expected[i] + operand[i];
      }
      in[member] = MemorySegment.ofArray(operand);
      out[member] = MemorySegment.ofArray(new double[count]);
    }
    all(ALLREDUCE, 0, 8L * count, DOUBLE, SUM);
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(expected, out[member].toArray(ValueLayout.JAVA_DOUBLE));
    }
  }

  /** The products are also those of infinite ones, and of some that are no numbers. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 40, 500, 3001})
  void productsOfComplexNumbersAreThoseInTheOrderOfTheMembersBitForBit(int count) {
    double[] parts = {0.1, -3, 7e-3, 0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 1e300};
    int complex = ElementKind.DOUBLE_COMPLEX.number();
    int product = Operator.PROD.number();
    MemorySegment expected = MemorySegment.ofArray(new double[2 * count]);
    for (int member = 0; member < RANKS; member++) {
      double[] values =
          IntStream.range(0, 2 * count).mapToDouble(i -> parts[random.nextInt(i % 3 == 0 ? 9 : 4)]).toArray();
      in[member] = MemorySegment.ofArray(values);
      out[member] = MemorySegment.ofArray(new double[2 * count]);
      if (member == 0) {
        expected.copyFrom(in[0]);
      } else {
        new Combine().combine(product, complex, expected, 0, expected, 0, in[member], 0, 16L * count);
      }
    }
    all(ALLREDUCE, 0, 16L * count, complex, product);
    for (int member = 0; member < RANKS; member++) {
      assertEquals(-1, expected.mismatch(out[member]));
    }
  }

  @Test
  void aRootIsFourCollectivesAheadAtMost() {
    buffers(1, 1, 0);
    for (int i = 0; i < 4; i++) {
      begin(0, BCAST, 0, 8, INT64, 0);
      assertEquals(0, statuses[0]);
    }
    begin(0, BCAST, 0, 8, INT64, 0);
    assertEquals(Core.AGAIN, statuses[0]);
    assertEquals(1, other(0));
    begin(1, BCAST, 0, 8, INT64, 0);
    assertEquals(0, statuses[1]);
    step(0);
    assertEquals(Core.AGAIN, statuses[0]);
    assertEquals(2, other(0));
    begin(2, BCAST, 0, 8, INT64, 0);
    step(0);
    assertEquals(0, statuses[0]);
  }

  /** The last member takes small bcasts of the one before it, and has seen no other line. */
  @Test
  void aLineThatIsStillReadIsNotWrittenOverAfterBcastsOfTheOneBefore() {
    buffers(1, RANKS, 0);
    for (int member = 0; member < RANKS; member++) {
      begin(member, ALLGATHER, 0, 8, 0, 0);
    }
    step(1);
    assertTrue(goesOn(statuses[0]));
    assertArrayEquals(new int[2], Arrays.copyOfRange(statuses, 1, RANKS));
    int early = which[0];
    for (int i = 0; i < 3; i++) {
      for (int member = 1; member < RANKS; member++) {
        begin(member, BCAST, 1, 8, INT64, 0);
        assertEquals(0, statuses[member]);
      }
    }
    for (int member = 1; member < RANKS; member++) {
      begin(member, ALLGATHER, 0, 8, 0, 0);
      assertTrue(goesOn(statuses[member]));
    }
    assertEquals(0, members[0].step(early, in[0], 0, out[0], 0, 1));
    assertArrayEquals(new long[] {values(0, 1, 0)[0], values(1, 1, 0)[0], values(2, 1, 0)[0]}, result(0));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0, 8, 4, 0", // another collective
    "3, 0, 16, 4, 1", // another size
    "3, 0, 8, 10, 1", // another kind of elements
    "3, 0, 8, 4, 2", // another operator
    "1, 0, 0, 0, 0", // a barrier
    "2, 1, 8, 4, 0", // a bcast from elsewhere
    "3, 0, 4096, 4, 1" // so large that it goes another way
  })
  void whoCallsSomethingElseIsFound(int kind, int root, long bytes, int element, int op) {
    buffers(600, 600, 0);
    begin(0, ALLREDUCE, 0, 8, INT64, SUM);
    begin(1, kind, root, bytes, element, op);
    begin(2, ALLREDUCE, 0, 8, INT64, SUM);
    finish();
    for (int member : new int[] {0, 2}) {
      assertEquals(MISMATCH, statuses[member]);
      assertEquals(1, other(member));
      int roots = kind == BCAST ? root + 1 : 0;
      assertEquals(1L << 32 | (long) kind << 24 | (long) root << 8 | roots, members[member].words(which[member])[HEAD]);
      assertEquals(bytes << 16 | (long) element << 8 | op, members[member].words(which[member])[WHAT]);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 4096})
  void rootsThatDifferAreFoundByWhoWaits(long bytes) {
    buffers(600, 600, 0);
    begin(1, BCAST, 0, bytes, INT64, 0);
    begin(2, BCAST, 1, bytes, INT64, 0);
    statuses[0] = 0; // it has not come
    for (int i = 0; i < 10; i++) {
      for (int member = 1; member <= 2; member++) {
        if (goesOn(statuses[member])) {
          step(member);
        }
      }
    }
    assertEquals(MISMATCH, statuses[1]);
    assertEquals(MISMATCH, statuses[2]);
  }

  /** Each takes itself for the root, and looks at nobody's line. */
  @Test
  void whoNamedAnotherRootBeforeIsFoundByTheNextThatReadsItsLine() {
    buffers(8, 8, 0);
    for (int member = 0; member < 3; member++) {
      begin(member, BCAST, member == 1 ? 1 : 0, 8, 0, 0);
    }
    finish();
    assertArrayEquals(new int[] {0, 0, 0}, statuses);
    for (int member = 0; member < 3; member++) {
      begin(member, ALLREDUCE, 0, 8, INT64, SUM);
    }
    finish();
    assertArrayEquals(new int[] {MISMATCH, MISMATCH, MISMATCH}, statuses);
    assertEquals(1, other(0));
    assertEquals(0, other(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 512})
  void whereAllIsCheckedEveryMemberOfABcastFindsWhoCallsAnother(int count) {
    closeMembers();
    openMembers(0, SlotDescriptor.CHECKED);
    bcast(1, count, 0);
    buffers(count, count, 1);
    begin(0, BCAST, 0, 8L * count, INT64, 0);
    begin(1, BCAST, 1, 8L * count, INT64, 0);
    begin(2, BCAST, 0, 8L * count, INT64, 0);
    finish();
    assertArrayEquals(new int[] {MISMATCH, MISMATCH, MISMATCH}, statuses);
  }

  @ParameterizedTest
  @CsvSource({"8", "4096"})
  void whoBreaksOffIsToldToThoseWhoWait(long bytes) {
    buffers(600, 600, 0);
    begin(0, ALLREDUCE, 0, bytes, INT64, SUM);
    begin(2, ALLREDUCE, 0, bytes, INT64, SUM);
    assertEquals(0, members[1].breakOff());
    assertEquals(SlotMemberDescriptor.BROKEN, members[0].state(1));
    statuses[1] = BROKEN;
    finish();
    assertArrayEquals(new int[] {BROKEN, BROKEN, BROKEN}, statuses);
    assertEquals(1, other(0));
    assertEquals(1, other(2));
    begin(1, BARRIER, 0, 0, 0, 0);
    assertEquals(BROKEN, statuses[1]);
    assertEquals(1, other(1));
  }

  @Test
  void whatAMemberHadPostedBeforeItBrokeOffIsStillRead() {
    begin(0, BARRIER, 0, 0, 0, 0);
    begin(1, BARRIER, 0, 0, 0, 0);
    members[0].breakOff();
    begin(2, BARRIER, 0, 0, 0, 0);
    assertEquals(0, statuses[2]);
    statuses[0] = 0;
    finish();
    assertEquals(0, statuses[1]);
    begin(1, BARRIER, 0, 0, 0, 0);
    assertEquals(BROKEN, statuses[1]);
  }

  @Test
  void whoHasClosedIsToldToThoseWhoWaitAndTheLastToCloseKnows() {
    begin(0, BARRIER, 0, 0, 0, 0);
    assertEquals(0, members[1].closeState());
    statuses[1] = statuses[2] = 0;
    finish();
    assertEquals(CLOSED, statuses[0]);
    assertEquals(1, other(0));
    begin(1, BARRIER, 0, 0, 0, 0);
    assertEquals(CLOSED, statuses[1]);
    assertEquals(0, members[0].closeState());
    assertEquals(1, members[2].closeState());
  }

  @Test
  void whoWaitsInARevokedCommunicatorIsLetGoAndNoneBegins() {
    begin(0, BARRIER, 0, 0, 0, 0);
    assertEquals(0, members[2].revoke());
    step(0);
    assertEquals(REVOKED, statuses[0]);
    begin(1, BARRIER, 0, 0, 0, 0);
    assertEquals(REVOKED, statuses[1]);
  }

  @Test
  void argumentsOutOfRangeAreRefusedAndNothingHasBegun() {
    buffers(8, 8, 0);
    int[][] wrong = {
      {0, 0, 0, 0, 0}, {13, 0, 0, 0, 0}, {BCAST, -1, 8, INT64, 0}, {BCAST, RANKS, 8, INT64, 0},
      {BCAST, 0, -8, INT64, 0}, {ALLREDUCE, 0, 7, INT64, SUM}, {ALLREDUCE, 0, 8, INT64, 0},
      {ALLREDUCE, 0, 8, 200, SUM}, {ALLREDUCE, 0, 8, INT64, 99}, {ALLREDUCE, 0, 8, 0, SUM},
      {ALLREDUCE, 0, 8, 0, USER_OPERATOR}, {ALLREDUCE, 8193, 16386, 0, USER_OPERATOR}, {BCAST, 0, 8, 256, 0},
      {BARRIER, 0, 8, 0, 0},
      {BCAST, 0, 8, 0, -1},
      {REDUCE, RANKS, 8, INT64, SUM}, {REDUCE, 0, 8, 0, USER_OPERATOR}, {REDUCE, 0, 8, 16 << 8, USER_OPERATOR},
      {REDUCE, 0, 16_386, 8193 << 8, USER_OPERATOR}, {SCAN, 1, 8, INT64, SUM}, {SCAN, 0, 8, 8 << 8 | INT64, SUM},
      {REDUCE_SCATTER, 0, 8, INT64, SUM}, {EXSCAN, 0, 8, INT64, Operator.NO_OP.number()},
    };
    for (int[] call : wrong) {
      begin(0, call[0], call[1], call[2], call[3], call[4]);
      assertEquals(Core.INVAL, statuses[0], Arrays.toString(call));
    }
    all(BARRIER, 0, 0, 0, 0);
  }

  @Test
  void aSlotThatCannotBeIsRefused() {
    for (int wrong : new int[] {0, -1, RANKS + 1, Integer.MAX_VALUE}) {
      Words.store(slot, SlotDescriptor.RANKS_OFFSET, wrong);
      assertThrows(SegmentException.class, () -> core(0).slotMember(slot, 0));
    }
    Words.store(slot, SlotDescriptor.RANKS_OFFSET, RANKS);
    assertThrows(SegmentException.class, () -> core(0).slotMember(slot, RANKS));
    assertThrows(SegmentException.class, () -> core(0).slotMember(slot, -1));
    assertThrows(SegmentException.class, () -> core(0).slotMember(slot.asSlice(0, slot.byteSize() - 128), 0));
    Words.store(slot, SlotDescriptor.rankOffset(1), RANKS);
    assertThrows(SegmentException.class, () -> core(0).slotMember(slot, 0));
  }

  @Test
  void aLineOfACollectiveToComeIsNoCorrectMembers() {
    begin(0, BARRIER, 0, 0, 0, 0);
    Words.storeLong(slot, line(1, 1) + HEAD_OFFSET, 5L << 32 | 1 << 24);
    step(0);
    assertEquals(Core.CORRUPT, statuses[0]);
    assertEquals(1, other(0));
  }

  @Test
  void progressOfACollectiveToComeIsNoCorrectMembers() {
    buffers(600, 600, 0);
    for (int member = 0; member < RANKS; member++) {
      begin(member, ALLREDUCE, 0, 4800, INT64, SUM);
    }
    step(0); // has its stages
    step(0);
    Words.storeLong(slot, line(1, 1) + PROGRESS_OFFSET, 77L << 32 | 1);
    for (int i = 0; i < 10 && goesOn(statuses[0]); i++) {
      step(0);
    }
    assertEquals(Core.CORRUPT, statuses[0]);
  }

  /** One member's part of the slot is written over at random: the others end, refuse or wait. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void nonsenseInAMembersPartHarmsNobodysMemory(int seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 40; round++) {
      closeMembers();
      slot.asSlice(part(0)).fill((byte) 0);
      Words.storeLong(slot, SlotDescriptor.STAGES_OFFSET, 0);
      openMembers();
      int count = chance.nextInt(1, 3000);
      buffers(count, count * RANKS, round);
      int kind = chance.nextInt(BARRIER, ALLGATHER + 1);
      int root = kind == BCAST ? chance.nextInt(RANKS) : 0;
      long bytes = kind == BARRIER ? 0 : 8L * count;
      for (int member = 0; member < RANKS; member++) {
        begin(member, kind, root, bytes, kind == BARRIER ? 0 : INT64, kind == ALLREDUCE ? SUM : 0);
      }
      for (int i = 0; i < 200; i++) {
        int member = chance.nextInt(2);
        if (goesOn(statuses[member])) {
          step(member);
        }
        long word = part(2) + 8L * chance.nextInt(SlotMemberDescriptor.BYTES / 8);
        Words.storeLong(slot, word, chance.nextBoolean() ? chance.nextLong() : 1L << 32 | chance.nextInt(5));
      }
      for (int member = 0; member < 2; member++) {
        assertTrue(statuses[member] <= 0 || statuses[member] <= MOVED, "status " + statuses[member]);
        assertNotEquals(Core.INVAL, statuses[member]);
      }
    }
  }
}
