package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.RevokedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Collectives of Java ranks beside C ranks: drawn at random, the same ones at all ranks, and checked. Arguments:
 * {@code operator}: this rank calls with an operator of its own; or {@code mixed}, rounds, and {@code survivors}, after
 * these: the last rank leaves, and the others go on without it.
 */
public final class CollectiveRank {
  private static final int COMMS = 3;
  private static final int MOST_WORDS = 20_000;
  private static final long WORD = Long.BYTES;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private record Members(Communicator comm, int... ranks) {}

  private final List<Members> all;
  private final int self;
  private final MemorySegment in;
  private final MemorySegment out;
  private final MemorySegment part;

  private CollectiveRank(Job job, Arena arena) {
    Communicator world = job.world();
    int size = world.size();
    self = world.rank();
    Communicator twin = world.dup();
    Communicator half = twin.split(self % 2, size - self);
    int[] ranks = IntStream.range(0, size).toArray();
    all = List.of(new Members(world, ranks), new Members(twin, ranks),
        new Members(half, IntStream.range(0, size).map(rank -> size - 1 - rank).filter(rank -> rank % 2 == self % 2)
            .toArray()));
    in = arena.allocate(MOST_WORDS * WORD, WORD);
    out = arena.allocate(MOST_WORDS * WORD * size, WORD);
    part = arena.allocate(MOST_WORDS * WORD, WORD);
  }

  public static void main(String[] args) {
    try (Job job = Job.join();
        Arena arena = Arena.ofConfined()) {
      CollectiveRank rank = new CollectiveRank(job, arena);
      if (args[0].equals("mixed")) {
        for (long round = 0; round < Long.parseLong(args[1]); round++) {
          rank.run(round);
        }
        System.out.println("%s: %s rounds".formatted(job.core(), args[1])); // in one write, which others leave whole
        rank.goOnWithoutTheLast();
        System.out.println(job.core() + ": survived");
      } else {
        rank.callWithAnOperatorOfItsOwn();
      }
      rank.all.get(1).comm.close();
    }
  }

  private static long number(int rank, long round) {
    return round * 1000 + rank;
  }

  /** One of {@code most}, of what is drawn for a round. */
  private static int drawn(long round, int index, int most) {
    return (int) Long.remainderUnsigned(Filling.word(round, index), most);
  }

  private void run(long round) {
    Members members = all.get(drawn(round, 1, COMMS));
    int choice = drawn(round, 2, 3);
    long words = drawn(round, 3, choice == 0 ? 7 : choice == 1 ? 512 : MOST_WORDS);
    switch (drawn(round, 0, 4)) {
      case 0 -> members.comm.barrier();
      case 1 -> broadcast(members, words, drawn(round, 4, members.ranks.length), round);
      case 2 -> reduce(members, (int) words, drawn(round, 4, 3), round);
      default -> gather(members, words, round);
    }
  }

  private void broadcast(Members members, long words, int root, long round) {
    MemorySegment bytes = out.asSlice(0, words * WORD);
    Filling.write(bytes, number(self, round));
    members.comm.bcast(Data.of(bytes), root);
    Filling.check(bytes, number(members.ranks[root], round), "the bcast of round " + round);
  }

  private void gather(Members members, long words, long round) {
    MemorySegment own = in.asSlice(0, words * WORD);
    Filling.write(own, number(self, round));
    MemorySegment parts = out.asSlice(0, words * WORD * members.ranks.length);
    members.comm.allgather(Data.of(own), Data.of(parts));
    for (int rank = 0; rank < members.ranks.length; rank++) {
      Filling.check(parts.asSlice(rank * words * WORD, words * WORD), number(members.ranks[rank], round),
          "part %d of the allgather of round %d".formatted(rank, round));
    }
  }

