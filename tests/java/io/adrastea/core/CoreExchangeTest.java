package io.adrastea.core;

import static io.adrastea.core.SlotMember.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every core does in gather, scatter, alltoall and an allgather by parts, for every pair of cores. One thread
 * takes the steps of all members.
 */
@Tag("loops")
@EveryCorePair
class CoreExchangeTest extends MembersContract {
  private static final byte UNTOUCHED = (byte) 0xEE;
  private static final int[] KINDS = {GATHER, SCATTER, ALLTOALL, ALLGATHERV};
  private static final int GAP = 3; // bytes behind each part
  private static final int MOST = 250_000; // bytes of a block
  private static final byte[][] CONTENTS = IntStream.range(0, RANKS * RANKS)
      .mapToObj(i -> makeContents(i / RANKS * 31 + i % RANKS * 7)).toArray(byte[][]::new);

  private final MemorySegment[] in = new MemorySegment[RANKS];
  private final MemorySegment[] out = new MemorySegment[RANKS];
  private final boolean[] asked = new boolean[RANKS]; // that member's buffers are filled and drained by this test
  private final int[] by = new int[RANKS]; // how the others can reach that member's memory; 0: they cannot
  private final int[] statuses = new int[RANKS];
  private final int[] which = new int[RANKS];
  private int purpose; // of the exchange
  private int spaces = SHARED | CMA; // through which each can reach the others
  private final long[] segments = new long[RANKS]; // XPMEM segment id of each member

  CoreExchangeTest() {
    super(19);
  }

  private void begin(int member, int kind, int root, long bytes, int flags) {
    MemorySegment from = asked[member] ? null : in[member];
    MemorySegment to = asked[member] ? null : out[member];
    statuses[member] = members[member].begin(kind, root, bytes, purpose, flags, from, 0, to, 0, 1);
    which[member] = members[member].begun();
  }

  /** One step of a member, with what it asks for. */
  private void step(int member) {
    int which = this.which[member];
    switch (statuses[member]) {
      case EXPOSE -> {
        int told = in[member].isNative() ? by[member] : 0;
        int outTold = out[member].isNative() && by[member] == BY_ADDRESS ? BY_ADDRESS : 0;
        assertEquals(0, members[member].expose(which, told, told == 0 ? 0 : in[member].address(), outTold,
            outTold == 0 ? 0 : out[member].address(), spaces, segments[member]));
      }
      case READ -> assertEquals(IN_OUTPUT, members[member].words(which)[PLACE]);
      case WRITE -> assertEquals(IN_INPUT, members[member].words(which)[PLACE]);
      default -> {}
    }
    if (statuses[member] != EXPOSE) {
      serve(member, which, statuses[member], in[member], out[member]);
    }
    MemorySegment from = asked[member] ? null : in[member];
    MemorySegment to = asked[member] ? null : out[member];
    statuses[member] = members[member].step(which, from, 0, to, 0, 1);
  }

  private void finish() {
    for (int i = 0; i < 20_000 && IntStream.of(statuses).anyMatch(MembersContract::goesOn); i++) {
      int member = random.nextInt(RANKS);
      if (goesOn(statuses[member])) {
        step(member);
      }
    }
  }

  private static boolean hasSeveralBlocks(int kind) {
    return kind == SCATTER || kind == ALLTOALL;
  }

  private boolean gives(int kind, int root, int giver, int reader) {
    return switch (kind) {
      case GATHER -> reader == root;
      case SCATTER -> giver == root;
      default -> purpose < FOR_GROUPS || giver < root != reader < root;
    };
  }

  /** Returns the first bytes of a block of any length, made once, since these tests move gigabytes. */
  private static byte[] contents(int giver, int block) {
    return CONTENTS[giver * RANKS + block];
  }

  private static byte[] makeContents(int seed) {
    byte[] contents = new byte[MOST];
    for (int at = 0; at < MOST; at++) {
      contents[at] = (byte) (seed + at * 3 + (at >> 8));
    }
    return contents;
  }

