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
    private int longs; // of a part
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
      in = ins[seat.chance.nextInt(2)];
      out = outs[seat.chance.nextInt(2)];
      for (int i = 0; i < given(); i++) {
        in.set(i, value(seat.rank, i));
      }
      for (int i = 0; i < taken(); i++) {
        out.set(i, ~base);
      }
    }

    private int given() {
      return kind.givesToEach() ? longs * ranks : longs;
    }

    private int taken() {
      return kind.takesOfEach() ? longs * ranks : longs;
    }

    private long value(int rank, int index) {
      return base + rank * STEP + index;
    }

    /** Of the first ranks together. */
    private long sum(int of, int index) {
      return of * (base + index) + STEP * of * (of - 1) / 2;
    }

    void begin(int form) {
      Data from = in.data(given());
      Data to = out.data(taken());
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
        case REDUCE_SCATTER -> seat.world.reduceScatterBlock(from, to, Op.SUM);
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
        case REDUCE_SCATTER -> seat.world.ireduceScatterBlock(from, to, Op.SUM);
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
        case REDUCE_SCATTER -> seat.world.reduceScatterBlockInit(from, to, Op.SUM);
        case GATHER -> seat.world.gatherInit(from, to, root);
        case SCATTER -> seat.world.scatterInit(from, to, root);
        case ALLGATHER -> seat.world.allgatherInit(from, to);
        case ALLTOALL -> seat.world.alltoallInit(from, to);
      };
    }

    /** Fails when a long is not what it is to be. */
    void check(Traffic traffic, int step) {
      Row row = kind == Kind.BCAST ? in : out;
      int count = kind == Kind.BCAST ? given() : taken();
      for (int i = 0; i < count; i++) {
        if (row.get(i) != expected(i)) {
          throw new IllegalStateException(
              "rank %d: wrong contents: long %d of a %s of %d, root %d (step %d, seed %d, round %d)".formatted(
                  seat.rank, i, kind, longs, root, step, traffic.seed(), traffic.round()));
        }
      }
    }

    private long expected(int index) {
      int rank = seat.rank;
      boolean isTaken = switch (kind) {
        case BARRIER -> false;
        case REDUCE, GATHER -> rank == root;
        case EXSCAN -> rank > 0;
        default -> true;
      };
      if (!isTaken) {
        return ~base;
      }
      return switch (kind) {
        case BCAST -> value(root, index);
        case SCAN -> sum(rank + 1, index);
        case EXSCAN -> sum(rank, index);
        case REDUCE_SCATTER -> sum(ranks, rank * longs + index);
        case GATHER, ALLGATHER -> value(index / longs, index % longs);
        case SCATTER -> value(root, rank * longs + index);
        case ALLTOALL -> value(index / longs, rank * longs + index % longs);
        default -> sum(ranks, index);
      };
    }
  }
}
