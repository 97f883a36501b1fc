package io.adrastea.collective;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Request;
import io.adrastea.datatype.DrawnLongs;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

/**
 * One collective of one rank, drawn by chance, of which each rank knows what all others give: so what comes is compared
 * with what is to come without a message. Kind, root, lengths and operator are drawn alike at all ranks, places of
 * memory by each for itself.
 */
public final class SomeCollective implements DrawnCollective {
  private static final long STEP = 1_000_003;
  private static final int FEW = 7; // longs, of which some fit a line
  private static final int SOME = 700; // which fit a stage
  private static final List<Combination> COMBINATIONS =
      List.of(
          new Combination(Op.SUM, Long::sum), new Combination(Op.MAX, Math::max),
          new Combination(Op.ofLongs((a, b) -> 3 * a - b, false), (a, b) -> 3 * a - b));

  private record Combination(Op op, LongBinaryOperator longs) {}

  private final CollectiveKind kind;
  private final Communicator on;
  private final int root;
  private final int count;
  private final int seed;
  private final Combination combination;
  private final DrawnLongs in;
  private final DrawnLongs out;
  private final CollectiveKind.Arguments arguments;

  /** One of some kinds, of at most so many longs of a rank for each other. */
  public SomeCollective(
      Communicator on, List<CollectiveKind> kinds, int most, SplittableRandom same, SplittableRandom own) {
    this.on = on;
    this.kind = kinds.get(same.nextInt(kinds.size()));
    this.root = same.nextInt(on.size());
    this.count = switch (same.nextInt(6)) {
      case 0 -> same.nextInt(most);
      case 1 -> same.nextInt(Math.min(most, SOME));
      default -> same.nextInt(FEW);
    };
    this.seed = same.nextInt(1000);
    this.combination = COMBINATIONS.get(same.nextInt(COMBINATIONS.size()));
    boolean isReachable = same.nextBoolean(); // of all ranks, so that it may go straight from memory to memory
    this.in = DrawnLongs.of(isReachable, own, given(on.rank()).length);
    this.out = DrawnLongs.of(isReachable, own, expected(on.rank()).length);
    this.arguments = arguments();
    renew();
  }

  /** One whose memory is of an arena; the root is rank 0, and its parts are long. */
  public SomeCollective(Communicator on, CollectiveKind kind, int count, Arena arena) {
    this.on = on;
    this.kind = kind;
    this.root = 0;
    this.count = count;
    this.seed = 2;
    this.combination = COMBINATIONS.get(0);
    this.in = DrawnLongs.in(arena, 1, given(on.rank()).length);
    this.out = DrawnLongs.in(arena, 1, expected(on.rank()).length);
    this.arguments = arguments();
    renew();
  }

  private CollectiveKind.Arguments arguments() {
    return new CollectiveKind.Arguments(on, data(in, true), data(out, false), combination.op, root);
  }

  /** How many longs of a rank are for another one, in an exchange and in a reduce_scatter. */
  private int part(int from, int to) {
    return switch (kind) {
      case ALLTOALL_BY_PARTS -> uneven(from + 2 * to);
      case ALLGATHER_BY_PARTS -> uneven(from);
      case REDUCE_SCATTER -> uneven(to);
      case GATHER_BY_PARTS -> to == root ? uneven(from) : 0;
      case SCATTER_BY_PARTS -> from == root ? uneven(to) : 0;
      case GATHER -> to == root ? count : 0;
      case SCATTER -> from == root ? count : 0;
      default -> count;
    };
  }

  /** Returns how much a part has: some have nothing, others one element. */
  private int uneven(int which) {
    return switch ((which + seed) % 4) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> count;
      default -> count / 2;
    };
  }

  /** A row in the parts that a kind asks for. */
  private Data data(DrawnLongs row, boolean gives) {
    boolean inParts = switch (kind) {
      case ALLTOALL_BY_PARTS -> true;
      case REDUCE_SCATTER -> gives;
      case ALLGATHER_BY_PARTS -> !gives;
      case GATHER_BY_PARTS -> !gives && on.rank() == root;
      case SCATTER_BY_PARTS -> gives && on.rank() == root;
      default -> false;
    };
    if (!inParts) {
      return row.data();
    }
    return row.inParts(
        IntStream.range(0, on.size()).map(rank -> gives ? part(on.rank(), rank) : part(rank, on.rank())).toArray());
  }

  /** What a rank gives. */
  private long[] given(int rank) {
    int size = on.size();
    int longs = switch (kind) {
      case BARRIER -> 0;
      case ALLGATHER, ALLGATHER_BY_PARTS -> part(rank, rank);
      case GATHER, GATHER_BY_PARTS -> part(rank, root);
      case SCATTER, SCATTER_BY_PARTS, ALLTOALL, ALLTOALL_BY_PARTS, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK ->
        before(rank, size);
      default -> count;
    };
    long[] values = new long[longs];
    Arrays.setAll(values, i -> rank * STEP + seed * 77L + i);
    return values;
  }

  /** How many longs a rank gives to those below another one. */
  private int before(int from, int to) {
    return IntStream.range(0, to).map(rank -> part(from, rank)).sum();
  }

  private long[] given(int from, int to) {
    return Arrays.copyOfRange(given(from), before(from, to), before(from, to + 1));
  }

  /** What a rank's output holds in the end. */
  private long[] expected(int rank) {
    int size = on.size();
    return switch (kind) {
      case BARRIER, BCAST -> new long[0];
      case ALLREDUCE -> folded(size);
      case REDUCE -> rank == root ? folded(size) : DrawnLongs.untouched(count);
      case SCAN -> folded(rank + 1);
      case EXSCAN -> rank == 0 ? DrawnLongs.untouched(count) : folded(rank);
      case REDUCE_SCATTER, REDUCE_SCATTER_BLOCK ->
        Arrays.copyOfRange(folded(size), before(rank, rank), before(rank, rank + 1));
      case ALLGATHER, ALLGATHER_BY_PARTS -> joined(this::given);
      case GATHER, GATHER_BY_PARTS -> rank == root ? joined(this::given) : DrawnLongs.untouched(count);
      case SCATTER, SCATTER_BY_PARTS -> given(root, rank);
      case ALLTOALL, ALLTOALL_BY_PARTS -> joined(from -> given(from, rank));
    };
  }

  /** What the first ranks give, combined. */
  private long[] folded(int ranks) {
    long[] values = given(0);
    for (int rank = 1; rank < ranks; rank++) {
      long[] theirs = given(rank);
      Arrays.setAll(values, i -> combination.longs.applyAsLong(values[i], theirs[i]));
    }
    return values;
  }

  /** What each rank gives, one behind the other. */
  private long[] joined(IntFunction<long[]> part) {
    return IntStream.range(0, on.size()).mapToObj(part).flatMapToLong(Arrays::stream).toArray();
  }

  @Override
  public void run() {
    kind.blocking.run(arguments);
  }

  @Override
  public Request start(Request mine) {
    return kind.started.start(arguments, mine);
  }

  @Override
  public Request prepare() {
    return kind.prepared.prepare(arguments);
  }

  /** Makes its memory what it was before it ran. */
  public void renew() {
    in.fill(given(on.rank()));
    out.fill(DrawnLongs.untouched(expected(on.rank()).length));
  }

  @Override
  public void check() {
    int rank = on.rank();
    in.check("input of " + this, rank, given(kind == CollectiveKind.BCAST ? root : rank));
    out.check("output of " + this, rank, expected(rank));
  }

  @Override
  public String toString() {
    return "%s of %d longs, %s, root %d".formatted(kind, count, combination.op, root);
  }
}
