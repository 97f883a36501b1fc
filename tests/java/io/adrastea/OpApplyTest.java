package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Operators applied by one rank alone, and operators of a program that write their right operand. */
class OpApplyTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;
  private static final int BYTES = 5 * (1 << 16) + 240; // more than is copied at a time; a multiple of all elements

  private static final List<Datatype> NUMBERS =
      List.of(Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.LONG, Datatype.FLOAT,
          Datatype.DOUBLE);
  private static final List<Datatype> PAIRS =
      List.of(Datatype.SHORT_INT, Datatype.INT_INT, Datatype.LONG_INT, Datatype.FLOAT_INT, Datatype.DOUBLE_INT);
  private static final List<Datatype> COMPLEX = List.of(Datatype.FLOAT_COMPLEX, Datatype.DOUBLE_COMPLEX);

  /** {@code 31 left + right} of unsigned bytes, modulo 256: neither commutative nor symmetric. */
  private static final Op.Combiner LEFT = (left, right, count, type) -> mix(left, right, left, count * type.size());
  private static final Op.Combiner RIGHT = (left, right, count, type) -> mix(left, right, right, count * type.size());

  private static void mix(MemorySegment left, MemorySegment right, MemorySegment result, long bytes) {
    for (long i = 0; i < bytes; i++) {
      byte mixed = (byte) (31 * left.get(ValueLayout.JAVA_BYTE, i) + right.get(ValueLayout.JAVA_BYTE, i));
      result.set(ValueLayout.JAVA_BYTE, i, mixed);
    }
  }

  private static byte[] drawn(int seed) {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** As many elements as fit some bytes; the rest stays. */
  private static Data data(byte[] bytes, Datatype type) {
    return type == null ? Data.of(MemorySegment.ofArray(bytes)) : Data.of(bytes, 0, bytes.length / type.extent(), type);
  }

  /** What a reduction of two ranks leaves in memory that had the operand of the second. */
  private static byte[] reduced(Op op, Datatype type, byte[] left, byte[] right) throws Exception {
    byte[] result = right.clone();
    Ranks.run("java,ffm", 2, job -> {
      Communicator world = job.world();
      boolean last = world.rank() == 1;
      Data given = data((last ? right : left).clone(), type);
      world.reduce(given, last ? data(result, type) : null, op, 1);
    });
    return result;
  }

  private static void equalsAReduction(Op op, Datatype type) throws Exception {
    byte[] left = drawn(1);
    byte[] right = drawn(2);
    byte[] applied = right.clone();
    op.apply(data(left, type), data(applied, type));
    String what = op + " of " + (type == null ? "bytes" : type.map().label());
    assertArrayEquals(drawn(1), left, what);
    assertArrayEquals(reduced(op, type, left, right), applied, what);
  }

  @Test
  void isWhatAReductionOfTwoRanksGives() throws Exception {
    for (Datatype type : NUMBERS) {
      for (Op op : List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX)) {
        equalsAReduction(op, type);
      }
    }
    for (Datatype type : NUMBERS.subList(0, 5)) {
      for (Op op : List.of(Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR)) {
        equalsAReduction(op, type);
      }
    }
    for (Datatype type : PAIRS) {
      equalsAReduction(Op.MINLOC, type);
      equalsAReduction(Op.MAXLOC, type);
    }
    for (Datatype type : COMPLEX) {
      equalsAReduction(Op.SUM, type);
      equalsAReduction(Op.PROD, type);
    }
    equalsAReduction(Op.LXOR, Datatype.BOOLEAN);
    equalsAReduction(Op.BXOR, null);
    equalsAReduction(Op.REPLACE, Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.LONG, Datatype.INT));
    equalsAReduction(Op.SUM, Datatype.vector(3, 2, 5, Datatype.DOUBLE));
  }

  @Test
  void aProgramsOwnOperatorIsWhatAReductionOfTwoRanksGives() throws Exception {
    Datatype gaps = Datatype.vector(3, 2, 5, Datatype.INT);
    for (Datatype type : List.of(Datatype.BYTE, Datatype.LONG, gaps, Datatype.contiguous(7, Datatype.SHORT))) {
      equalsAReduction(Op.of(LEFT, false), type);
      equalsAReduction(Op.ofInOut(RIGHT, false), type);
      byte[] one = drawn(2);
      byte[] other = drawn(2);
      Op.of(LEFT, false).apply(data(drawn(1), type), data(one, type));
      Op.ofInOut(RIGHT, false).apply(data(drawn(1), type), data(other, type));
      assertArrayEquals(one, other);
    }
    equalsAReduction(Op.ofDoubles((a, b) -> a - b, false), Datatype.DOUBLE);
    equalsAReduction(Op.ofLongs((a, b) -> 3 * a - b, false), Datatype.CHAR);
  }

  @Test
  void leftOperandIsTheFirst() {
    int[] left = {7, 1};
    int[] right = {2, 9};
    Op.ofLongs((a, b) -> 10 * a + b, false).apply(Data.of(left), Data.of(right));
    assertArrayEquals(new int[] {72, 19}, right);
    assertArrayEquals(new int[] {7, 1}, left);
    Op.SUM.apply(Data.of(right), Data.of(right));
    assertArrayEquals(new int[] {144, 38}, right);
    Op.ofLongs((a, b) -> a - 2 * b, false).apply(Data.of(right), Data.of(right));
    assertArrayEquals(new int[] {-144, -38}, right);
  }

  @Test
  void anOperatorThatWritesItsRightOperandGivesWhatOneDoesThatWritesItsLeft() throws Exception {
    Ranks.run("java,ffm", 5, job -> {
      Communicator world = job.world();
      byte[] own = drawn(world.rank());
      byte[] one = new byte[BYTES];
      byte[] other = new byte[BYTES];
      world.allreduce(Data.of(own), Data.of(one), Op.of(LEFT, false));
      world.allreduce(Data.of(own), Data.of(other), Op.ofInOut(RIGHT, false));
      assertArrayEquals(one, other);
      world.scan(Data.of(own, 0, 3), Data.of(one, 0, 3), Op.of(LEFT, false));
      world.scan(Data.of(own, 0, 3), Data.of(other, 0, 3), Op.ofInOut(RIGHT, false));
      assertArrayEquals(one, other);
      assertArrayEquals(drawn(world.rank()), own);
    });
  }

  @Test
  void itsLeftOperandIsReadOnly() {
    Op op = Op.ofInOut((left, right, count, type) -> left.set(ValueLayout.JAVA_BYTE, 0, (byte) 1), true);
    refuses(ILLEGAL, "read", () -> op.apply(Data.of(new byte[1]), Data.of(new byte[1])));
    assertEquals("Op.ofInOut(commutative)", op.toString());
  }

  @Test
  void refusesWhatAReductionRefuses() {
    Data ints = Data.of(new int[2]);
    refuses(NullPointerException.class, "the data is null", () -> Op.SUM.apply(null, ints));
    refuses(NullPointerException.class, "the data is null", () -> Op.SUM.apply(ints, null));
    refuses(NullPointerException.class, "the combiner is null", () -> Op.ofInOut(null, true));
    refuses(ILLEGAL, "NO_OP combines nothing", () -> Op.NO_OP.apply(ints, ints));
    refuses(ILLEGAL, "SUM has no meaning for bytes", () -> Op.SUM.apply(ints, Data.of(Arena.ofAuto().allocate(8))));
    refuses(ILLEGAL, "apply of 2 int elements from 0 into 3 int elements",
        () -> Op.SUM.apply(ints, Data.of(new int[3])));
    refuses(ILLEGAL, "of the same basic type", () -> Op.SUM.apply(Data.of(new float[2]), ints));
    refuses(ILLEGAL, "IN_PLACE", () -> Op.SUM.apply(Data.IN_PLACE, ints));
    refuses(ILLEGAL, "IN_PLACE", () -> Op.SUM.apply(ints, Data.IN_PLACE));
    refuses(ILLEGAL, "Data.parts", () -> Op.SUM.apply(ints, Data.parts(ints, ints)));
    MemorySegment constant = MemorySegment.ofArray(new byte[2]).asReadOnly();
    refuses(ILLEGAL, "read-only", () -> Op.BOR.apply(Data.of(new byte[2]), Data.of(constant)));
    refuses(ILLEGAL, "twice", () -> Op.SUM.apply(ints, Data.of(new int[2], 0, 1, Datatype.vector(2, 1, 0,
        Datatype.INT))));
    refuses(ILLEGAL, "allowed are at most 8192 bytes",
        () -> Op.of(LEFT, true).apply(Data.of(new byte[9000], 0, 1, Datatype.contiguous(9000, Datatype.BYTE)),
            Data.of(new byte[9000], 0, 1, Datatype.contiguous(9000, Datatype.BYTE))));
  }
}
