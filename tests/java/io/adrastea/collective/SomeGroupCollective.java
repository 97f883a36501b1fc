package io.adrastea.collective;

import static io.adrastea.Communicator.NO_RANK;
import static io.adrastea.Intercommunicator.ROOT;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Intercommunicator;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.datatype.DrawnLongs;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * One collective of an intercommunicator as one rank calls it, drawn by chance, of which each rank knows what all ranks
 * of both groups give.
 */
public final class SomeGroupCollective implements DrawnCollective {
  private static final long STEP = 1_000_003;
  private static final int FEW = 7; // longs, of which some fit a line
  private static final int TAG = 11;

  private enum Kind {
    BARRIER, BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER
  }

  private static final Kind[] KINDS = Kind.values();

  private final Intercommunicator on;
  private final boolean isFirst; // this rank's group is the first one
  private final Kind kind;
  private final boolean ofFirst; // the root is in the first group
  private final int rootRank;
  private final int root; // as this rank names it
  private final int count;
  private final int seed;
  private final boolean isByParts;
  private final boolean isOfUser;
  private final DrawnLongs in; // null: this rank gives nothing
  private final DrawnLongs out; // null: it gets nothing
  private Runnable blocking;
  private UnaryOperator<Request> started;
  private Supplier<Request> prepared;

  /** Two groups of all ranks of a communicator, which all call this: the first half of them, and the others. */
  public static Intercommunicator halves(Communicator parent) {
    int half = parent.size() / 2;
    boolean isFirst = parent.rank() < half;
    try (Communicator local = parent.split(isFirst ? 0 : 1, 0)) {
      return Intercommunicator.create(local, 0, parent, isFirst ? half : 0, TAG);
    }
  }

  /**
   * One of at most so many longs of a rank.
   *
   * @param isFirst whether this rank is in the first half
   */
  public SomeGroupCollective(
      Intercommunicator on, boolean isFirst, int most, SplittableRandom same, SplittableRandom own) {
    this.on = on;
    this.isFirst = isFirst;
    this.kind = KINDS[same.nextInt(KINDS.length)];
    this.ofFirst = same.nextBoolean();
    this.rootRank = same.nextInt(size(ofFirst));
    this.root = ofFirst != isFirst ? rootRank : on.rank() == rootRank ? ROOT : NO_RANK;
    this.count = same.nextInt(4) == 0 ? same.nextInt(most) : same.nextInt(FEW);
    this.seed = same.nextInt(1000);
    this.isByParts = same.nextBoolean();
    this.isOfUser = same.nextBoolean();
    boolean isReachable = same.nextBoolean();
    this.in = gives() ? DrawnLongs.of(isReachable, own, given(isFirst, on.rank()).length) : null;
    this.out = gets() ? DrawnLongs.of(isReachable, own, expected().length) : null;
    if (in != null) {
      in.fill(given(isFirst, on.rank()));
    }
    if (out != null) {
      out.fill(DrawnLongs.untouched(expected().length));
    }
    bind(in == null ? null : in.data(), out == null ? null : out.data());
  }

  private int size(boolean first) {
    return first == isFirst ? on.size() : on.remoteSize();
  }

  private boolean isRooted() {
    return kind == Kind.BCAST || kind == Kind.GATHER || kind == Kind.SCATTER || kind == Kind.REDUCE;
  }

  private boolean gives() {
    boolean fromRoot = kind == Kind.BCAST || kind == Kind.SCATTER;
    return kind != Kind.BARRIER && (!isRooted() || (fromRoot ? root == ROOT : root >= 0));
  }

  private boolean gets() {
    boolean fromRoot = kind == Kind.BCAST || kind == Kind.SCATTER;
    return kind != Kind.BARRIER && (!isRooted() || (fromRoot ? root >= 0 : root == ROOT));
  }

  // What goes where

