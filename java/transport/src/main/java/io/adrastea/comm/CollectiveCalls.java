package io.adrastea.comm;

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
public final class CollectiveCalls implements CollectiveForms {
  private final Collectives collectives;
  private final Spaces spaces;
  private final int rank;
  private final int size;
  private final boolean multithreaded; // another thread may move a collective on, and must be able to reach its memory
                                       // too

  /**
   * Makes the collectives of a communicator.
   *
   * @param spaces of the core of the job, which packs
   * @param multithreaded whether another thread of this rank may move a collective on
   */
  public CollectiveCalls(Collectives collectives, Spaces spaces, int rank, int size, boolean multithreaded) {
    this.collectives = collectives;
    this.spaces = spaces;
    this.rank = rank;
    this.size = size;
    this.multithreaded = multithreaded;
  }

  /** Waits until all ranks call it. */
  public void barrier() {
    collectives.barrier();
  }

  @Override
  public Call barrier(Form form) {
    return collectives.barrier(form);
  }

  @Override
  public Call bcast(Form form, Placement data, int root) {
    requireRoot("bcast", root);
    Placement.requireNonNull(data);
    if (root == rank) {
      requireReadable(data);
    } else {
      requireWritable(data);
    }
    requireBytes("bcast", data.bytes());
    return collectives.bcast(form, payload(data), root, 0);
  }

  /** Gives one number of the root to all ranks. */
  public double bcast(double value, int root) {
    return Double.longBitsToDouble(bcast(Double.doubleToRawLongBits(value), root));
  }

  /** Gives one number of the root to all ranks. */
  public long bcast(long value, int root) {
    requireRoot("bcast", root);
    return collectives.bcast(value, root);
  }

  // Reductions

  @Override
  public Call allreduce(Form form, Placement in, Placement out, OperatorMap op) {
    return combine(form, SlotMember.ALLREDUCE, "allreduce", in, out, op);
  }

  /** Combines the data of the ranks up to this one. */
  public Call scan(Form form, Placement in, Placement out, OperatorMap op) {
    return combine(form, SlotMember.SCAN, "scan", in, out, op);
  }

  /** Combines the data of the ranks before this one. */
  public Call exscan(Form form, Placement in, Placement out, OperatorMap op) {
    return combine(form, SlotMember.EXSCAN, "exscan", in, out, op);
  }

  /** A call in which each rank has a result as long as its input. */
  private Call combine(Form form, int kind, String call, Placement in, Placement out, OperatorMap op) {
    OperatorMap.require(op).elementOf(requireWritable(out).type());
    Placement from = input(in, out);
    op.requireAlike(call, from, out, 1);
    return fold(form, kind, call, 0, from, out, op);
  }

