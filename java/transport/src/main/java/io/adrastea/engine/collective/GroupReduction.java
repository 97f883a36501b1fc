package io.adrastea.engine.collective;

import io.adrastea.coll.Combine;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.operation.Pending;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;

/**
 * A reduction of what one group of an intercommunicator gives, whose result the other group gets; in an allreduce and a
 * reduce_scatter both groups do both. It is two exchanges among the ranks of both groups, one behind the other:
 * <ol>
 * <li>Inside the group that gives, each rank gets the operands of all for one stripe of the elements, and combines them
 * in the order of the ranks. A group of one rank needs none of this.
 * <li>Each gives its stripe to those of the other group that get it.
 * </ol>
 * The second one takes its place behind the first one at once, and begins when this rank has combined its stripe; what
 * the program calls meanwhile comes behind both. So all ranks take them in the same order, however far each is.
 *
 * <p>
 * Where all ranks know that the elements are few, which those beside the root of a reduce do not, one exchange is
 * enough: each rank gets the operands of the other group, and combines them itself. In place of the second exchange it
 * copies the result to its output.
 *
 * <p>
 * In a reduce_scatter into parts of any lengths a group knows its own parts alone. So the second exchange brings the
 * whole result to all ranks of a group, and each copies its part from there.
 *
 * <p>
 * Mutable and reused. Called inside the gate.
 */
final class GroupReduction implements Call.Sequence {
  /** Bytes that are combined at a time: messages are not to wait for long. */
  private static final long PIECE = 65_536;

  /** Up to so many bytes of operands a rank combines them all. */
  private static final long FEW = 4096;

  /** Bytes of memory for operands that are kept for the next one. */
  private static final long KEPT = 1 << 20;

  private static final long MOST_OPERANDS = (long) (Integer.MAX_VALUE - 8) * Long.BYTES; // an array has no more

  private static final MemorySegment NONE = MemorySegment.ofArray(new long[0]);

  private final Groups groups;
  private final int rank; // in its group
  private final Call first; // exchange
  private final Call whole; // the second exchange, where a copy follows
  private final Call last; // the second exchange or the copy, where it has a request
  private final Combine combine = new Combine();
  GroupReduction next; // in the list of those that wait for a use

  private int kind;
  private boolean gives; // this rank's group does
  private boolean gets; // this rank does
  private int root; // of a reduce, in the other group; below zero where this rank's group does not give
  private long bytes;
  private Combination combination;
  private int unit; // bytes of an element
  private boolean hasFirst;
  private boolean isOfFew;
  private boolean isByParts; // into parts of any lengths
  private long partAt; // of such a part
  private long partBytes;
  private long stripe; // bytes of what this rank combines
  private int count; // of operands for that
  private MemorySegment operands = NONE; // one behind the other; the first one becomes the result
  private long combined; // bytes of it
  private MemorySegment received = NONE; // the whole result, where a copy follows it
  private final Contiguous ownOperands = new Contiguous(); // the operands as they go to a call
  private final Contiguous whatComes = new Contiguous(); // what is received, likewise

  /** The blocks of one side of an exchange: of the members of one group, if of any. */
  private abstract static class OfGroup implements Blocks {
    private int first;
    private int count;

    void set(int first, int count) {
      this.first = first;
      this.count = count;
    }

    abstract long bytesOf(int index);

    abstract long atOf(int index);

    @Override
    public final long bytes(int member) {
      return member >= first && member < first + count ? bytesOf(member - first) : 0;
    }

    @Override
    public final long at(int member) {
      return member >= first && member < first + count ? atOf(member - first) : 0;
    }
  }

  /** The parts of a rank's elements that go to the ranks of its group. */
  private final OfGroup stripes = new OfGroup() {
    @Override
    long bytesOf(int index) {
      return stripeBytes(groups.size(), index);
    }

    @Override
    long atOf(int index) {
      return stripeAt(groups.size(), index);
    }
  };

  /** The parts of a rank's elements that go to the ranks of the other group, each of which combines what it gets. */
  private final OfGroup elements = new OfGroup() {
    @Override
    long bytesOf(int index) {
      return isInBlocks() ? bytes / groups.remoteSize() : bytes;
    }

    @Override
    long atOf(int index) {
      return isInBlocks() ? index * bytesOf(index) : 0;
    }
  };

