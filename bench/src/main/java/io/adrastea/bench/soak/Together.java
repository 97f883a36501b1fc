package io.adrastea.bench.soak;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * Collectives of all ranks, some in each step: those that are started move on while the messages of the step are sent
 * and received, and are awaited behind them, by each rank in an order of its own. Which they are, and what each rank
 * gives, is a function of the seed, so that every rank checks all that it gets.
 */
final class Together {
  private static final int MOST = 6; // of a step: more than a communicator has under way
  private static final int MOST_LONGS = 1 << 15; // of one side of one
  private static final long STEP = 1_000_003;

  /** What is called. */
  private enum Kind {
    BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, GATHER, SCATTER, ALLGATHER, ALLTOALL;

    private static final Kind[] ALL = values();

    /** Whether a rank gives a part for each. */
    boolean givesToEach() {
      return this == REDUCE_SCATTER || this == SCATTER || this == ALLTOALL;
    }

    /** Whether a rank that takes anything takes a part of each. */
    boolean takesOfEach() {
      return this == GATHER || this == ALLGATHER || this == ALLTOALL;
    }

    /** Whether the root alone can have it in place. */
    boolean isInPlaceAtRoot() {
      return this == REDUCE || this == GATHER || this == SCATTER;
    }
  }

  /** Longs, in an array or outside of the heap. */
  private record Row(long[] array, MemorySegment memory) {
    static Row ofArray() {
      long[] array = new long[MOST_LONGS];
      return new Row(array, MemorySegment.ofArray(array));
    }

    static Row ofNative() {
      return new Row(null, Arena.global().allocate(MOST_LONGS * (long) Long.BYTES, Long.BYTES));
    }

    Data data(int count) {
      return array == null ? Data.of(memory, 0, count, Datatype.LONG) : Data.of(array, 0, count);
    }

    void set(int index, long value) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }

    long get(int index) {
      return memory.getAtIndex(ValueLayout.JAVA_LONG, index);
    }
  }

  private final Seat seat;
  private final int ranks;
  private final One[] all = new One[MOST];
  private int count; // of this step

  Together(Seat seat) {
    this.seat = seat;
    this.ranks = seat.world.size();
    for (int i = 0; i < MOST; i++) {
      all[i] = new One();
    }
  }

  /** Begins those of a step, and ends those that are not started. */
  void begin(Traffic traffic, int step) {
    SplittableRandom same = new SplittableRandom(traffic.chance(15, step));
    int drawn = same.nextInt(3 * MOST);
    count = drawn <= MOST ? drawn : 0;
    for (int i = 0; i < count; i++) {
      all[i].draw(same);
      all[i].begin(same.nextInt(3));
    }
  }

  /** Ends those that are outstanding, and checks all. */
  void end(Traffic traffic, int step) {
    int first = seat.chance.nextInt(MOST);
    for (int i = 0; i < count; i++) {
      One one = all[(first + i) % count];
      if (one.request != null) {
        one.request.await();
        one.request = null;
      }
      one.check(traffic, step);
    }
  }

  /** One collective. */
  private final class One {
    private final Row[] ins = {Row.ofArray(), Row.ofNative()};
    private final Row[] outs = {Row.ofArray(), Row.ofNative()};
    private Row in;
    private Row out;
    private Kind kind;
    private int root;
    private int longs; // of a part, of those of other lengths at most
    private boolean byParts;
    private boolean inPlace; // at this rank
    private long base;
    private Request request; // null: it is over

    void draw(SplittableRandom same) {
      kind = Kind.ALL[same.nextInt(Kind.ALL.length)];
      root = same.nextInt(ranks);
      int most = MOST_LONGS / ranks;
      longs = same.nextInt(switch (same.nextInt(6)) {
        case 0 -> most;
        case 1, 2 -> Math.min(most, 700);
        default -> 8;
      });
      base = same.nextLong();
      byParts = (kind.givesToEach() || kind.takesOfEach()) && same.nextInt(3) == 0;
      inPlace = kind != Kind.BARRIER && kind != Kind.BCAST && same.nextInt(4) == 0
          && (!kind.isInPlaceAtRoot() || seat.rank == root);
      in = ins[seat.chance.nextInt(2)];
      out = outs[seat.chance.nextInt(2)];
      for (int i = 0; i < given(); i++) {
        in.set(i, value(seat.rank, i));
      }
      for (int i = 0; i < placed(); i++) {
        out.set(i, ~base);
      }
      for (int i = 0; inPlace && kind != Kind.SCATTER && i < given(); i++) {
        out.set(ownAt() + i, value(seat.rank, i));
      }
      if (byParts) {
        seat.tally.did(Means.COLLECTIVE_BY_PARTS);
      }
      if (inPlace) {
        seat.tally.did(Means.COLLECTIVE_IN_PLACE);
      }
    }

    /** The part of what a rank gives or takes that is for another one, or of it. */
    private int part(int from, int to) {
      if (!byParts) {
        return longs;
      }
      int which = switch (kind) {
        case ALLTOALL -> from + to; // the same both ways, so that it can be in place
        case GATHER, ALLGATHER -> from;
        default -> to;
      };
      return switch ((which + longs) % 4) {
        case 0 -> 0;
        case 1 -> Math.min(1, longs);
        case 2 -> longs;
        default -> longs / 2;
      };
    }

    /** What a rank gives to those below another one. */
    private int before(int from, int to) {
      int sum = 0;
      for (int rank = 0; rank < to; rank++) {
        sum += part(from, rank);
      }
      return sum;
    }

    /** What this rank takes of those below another one. */
    private int takenBefore(int from) {
      int sum = 0;
      for (int rank = 0; rank < from; rank++) {
        sum += part(rank, seat.rank);
      }
      return sum;
    }

    private int given() {
      return kind.givesToEach() ? before(seat.rank, ranks) : kind.takesOfEach() ? part(seat.rank, root) : longs;
    }

    private int taken() {
      return kind.takesOfEach() ? takenBefore(ranks) : kind.givesToEach() ? part(root, seat.rank) : longs;
    }

    /** Longs of the output as it is handed in: in place it has all that is given first. */
    private int placed() {
      return inPlace && kind == Kind.REDUCE_SCATTER ? given() : taken();
    }

    /** Where in the output this rank's input is, in place. */
    private int ownAt() {
      return kind == Kind.GATHER || kind == Kind.ALLGATHER ? takenBefore(seat.rank) : 0;
    }

    private Data from() {
      Data whole = in.data(given());
      return inPlace && kind != Kind.SCATTER ? Data.IN_PLACE
          : byParts && kind.givesToEach() ? inParts(whole, true) : whole;
    }

    private Data to() {
      Data whole = out.data(placed());
      boolean isInParts = kind.takesOfEach() || inPlace && kind == Kind.REDUCE_SCATTER;
      return inPlace && kind == Kind.SCATTER ? Data.IN_PLACE
          : byParts && isInParts ? inParts(whole, kind == Kind.REDUCE_SCATTER) : whole;
    }

    private Data inParts(Data whole, boolean areGiven) {
      int[] counts = new int[ranks];
      int[] displacements = new int[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        counts[rank] = areGiven ? part(seat.rank, rank) : part(rank, seat.rank);
        displacements[rank] = areGiven ? before(seat.rank, rank) : takenBefore(rank);
      }
      return Data.parts(whole, counts, displacements);
    }

    private long value(int rank, int index) {
      return base + rank * STEP + index;
    }

    /** The sum of the values of the first ranks. */
    private long sum(int of, int index) {
      return of * (base + index) + STEP * of * (of - 1) / 2;
    }

    void begin(int form) {
      Data from = from();
      Data to = to();
      switch (form) {
        case 0 -> {
          run(from, to);
          seat.tally.did(Means.COLLECTIVE);
        }
        case 1 -> {
          request = start(from, to);
          seat.tally.did(Means.STARTED_COLLECTIVE);
        }
        default -> {
          request = prepare(from, to).start();
          seat.tally.did(Means.PERSISTENT_COLLECTIVE);
        }
      }
    }

    private void run(Data from, Data to) {
      switch (kind) {
        case BARRIER -> seat.world.barrier();
        case BCAST -> seat.world.bcast(from, root);
        case REDUCE -> seat.world.reduce(from, to, Op.SUM, root);
        case ALLREDUCE -> seat.world.allreduce(from, to, Op.SUM);
        case SCAN -> seat.world.scan(from, to, Op.SUM);
        case EXSCAN -> seat.world.exscan(from, to, Op.SUM);
        case REDUCE_SCATTER -> {
          if (byParts) {
            seat.world.reduceScatter(from, to, Op.SUM);
          } else {
            seat.world.reduceScatterBlock(from, to, Op.SUM);
          }
        }
        case GATHER -> seat.world.gather(from, to, root);
        case SCATTER -> seat.world.scatter(from, to, root);
        case ALLGATHER -> seat.world.allgather(from, to);
        case ALLTOALL -> seat.world.alltoall(from, to);
      }
    }

    private Request start(Data from, Data to) {
      return switch (kind) {
        case BARRIER -> seat.world.ibarrier();
        case BCAST -> seat.world.ibcast(from, root);
        case REDUCE -> seat.world.ireduce(from, to, Op.SUM, root);
        case ALLREDUCE -> seat.world.iallreduce(from, to, Op.SUM);
        case SCAN -> seat.world.iscan(from, to, Op.SUM);
        case EXSCAN -> seat.world.iexscan(from, to, Op.SUM);
        case REDUCE_SCATTER ->
          byParts ? seat.world.ireduceScatter(from, to, Op.SUM) : seat.world.ireduceScatterBlock(from, to, Op.SUM);
        case GATHER -> seat.world.igather(from, to, root);
        case SCATTER -> seat.world.iscatter(from, to, root);
        case ALLGATHER -> seat.world.iallgather(from, to);
        case ALLTOALL -> seat.world.ialltoall(from, to);
      };
    }

    private Request prepare(Data from, Data to) {
      return switch (kind) {
        case BARRIER -> seat.world.barrierInit();
        case BCAST -> seat.world.bcastInit(from, root);
        case REDUCE -> seat.world.reduceInit(from, to, Op.SUM, root);
        case ALLREDUCE -> seat.world.allreduceInit(from, to, Op.SUM);
        case SCAN -> seat.world.scanInit(from, to, Op.SUM);
        case EXSCAN -> seat.world.exscanInit(from, to, Op.SUM);
        case REDUCE_SCATTER ->
          byParts ? seat.world.reduceScatterInit(from, to, Op.SUM)
              : seat.world.reduceScatterBlockInit(from, to, Op.SUM);
        case GATHER -> seat.world.gatherInit(from, to, root);
        case SCATTER -> seat.world.scatterInit(from, to, root);
        case ALLGATHER -> seat.world.allgatherInit(from, to);
        case ALLTOALL -> seat.world.alltoallInit(from, to);
      };
    }

    /** Fails when a long is not what it is to be. */
    void check(Traffic traffic, int step) {
      if (kind.takesOfEach() && isTaken()) {
        for (int of = 0; of < ranks; of++) {
          int first = kind == Kind.ALLTOALL ? before(of, seat.rank) : 0;
          int at = takenBefore(of);
          for (int i = 0; i < part(of, seat.rank); i++) {
            check(traffic, step, out, at + i, value(of, first + i));
          }
        }
        return;
      }
      Row row = kind == Kind.BCAST ? in : out;
      int count = kind == Kind.BCAST ? given() : inPlace && kind == Kind.SCATTER ? 0 : taken();
      for (int i = 0; i < count; i++) {
        check(traffic, step, row, i, isTaken() ? expected(i) : inPlace ? value(seat.rank, i) : ~base);
      }
    }

    private void check(Traffic traffic, int step, Row row, int index, long expected) {
      if (row.get(index) != expected) {
        throw new IllegalStateException(
            "rank %d: wrong contents: long %d of a %s of %d%s%s, root %d (step %d, seed %d, round %d)".formatted(
                seat.rank, index, kind, longs, byParts ? " by parts" : "", inPlace ? " in place" : "", root, step,
                traffic.seed(), traffic.round()));
      }
    }

    /** Whether this rank gets something. */
    private boolean isTaken() {
      return switch (kind) {
        case BARRIER -> false;
        case REDUCE, GATHER -> seat.rank == root;
        case EXSCAN -> seat.rank > 0;
        default -> true;
      };
    }

    /** What it gets, where that is not a part of each. */
    private long expected(int index) {
      int rank = seat.rank;
      return switch (kind) {
        case BCAST -> value(root, index);
        case SCAN -> sum(rank + 1, index);
        case EXSCAN -> sum(rank, index);
        case REDUCE_SCATTER -> sum(ranks, before(rank, rank) + index);
        case SCATTER -> value(root, before(root, rank) + index);
        default -> sum(ranks, index);
      };
    }
  }
}