  @Override
  public Call reduce(Form form, Placement in, Placement out, OperatorMap op, int root) {
    requireRoot("reduce", root);
    OperatorMap.require(op);
    if (rank == root) {
      requireWritable(out);
    } else if (in == Placement.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "reduce in place at rank %d; the result goes to root %d alone: hand in this rank's data as the input"
              .formatted(rank, root));
    }
    Placement from = input(in, out);
    if (rank == root) {
      op.requireAlike("reduce", from, out, 1);
    }
    return fold(form, SlotMember.REDUCE, "reduce", root, from, rank == root ? out : null, op);
  }

  @Override
  public Call reduceScatterBlock(Form form, Placement in, Placement out, OperatorMap op) {
    requireWritable(out);
    OperatorMap.require(op);
    Placement from = input(in, out);
    requireBytes("reduceScatterBlock", out.bytes()); // so that the product is a number
    if (in != Placement.IN_PLACE) {
      op.requireAlike("reduceScatterBlock", from, out, size);
    } else if (out.count() % size != 0) {
      throw new ArgumentException(Reason.COUNT,
          "reduceScatterBlock in place in %s, of %d ranks; each has the same number of elements, so it is to be a"
              .formatted(out, size) + " multiple");
    }
    return fold(form, SlotMember.REDUCE_SCATTER, "reduceScatterBlock", 0, from, out, op);
  }

  @Override
  public Call reduceScatter(Form form, Placement in, Placement out, OperatorMap op) {
    boolean inPlace = requireInput(in) == Placement.IN_PLACE;
    Parts parts = requireParts(inPlace ? requireOutput(out) : in, inPlace);
    Placement from = requireReadable(parts.joined());
    Placement to = requireWritable(inPlace ? parts.whole() : out); // in place the result is as long as the own part
    Combination combination = OperatorMap.require(op).on(from.type());
    if (!inPlace && to.bytes() != parts.bytes(rank) || op.elementOf(to.type()) != combination.element()) {
      throw new ArgumentException(Reason.COUNT,
          ("reduceScatter of %s into %s; the output is to be as long as part %d, of %d bytes, and of the same basic "
              + "type").formatted(in, out, rank, parts.bytes(rank)));
    }
    return collectives.reduceScatter(form, parts, payload(from), payload(to), combination);
  }

  /** The parts that a reduceScatter combines. */
  private Parts requireParts(Placement data, boolean inPlace) {
    Parts parts = Parts.in(data);
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

  private Call fold(Form form, int kind, String call, int root, Placement in, Placement out, OperatorMap op) {
    Combination combination = op.on(in.type());
    requireBytes(call, in.bytes());
    return collectives.fold(form, kind, root, payload(in), payload(out), combination);
  }

  // One number, of the type that the program gives to its own operators

  /** Combines one number of each rank. */
  public double allreduce(double value, OperatorMap op, TypeMap doubles) {
    return fold(SlotMember.ALLREDUCE, 0, value, op, doubles);
  }

  /** Combines one number of each rank. */
  public long allreduce(long value, OperatorMap op, TypeMap longs) {
    return fold(SlotMember.ALLREDUCE, 0, value, op, longs);
  }

  /** Combines one number of each rank, for the root. */
  public double reduce(double value, OperatorMap op, int root, TypeMap doubles) {
    requireRoot("reduce", root);
    return fold(SlotMember.REDUCE, root, value, op, doubles);
  }

  /** Combines one number of each rank, for the root. */
  public long reduce(long value, OperatorMap op, int root, TypeMap longs) {
    requireRoot("reduce", root);
    return fold(SlotMember.REDUCE, root, value, op, longs);
  }

  /** Combines one number of each rank up to this one. */
  public double scan(double value, OperatorMap op, TypeMap doubles) {
    return fold(SlotMember.SCAN, 0, value, op, doubles);
  }

  /** Combines one number of each rank up to this one. */
  public long scan(long value, OperatorMap op, TypeMap longs) {
    return fold(SlotMember.SCAN, 0, value, op, longs);
  }

  /** Combines one number of each rank before this one. */
  public double exscan(double value, OperatorMap op, TypeMap doubles) {
    double before = fold(SlotMember.EXSCAN, 0, value, op, doubles);
    return rank == 0 ? op.neutral(before) : before;
  }

  /** Combines one number of each rank before this one. */
  public long exscan(long value, OperatorMap op, TypeMap longs) {
    long before = fold(SlotMember.EXSCAN, 0, value, op, longs);
    return rank == 0 ? op.neutral(before) : before;
  }

  private double fold(int kind, int root, double value, OperatorMap op, TypeMap type) {
    return Double.longBitsToDouble(fold(kind, root, Double.doubleToRawLongBits(value), op, type));
  }

  private long fold(int kind, int root, long word, OperatorMap op, TypeMap type) {
    return collectives.fold(kind, root, word, OperatorMap.require(op).on(type));
  }

  // Exchanges

  @Override
  public Call allgather(Form form, Placement in, Placement out) {
    Parts parts = Parts.in(requireOutput(out));
    if (parts != null) {
      return gatherParts(form, "allgather", SlotMember.ALLGATHERV, in, parts, 0);
    }
    boolean inPlace = requireInput(in) == Placement.IN_PLACE;
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
  public Call gather(Form form, Placement in, Placement out, int root) {
    requireRoot("gather", root);
    if (rank != root) {
      requireBytes("gather", requireReadable(in).bytes());
      return exchange(form, SlotMember.GATHER, root, in.bytes(), null, null, false, in, null);
    }
    Parts parts = Parts.in(requireOutput(out));
    if (parts != null) {
      return gatherParts(form, "gather", SlotMember.GATHER, in, parts, root);
    }
    if (requireInput(in) == Placement.IN_PLACE) {
      long own = equalBytes("gather", requireWritable(out));
      return exchange(form, SlotMember.GATHER, root, own, null, null, true, null, out);
    }
    requireEqualInput("gather", in, out);
    return exchange(form, SlotMember.GATHER, root, in.bytes(), null, null, false, in, out);
  }

  /** Refuses an output that has not an equal part for each rank, as long as the input. */
  private void requireEqualInput(String call, Placement in, Placement out) {
    requireBytes(call, requireReadable(in).bytes()); // so that the product is a number
    if (in.bytes() * size != requireWritable(out).bytes()) {
      throw new ArgumentException(Reason.COUNT,
          ("%s of %d bytes of each of %d ranks into %d bytes; the output is to be %d times as long as the input, or "
              + "Data.parts").formatted(call, in.bytes(), size, out.bytes(), size));
    }
  }

  /** A call whose output has a part for each rank, each as long as that rank's input. */
  private Call gatherParts(Form form, String call, int kind, Placement in, Parts out, int root) {
    requireTaken(call, out);
    boolean stays = requireInput(in) == Placement.IN_PLACE;
    if (!stays) {
      requireOwn(call, requireReadable(in).bytes(), out.bytes(rank));
    }
    return exchange(
        form, kind, root, out.bytes(rank), null, out, stays, stays ? out.whole() : in, out.whole());
  }

  @Override
  public Call scatter(Form form, Placement in, Placement out, int root) {
    requireRoot("scatter", root);
    if (rank != root) {
      requireBytes("scatter", requireWritable(out).bytes());
      return exchange(form, SlotMember.SCATTER, root, out.bytes(), null, null, false, null, out);
    }
    Parts parts = Parts.in(requireInput(in));
    Placement whole = parts == null ? in : parts.whole();
    requireReadable(whole);
    if (parts != null) {
      requireTotal("scatter", parts);
    }
    boolean stays = requireOutput(out) == Placement.IN_PLACE;
    long own = parts == null ? equalBytes("scatter", in) : parts.bytes(rank);
    if (!stays) {
      requireOwn("scatter", own, requireWritable(out).bytes());
    }
    return exchange(form, SlotMember.SCATTER, root, own, parts, null, stays, whole, stays ? null : out);
  }

  @Override
  public Call alltoall(Form form, Placement in, Placement out) {
    Parts takes = Parts.in(requireOutput(out));
    boolean inPlace = requireInput(in) == Placement.IN_PLACE;
    Parts gives = inPlace ? takes : Parts.in(in);
    Placement to = takes == null ? requireWritable(out) : requireTaken("alltoall", takes);
    Placement from = inPlace ? to : requireReadable(gives == null ? in : gives.whole());
    if (gives != null) {
      requireTotal("alltoall", gives);
    }
    long given = gives == null ? equalBytes("alltoall", from) : gives.bytes(rank);
    long taken = takes == null ? equalBytes("alltoall", to) : takes.bytes(rank);
    requireOwn("alltoall", given, taken);
    return exchange(form, SlotMember.ALLTOALL, 0, given, gives, takes, inPlace, from, to);
  }

  private Call exchange(
      Form form, int kind, int root, long bytes, Parts gives, Parts takes, boolean stays, Placement in, Placement out) {
    return collectives.exchange(
        form, kind, root, bytes, gives, takes, 0, stays, payload(in), payload(out));
  }

  /** An exchange with neighbours, of data that was checked. */
  Call neighbors(Form form, int purpose, Blocks gives, Blocks takes, Placement in, Placement out) {
    return collectives.exchange(
        form, SlotMember.ALLTOALL, 0, 0, gives, takes, purpose, false, payload(in), payload(out));
  }

  static Placement requireInput(Placement in) {
    return Objects.requireNonNull(in, "the input is null");
  }

  static Placement requireOutput(Placement out) {
    return Objects.requireNonNull(out, "the output is null");
  }

  /** Refuses parts that cannot be received into; what they are parts of. */
  private Placement requireTaken(String call, Parts parts) {
    requireTotal(call, parts);
    return requireApart(call, parts);
  }

  /** Refuses parts that overlap, or cannot be written to; what they are parts of. */
  Placement requireApart(String call, Parts parts) {
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
  private long equalBytes(String call, Placement data) {
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
  private Placement input(Placement in, Placement out) {
    return requireInput(in) == Placement.IN_PLACE ? out : requireReadable(in);
  }

  /** Where data lies; null: this rank has none. */
  Payload payload(Placement data) {
    return data == null ? null : data.payload(spaces);
  }

  Placement requireReadable(Placement in) {
    requireInput(in).requireUsable(multithreaded);
    return in;
  }

  Placement requireWritable(Placement out) {
    requireOutput(out).requireReceivable(multithreaded);
    return out;
  }

  /** These collectives as the engine has them. */
  public Collectives collectives() {
    return collectives;
  }
}
