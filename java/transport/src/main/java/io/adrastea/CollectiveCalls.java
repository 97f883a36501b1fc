package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.core.SlotMember;
import io.adrastea.core.Spaces;
import io.adrastea.engine.collective.Blocks;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Combination;
import io.adrastea.engine.collective.Form;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Payload;
import java.util.Objects;

/**
 * The collectives of one communicator as the program calls them: refuses what cannot be, before anything is begun, and
 * tells the engine where the data lies. Each returns the engine's call, for a request; null: it has ended.
 */
final class CollectiveCalls implements CollectiveForms {
  private final Collectives collectives;
  private final Spaces spaces;
  private final Buffers buffers;
  private final int rank;
  private final int size;
  private final boolean multithreaded; // another thread may move a collective on, and must be able to reach its memory
                                       // too

  CollectiveCalls(
      Collectives collectives, Spaces spaces, Buffers buffers, int rank, int size, boolean multithreaded) {
    this.collectives = collectives;
    this.spaces = spaces;
    this.buffers = buffers;
    this.rank = rank;
    this.size = size;
    this.multithreaded = multithreaded;
  }

  void barrier() {
    collectives.barrier();
  }

  @Override
  public Call barrier(Form form) {
    return collectives.barrier(form);
  }

  @Override
  public Call bcast(Form form, Data data, int root) {
    requireRoot("bcast", root);
    Data.requireNonNull(data);
    if (root == rank) {
      requireReadable(data);
    } else {
      requireWritable(data);
    }
    requireBytes("bcast", data.bytes());
    return collectives.bcast(form, payload(data), root, 0);
  }

  double bcast(double value, int root) {
    return Double.longBitsToDouble(bcast(Double.doubleToRawLongBits(value), root));
  }

  long bcast(long value, int root) {
    requireRoot("bcast", root);
    return collectives.bcast(value, root);
  }

  // Reductions

  @Override
  public Call allreduce(Form form, Data in, Data out, Op op) {
    return combine(form, SlotMember.ALLREDUCE, "allreduce", in, out, op);
  }

  Call scan(Form form, Data in, Data out, Op op) {
    return combine(form, SlotMember.SCAN, "scan", in, out, op);
  }

  Call exscan(Form form, Data in, Data out, Op op) {
    return combine(form, SlotMember.EXSCAN, "exscan", in, out, op);
  }

  /** A call in which each rank has a result as long as its input. */
  private Call combine(Form form, int kind, String call, Data in, Data out, Op op) {
    Op.requireReduction(op).elementOf(requireWritable(out).type());
    Data from = input(in, out);
    op.requireAlike(call, from, out, 1);
    return fold(form, kind, call, 0, from, out, op);
  }

