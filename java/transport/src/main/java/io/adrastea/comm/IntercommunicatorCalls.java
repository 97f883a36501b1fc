package io.adrastea.comm;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.collective.Call;
import io.adrastea.engine.collective.Combination;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.collective.Groups;
import io.adrastea.engine.operation.Operation;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The collectives of one intercommunicator as the program calls them: refuses what cannot be, before anything is begun,
 * and tells the engine which ranks give what to which. Each is an exchange among the ranks of both groups, in which
 * blocks go from one group to the other alone, one for all there or another one for each, or a reduction across groups.
 * Each returns the engine's call, for a request; null: it has ended.
 */
public final class IntercommunicatorCalls implements CollectiveForms {
  /** Stands for the root of a collective at the root itself. */
  public static final int ROOT = -3;

  private final CollectiveCalls union; // of the ranks of both groups
  private final Groups groups;
  private final int groupRank; // in its group
  private final AtomicReference<Sides> spare = new AtomicReference<>(); // null: a call has it, or there is none yet

  /** What goes where in one call. */
  private static final class Sides {
    private final GroupBlocks gives = new GroupBlocks();
    private final GroupBlocks takes = new GroupBlocks();
  }

  /**
   * Makes the collectives of an intercommunicator.
   *
   * @param union those of the ranks of both groups
   * @param groupRank this rank in its group
   */
  public IntercommunicatorCalls(CollectiveCalls union, Groups groups, int groupRank) {
    this.union = union;
    this.groups = groups;
    this.groupRank = groupRank;
  }

  @Override
  public Call barrier(Form form) {
    return union.barrier(form);
  }

  @Override
  public Call bcast(Form form, Placement data, int root) {
    requireRoot("bcast", root);
    Sides sides = sides();
    if (root == Operation.NO_RANK) {
      return giveToAll(form, SlotMember.BCAST, sides, null, null);
    }
    Placement.requireNonNull(data);
    if (root == ROOT) {
      return giveToAll(form, SlotMember.BCAST, sides, union.requireReadable(data), null);
    }
    sides.takes.set(groups.remoteFirst() + root, 1, union.requireWritable(data).bytes(), 0);
    return giveToAll(form, SlotMember.BCAST, sides, null, data);
  }

  @Override
  public Call gather(Form form, Placement in, Placement out, int root) {
    requireRoot("gather", root);
    Sides sides = sides();
    if (root == ROOT) {
      setOutput("gather", out, sides.takes);
      return exchange(form, SlotMember.GATHER, sides, null, whole(out));
    }
    if (root == Operation.NO_RANK) {
      return exchange(form, SlotMember.GATHER, sides, null, null);
    }
    sides.gives.set(groups.remoteFirst() + root, 1, union.requireReadable(input(in)).bytes(), 0);
    return exchange(form, SlotMember.GATHER, sides, in, null);
  }

  @Override
  public Call scatter(Form form, Placement in, Placement out, int root) {
    requireRoot("scatter", root);
    Sides sides = sides();
    if (root == ROOT) {
      setInput("scatter", in, sides.gives);
      return exchange(form, SlotMember.SCATTER, sides, whole(in), null);
    }
    if (root == Operation.NO_RANK) {
      return exchange(form, SlotMember.SCATTER, sides, null, null);
    }
    sides.takes.set(groups.remoteFirst() + root, 1, union.requireWritable(out).bytes(), 0);
    return exchange(form, SlotMember.SCATTER, sides, null, out);
  }

  @Override
  public Call allgather(Form form, Placement in, Placement out) {
    Sides sides = sides();
    union.requireReadable(input(in));
    setOutput("allgather", out, sides.takes);
    return giveToAll(form, SlotMember.ALLGATHER, sides, in, whole(out));
  }

  @Override
  public Call alltoall(Form form, Placement in, Placement out) {
    Sides sides = sides();
    setInput("alltoall", in, sides.gives);
    setOutput("alltoall", out, sides.takes);
    return exchange(form, SlotMember.ALLTOALL, sides, whole(in), whole(out));
  }