  /** Sums of integers, sums of doubles, the greatest doubles; an allreduce, a reduce, a scan, an exscan, by parts. */
  private void reduce(Members members, int most, int way, long round) {
    int kind = drawn(round, 5, 5);
    int size = members.ranks.length;
    int rank = members.comm.rank();
    long[] counts = LongStream.range(0, size).map(part -> drawn(round, 8 + (int) part, most / size + 1)).toArray();
    long[] starts = LongStream.range(0, size).map(part -> LongStream.of(counts).limit(part).sum()).toArray();
    int words = kind == 4 ? (int) (starts[size - 1] + counts[size - 1]) : most;
    writeOperand(in, words, way, number(self, round));
    Datatype type = way == 0 ? Datatype.LONG : Datatype.DOUBLE;
    Op op = way == 2 ? Op.MAX : Op.SUM;
    Data from = Data.of(in, 0, words, type);
    Data to = Data.of(out, 0, words, type);
    int root = drawn(round, 6, size);
    switch (kind) {
      case 0 -> members.comm.allreduce(from, to, op);
      case 1 -> members.comm.reduce(from, to, op, root);
      case 2 -> members.comm.scan(from, to, op);
      case 3 -> members.comm.exscan(from, to, op);
      default -> members.comm.reduceScatter(Data.parts(from, counts, starts), to.part(0, counts[rank]), op);
    }
    long[] expected = new long[words];
    int until = kind == 2 ? rank + 1 : kind == 3 ? rank : size;
    for (int other = 0; other < until; other++) {
      writeOperand(part, words, way, number(members.ranks[other], round));
      for (int i = 0; i < words; i++) {
        long word = part.getAtIndex(LONG, i);
        expected[i] = other == 0 ? word : combined(way, expected[i], word);
      }
    }
    long begin = kind == 4 ? starts[rank] : 0;
    boolean gets = kind == 1 ? rank == root : kind != 3 || rank > 0;
    long end = kind == 4 ? begin + counts[rank] : gets ? words : 0;
    for (long i = begin; i < end; i++) {
      must(expected[(int) i] == out.getAtIndex(LONG, i - begin),
          "element %d of reduction %d of round %d".formatted(i, kind, round));
    }
  }

  private static void writeOperand(MemorySegment to, long words, int way, long number) {
    Filling.write(to.asSlice(0, words * WORD), number);
    for (int i = 0; way > 0 && i < words; i++) {
      to.setAtIndex(LONG, i, Double.doubleToRawLongBits(to.getAtIndex(LONG, i) * 0x1p-40));
    }
  }

  private static long combined(int way, long a, long b) {
    double x = Double.longBitsToDouble(a);
    double y = Double.longBitsToDouble(b);
    return switch (way) {
      case 0 -> a + b;
      case 1 -> Double.doubleToRawLongBits(x + y);
      default -> x > y ? a : b;
    };
  }

  private void goOnWithoutTheLast() {
    Communicator comm = all.get(1).comm;
    int size = comm.size();
    for (int round = 0; round < 100; round++) {
      must(comm.agree(round | 1 << 8 + self) == round, "what is agreed on");
    }
    if (self == size - 1) {
      return;
    }
    must(comm.agree(self == 0 ? 3 : 6) == (size == 2 ? 3 : 2), "the flags of those that live");
    if (self == size - 2) {
      comm.revoke();
    }
    try (Communicator rest = comm.shrink()) {
      must(rest.size() == size - 1 && rest.rank() == self, "the communicator of those that live");
      must(rest.allreduce(1, Op.SUM) == size - 1, "their sum");
    }
    try {
      comm.barrier();
    } catch (RevokedException e) {
      return;
    }
    must(false, "the barrier of what was revoked");
  }

  private static void must(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException(what + " is wrong");
    }
  }

  /** A C rank cannot run it: all are told, and the world goes on. */
  private void callWithAnOperatorOfItsOwn() {
    try {
      all.get(1).comm.allreduce(1.0, Op.ofDoubles(Double::sum, true));
      System.out.println("?: nothing was thrown");
    } catch (CollectiveException e) {
      System.out.println("refused: " + e.getMessage());
    }
    all.get(0).comm.barrier();
  }
}
