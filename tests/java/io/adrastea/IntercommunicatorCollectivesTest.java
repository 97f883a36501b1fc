package io.adrastea;

import static io.adrastea.Communicator.NO_RANK;
import static io.adrastea.Intercommunicator.ROOT;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.collective.NaiveCollectives.Arithmetic;
import io.adrastea.collective.NaiveCollectives;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collectives of intercommunicators do what naive ones over messages do, in all forms; and what is wrong with them is
 * told.
 */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java", "jni,jna,ffm,java"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IntercommunicatorCollectivesTest {
  private static final int TAG = 9;
  private static final int[][] SIZES = {{1, 1}, {1, 3}, {2, 2}, {3, 1}};
  private static final int ROUNDS = 20;
  private static final int MOST = 7; // outstanding: more than the core has under way

  private static final List<Datatype> TYPES = List.of(Datatype.SHORT, Datatype.INT, Datatype.LONG, Datatype.BYTE);

  private static final List<Arithmetic> OPS =
      List.of(
          new Arithmetic(Op.SUM, Long::sum, null),
          new Arithmetic(Op.MAX, Math::max, null),
          new Arithmetic(Op.ofLongs((a, b) -> 3 * a - b, false), (a, b) -> 3 * a - b, null));

  /** What a rank does with its intercommunicator. */
  private interface Body {
    void run(Job job, Intercommunicator inter) throws Exception;
  }

  @Parameter
  String cores;

  private void run(int low, int high, Body body) throws Exception {
    Ranks.run(cores, low + high, job -> {
      try (Intercommunicator inter = join(job, low)) {
        body.run(job, inter);
        job.world().barrier();
      }
    });
  }

  /** The lower ranks of the job are one group, the others the other. */
  private static Intercommunicator join(Job job, int low) {
    boolean isLow = job.world().rank() < low;
    try (Communicator local = job.world().split(isLow ? 0 : 1, 0)) {
      return Intercommunicator.create(local, 0, job.world(), isLow ? low : 0, TAG);
    }
  }

  /** One collective as one rank calls it, in three forms, and what its output is to hold. */
  private record Collective(
      String name, Runnable call, Function<Request, Request> start, Supplier<Request> prepare, Data out,
      byte[] expected) {
    void check(Job job) {
      if (out != null) {
        byte[] got = new byte[(int) out.bytes()];
        out.placement().copyTo(job.world().engine().spaces(), MemorySegment.ofArray(got), 0);
        assertArrayEquals(expected, got, name);
      }
    }
  }

  /** Makes collectives of chance, the same ones at all ranks. */
  private static final class Maker {
    private final Job job;
    private final Intercommunicator inter;
    private final SplittableRandom same;
    private final SplittableRandom own;
    private final int firsts; // ranks of the group of job rank 0
    private final boolean isFirst;

    Maker(Job job, Intercommunicator inter, int firsts, long seed) {
      this.job = job;
      this.inter = inter;
      this.firsts = firsts;
      this.isFirst = job.world().rank() < firsts;
      this.same = new SplittableRandom(seed);
      this.own = new SplittableRandom(100 + job.world().rank());
    }

    private int size() {
      return switch (same.nextInt(6)) {
        case 0 -> 0;
        case 1 -> same.nextInt(40_000);
        case 2 -> same.nextInt(700);
        default -> same.nextInt(9);
      };
    }

    private Data data(byte[] contents, Datatype type) {
      long count = contents.length / type.size();
      Data data = switch (own.nextInt(4)) {
        case 0 -> Data.of(Arena.ofAuto().allocate(contents.length + 1), 0, count, type);
        case 1 -> Data.of(job.allocate(contents.length + 1, 64), 0, count, type);
        case 2 -> Data.of(Arena.ofAuto().allocate(2L * contents.length + 1), 0, count,
            type.resized(0, 2 * type.size()));
        default -> Data.of(new byte[contents.length], 0, count, type);
      };
      data.placement().copyFrom(job.world().engine().spaces(), MemorySegment.ofArray(contents), 0, contents.length);
      return data;
    }

    private Data place(int bytes) {
      return data(new byte[bytes], Datatype.BYTE);
    }

    private byte[] contents(int bytes) {
      byte[] contents = new byte[bytes];
      new Random(own.nextLong()).nextBytes(contents);
      return contents;
    }

    /** Each rank gives each of the remote group an array; what came of them. */
    private byte[][] exchanged(byte[][] given) {
      Request[] sends = new Request[given.length];
      for (int rank = 0; rank < given.length; rank++) {
        sends[rank] = inter.isend(Data.of(given[rank]), rank, TAG);
      }
      byte[][] got = new byte[given.length][];
      for (int rank = 0; rank < given.length; rank++) {
        got[rank] = new byte[(int) inter.probe(rank, TAG).bytes()];
        inter.recv(Data.of(got[rank]), rank, TAG);
      }
      Request.waitAll(sends);
      return got;
    }

    private byte[][] exchanged(byte[] given) {
      byte[][] all = new byte[inter.remoteSize()][];
      Arrays.fill(all, given);
      return exchanged(all);
    }

    private static byte[] joined(byte[]... parts) {
      byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      return all;
    }

    private static Data cut(Data whole, byte[]... parts) {
      int[] counts = Arrays.stream(parts).mapToInt(part -> part.length).toArray();
      int[] displacements = new int[counts.length];
      for (int i = 1; i < counts.length; i++) {
        displacements[i] = displacements[i - 1] + counts[i - 1];
      }
      return Data.parts(whole, counts, displacements);
    }

    Collective next() {
      boolean ofFirst = same.nextBoolean(); // the root is in the group of job rank 0
      int rootRank = same.nextInt(ofFirst ? firsts : job.world().size() - firsts);
      boolean near = ofFirst == isFirst;
      int root = !near ? rootRank : inter.rank() == rootRank ? ROOT : NO_RANK;
      int kind = same.nextInt(9);
      int bytes = size();
      boolean byParts = same.nextBoolean();
      return switch (kind) {
        case 0 -> bcast(root, bytes);
        case 1 -> gather(root, bytes, byParts);
        case 2 -> scatter(root, bytes, byParts);
        case 3 -> allgather(bytes, byParts);
        case 4 -> alltoall(bytes, byParts);
        default -> reduction(kind, root, bytes);
      };
    }

    private Collective bcast(int root, int bytes) {
      byte[] mine = contents(bytes);
      byte[][] theirs = exchanged(mine);
      Data data = root == NO_RANK ? null : root == ROOT ? data(mine, Datatype.BYTE) : place(bytes);
      return new Collective(
          "bcast of %d to root %d".formatted(bytes, root), () -> inter.bcast(data, root),
          request -> inter.started(request).bcast(data, root), () -> inter.bcastInit(data, root),
          root < 0 ? null : data,
          root < 0 ? null : theirs[root]);
    }

    private int length(int bytes, boolean byParts) {
      return byParts ? own.nextInt(3) == 0 ? 0 : own.nextInt(bytes + 2) : bytes;
    }

    private Collective gather(int root, int bytes, boolean byParts) {
      byte[] mine = contents(length(bytes, byParts));
      byte[][] theirs = exchanged(mine);
      Data in = root < 0 ? null : data(mine, Datatype.BYTE);
      Data whole = root == ROOT ? place(joined(theirs).length) : null;
      Data out = whole != null && byParts ? cut(whole, theirs) : whole;
      return new Collective(
          "gather of %d at root %d".formatted(bytes, root), () -> inter.gather(in, out, root),
          request -> inter.started(request).gather(in, out, root), () -> inter.gatherInit(in, out, root), whole,
          joined(theirs));
    }

    private Collective scatter(int root, int bytes, boolean byParts) {
      byte[][] mine = blocks(bytes, byParts);
      byte[][] theirs = exchanged(mine);
      Data whole = root == ROOT ? data(joined(mine), Datatype.BYTE) : null;
      Data in = whole != null && byParts ? cut(whole, mine) : whole;
      Data out = root < 0 ? null : place(theirs[root].length);
      return new Collective(
          "scatter of %d from root %d".formatted(bytes, root), () -> inter.scatter(in, out, root),
          request -> inter.started(request).scatter(in, out, root), () -> inter.scatterInit(in, out, root), out,
          root < 0 ? null : theirs[root]);
    }

    private byte[][] blocks(int bytes, boolean byParts) {
      byte[][] blocks = new byte[inter.remoteSize()][];
      Arrays.setAll(blocks, i -> contents(length(bytes, byParts)));
      return blocks;
    }

    private Collective allgather(int bytes, boolean byParts) {
      byte[] mine = contents(byParts ? length(bytes, true) : isFirst ? bytes : bytes / 2);
      byte[][] theirs = exchanged(mine);
      Data in = data(mine, Datatype.BYTE);
      Data whole = place(joined(theirs).length);
      Data out = byParts ? cut(whole, theirs) : whole;
      return new Collective(
          "allgather of " + bytes, () -> inter.allgather(in, out), request -> inter.started(request).allgather(in, out),
          () -> inter.allgatherInit(in, out), whole, joined(theirs));
    }

    private Collective alltoall(int bytes, boolean byParts) {
      byte[][] mine = blocks(bytes, byParts);
      byte[][] theirs = exchanged(mine);
      Data from = data(joined(mine), Datatype.BYTE);
      Data whole = place(joined(theirs).length);
      Data in = byParts ? cut(from, mine) : from;
      Data out = byParts ? cut(whole, theirs) : whole;
      return new Collective(
          "alltoall of " + bytes, () -> inter.alltoall(in, out), request -> inter.started(request).alltoall(in, out),
          () -> inter.alltoallInit(in, out), whole, joined(theirs));
    }

    private Collective reduction(int kind, int root, int bytes) {
      Datatype type = TYPES.get(same.nextInt(TYPES.size()));
      Arithmetic arithmetic = OPS.get(same.nextInt(OPS.size()));
      int count = kind == 7 ? bytes / 8 * 6 : bytes; // any group divides it
      byte[] mine = contents(count * (int) type.size());
      byte[] result = reduced(exchanged(mine), type, arithmetic);
      Op op = arithmetic.op();
      String name = "%d, reduction of %d %s by %s, root %d".formatted(kind, count, type, op, root);
      if (kind == 5) {
        Data in = root < 0 ? null : data(mine, type);
        Data out = root == ROOT ? data(new byte[mine.length], type) : null;
        return new Collective(
            name, () -> inter.reduce(in, out, op, root), request -> inter.started(request).reduce(in, out, op, root),
            () -> inter.reduceInit(in, out, op, root), out, result);
      }
      if (kind == 8) {
        return intoParts(name, mine, result, type, op);
      }
      Data in = data(mine, type);
      if (kind == 6) {
        Data out = data(new byte[mine.length], type);
        return new Collective(
            name, () -> inter.allreduce(in, out, op), request -> inter.started(request).allreduce(in, out, op),
            () -> inter.allreduceInit(in, out, op), out, result);
      }
      int block = mine.length / inter.size();
      Data out = data(new byte[block], type);
      return new Collective(
          name, () -> inter.reduceScatterBlock(in, out, op),
          request -> inter.started(request).reduceScatterBlock(in, out, op),
          () -> inter.reduceScatterBlockInit(in, out, op),
          out, Arrays.copyOfRange(result, inter.rank() * block, (inter.rank() + 1) * block));
    }

    /** Parts that the ranks of a group all draw alike, in the input in any order. */
    private Collective intoParts(String name, byte[] mine, byte[] result, Datatype type, Op op) {
      int ranks = inter.size();
      int size = (int) type.size();
      SplittableRandom ofGroup = new SplittableRandom(same.nextInt() + (isFirst ? 1 : 0));
      int[] ends = ofGroup.ints(ranks - 1, 0, mine.length / size + 1).sorted().toArray();
      int[] firsts = new int[ranks];
      int[] counts = new int[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        firsts[rank] = rank == 0 ? 0 : ends[rank - 1];
        counts[rank] = (rank == ranks - 1 ? mine.length / size : ends[rank]) - firsts[rank];
      }
      int[] displacements = firsts.clone();
      byte[] placed = mine;
      if (ranks > 1 && own.nextBoolean()) { // the first part lies behind the others
        displacements[0] = mine.length / size - counts[0];
        for (int rank = 1; rank < ranks; rank++) {
          displacements[rank] -= counts[0];
        }
        placed = joined(Arrays.copyOfRange(mine, counts[0] * size, mine.length),
            Arrays.copyOf(mine, counts[0] * size));
      }
      Data in = Data.parts(data(placed, type), counts, displacements);
      int from = firsts[inter.rank()] * size;
      int to = from + counts[inter.rank()] * size;
      Data out = data(new byte[to - from], type);
      return new Collective(
          name, () -> inter.reduceScatter(in, out, op), request -> inter.started(request).reduceScatter(in, out, op),
          () -> inter.reduceScatterInit(in, out, op), out, Arrays.copyOfRange(result, from, to));
    }

    private static byte[] reduced(byte[][] operands, Datatype type, Arithmetic arithmetic) {
      byte[] result = operands[0].clone();
      for (int rank = 1; rank < operands.length; rank++) {
        for (int at = 0; at < result.length; at += (int) type.size()) {
          arithmetic.combine(type, MemorySegment.ofArray(result), at, MemorySegment.ofArray(operands[rank]), at);
        }
      }
      return result;
    }
  }

  @Test
  void areWhatNaiveOnesAre() throws Exception {
    for (int[] sizes : SIZES) {
      run(sizes[0], sizes[1], (job, inter) -> {
        Maker maker = new Maker(job, inter, sizes[0], sizes[0]);
        for (int round = 0; round < ROUNDS; round++) {
          Collective one = maker.next();
          one.call().run();
          one.check(job);
        }
      });
    }
  }

  @Test
  void startedAndPersistentOnesEndInAnyOrder() throws Exception {
    for (int[] sizes : SIZES) {
      run(sizes[0], sizes[1], (job, inter) -> {
        Maker maker = new Maker(job, inter, sizes[0], 10 + sizes[0]);
        for (int round = 0; round < ROUNDS / 3; round++) {
          List<Collective> all = new ArrayList<>();
          int count = maker.same.nextInt(1, MOST);
          for (int i = 0; i < count; i++) {
            all.add(maker.next());
          }
          boolean persistent = maker.same.nextInt(3) == 0;
          List<Request> requests = new ArrayList<>();
          for (Collective one : all) {
            requests.add(persistent ? one.prepare().get() : new Request());
          }
          for (int again = 0; again < (persistent ? 2 : 1); again++) {
            for (int i = 0; i < count; i++) {
              assertNotNull(persistent ? requests.get(i).start() : all.get(i).start().apply(requests.get(i)));
            }
            inter.barrier();
            List<Request> order = new ArrayList<>(requests);
            Collections.shuffle(order, new Random(maker.own.nextLong()));
            order.forEach(Request::await);
            all.forEach(one -> one.check(job));
          }
        }
      });
    }
  }

  /** Elements of 12 bytes, which stripes keep whole, and more of them than are combined at a time. */
  @Test
  void anOperatorOfTheProgramGetsWholeElements() throws Exception {
    Datatype three = Datatype.contiguous(3, Datatype.INT);
    Op op = Op.of((left, right, count, type) -> {
      assertEquals(three, type);
      for (long at = 0; at < 12 * count; at += 12) {
        int a = left.get(InPlace.INT, at);
        left.set(InPlace.INT, at + 4, a * right.get(InPlace.INT, at + 4) + left.get(InPlace.INT, at + 4));
        left.set(InPlace.INT, at, a * right.get(InPlace.INT, at));
      }
    }, false);
    int count = 50_001;
    run(3, 1, (job, inter) -> {
      int[] mine = IntStream.range(0, 3 * count).map(i -> i * 7 + job.world().rank()).toArray();
      int[] got = new int[3 * count];
      inter.allreduce(Data.of(mine, 0, count, three), Data.of(got, 0, count, three), op);
      int[] expected = new int[3 * count];
      for (int i = 0; i < 3 * count; i += 3) {
        int first = inter.size() == 3 ? 3 : 0;
        int a = i * 7 + first;
        int b = (i + 1) * 7 + first;
        for (int rank = 1; rank < inter.remoteSize(); rank++) {
          b = a * ((i + 1) * 7 + rank) + b;
          a = a * (i * 7 + rank);
        }
        expected[i] = a;
        expected[i + 1] = b;
        expected[i + 2] = (i + 2) * 7 + first;
      }
      assertArrayEquals(expected, got);
    });
  }

  @Test
  void startedOnesMakeNoGarbage() throws Exception {
    Function<Communicator, Runnable> part = world -> {
      Communicator alone = world.split(world.rank(), 0);
      Intercommunicator inter = Intercommunicator.create(alone, 0, world, 1 - world.rank(), TAG);
      Request request = new Request();
      Request second = new Request();
      Data in = Data.of(new long[2]);
      Data out = Data.of(new long[2]);
      Data other = Data.of(new long[2]);
      int root = world.rank() == 0 ? ROOT : 0;
      return Garbage.each(i -> {
        switch (i % 5) {
          case 0 -> inter.started(request).bcast(in, root).await();
          case 1 -> inter.started(request).allgather(in, out).await();
          case 2 -> inter.started(request).allreduce(in, out, Op.SUM).await();
          case 3 -> {
            inter.started(request).allreduce(in, out, Op.SUM);
            inter.started(second).allreduce(in, other, Op.MAX).await();
            request.await();
          }
          default -> inter.reduce(in, out, Op.SUM, root);
        }
      });
    };
    Garbage.check(cores, 5 * Garbage.BATCH, part, part);
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnythingIsBegun() throws Exception {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    Data four = Data.of(new int[4]);
    run(1, 3, (job, inter) -> {
      int most = inter.remoteSize() - 1;
      String roots =
          "root %d of a bcast of an intercommunicator; the remote group has ranks 0 to %d".formatted(most + 1,
              most);
      refuses(illegal, roots, () -> inter.bcast(four, most + 1));
      refuses(illegal, "root -9 of a gather", () -> inter.gather(four, four, -9));
      refuses(illegal, "root -9 of a scatter", () -> inter.iscatter(four, four, -9));
      refuses(illegal, "root -9 of a reduce", () -> inter.reduceInit(four, four, Op.SUM, -9));
      refuses(illegal, "IN_PLACE in a collective of an intercommunicator",
          () -> inter.allreduce(Data.IN_PLACE, four, Op.SUM));
      refuses(illegal, "IN_PLACE", () -> inter.allgather(Data.IN_PLACE, four));
      refuses(illegal, "the same number of elements", () -> inter.allreduce(Data.of(new int[3]), four, Op.SUM));
      refuses(illegal, "NO_OP", () -> inter.reduce(four, four, Op.NO_OP, NO_RANK));
      refuses(illegal, "reduceScatterBlock of", () -> inter.reduceScatterBlock(
          four, Data.of(new int[inter.size() == 1 ? 4 : 2]), Op.SUM));
      refuses(illegal, "name each rank's part by Data.parts", () -> inter.reduceScatter(four, four, Op.SUM));
      refuses(illegal, "reduceScatter with 2 parts, and %d ranks in the local group".formatted(inter.size()),
          () -> inter.reduceScatter(Data.parts(four, new int[2], new int[2]), four, Op.SUM));
      refuses(NullPointerException.class, "null", () -> inter.bcast(null, ROOT));
      refuses(NullPointerException.class, "null", () -> inter.gather(null, four, 0));
      refuses(NullPointerException.class, "null", () -> inter.alltoall(Data.of(new int[3]), null));
      if (most == 2) {
        refuses(illegal, "gather with 16 bytes for 3 ranks in the remote group", () -> inter.gather(null, four, ROOT));
        refuses(illegal, "alltoall with 2 parts, and 3 ranks in the remote group",
            () -> inter.alltoall(Data.parts(four, new int[2], new int[2]), four));
        refuses(illegal, "overlaps another one",
            () -> inter.allgather(four, Data.parts(four, new int[] {2, 2, 1}, new int[] {0, 1, 3})));
      }
      inter.barrier();
    });
  }

  /** A way to disagree, and what is told of it. */
  private void disagree(int low, int high, String said, Body body) throws Exception {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    run(low, high, (job, inter) -> {
      try (Intercommunicator one = inter.dup()) {
        CollectiveException failure = assertThrows(CollectiveException.class, () -> {
          body.run(job, one);
          one.barrier();
        });
        told.add(failure.getMessage());
        refuses(CollectiveException.class, "barrier of rank", one::barrier);
      }
      inter.barrier();
    });
    assertTrue(told.stream().anyMatch(message -> message.contains(said)), () -> said + " is not in " + told);
  }

  @Test
  void ranksThatNameDifferentRootsAreTold() throws Exception {
    Data data = Data.of(new byte[100]);
    disagree(2, 2, "gives 100 bytes to rank", (job, inter) -> inter.bcast(data, inter.rank() == 0 ? ROOT : NO_RANK));
    disagree(1, 1, "gives 100 bytes to rank", (job, inter) -> inter.bcast(data, ROOT));
    disagree(1, 2, "gives 0 bytes to rank", (job, inter) -> inter.bcast(data, inter.size() == 2 ? 0 : NO_RANK));
    disagree(2, 1, "bytes to rank 2, which expects", (job, inter) -> inter.bcast(data,
        inter.size() == 1 ? 1 : inter.rank() == 0 ? ROOT : NO_RANK));
    disagree(2, 2, "gives", (job, inter) -> inter.reduce(data, data, Op.BXOR, ROOT));
    disagree(2, 2, "gives 50 bytes to rank", (job, inter) -> inter.reduce(data, data, Op.BXOR, inter.rank()));
  }

  @Test
  void ranksThatCallOtherCollectivesAreTold() throws Exception {
    Data data = Data.of(new byte[8]);
    disagree(1, 2, "calls allgather", (job, inter) -> {
      if (inter.size() == 1) {
        inter.bcast(data, ROOT);
      } else {
        inter.allgather(data, data);
      }
    });
    disagree(2, 1, "calls barrier", (job, inter) -> {
      if (job.world().rank() == 1) {
        inter.barrier();
      } else {
        inter.iallreduce(data, Data.of(new byte[8]), Op.BOR).await();
      }
    });
    disagree(1, 3, "gives", (job, inter) -> { // of few elements here, of many there
      int count = inter.size() == 1 ? 4000 : 100;
      inter.allreduce(Data.of(new byte[count]), Data.of(new byte[count]), Op.BOR);
    });
    disagree(2, 2, "calls allreduce, SUM on elements of type ", (job, inter) -> {
      Data in = job.world().rank() == 2 ? Data.of(new float[600]) : Data.of(new int[600]);
      inter.allreduce(in, job.world().rank() == 2 ? Data.of(new float[600]) : Data.of(new int[600]), Op.SUM);
    });
    disagree(2, 1, "calls reduce, MAX", (job, inter) -> inter.reduce(
        data, data, job.world().rank() == 1 ? Op.MAX : Op.MIN, inter.size() == 2 ? 0 : ROOT));
    disagree(1, 2, "calls reduceScatter, an operator of its own", (job, inter) -> {
      Op own = Op.ofLongs((a, b) -> a, true);
      inter.reduceScatterBlock(
          Data.of(new long[2]), Data.of(new long[2 / inter.size()]), inter.size() == 1 ? own : Op.SUM);
    });
    disagree(1, 1, "which expects 7", (job, inter) -> inter.allreduce(
        Data.of(new byte[7 + job.world().rank()]), Data.of(new byte[7 + job.world().rank()]), Op.BOR));
  }

  @Test
  void anOperatorThatThrowsEndsItOnAll() throws Exception {
    run(2, 1, (job, inter) -> {
      try (Intercommunicator one = inter.dup()) {
        Op op = Op.ofLongs((a, b) -> {
          throw new IllegalStateException("on purpose");
        }, true);
        Request request = new Request();
        Data longs = Data.of(new long[4]);
        RuntimeException failure = assertThrows(RuntimeException.class, () -> {
          one.started(request).reduce(longs, longs, op, one.size() == 1 ? ROOT : 0).await();
        });
        assertTrue(failure instanceof CollectiveException || failure.getMessage().contains("on purpose"),
            failure::getMessage);
        assertThrows(CollectiveException.class, () -> one.reduce(longs, longs, op, one.size() == 1 ? ROOT : 0));
      }
      inter.barrier();
    });
  }

  @Test
  void aRankThatHasFailedEndsAllKinds() throws Exception {
    FailingRanks.run(cores, 4, (job, cause) -> {
      Intercommunicator first = join(job, 2);
      List<Intercommunicator> each = IntStream.range(0, 9).mapToObj(kind -> first.dup()).toList();
      first.barrier();
      if (job.world().rank() == FailingRanks.GONE) {
        throw cause;
      }
      for (int kind = 0; kind < 9; kind++) {
        fails(job, each.get(kind), kind);
      }
    });
  }

  private static void fails(Job job, Intercommunicator inter, int kind) {
    Data half = Data.of(new long[8]);
    Data data = Data.of(new long[16]);
    Data out = Data.of(new long[16]);
    int root = job.world().rank() == 0 ? ROOT : 0; // the other one of its group is gone
    Supplier<Request> start = () -> switch (kind) {
      case 0 -> inter.ibcast(data, root);
      case 1 -> inter.igather(half, out, root);
      case 2 -> inter.iscatter(data, half, root);
      case 3 -> inter.iallgather(half, out);
      case 4 -> inter.ialltoall(data, out);
      case 5 -> inter.ireduce(data, out, Op.SUM, root);
      case 6 -> inter.iallreduce(data, out, Op.SUM);
      case 7 -> inter.ireduceScatterBlock(data, half, Op.SUM);
      default -> inter.ireduceScatter(Data.parts(data, new int[] {8, 8}, new int[] {0, 8}), half, Op.SUM);
    };
    assertThrows(RankFailedException.class, () -> {
      Request one = start.get();
      Request other = start.get();
      assertThrows(RankFailedException.class, one::await);
      other.await();
    });
    assertThrows(RankFailedException.class, () -> inter.allreduce(data, out, Op.SUM));
  }

  @Test
  void oneThatWasInterruptedIsTheLast() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    run(1, 2, (job, inter) -> {
      try (Intercommunicator one = inter.dup()) {
        Data data = Data.of(new long[6]);
        if (inter.size() == 1) {
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, () -> one.allreduce(data, Data.of(new long[6]), Op.SUM));
          assertTrue(Thread.interrupted());
          interrupted.countDown();
        } else {
          Ranks.await(interrupted);
          assertThrows(CollectiveException.class, () -> {
            one.allreduce(data, Data.of(new long[6]), Op.SUM); // may have all that it needs
            one.barrier();
          });
        }
        assertThrows(CollectiveException.class, one::barrier);
      }
      inter.barrier();
    });
  }
}
