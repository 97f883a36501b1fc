package io.adrastea.collective;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Collectives by plain messages and loops, as everybody would write them: what the real ones are compared with. */
public final class NaiveCollectives {
  private static final int TAG = 1001;

  private final Communicator world;

  public NaiveCollectives(Communicator world) {
    this.world = world;
  }

  /** The root's bytes, at all. */
  public byte[] bcast(byte[] mine, int root) {
    byte[] all = mine.clone();
    if (world.rank() == root) {
      for (int rank = 0; rank < world.size(); rank++) {
        if (rank != root) {
          world.send(Data.of(all), rank, TAG);
        }
      }
    } else {
      world.recv(Data.of(all), root, TAG);
    }
    return all;
  }

  /** The bytes of all, one behind the other. */
  public byte[] allgather(byte[] mine) {
    byte[] all = new byte[mine.length * world.size()];
    for (int rank = 0; rank < world.size(); rank++) {
      byte[] part = bcast(mine, rank);
      System.arraycopy(part, 0, all, rank * mine.length, mine.length);
    }
    return all;
  }

  /**
   * A block of each rank that has one for this.
   *
   * @param blocks for each rank; null: none
   * @param lengths of the block that each rank has for this; below zero: none
   */
  public byte[][] exchange(byte[][] blocks, int[] lengths) {
    byte[][] taken = new byte[world.size()][];
    Request[] requests = new Request[2 * world.size()];
    for (int rank = 0; rank < world.size(); rank++) {
      if (lengths[rank] >= 0) {
        taken[rank] = new byte[lengths[rank]];
        requests[rank] = world.irecv(Data.of(taken[rank]), rank, TAG);
      }
      if (blocks[rank] != null) {
        requests[world.size() + rank] = world.isend(Data.of(blocks[rank]), rank, TAG);
      }
    }
    Request.waitAll(requests);
    return taken;
  }

  /** Elements of all, combined from the left in the order of the ranks. */
  public byte[] allreduce(byte[] mine, Datatype type, Arithmetic arithmetic) {
    return combine(mine, type, arithmetic, world.size());
  }

  /** Elements of the ranks before one, likewise; of none: zeros. */
  public byte[] combine(byte[] mine, Datatype type, Arithmetic arithmetic, int ranks) {
    byte[] all = allgather(mine);
    byte[] result = new byte[mine.length];
    MemorySegment from = MemorySegment.ofArray(all);
    MemorySegment to = MemorySegment.ofArray(result);
    int size = (int) type.size();
    for (int at = 0; at < mine.length && ranks > 0; at += size) {
      MemorySegment.copy(from, at, to, at, size);
      for (int rank = 1; rank < ranks; rank++) {
        arithmetic.combine(type, to, at, from, (long) rank * mine.length + at);
      }
    }
    return result;
  }

  /** An operator on one element, for every type that it has a meaning for. */
  public record Arithmetic(Op op, LongBinaryOperator longs, DoubleBinaryOperator doubles) {
    public void combine(Datatype type, MemorySegment to, long at, MemorySegment from, long source) {
      if (type == Datatype.DOUBLE) {
        ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED;
        to.set(layout, at, doubles.applyAsDouble(to.get(layout, at), from.get(layout, source)));
      } else if (type == Datatype.FLOAT) {
        ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED;
        to.set(layout, at, (float) doubles.applyAsDouble(to.get(layout, at), from.get(layout, source)));
      } else if (type == Datatype.LONG) {
        ValueLayout.OfLong layout = ValueLayout.JAVA_LONG_UNALIGNED;
        to.set(layout, at, longs.applyAsLong(to.get(layout, at), from.get(layout, source)));
      } else if (type == Datatype.INT) {
        ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
        to.set(layout, at, (int) longs.applyAsLong(to.get(layout, at), from.get(layout, source)));
      } else if (type == Datatype.SHORT) {
        ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED;
        to.set(layout, at, (short) longs.applyAsLong(to.get(layout, at), from.get(layout, source)));
      } else if (type == Datatype.CHAR) {
        ValueLayout.OfChar layout = ValueLayout.JAVA_CHAR_UNALIGNED;
        to.set(layout, at, (char) longs.applyAsLong(to.get(layout, at), from.get(layout, source)));
      } else {
        ValueLayout.OfByte layout = ValueLayout.JAVA_BYTE;
        to.set(layout, at, (byte) longs.applyAsLong(to.get(layout, at), from.get(layout, source)));
      }
    }
  }
}