  @Override
  public Call reduce(Form form, Placement in, Placement out, OperatorMap op, int root) {
    requireRoot("reduce", root);
    if (root == Operation.NO_RANK) {
      return reduce(form, SlotMember.REDUCE, Groups.NOBODY, null, null, OperatorMap.require(op), null);
    }
    if (root == ROOT) {
      union.requireWritable(out);
      return reduce(form, SlotMember.REDUCE, Groups.ROOT, null, out, OperatorMap.require(op), out);
    }
    union.requireReadable(input(in));
    return reduce(form, SlotMember.REDUCE, root, in, null, OperatorMap.require(op), in);
  }

  @Override
  public Call allreduce(Form form, Placement in, Placement out, OperatorMap op) {
    OperatorMap.require(op).elementOf(union.requireWritable(out).type());
    op.requireAlike("allreduce", union.requireReadable(input(in)), out, 1);
    return reduce(form, SlotMember.ALLREDUCE, 0, in, out, op, in);
  }

  @Override
  public Call reduceScatterBlock(Form form, Placement in, Placement out, OperatorMap op) {
    OperatorMap.require(op).elementOf(union.requireWritable(out).type());
    union.requireBytes("reduceScatterBlock", out.bytes()); // so that the product is a number
    op.requireAlike("reduceScatterBlock", union.requireReadable(input(in)), out, groups.size());
    if (in.bytes() / op.on(in.type()).unit() % groups.remoteSize() != 0) {
      throw new ArgumentException(Reason.COUNT,
          ("reduceScatterBlock of %s, whose result %d ranks of the remote group share; the number of elements is to be "
              + "a multiple").formatted(in, groups.remoteSize()));
    }
    return reduce(form, SlotMember.REDUCE_SCATTER, 0, in, out, op, in);
  }

  @Override
  public Call reduceScatter(Form form, Placement in, Placement out, OperatorMap op) {
    Parts parts = Parts.in(input(in));
    if (parts == null) {
      throw new ArgumentException(Reason.BUFFER,
          "reduceScatter of %s; name each rank's part by Data.parts, or call reduceScatterBlock where all are as long"
              .formatted(in));
    }
    parts.requireCount("reduceScatter", groups.size(), "ranks in the local group");
    Placement from = union.requireReadable(parts.joined());
    int element = OperatorMap.require(op).elementOf(union.requireWritable(out).type());
    if (out.bytes() != parts.bytes(groupRank) || op.elementOf(from.type()) != element) {
      throw new ArgumentException(Reason.COUNT,
          ("reduceScatter of %s into %s; the output is to be as long as part %d, of %d bytes, and of the same basic "
              + "type").formatted(in, out, groupRank, parts.bytes(groupRank)));
    }
    return reduce(form, SlotMember.REDUCE_SCATTER, 0, from, out, op, from, parts);
  }

  // What goes where

  private void requireRoot(String call, int root) {
    if (root != ROOT && root != Operation.NO_RANK && (root < 0 || root >= groups.remoteSize())) {
      throw new ArgumentException(Reason.ROOT,
          ("root %d of a %s of an intercommunicator; the remote group has ranks 0 to %d, and in the root's own group "
              + "the root names Intercommunicator.ROOT, the others Communicator.NO_RANK")
              .formatted(root, call, groups.remoteSize() - 1));
    }
  }

  /** Refuses an input in place: what a rank gives is for the other group. */
  private static Placement input(Placement in) {
    if (CollectiveCalls.requireInput(in) == Placement.IN_PLACE) {
      throw new ArgumentException(Reason.BUFFER,
          "IN_PLACE in a collective of an intercommunicator, in which a rank gets nothing of its own group; name the "
              + "input");
    }
    return in;
  }