  /** Lengths of blocks, of one giver for all or of each for each: the same for all, or each its own. */
  private int[][] lengths(int kind, boolean byParts, int most) {
    int common = random.nextInt(most);
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      int one = random.nextInt(5) < 2 ? random.nextInt(2) : random.nextInt(most);
      for (int reader = 0; reader < RANKS; reader++) {
        int own = random.nextInt(5) < 2 ? random.nextInt(2) : random.nextInt(most);
        giver[reader] = !byParts ? common : hasSeveralBlocks(kind) ? own : one;
      }
    }
    return lengths;
  }

  private MemorySegment memory(byte[] contents, boolean isNative) {
    MemorySegment array = MemorySegment.ofArray(contents);
    return isNative ? Arena.ofAuto().allocate(contents.length + 1, 64).copyFrom(array) : array;
  }

  /** Makes one member's buffers and table of parts, begins, and returns what its output is to be. */
  private byte[] call(int member, int kind, int root, boolean byParts, int[][] lengths) {
    boolean several = hasSeveralBlocks(kind);
    boolean tells = byParts && (kind != GATHER && kind != SCATTER || member == root);
    int room = 8;
    for (int[] giver : lengths) {
      room += Arrays.stream(giver).sum() + GAP * RANKS;
    }
    byte[] input = new byte[room];
    byte[] expected = new byte[room];
    Arrays.fill(expected, UNTOUCHED);
    long[] parts = new long[PART_ROWS * RANKS];
    int from = tells ? GAP : 0;
    int to = 0;
    long total = 0;
    for (int other = 0; other < RANKS; other++) {
      boolean isBlock = several ? gives(kind, root, member, other) : other == member;
      if (isBlock) {
        int length = lengths[member][other];
        System.arraycopy(contents(member, several ? other : 0), 0, input, from, length);
        parts[GIVE_BYTES * RANKS + other] = length;
        parts[GIVE_AT * RANKS + other] = from;
        total += length;
        from += length + (tells ? GAP : 0);
      }
      if (gives(kind, root, other, member)) {
        int length = lengths[other][member];
        System.arraycopy(contents(other, several ? member : 0), 0, expected, to, length);
        parts[TAKE_BYTES * RANKS + other] = length;
        parts[TAKE_AT * RANKS + other] = to;
        to += length + (tells ? GAP : 0);
      }
    }
    in[member] = memory(input, by[member] != 0 || random.nextBoolean());
    out[member] = memory(new byte[room], by[member] != 0);
    out[member].fill(UNTOUCHED);
    if (tells) {
      members[member].parts().copyFrom(MemorySegment.ofArray(parts));
    }
    long bytes = tells ? total : kind == SCATTER ? lengths[root][member] : lengths[member][member];
    begin(member, kind, root, bytes, tells ? BY_PARTS : 0);
    return expected;
  }

  private void exchange(int kind, int root, boolean byParts, int most) {
    exchange(kind, root, byParts, lengths(kind, byParts, most));
  }

  private void exchange(int kind, int root, boolean byParts, int[][] lengths) {
    byte[][] expected = new byte[RANKS][];
    for (int member = 0; member < RANKS; member++) {
      expected[member] = call(member, kind, root, byParts, lengths);
    }
    finish();
    String what = "kind %d, root %d, parts %b, %s".formatted(kind, root, byParts, Arrays.deepToString(lengths));
    assertArrayEquals(new int[RANKS], statuses, what);
    for (int member = 0; member < RANKS; member++) {
      byte[] found = out[member].asSlice(0, expected[member].length).toArray(ValueLayout.JAVA_BYTE);
      assertEquals(-1, Arrays.mismatch(expected[member], found), what + " at member " + member);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false, 0", "0, true, 0", "0, true, 2", "4294967291, false, 0", "268435452, true, 0"})
  void eachBlockGoesFromItsGiverToItsReader(long done, boolean asks, int choices) {
    closeMembers();
    openMembers(done, choices);
    for (int round = 0; round < 60; round++) {
      for (int member = 0; member < RANKS; member++) {
        asked[member] = asks && random.nextBoolean();
        by[member] = new int[] {0, BY_OFFSET, BY_ADDRESS}[random.nextInt(3)];
      }
      int kind = KINDS[random.nextInt(KINDS.length)];
      int root = kind == GATHER || kind == SCATTER ? random.nextInt(RANKS) : 0;
      int most = switch (random.nextInt(4)) {
        case 0 -> 9;
        case 1 -> 60;
        case 2 -> 5000;
        default -> 120_000;
      };
      exchange(kind, root, kind == ALLGATHERV || random.nextBoolean(), most);
    }
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      Arrays.fill(giver, 40_000);
    }
    Arrays.fill(by, BY_ADDRESS);
    exchange(ALLTOALL, 0, false, lengths); // in which all tell what they can reach
    exchange(ALLTOALL, 0, false, lengths);
    assertTrue(mapped > 0, "large blocks in shared memory were read where they lie");
    assertTrue(copied > 0, "longer ones in other memory too");
  }

  /** The root would copy all blocks alone; a member that cannot be written to, or cannot write, takes stages. */
  @Test
  void largeBlocksOfAGatherAreWrittenByThoseThatGiveThem() {
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      Arrays.fill(giver, 150_000);
    }
    for (int root = 0; root < RANKS; root++) {
      Arrays.fill(by, BY_ADDRESS);
      written = 0;
      exchange(GATHER, root, false, lengths);
      assertEquals(RANKS - 1, written);
      by[(root + 1) % RANKS] = 0;
      exchange(GATHER, root, false, lengths);
      assertEquals(2 * RANKS - 3, written);
      by[root] = 0;
      exchange(GATHER, root, false, lengths);
      assertEquals(2 * RANKS - 3, written);
    }
  }

  /** What the root has lost it does not export, whatever the others have told of their spaces. */
  @Test
  void aRootThatExportsNothingIsNotWrittenByXpmem() {
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      Arrays.fill(giver, 150_000);
    }
    Arrays.fill(by, BY_ADDRESS);
    spaces = SHARED | XPMEM;
    Arrays.fill(segments, 77);
    exchange(GATHER, 1, false, lengths);
    assertEquals(RANKS - 1, written);
    segments[1] = 0;
    exchange(GATHER, 1, false, lengths);
    assertEquals(RANKS - 1, written);
    spaces = SHARED | CMA;
    exchange(GATHER, 1, false, lengths);
    assertEquals(2 * (RANKS - 1), written);
  }

  /**
   * Spaces that lines tell of, or that members have told of in an exchange before, are lost before some of the copies,
   * or before all: the owners of the memory copy, and the blocks are the same.
   */
  @ParameterizedTest
  @CsvSource({"1, false, 0", "4, true, 0", "8, true, 0", "8, false, 2"})
  void memoryThatCannotBeReachedAfterAllIsCopiedByItsOwner(int often, boolean asks, int choices) {
    closeMembers();
    openMembers(0, choices);
    Arrays.fill(by, BY_ADDRESS);
    Arrays.fill(segments, 77);
    spaces = SHARED | XPMEM;
    int[][] equal = new int[RANKS][RANKS];
    for (int[] giver : equal) {
      Arrays.fill(giver, 40_000);
    }
    for (int round = 0; round < 40; round++) {
      for (int member = 0; member < RANKS; member++) {
        asked[member] = asks && random.nextBoolean();
      }
      lost = 0;
      exchange(ALLTOALL, 0, false, equal); // in which all tell what they can reach
      lost = often;
      int kind = KINDS[round % KINDS.length];
      int root = kind == GATHER || kind == SCATTER ? random.nextInt(RANKS) : 0;
      exchange(kind, root, kind == ALLGATHERV || random.nextBoolean(), MOST);
    }
    assertTrue(relayed > 0);
  }

  /** Among neighbours most blocks are empty, and members need not wait for those that give them nothing. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void blocksOfNeighborsGoFromTheirGiversToTheirReaders(int choices) {
    closeMembers();
    openMembers(0, choices);
    for (int round = 0; round < 60; round++) {
      purpose = random.nextBoolean() ? FOR_NEIGHBOR_ALLTOALL : FOR_NEIGHBOR_ALLGATHER;
      int[][] lengths = lengths(ALLTOALL, true, round % 3 == 0 ? 10 : round % 3 == 1 ? 5000 : 120_000);
      for (int[] giver : lengths) {
        giver[random.nextInt(RANKS)] = 0;
      }
      exchange(ALLTOALL, 0, true, lengths);
    }
  }

  /** The root tells how many members are one of two groups; some give nothing, as others than the root of a bcast. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 2", "4294967291, 0"})
  void betweenGroupsABlockGoesToAllOfTheOtherGroup(long done, int choices) {
    closeMembers();
    openMembers(done, choices);
    purpose = FOR_GROUPS + ALLGATHER;
    for (int round = 0; round < 80; round++) {
      for (int member = 0; member < RANKS; member++) {
        asked[member] = random.nextInt(4) == 0;
        by[member] = new int[] {0, BY_OFFSET, BY_ADDRESS}[random.nextInt(3)];
      }
      int most = new int[] {9, 60, 5000, 150_000}[random.nextInt(4)];
      int[][] lengths = lengths(ALLGATHERV, true, most);
      for (int giver = 0; giver < RANKS; giver++) {
        if (random.nextInt(3) == 0) {
          Arrays.fill(lengths[giver], 0);
        }
      }
      exchange(ALLGATHERV, 1 + random.nextInt(RANKS - 1), true, lengths);
    }
    assertTrue(mapped > 0, "large blocks in shared memory were read where they lie");
    assertTrue(copied > 0, "longer ones in other memory too, though those of the own group cannot be reached");
  }

  /** What others give goes over what a member gives in place; the others' is read where it lies. */
  @ParameterizedTest
  @ValueSource(ints = {40, 50_000})
  void inPlaceNoBlockIsOverwrittenBeforeItIsGiven(int bytes) {
    for (int round = 0; round < 4; round++) {
      byte[][] expected = new byte[RANKS][];
      for (int member = 0; member < RANKS; member++) {
        boolean inPlace = member == round % RANKS || random.nextBoolean();
        by[member] = inPlace ? 0 : BY_OFFSET;
        asked[member] = random.nextBoolean();
        byte[] input = new byte[RANKS * bytes];
        expected[member] = new byte[RANKS * bytes];
        for (int other = 0; other < RANKS; other++) {
          System.arraycopy(contents(member, other), 0, input, other * bytes, bytes);
          System.arraycopy(contents(other, member), 0, expected[member], other * bytes, bytes);
        }
        in[member] = memory(input, true);
        out[member] = inPlace ? in[member] : memory(new byte[RANKS * bytes], true);
        begin(member, ALLTOALL, 0, bytes, inPlace ? STAYS : 0);
      }
      finish();
      assertArrayEquals(new int[RANKS], statuses);
      for (int member = 0; member < RANKS; member++) {
        assertArrayEquals(expected[member],
            out[member].asSlice(0, expected[member].length).toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  /** Its memory is read by others, for whom it waits. */
  @Test
  void whoGivesAMemberNothingMayHaveClosedBeforeThatOneComes() {
    int[][] lengths = new int[RANKS][RANKS];
    lengths[0][1] = 100_000;
    Arrays.fill(by, BY_OFFSET);
    call(0, SCATTER, 0, true, lengths);
    call(1, SCATTER, 0, true, lengths);
    finish();
    assertEquals(0, statuses[0]);
    assertTrue(mapped > 0);
    assertEquals(0, members[0].closeState());
    call(2, SCATTER, 0, true, lengths);
    finish();
    assertArrayEquals(new int[RANKS], statuses);
  }

  /** Member 0 allocates the stages, and is through without having seen that others need some. */
  @ParameterizedTest
  @ValueSource(ints = {GATHER, ALLTOALL})
  void othersHaveStagesThoughTheLowestMemberNeedsNone(int kind) {
    for (int member = 0; member < RANKS; member++) {
      long[] parts = new long[PART_ROWS * RANKS];
      boolean tells = kind == ALLTOALL || member == 1;
      if (member == 1) {
        parts[TAKE_BYTES * RANKS + 2] = 5000;
      } else if (member == 2) {
        parts[GIVE_BYTES * RANKS + 1] = 5000;
      }
      in[member] = MemorySegment.ofArray(new byte[5000]).fill((byte) member);
      out[member] = MemorySegment.ofArray(new byte[5000]);
      if (tells) {
        members[member].parts().copyFrom(MemorySegment.ofArray(parts));
      }
      statuses[member] = members[member].begin(kind, kind == GATHER ? 1 : 0, member == 2 ? 5000 : 0,
          kind == ALLTOALL ? FOR_NEIGHBOR_ALLTOALL : 0, tells ? BY_PARTS : 0, in[member], 0, out[member], 0, 1);
      which[member] = members[member].begun();
    }
    finish();
    assertArrayEquals(new int[RANKS], statuses);
    assertEquals(2, out[1].get(ValueLayout.JAVA_BYTE, 4999));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 3000, 40_000})
  void blocksAreTakenInTheOrderInWhichTheyCome(int bytes) {
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      Arrays.fill(giver, bytes);
    }
    byte[] expected = call(0, GATHER, 0, false, lengths);
    call(2, GATHER, 0, false, lengths);
    for (int i = 0; i < 100; i++) {
      for (int member = 0; member < RANKS; member += 2) {
        if (goesOn(statuses[member])) {
          step(member);
        }
      }
    }
    assertEquals(Core.AGAIN, statuses[0]);
    assertEquals(1, members[0].other(which[0]));
    int room = Math.min(bytes, 16_384); // of a round
    assertArrayEquals(
        Arrays.copyOfRange(expected, 2 * bytes, 2 * bytes + room),
        out[0].asSlice(2L * bytes, room).toArray(ValueLayout.JAVA_BYTE));
    call(1, GATHER, 0, false, lengths);
    finish();
    assertArrayEquals(new int[RANKS], statuses);
    assertArrayEquals(expected, out[0].asSlice(0, expected.length).toArray(ValueLayout.JAVA_BYTE));
  }

  /** One of two members that give equal blocks says so by parts: each giver goes its own way. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 3000, 50_000})
  void whoGivesByPartsMeetsWhoDoesNot(int bytes) {
    int[][] lengths = new int[RANKS][RANKS];
    for (int[] giver : lengths) {
      Arrays.fill(giver, bytes);
    }
    byte[][] expected = new byte[RANKS][];
    for (int member = 0; member < RANKS; member++) {
      expected[member] = call(member, ALLTOALL, 0, member == 1, lengths);
    }
    finish();
    assertArrayEquals(new int[RANKS], statuses);
    for (int member = 0; member < RANKS; member++) {
      assertArrayEquals(expected[member],
          out[member].asSlice(0, expected[member].length).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "5, 0", "1, 2", "30, 31", "5000, 10", "10, 5000", "90000, 80000"})
  void whoExpectsAnotherLengthTellsBoth(int given, int expected) {
    for (int member = 0; member < RANKS; member++) {
      long[] parts = new long[PART_ROWS * RANKS];
      parts[GIVE_BYTES * RANKS + member] = given;
      for (int other = 0; other < RANKS; other++) {
        parts[TAKE_BYTES * RANKS + other] = member == 0 && other == 2 ? expected : given;
        parts[TAKE_AT * RANKS + other] = (long) other * Math.max(given, expected);
      }
      in[member] = MemorySegment.ofArray(new byte[given + 1]);
      out[member] = MemorySegment.ofArray(new byte[RANKS * Math.max(given, expected)]);
      members[member].parts().copyFrom(MemorySegment.ofArray(parts));
      begin(member, ALLGATHERV, 0, given, BY_PARTS);
    }
    for (int i = 0; i < 1000 && goesOn(statuses[0]); i++) {
      for (int member = 0; member < RANKS; member++) {
        if (goesOn(statuses[member])) {
          step(member);
        }
      }
    }
    assertEquals(MISMATCH, statuses[0]);
    assertEquals(2, members[0].other(which[0]));
    assertEquals(given, members[0].words(which[0])[GIVEN]);
    assertEquals(expected, members[0].words(which[0])[EXPECTED]);
  }

  @Test
  void membersThatOnlyGiveAreFourGathersAheadAtMost() {
    for (int member = 0; member < RANKS; member++) {
      in[member] = MemorySegment.ofArray(new byte[8]);
      out[member] = MemorySegment.ofArray(new byte[8 * RANKS]);
    }
    for (int i = 0; i < 4; i++) {
      begin(1, GATHER, 0, 8, 0);
      assertEquals(0, statuses[1]);
    }
    begin(1, GATHER, 0, 8, 0);
    assertEquals(Core.AGAIN, statuses[1]);
    statuses[0] = 0;
    for (int i = 0; i < 5; i++) {
      begin(2, GATHER, 0, 8, 0);
      begin(0, GATHER, 0, 8, 0);
      finish();
    }
    assertArrayEquals(new int[RANKS], statuses);
  }

  @Test
  void whatCannotBeIsRefused() {
    begin(0, GATHER, 0, 8, 4);
    assertEquals(Core.INVAL, statuses[0], "no such flag");
    begin(0, ALLTOALL, 0, 8, BY_PARTS);
    assertEquals(Core.INVAL, statuses[0], "no parts");
    MemorySegment parts = members[0].parts();
    assertSame(parts, members[0].parts());
    assertEquals(8L * PART_ROWS * RANKS, parts.byteSize());
    parts.setAtIndex(ValueLayout.JAVA_LONG, 0, 8);
    begin(0, ALLTOALL, 0, 8, BY_PARTS);
    assertEquals(Core.INVAL, statuses[0], "its own block is not what it takes");
    parts.setAtIndex(ValueLayout.JAVA_LONG, TAKE_BYTES * RANKS, 8);
    begin(0, ALLTOALL, 0, 9, BY_PARTS);
    assertEquals(Core.INVAL, statuses[0], "another sum");
    parts.setAtIndex(ValueLayout.JAVA_LONG, 1, -1);
    begin(0, ALLTOALL, 0, 7, BY_PARTS);
    assertEquals(Core.INVAL, statuses[0], "below 0");
    parts.setAtIndex(ValueLayout.JAVA_LONG, 1, 0);
    begin(0, SCATTER, 1, 8, BY_PARTS);
    assertEquals(Core.INVAL, statuses[0], "the root alone has parts");
    begin(0, GATHER, RANKS, 8, 0);
    assertEquals(Core.INVAL, statuses[0], "no such root");
  }
}