  /** What comes of each rank for this rank's stripe. */
  private final OfGroup ofStripe = new OfGroup() {
    @Override
    long bytesOf(int index) {
      return stripe;
    }

    @Override
    long atOf(int index) {
      return index * stripe;
    }
  };

  /** The parts of this rank's stripe that go to the ranks of the other group. */
  private final OfGroup results = new OfGroup() {
    @Override
    long bytesOf(int index) {
      return !isInBlocks() ? stripe
          : Math.max(0, Math.min(end(), blockAt(index + 1)) - Math.max(start(), blockAt(index)));
    }

    @Override
    long atOf(int index) {
      return isInBlocks() ? Math.max(0, blockAt(index) - start()) : 0;
    }

    private long start() {
      return stripeAt(groups.size(), rank);
    }

    private long end() {
      return start() + stripe;
    }

    private long blockAt(int index) {
      return index * (bytes / groups.remoteSize());
    }
  };

  /** What comes of each stripe of the other group. */
  private final OfGroup parts = new OfGroup() {
    @Override
    long bytesOf(int index) {
      return Math.max(0, Math.min(end(), end(index)) - Math.max(start(), stripeAt(groups.remoteSize(), index)));
    }

    @Override
    long atOf(int index) {
      return Math.max(0, stripeAt(groups.remoteSize(), index) - start());
    }

    private long end(int index) {
      return stripeAt(groups.remoteSize(), index + 1);
    }

    private long start() {
      return isInBlocks() ? rank * (bytes / groups.size()) : 0;
    }

    private long end() {
      return isInBlocks() ? start() + bytes / groups.size() : bytes;
    }
  };

  /**
   * Makes a reduction of one communicator.
   *
   * @param member this rank's number in the communicator
   * @param form prepared or started
   */
  GroupReduction(Pending.Owner<Call> owner, Groups groups, int member, Form form) {
    this.groups = groups;
    this.rank = member - groups.first();
    Form untold = form == Form.PREPARED ? form : Form.BLOCKING; // no request tells of these
    this.first = new Call(owner, untold, member, size());
    this.whole = new Call(owner, untold, member, size());
    this.last = new Call(owner, form, member, size());
  }

  /**
   * Says what is reduced.
   *
   * @param kind {@link SlotMember#REDUCE}, {@link SlotMember#ALLREDUCE} or {@link SlotMember#REDUCE_SCATTER}
   * @param root of a reduce: the number in the other group of the rank that gets the result, or {@link Groups#ROOT}, or
   * {@link Groups#NOBODY}
   * @param bytes of the elements that a rank gives
   * @param blocks of a reduce_scatter into parts of any lengths: those of the ranks of this group, one behind the other
   * in order; null: equal ones
   */
  void describe(int kind, int root, long bytes, Combination combination, Blocks blocks) {
    this.kind = kind;
    this.root = root;
    this.bytes = bytes;
    this.combination = combination;
    this.unit = combination.unit();
    gives = kind != SlotMember.REDUCE || root >= 0;
    gets = kind != SlotMember.REDUCE || root == Groups.ROOT;
    isByParts = blocks != null;
    partBytes = isByParts ? blocks.bytes(rank) : 0;
    partAt = 0;
    for (int before = 0; isByParts && before < rank; before++) {
      partAt += blocks.bytes(before);
    }
    int givers = kind != SlotMember.REDUCE ? Math.max(groups.size(), groups.remoteSize())
        : gives ? groups.size() : groups.remoteSize();
    hasFirst = givers > 1;
    isOfFew = hasFirst && kind != SlotMember.REDUCE && bytes * givers <= FEW;
    if (isOfFew) {
      stripe = isInBlocks() ? bytes / groups.size() : bytes;
      count = groups.remoteSize();
    } else {
      stripe = gives ? stripeBytes(groups.size(), rank) : 0;
      count = groups.size();
    }
  }

  /** Whether each rank gets a block of the result, all as long. */
  private boolean isInBlocks() {
    return kind == SlotMember.REDUCE_SCATTER && !isByParts;
  }

