package io.adrastea;

import io.adrastea.core.SlotMember;
import io.adrastea.core.Spaces;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The collectives of one communicator as the program calls them: refuses what cannot be, before anything is begun, and
 * tells the engine where the data lies. Each returns the engine's call, for a request; null: it has ended.
 */
final class CollectiveCalls {
  private final Collectives collectives;
  private final Spaces spaces;
  private final Buffers buffers;
  private final int rank;
  private final int size;

  CollectiveCalls(Collectives collectives, Spaces spaces, Buffers buffers, int rank, int size) {
    this.collectives = collectives;
    this.spaces = spaces;
    this.buffers = buffers;
    this.rank = rank;
    this.size = size;
  }

  void barrier() {
    collectives.barrier();
  }

  Call barrier(Form form) {
    return collectives.barrier(form);
  }

  Call bcast(Form form, Data data, int root) {
    if (root < 0 || root >= size) {
      throw new IllegalArgumentException(
          "root %d of a bcast; this communicator has ranks 0 to %d".formatted(root, size - 1));
    }
    if (root == rank) {
      requireReadable(data);
    } else {
      requireWritable(data);
    }
    requireBytes("bcast", data.bytes());
    return collectives.bcast(form, memory(data), data.offset(), payload(data), data.bytes(), root, 0);
  }

  Call allreduce(Form form, Data in, Data out, Op op) {
    int element = requireOp(op).elementOf(requireWritable(out).type());
    Data from = Objects.requireNonNull(in, "the input is null") == Data.IN_PLACE ? out : in;
    if (from != out) {
      requireReadable(from);
      requireAlike(from, out, op, element);
    }
    requireBytes("allreduce", out.bytes());
    return collectives.allreduce(
        form, memory(from), from.offset(), payload(from), memory(out), out.offset(), payload(out), out.bytes(), element,
        op.number(), elementBytes(op, out.type()), op.folding(out.type()));
  }

  double allreduce(double value, Op op) {
    long word = Double.doubleToRawLongBits(value);
    return Double.longBitsToDouble(allreduce(word, op, Datatype.DOUBLE));
  }

  long allreduce(long value, Op op) {
    return allreduce(value, op, Datatype.LONG);
  }

  private long allreduce(long word, Op op, Datatype type) {
    int element = requireOp(op).elementOf(type);
    return collectives.allreduce(word, element, op.number(), elementBytes(op, type), op.folding(type));
  }

  Call allgather(Form form, Data in, Data out) {
    requireWritable(out);
    long bytes = out.bytes() / size;
    Data from = Objects.requireNonNull(in, "the input is null") == Data.IN_PLACE ? ownPart(out) : in;
    requireReadable(from);
    requireBytes("allgather", from.bytes()); // so that the product is a number
    if (from.bytes() * size != out.bytes()) {
      throw new IllegalArgumentException(
          ("allgather of %d bytes of each of %d ranks into %d bytes; the output is to be %d times as long as the "
              + "input").formatted(from.bytes(), size, out.bytes(), size));
    }
    return collectives.allgather(
        form, memory(from), from.offset(), payload(from), memory(out), out.offset(), payload(out), bytes, 0);
  }

  /** Where the input lies that is in place. */
  private Data ownPart(Data out) {
    long count = out.count();
    if (count % size != 0) {
      throw new IllegalArgumentException(
          "allgather in place in %s, of %d ranks; each rank has the same number of elements, so it is to be a multiple"
              .formatted(out, size));
    }
    return out.part(rank * (count / size), count / size);
  }

  private void requireBytes(String call, long bytes) {
    if (bytes > SlotMember.MOST_BYTES) {
      throw new IllegalArgumentException(
          "%s of %d bytes of rank %d; allowed are 0 to %d: take several".formatted(call, bytes, rank,
              SlotMember.MOST_BYTES));
    }
  }

  private static Op requireOp(Op op) {
    if (Objects.requireNonNull(op, "the operation is null") == Op.NO_OP) {
      throw new IllegalArgumentException(
          "NO_OP combines nothing, and no reduction takes it; take REPLACE for the elements of the highest rank, or an "
              + "operation that combines");
    }
    return op;
  }

  /** Refuses an input that has other elements than the output, or another number of them. */
  private static void requireAlike(Data in, Data out, Op op, int element) {
    if (in.bytes() != out.bytes() || op.elementOf(in.type()) != element) {
      throw new IllegalArgumentException(
          ("allreduce of %s into %s; both are to have the same number of elements of the same basic type")
              .formatted(in, out));
    }
  }

  /** Elements that the core is to keep whole; 0: it knows the kind. */
  private static int elementBytes(Op op, Datatype type) {
    if (!op.isOfUser()) {
      return 0;
    }
    long bytes = type == null ? 1 : Math.max(1, type.size());
    if (bytes > SlotMember.MOST_ELEMENT_BYTES) {
      throw new IllegalArgumentException(
          "%s on elements of %d bytes (%s); allowed are at most %d bytes: take a datatype of smaller elements"
              .formatted(op, bytes, type.label(), SlotMember.MOST_ELEMENT_BYTES));
    }
    return (int) bytes;
  }

  /** The contiguous memory of data; null: it is scattered. */
  private MemorySegment memory(Data data) {
    return data.isScattered() ? null : data.memory(buffers);
  }

  private Payload payload(Data data) {
    return data.isScattered() ? data.payload(spaces) : null;
  }

  private Data requireReadable(Data data) {
    if (Data.requireNonNull(data).isScattered()) {
      data.requireUsable(false);
    } else {
      Buffers.requireUsable(data.memory(buffers), false);
    }
    return data;
  }

  private Data requireWritable(Data data) {
    if (Data.requireNonNull(data).isScattered()) {
      data.requireReceivable(false);
    } else {
      Buffers.requireWritable(data.memory(buffers), false);
    }
    return data;
  }

  Collectives collectives() {
    return collectives;
  }
}