  /** How many longs a rank of a group gives to a rank of the other one, where each block is another one. */
  private int part(boolean first, int from, int to) {
    if (!isByParts) {
      return count;
    }
    int which = switch (kind) {
      case GATHER, ALLGATHER -> from;
      case SCATTER -> to;
      default -> from + 2 * to;
    };
    return switch ((which + seed + (first ? 1 : 0)) % 4) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> count;
      default -> count / 2;
    };
  }

  /** The longs that a rank of a group gets of the result of a reduceScatter, of which the last one gets the rest. */
  private int[] shares(boolean first) {
    int[] shares = new int[size(first)];
    int left = count;
    for (int rank = 0; rank < shares.length; rank++) {
      shares[rank] = rank == shares.length - 1 ? left : Math.min(left, (rank + seed) % 3 * count / 4);
      left -= shares[rank];
    }
    return shares;
  }

  private boolean hasSeveralBlocks() {
    return kind == Kind.SCATTER || kind == Kind.ALLTOALL;
  }

  /** What a rank of a group gives. */
  private long[] given(boolean first, int rank) {
    int longs = switch (kind) {
      case SCATTER, ALLTOALL -> before(first, rank, size(!first));
      case GATHER, ALLGATHER -> part(first, rank, 0);
      case REDUCE_SCATTER_BLOCK -> count * on.size() * on.remoteSize();
      default -> count;
    };
    long[] values = new long[longs];
    Arrays.setAll(values, i -> (first ? 1000 : 0) + rank * STEP + seed * 77L + i);
    return values;
  }

  private int before(boolean first, int from, int to) {
    return IntStream.range(0, to).map(rank -> part(first, from, rank)).sum();
  }

  private long[] given(boolean first, int from, int to) {
    long[] all = given(first, from);
    return hasSeveralBlocks() ? Arrays.copyOfRange(all, before(first, from, to), before(first, from, to + 1)) : all;
  }

  /** What this rank gets. */
  private long[] expected() {
    int rank = on.rank();
    return switch (kind) {
      case BARRIER -> new long[0];
      case BCAST, SCATTER -> given(!isFirst, rootRank, rank);
      case GATHER, ALLGATHER, ALLTOALL ->
        IntStream.range(0, on.remoteSize()).mapToObj(from -> given(!isFirst, from, rank)).flatMapToLong(Arrays::stream)
            .toArray();
      case REDUCE, ALLREDUCE -> folded();
      case REDUCE_SCATTER_BLOCK -> {
        int share = count * on.remoteSize();
        yield Arrays.copyOfRange(folded(), rank * share, (rank + 1) * share);
      }
      case REDUCE_SCATTER -> {
        int[] shares = shares(isFirst);
        int start = Arrays.stream(shares).limit(rank).sum();
        yield Arrays.copyOfRange(folded(), start, start + shares[rank]);
      }
    };
  }

  /** What the ranks of the other group give, combined. */
  private long[] folded() {
    LongBinaryOperator longs = isOfUser ? SomeGroupCollective::combine : Long::sum;
    long[] values = given(!isFirst, 0);
    for (int rank = 1; rank < on.remoteSize(); rank++) {
      long[] theirs = given(!isFirst, rank);
      Arrays.setAll(values, i -> longs.applyAsLong(values[i], theirs[i]));
    }
    return values;
  }

  private static long combine(long left, long right) {
    return 3 * left - right;
  }

  // The calls

  private void bind(Data from, Data to) {
    Op op = isOfUser ? Op.ofLongs(SomeGroupCollective::combine, false) : Op.SUM;
    switch (kind) {
      case BARRIER -> bind(on::barrier, mine -> on.started(mine).barrier(), on::barrierInit);
      case BCAST -> {
        Data data = from == null ? to : from;
        bind(() -> on.bcast(data, root), mine -> on.started(mine).bcast(data, root), () -> on.bcastInit(data, root));
      }
      case GATHER -> {
        Data taken = to == null ? null : taken();
        bind(
            () -> on.gather(from, taken, root), mine -> on.started(mine).gather(from, taken, root),
            () -> on.gatherInit(from, taken, root));
      }
      case SCATTER -> {
        Data given = from == null ? null : given();
        bind(
            () -> on.scatter(given, to, root), mine -> on.started(mine).scatter(given, to, root),
            () -> on.scatterInit(given, to, root));
      }
      case ALLGATHER -> bind(
          () -> on.allgather(from, taken()), mine -> on.started(mine).allgather(from, taken()),
          () -> on.allgatherInit(from, taken()));
      case ALLTOALL -> bind(
          () -> on.alltoall(given(), taken()), mine -> on.started(mine).alltoall(given(), taken()),
          () -> on.alltoallInit(given(), taken()));
      case REDUCE -> bind(
          () -> on.reduce(from, to, op, root), mine -> on.started(mine).reduce(from, to, op, root),
          () -> on.reduceInit(from, to, op, root));
      case ALLREDUCE -> bind(
          () -> on.allreduce(from, to, op), mine -> on.started(mine).allreduce(from, to, op),
          () -> on.allreduceInit(from, to, op));
      case REDUCE_SCATTER_BLOCK -> bind(
          () -> on.reduceScatterBlock(from, to, op), mine -> on.started(mine).reduceScatterBlock(from, to, op),
          () -> on.reduceScatterBlockInit(from, to, op));
      case REDUCE_SCATTER -> {
        Data given = in.inParts(shares(isFirst));
        bind(
            () -> on.reduceScatter(given, to, op), mine -> on.started(mine).reduceScatter(given, to, op),
            () -> on.reduceScatterInit(given, to, op));
      }
    }
  }

  private void bind(Runnable blocking, UnaryOperator<Request> started, Supplier<Request> prepared) {
    this.blocking = blocking;
    this.started = started;
    this.prepared = prepared;
  }

  /** The input in blocks for the ranks of the other group. */
  private Data given() {
    return !isByParts ? in.data()
        : in.inParts(IntStream.range(0, on.remoteSize()).map(to -> part(isFirst, on.rank(), to)).toArray());
  }

  /** The output in blocks of the ranks of the other group. */
  private Data taken() {
    return !isByParts ? out.data()
        : out.inParts(IntStream.range(0, on.remoteSize()).map(from -> part(!isFirst, from, on.rank())).toArray());
  }

  @Override
  public void run() {
    blocking.run();
  }

  @Override
  public Request start(Request mine) {
    return started.apply(mine);
  }

  @Override
  public Request prepare() {
    return prepared.get();
  }

  @Override
  public void check() {
    if (in != null) {
      in.check("input of " + this, on.rank(), given(isFirst, on.rank()));
    }
    if (out != null) {
      out.check("output of " + this, on.rank(), expected());
    }
  }

  @Override
  public String toString() {
    return "%s of %d longs between groups%s, root %d".formatted(kind, count, isByParts ? " by parts" : "", root);
  }
}