  @Override
  public Call reduce(Form form, Data in, Data out, Op op, int root) {
    requireRoot("reduce", root);
    Op.requireReduction(op);
    if (rank == root) {
      requireWritable(out);
    } else if (in == Data.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "reduce in place at rank %d; the result goes to root %d alone: hand in this rank's data as the input"
              .formatted(rank, root));
    }
    Data from = input(in, out);
    if (rank == root) {
      op.requireAlike("reduce", from, out, 1);
    }
    return fold(form, SlotMember.REDUCE, "reduce", root, from, rank == root ? out : null, op);
  }

  @Override
  public Call reduceScatterBlock(Form form, Data in, Data out, Op op) {
    requireWritable(out);
    Op.requireReduction(op);
    Data from = input(in, out);
    requireBytes("reduceScatterBlock", out.bytes()); // so that the product is a number
    if (in != Data.IN_PLACE) {
      op.requireAlike("reduceScatterBlock", from, out, size);
    } else if (out.count() % size != 0) {
      throw new ArgumentException(Reason.COUNT,
          "reduceScatterBlock in place in %s, of %d ranks; each has the same number of elements, so it is to be a"
              .formatted(out, size) + " multiple");
    }
    return fold(form, SlotMember.REDUCE_SCATTER, "reduceScatterBlock", 0, from, out, op);
  }

  @Override
  public Call reduceScatter(Form form, Data in, Data out, Op op) {
    boolean inPlace = requireInput(in) == Data.IN_PLACE;
    Parts parts = requireParts(inPlace ? requireOutput(out) : in, inPlace);
    Data from = requireReadable(parts.joined());
    Data to = requireWritable(inPlace ? parts.whole() : out); // in place the result is as long as the own part
    Combination combination = Op.requireReduction(op).on(from.type());
    if (!inPlace && to.bytes() != parts.bytes(rank) || op.elementOf(to.type()) != combination.element()) {
      throw new ArgumentException(Reason.COUNT,
          ("reduceScatter of %s into %s; the output is to be as long as part %d, of %d bytes, and of the same basic "
              + "type").formatted(in, out, rank, parts.bytes(rank)));
    }
    return collectives.reduceScatter(form, parts, payload(from), payload(to), combination);
  }

  /** The parts that a reduceScatter combines. */
  private Parts requireParts(Data data, boolean inPlace) {
    Parts parts = data.asParts();
    if (parts == null) {
      throw new ArgumentException(Reason.BUFFER,
          "reduceScatter of %s; name each rank's part by Data.parts, or call reduceScatterBlock where all are as long"
              .formatted(data));
    }
    requireTotal("reduceScatter", parts);
    if (inPlace && !(parts.areOfElements() && parts.areInOrder())) {
      throw new ArgumentException(Reason.BUFFER,
          ("reduceScatter in place of %s; there the parts are to lie one behind the other from the first element on, "
              + "since the result goes to the beginning").formatted(parts));
    }
    return parts;
  }

  private Call fold(Form form, int kind, String call, int root, Data in, Data out, Op op) {
    Combination combination = op.on(in.type());
    requireBytes(call, in.bytes());
    return collectives.fold(form, kind, root, payload(in), payload(out), combination);
  }

  double allreduce(double value, Op op) {
    return fold(SlotMember.ALLREDUCE, 0, value, op);
  }

  long allreduce(long value, Op op) {
    return fold(SlotMember.ALLREDUCE, 0, value, op, Datatype.LONG);
  }

  double reduce(double value, Op op, int root) {
    requireRoot("reduce", root);
    return fold(SlotMember.REDUCE, root, value, op);
  }

  long reduce(long value, Op op, int root) {
    requireRoot("reduce", root);
    return fold(SlotMember.REDUCE, root, value, op, Datatype.LONG);
  }

  double scan(double value, Op op) {
    return fold(SlotMember.SCAN, 0, value, op);
  }

  long scan(long value, Op op) {
    return fold(SlotMember.SCAN, 0, value, op, Datatype.LONG);
  }

  double exscan(double value, Op op) {
    double before = fold(SlotMember.EXSCAN, 0, value, op);
    return rank == 0 ? op.neutral(before) : before;
  }

  long exscan(long value, Op op) {
    long before = fold(SlotMember.EXSCAN, 0, value, op, Datatype.LONG);
    return rank == 0 ? op.neutral(before) : before;
  }

  private double fold(int kind, int root, double value, Op op) {
    return Double.longBitsToDouble(fold(kind, root, Double.doubleToRawLongBits(value), op, Datatype.DOUBLE));
  }

  private long fold(int kind, int root, long word, Op op, Datatype type) {
    return collectives.fold(kind, root, word, Op.requireReduction(op).on(type));
  }

  @Override
  public Call allgather(Form form, Data in, Data out) {
    Parts parts = requireOutput(out).asParts();
    if (parts != null) {
      return gatherParts(form, "allgather", SlotMember.ALLGATHERV, in, parts, 0);
    }
    boolean inPlace = requireInput(in) == Data.IN_PLACE;
    long bytes;
    if (inPlace) {
      bytes = equalBytes("allgather", requireWritable(out));
    } else {
      requireEqualInput("allgather", in, out);
      bytes = in.bytes();
    }
    return collectives.allgather(form, payload(inPlace ? out : in), payload(out), bytes, 0);
  }

  @Override
  public Call gather(Form form, Data in, Data out, int root) {
    requireRoot("gather", root);
    if (rank != root) {
      requireBytes("gather", requireReadable(in).bytes());
      return exchange(form, SlotMember.GATHER, root, in.bytes(), null, null, false, in, null);
    }
    Parts parts = requireOutput(out).asParts();
    if (parts != null) {
      return gatherParts(form, "gather", SlotMember.GATHER, in, parts, root);
    }
    if (requireInput(in) == Data.IN_PLACE) {
      long own = equalBytes("gather", requireWritable(out));
      return exchange(form, SlotMember.GATHER, root, own, null, null, true, null, out);
    }
    requireEqualInput("gather", in, out);
    return exchange(form, SlotMember.GATHER, root, in.bytes(), null, null, false, in, out);
  }

  /** Refuses an output that has not an equal part for each rank, as long as the input. */
  private void requireEqualInput(String call, Data in, Data out) {
    requireBytes(call, requireReadable(in).bytes()); // so that the product is a number
    if (in.bytes() * size != requireWritable(out).bytes()) {
      throw new ArgumentException(Reason.COUNT,
          ("%s of %d bytes of each of %d ranks into %d bytes; the output is to be %d times as long as the input, or "
              + "Data.parts").formatted(call, in.bytes(), size, out.bytes(), size));
    }
  }

  /** A call whose output has a part for each rank, each as long as that rank's input. */
  private Call gatherParts(Form form, String call, int kind, Data in, Parts out, int root) {
    requireTaken(call, out);
    boolean stays = requireInput(in) == Data.IN_PLACE;
    if (!stays) {
      requireOwn(call, requireReadable(in).bytes(), out.bytes(rank));
    }
    return exchange(
        form, kind, root, out.bytes(rank), null, out, stays, stays ? out.whole() : in, out.whole());
  }

  @Override
  public Call scatter(Form form, Data in, Data out, int root) {
    requireRoot("scatter", root);
    if (rank != root) {
      requireBytes("scatter", requireWritable(out).bytes());
      return exchange(form, SlotMember.SCATTER, root, out.bytes(), null, null, false, null, out);
    }
    Parts parts = requireInput(in).asParts();
    Data whole = parts == null ? in : parts.whole();
    requireReadable(whole);
    if (parts != null) {
      requireTotal("scatter", parts);
    }
    boolean stays = requireOutput(out) == Data.IN_PLACE;
    long own = parts == null ? equalBytes("scatter", in) : parts.bytes(rank);
    if (!stays) {
      requireOwn("scatter", own, requireWritable(out).bytes());
    }
    return exchange(form, SlotMember.SCATTER, root, own, parts, null, stays, whole, stays ? null : out);
  }

  @Override
  public Call alltoall(Form form, Data in, Data out) {
    Parts takes = requireOutput(out).asParts();
    boolean inPlace = requireInput(in) == Data.IN_PLACE;
    Parts gives = inPlace ? takes : in.asParts();
    Data to = takes == null ? requireWritable(out) : requireTaken("alltoall", takes);
    Data from = inPlace ? to : requireReadable(gives == null ? in : gives.whole());
    if (gives != null) {
      requireTotal("alltoall", gives);
    }
    long given = gives == null ? equalBytes("alltoall", from) : gives.bytes(rank);
    long taken = takes == null ? equalBytes("alltoall", to) : takes.bytes(rank);
    requireOwn("alltoall", given, taken);
    return exchange(form, SlotMember.ALLTOALL, 0, given, gives, takes, inPlace, from, to);
  }

  private Call exchange(
      Form form, int kind, int root, long bytes, Parts gives, Parts takes, boolean stays, Data in, Data out) {
    return collectives.exchange(
        form, kind, root, bytes, gives, takes, 0, stays, payload(in), payload(out));
  }

  /** An exchange with neighbours, of data that was checked. */
  Call neighbors(Form form, int purpose, Blocks gives, Blocks takes, Data in, Data out) {
    return collectives.exchange(
        form, SlotMember.ALLTOALL, 0, 0, gives, takes, purpose, false, payload(in), payload(out));
  }

  static Data requireInput(Data in) {
    return Objects.requireNonNull(in, "the input is null");
  }

  static Data requireOutput(Data out) {
    return Objects.requireNonNull(out, "the output is null");
  }

  /** Refuses parts that cannot be received into; what they are parts of. */
  private Data requireTaken(String call, Parts parts) {
    requireTotal(call, parts);
    return requireApart(call, parts);
  }

  /** Refuses parts that overlap, or cannot be written to; what they are parts of. */
  Data requireApart(String call, Parts parts) {
    parts.requireApart(call, multithreaded);
    return parts.whole();
  }

  /** Refuses another number of parts than there are ranks, or parts that are too long together. */
  private void requireTotal(String call, Parts parts) {
    parts.requireCount(call, size, "ranks");
    long total = 0;
    for (int part = 0; part < size; part++) {
      requireBytes(call, Math.max(parts.bytes(part), parts.at(part))); // so that the sum is a number
      total += parts.bytes(part);
      requireBytes(call, total);
    }
  }

  /** Refuses a block of this rank for itself when the rank gives another number of bytes than it takes. */
  void requireOwn(String call, long given, long taken) {
    if (given != taken) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d bytes of rank %d for itself, which expects %d; give as many as are taken".formatted(call, given,
              rank, taken));
    }
  }

  /** Bytes of each rank's equal part of data. */
  private long equalBytes(String call, Data data) {
    if (data.count() % size != 0) {
      throw new ArgumentException(Reason.COUNT,
          ("%s of %s, of %d ranks; each rank has the same number of elements, so it is to be a multiple, or Data.parts")
              .formatted(call, data, size));
    }
    long bytes = data.bytes() / size;
    requireBytes(call, bytes);
    return bytes;
  }

  private void requireRoot(String call, int root) {
    if (root < 0 || root >= size) {
      throw new ArgumentException(Reason.ROOT,
          "root %d of a %s; this communicator has ranks 0 to %d".formatted(root, call, size - 1));
    }
  }

  void requireBytes(String call, long bytes) {
    if (bytes > SlotMember.MOST_BYTES) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d bytes of rank %d; allowed are 0 to %d: take several".formatted(call, bytes, rank,
              SlotMember.MOST_BYTES));
    }
  }

  /** Where the input lies, which may be in place. */
  private Data input(Data in, Data out) {
    return requireInput(in) == Data.IN_PLACE ? out : requireReadable(in);
  }

  /** Where data lies; null: this rank has none. */
  Payload payload(Data data) {
    return data == null ? null : data.payload(spaces, buffers);
  }

  Data requireReadable(Data in) {
    if (requireInput(in).isScattered()) {
      in.requireUsable(multithreaded);
    } else {
      Buffers.requireUsable(in.memory(buffers), multithreaded);
    }
    return in;
  }

  Data requireWritable(Data out) {
    if (requireOutput(out).isScattered()) {
      out.requireReceivable(multithreaded);
    } else {
      Buffers.requireWritable(out.memory(buffers), multithreaded);
    }
    return out;
  }

  Collectives collectives() {
    return collectives;
  }
}