  /**
   * Says where this rank's elements are, and where what it gets goes.
   *
   * @param end the call that ends it: {@link #last}, or the blocking one of the communicator
   */
  void describe(Call end, Payload in, Payload out) {
    if (hasFirst) {
      describeFirst(in);
    }
    if (isCopied()) {
      end.describe(SlotMember.ALLTOALL, agreed(), 0, SlotMember.FOR_GROUPS + kind, 0, null);
    }
    if (!isOfFew) {
      Call across = isByParts ? whole : end;
      boolean toRoot = kind == SlotMember.REDUCE;
      results.set(groups.remoteFirst() + (toRoot && gives ? root : 0), gives ? toRoot ? 1 : groups.remoteSize() : 0);
      parts.set(groups.remoteFirst(), gets ? groups.remoteSize() : 0);
      describe(across, results, parts);
      across.input(hasFirst ? ownOperands : in, 0);
      if (isByParts) {
        received = reserve(received, bytes);
        across.output(whatComes.set(received, 0, received.byteSize()));
        across.follow(this);
      }
    }
    end.output(out);
    end.follow(this);
  }

  private void describeFirst(Payload in) {
    operands = reserve(operands, stripe * count);
    ownOperands.set(operands, 0, operands.byteSize());
    OfGroup given = isOfFew ? elements : stripes;
    int firstMember = isOfFew ? groups.remoteFirst() : groups.first();
    int members = isOfFew ? groups.remoteSize() : gives ? groups.size() : 0;
    given.set(firstMember, members);
    ofStripe.set(firstMember, members);
    describe(first, given, ofStripe);
    first.input(in, 0);
    first.output(ownOperands);
  }

  private void describe(Call exchange, OfGroup given, OfGroup taken) {
    exchange.describeParts(
        SlotMember.ALLTOALL, agreed(), 0, SlotMember.FOR_GROUPS + kind, false, given, taken);
  }

  /** The operator, and the kind of elements unless some ranks have none: a rank that names another one is told. */
  private int agreed() {
    return combination.op() << Byte.SIZE | (kind == SlotMember.REDUCE ? 0 : combination.element() & 0xFF);
  }

  private int size() {
    return groups.size() + groups.remoteSize();
  }

  /** Memory for so many bytes: that which there is, where it is long enough. */
  private MemorySegment reserve(MemorySegment found, long length) {
    if (length > MOST_OPERANDS) {
      throw new ArgumentException(Reason.COUNT,
          "a reduction of %d bytes of each rank between groups; allowed are about %d: take several".formatted(bytes,
              MOST_OPERANDS));
    }
    return found.byteSize() >= length ? found
        : MemorySegment.ofArray(new long[(int) ((length + Long.BYTES - 1) / Long.BYTES)]);
  }

  private long stripeAt(int ranks, int index) {
    return bytes / unit * index / ranks * unit;
  }

  private long stripeBytes(int ranks, int index) {
    return stripeAt(ranks, index + 1) - stripeAt(ranks, index);
  }

  /** The call that ends it, where that has a request. */
  Call last() {
    return last;
  }

  @Override
  public Call before(Call call) {
    return isByParts && !isOfFew && call != whole ? whole : hasFirst ? first : null;
  }

  private boolean isCopied() {
    return isOfFew || isByParts;
  }

  /** A copy of the result to the output comes where an exchange would. */
  @Override
  public boolean isCopy(Call call) {
    return isCopied() && call != whole;
  }

  @Override
  public void copy(Call end) {
    long length = isByParts ? partBytes : stripe;
    if (length > 0) {
      end.drain(isOfFew ? operands : received, partAt, 0, length);
    }
  }

  @Override
  public void begin() {
    combined = 0;
  }

  @Override
  public long combined() {
    return combined;
  }

  /** Combines a piece once the operands are here. */
  @Override
  public boolean isReady(Call call) {
    Call before = before(call);
    if (before == null) {
      return true;
    }
    if (!before.isComplete()) {
      return false;
    }
    before.rethrow();
    return before != first || isCombined();
  }

  private boolean isCombined() {
    if (combined < stripe) {
      long length = Math.min(stripe - combined, Math.max(1, PIECE / unit) * unit);
      for (int index = 1; index < count; index++) {
        combine(combined, index * stripe + combined, length);
      }
      combined += length;
    }
    return combined == stripe;
  }

  private void combine(long left, long right, long length) {
    if (combination.folding() == null) {
      combine.combine(
          combination.op(), combination.element(), operands, left, operands, left, operands, right, length);
    } else {
      combination.folding().fold(operands, left, operands, right, length);
    }
  }

  /** It is over, and can be described anew. */
  void end() {
    first.end();
    whole.end();
    combination = null;
    operands = operands.byteSize() > KEPT ? NONE : operands;
    received = received.byteSize() > KEPT ? NONE : received;
    ownOperands.set(NONE, 0, 0);
    whatComes.set(NONE, 0, 0);
  }
}