  private Sides sides() {
    Sides sides = spare.getAndSet(null);
    if (sides == null) {
      return new Sides();
    }
    sides.gives.clear();
    sides.takes.clear();
    return sides;
  }

  /** A block for each rank of the remote group. */
  private void setInput(String call, Placement in, GroupBlocks gives) {
    Parts parts = Parts.in(input(in));
    union.requireReadable(whole(in));
    setBlocks(call, in, parts, gives);
  }

  /** A block of each rank of the remote group. */
  private void setOutput(String call, Placement out, GroupBlocks takes) {
    Parts parts = Parts.in(CollectiveCalls.requireOutput(out));
    if (parts == null) {
      union.requireWritable(out);
    } else {
      union.requireApart(call, parts);
    }
    setBlocks(call, out, parts, takes);
  }

  /** Refuses what cannot be cut into as many blocks. */
  private void setBlocks(String call, Placement data, Parts parts, GroupBlocks blocks) {
    int ranks = groups.remoteSize();
    if (parts != null) {
      parts.requireCount(call, ranks, "ranks in the remote group");
      blocks.set(groups.remoteFirst(), parts);
      return;
    }
    if (data.bytes() % ranks != 0) {
      throw new ArgumentException(Reason.COUNT,
          "%s with %d bytes for %d ranks in the remote group; equal blocks take a multiple, Data.parts any"
              .formatted(call, data.bytes(), ranks));
    }
    blocks.set(groups.remoteFirst(), ranks, data.bytes() / ranks, data.bytes() / ranks);
  }

  private static Placement whole(Placement data) {
    Parts parts = Parts.in(data);
    return parts == null ? data : parts.whole();
  }

  // To the engine

  /** Gives another block to each rank of the remote group. */
  private Call exchange(Form form, int kind, Sides sides, Placement in, Placement out) {
    requireTotal(Call.name(kind, 0), sides.gives);
    return exchange(form, kind, SlotMember.ALLTOALL, 0, 0, sides.gives, sides, in, out);
  }

  /** Gives one block to all ranks of the remote group. */
  private Call giveToAll(Form form, int kind, Sides sides, Placement in, Placement out) {
    long bytes = in == null ? 0 : in.bytes();
    union.requireBytes(Call.name(kind, 0), bytes);
    return exchange(form, kind, SlotMember.ALLGATHERV, groups.firstSize(), bytes, null, sides, in, out);
  }

  private Call exchange(
      Form form, int kind, int exchange, int root, long bytes, GroupBlocks gives, Sides sides, Placement in,
      Placement out) {
    requireTotal(Call.name(kind, 0), sides.takes);
    try {
      return union.collectives().exchange(
          form, exchange, root, bytes, gives, sides.takes, SlotMember.FOR_GROUPS + kind, false,
          union.payload(in), union.payload(out));
    } finally {
      spare.set(sides);
    }
  }

  /** Refuses blocks that are too long together. */
  private void requireTotal(String call, GroupBlocks blocks) {
    long total = 0;
    for (int rank = 0; rank < groups.remoteSize(); rank++) {
      int member = groups.remoteFirst() + rank;
      total = Math.min(total + blocks.bytes(member), SlotMember.MOST_BYTES + 1);
      union.requireBytes(call, Math.max(total, blocks.at(member)));
    }
  }

  /** @param data of which it is told how many elements of what type there are; null: this rank has none */
  private Call reduce(Form form, int kind, int root, Placement in, Placement out, OperatorMap op, Placement data) {
    return reduce(form, kind, root, in, out, op, data, null);
  }

  private Call reduce(Form form, int kind, int root, Placement in, Placement out, OperatorMap op, Placement data,
      Parts parts) {
    Combination combination = data == null ? op.onNone() : op.on(data.type());
    long bytes = data == null ? 0 : data.bytes();
    union.requireBytes(Call.name(kind, 0), bytes);
    return union.collectives().reduceAcross(
        form, groups, kind, root, bytes, combination, parts, union.payload(in), union.payload(out));
  }
}
