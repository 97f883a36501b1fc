package io.adrastea.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * Random programs on windows, against a model in which one rank after the other does what it does. All ranks draw the
 * same program. In one epoch each element is accessed by one rank alone, or by all of them by one operator whose order
 * does not matter. {@code -Dadrastea.seed=N} repeats a run.
 */
@Tag("spins")
@EveryWindowList
class WindowModelTest {
  private static final int RANKS = 3;
  private static final int EPOCHS = 60;
  private static final int ELEMENTS = 23; // of each type in each rank's memory
  private static final int REGION = 24 * 16; // bytes for those of one type
  private static final int TYPES = ModelElement.values().length;
  private static final int BYTES = (TYPES - 1) * REGION + ELEMENTS; // the last elements are single bytes
  private static final int WHOLE_BYTES = TYPES * REGION;
  private static final int MOST_ACCESSES = 6; // of one rank to one target in an epoch

  @Parameter
  String windows;

  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  /** What the program does in one call. */
  private enum Call {
    PUT, GET, ACCUMULATE, GET_ACCUMULATE, FETCH_AND_OP, COMPARE_AND_SWAP
  }

  /** How ranks synchronise around the accesses of an epoch. */
  private enum Kind {
    FENCE, POSTED, EXCLUSIVE, SHARED, SHARED_OF_SEVERAL, ALL
  }

  /** An access of one rank to elements of another one's memory, and what it is to find there. */
  private static final class Access {
    int origin;
    int target;
    ModelElement element;
    int[] places; // of elements
    Call call;
    Op op;
    int form; // drawn: of the datatypes at both ends, and of the call
    long[][] operands;
    long[][] expected; // what was there; null: that depends on the order
    long[] comparand;

    @Override
    public String toString() {
      return "%s of rank %d at rank %d, %s %s, elements of %s".formatted(
          call, origin, target, element, Arrays.toString(places), op);
    }
  }

  /** A window, and what each element of each rank is, as first and second number. */
  private static final class Modeled {
    final Window window;
    final long[][][][] elements = new long[RANKS][TYPES][ELEMENTS][2];

    Modeled(Window window) {
      this.window = window;
    }
  }

  @Test
  void doesWhatASequentialProgramDoes() throws Exception {
    WindowRanks.run(windows, RANKS, (job, world) -> {
      SplittableRandom random = new SplittableRandom(seed);
      List<Modeled> all = new ArrayList<>();
      for (int kind = 0; kind < 3; kind++) {
        all.add(new Modeled(make(job, world, kind, random)));
      }
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        Modeled one = all.get(random.nextInt(all.size()));
        Modeled other = all.get(random.nextInt(all.size()));
        if (one == other) {
          run(world, one, random, drawnKind(random), () -> {});
        } else {
          Kind outer = random.nextBoolean() ? Kind.FENCE : Kind.ALL; // the other window's may wait for any rank
          run(world, one, random, outer, () -> run(world, other, random, drawnKind(random), () -> {}));
        }
        check(world, all, epoch);
      }
      for (Modeled modeled : all) {
        modeled.window.close();
      }
    });
  }

  private static Kind drawnKind(SplittableRandom random) {
    return Kind.values()[random.nextInt(Kind.values().length)];
  }

  /** A window of one of three kinds, in which a rank may have no memory at all. */
  private Window make(Job job, Communicator world, int kind, SplittableRandom random) {
    int[] units = IntStream.range(0, RANKS).map(rank -> 1 << random.nextInt(4)).toArray();
    int none = random.nextInt(2 * RANKS);
    Arena arena = random.nextBoolean() ? Arena.ofAuto() : Arena.global();
    int unit = units[world.rank()];
    boolean isEmpty = world.rank() == none;
    if (kind == 0) {
      return Window.allocate(world, isEmpty ? 0 : BYTES, unit);
    }
    if (isEmpty) {
      return Window.of(world, MemorySegment.NULL, unit);
    }
    boolean isShared = kind == 1 || WindowRanks.way(windows).equals("direct");
    MemorySegment memory = isShared ? job.allocate(WHOLE_BYTES, 16) : arena.allocate(WHOLE_BYTES, 16);
    return Window.of(world, memory.fill((byte) 0), unit);
  }

  // Drawing

  /** The accesses of all ranks in one epoch, and what they make of the model. */
  private List<Access> draw(Modeled modeled, SplittableRandom random, boolean[][] reaches) {
    List<Access> accesses = new ArrayList<>();
    for (int target = 0; target < RANKS; target++) {
      if (modeled.window.bytes(target) == 0) {
        continue;
      }
      for (ModelElement element : ModelElement.values()) {
        drawAt(modeled, random, reaches, target, element, accesses);
      }
    }
    return accesses;
  }

  private void drawAt(Modeled modeled, SplittableRandom random, boolean[][] reaches, int target, ModelElement element,
      List<Access> accesses) {
    boolean isShared = random.nextInt(3) == 0;
    boolean isAtomic = isShared || random.nextBoolean();
    int owner = random.nextInt(RANKS);
    Op commutative = element.commutative().get(random.nextInt(element.commutative().size()));
    boolean[] used = new boolean[ELEMENTS];
    for (int i = random.nextInt(MOST_ACCESSES); i >= 0; i--) {
      Access access = new Access();
      access.origin = isShared ? random.nextInt(RANKS) : owner;
      access.target = target;
      access.element = element;
      access.form = random.nextInt(1 << 10);
      access.places = places(random, modeled.window.unit(target), element, access.form);
      drawCall(random, access, isAtomic, isShared ? commutative : null);
      boolean isFree = isAtomic || Arrays.stream(access.places).noneMatch(place -> used[place]);
      if (reaches[access.origin][target] && isFree) {
        Arrays.stream(access.places).forEach(place -> used[place] = true);
        simulate(modeled, access, isShared);
        accesses.add(access);
      }
    }
  }

  private static boolean isTyped(int form) {
    return (form & 3) != 0;
  }

  private static int[] places(SplittableRandom random, int unit, ModelElement element, int form) {
    int step = Math.max(1, unit / element.extent); // elements between those that a displacement names
    int first = random.nextInt(ELEMENTS) / step * step;
    int count = 1 + random.nextInt(Math.min(6, ELEMENTS - first));
    if (!isTyped(form)) {
      return IntStream.range(first, first + count).toArray();
    }
    if ((form & 3) == 1) { // a vector
      return IntStream.iterate(first, place -> place < ELEMENTS, place -> place + 3).limit(count).toArray();
    }
    int[] all = IntStream.range(0, ELEMENTS).toArray();
    for (int i = 0; i < ELEMENTS; i++) {
      int j = random.nextInt(ELEMENTS);
      int place = all[i];
      all[i] = all[j];
      all[j] = place;
    }
    return Arrays.copyOf(all, count);
  }

  private static void drawCall(SplittableRandom random, Access access, boolean isAtomic, Op commutative) {
    ModelElement element = access.element;
    List<Op> operators = element.operators();
    Op drawn = commutative != null ? commutative : operators.get(random.nextInt(operators.size()));
    access.op = isAtomic ? drawn : Op.REPLACE;
    boolean isNumber = element == ModelElement.LONG || element == ModelElement.DOUBLE;
    int call = random.nextInt(4);
    if (!isAtomic) {
      access.call = call < 2 ? Call.PUT : Call.GET;
    } else if (call == 0 && isNumber && !isTyped(access.form)) {
      access.call = Call.FETCH_AND_OP;
    } else if (call == 1 && element.isBasic && commutative == null && !isTyped(access.form)) {
      access.call = Call.COMPARE_AND_SWAP;
      access.op = Op.REPLACE;
    } else {
      access.call = call < 3 ? Call.GET_ACCUMULATE : Call.ACCUMULATE;
    }
    if (access.call == Call.FETCH_AND_OP || access.call == Call.COMPARE_AND_SWAP) {
      access.places = new int[] {access.places[0]};
    }
    access.operands = new long[access.places.length][];
    for (int i = 0; i < access.operands.length; i++) {
      int number = random.nextInt();
      access.operands[i] = new long[] {
        element.operand(access.op, number, 0), element.isBasic ? 0 : element.operand(access.op, number >> 3, 1)};
      if (element.isComplex() && access.op == Op.PROD) { // of length 1: one of the two is zero
        boolean isReal = (number & 4) == 0;
        access.operands[i][isReal ? 1 : 0] = 0;
        access.operands[i][isReal ? 0 : 1] = (number & 2) - 1;
      }
    }
  }

  private static void simulate(Modeled modeled, Access access, boolean isShared) {
    long[][] there = modeled.elements[access.target][access.element.ordinal()];
    access.expected = isShared ? null : new long[access.places.length][];
    for (int i = 0; i < access.places.length; i++) {
      int place = access.places[i];
      long[] was = there[place];
      if (!isShared) {
        access.expected[i] = was;
      }
      boolean mayBeMinusZero = access.element.isFloating() && was[0] == 0; // has other bits than zero
      boolean swaps = access.call != Call.COMPARE_AND_SWAP || (access.form & 64) == 0 && !mayBeMinusZero;
      if (access.call == Call.COMPARE_AND_SWAP) {
        access.comparand = swaps ? was : new long[] {was[0] == 0 ? 1 : 0, 0};
      }
      if (access.call != Call.GET && swaps) {
        there[place] = access.element.combined(access.op, was, access.operands[i]);
      }
    }
  }

  // Running

  private void run(Communicator world, Modeled modeled, SplittableRandom random, Kind kind, Runnable inside) {
    boolean[][] reaches = new boolean[RANKS][RANKS];
    for (boolean[] ofOrigin : reaches) {
      for (int target = 0; target < RANKS; target++) {
        ofOrigin[target] = kind != Kind.POSTED || random.nextInt(3) > 0;
      }
    }
    List<Access> accesses = draw(modeled, random, reaches);
    int self = world.rank();
    Window window = modeled.window;
    List<Access> own = accesses.stream().filter(access -> access.origin == self).toList();
    int[] targets = IntStream.range(0, RANKS).filter(target -> reaches[self][target]).toArray();
    switch (kind) {
      case FENCE -> {
        window.fence();
        own.forEach(access -> run(window, access));
        inside.run();
        window.lastFence();
      }
      case POSTED -> {
        window.post(IntStream.range(0, RANKS).filter(origin -> reaches[origin][self]).toArray());
        try (Epoch _ = window.start(targets)) {
          own.forEach(access -> run(window, access));
        }
        window.await();
      }
      case EXCLUSIVE, SHARED -> {
        for (int target : targets) {
          try (Epoch _ = window.lock(target, kind == Kind.EXCLUSIVE)) {
            own.stream().filter(access -> access.target == target).forEach(access -> run(window, access));
          }
        }
      }
      case SHARED_OF_SEVERAL -> {
        for (int target : targets) {
          window.lock(target, false);
        }
        own.forEach(access -> run(window, access));
        window.flushAll();
        for (int target : targets) {
          window.unlock(target);
        }
      }
      case ALL -> {
        try (Epoch _ = window.lockAll()) {
          own.forEach(access -> {
            run(window, access);
            if ((access.form & 128) != 0) {
              window.flush(access.target);
            }
          });
          inside.run();
        }
      }
    }
    world.barrier();
  }

  private void run(Window window, Access access) {
    ModelElement element = access.element;
    int target = access.target;
    int count = access.places.length;
    int unit = window.unit(target);
    long base = (long) element.ordinal() * REGION;
    int stride = (access.form & 4) == 0 ? 1 : 2; // of the origin's elements
    Datatype near = stride == 1 ? element.type : Datatype.vector(count, 1, stride, element.type);
    long elements = stride == 1 ? count : 1;
    MemorySegment operands = memory(access, stride, count);
    MemorySegment results = memory(access, stride, count);
    for (int i = 0; i < count; i++) {
      element.write(operands, (long) i * stride * element.extent, access.operands[i][0], access.operands[i][1]);
    }
    Data from = Data.of(operands, 0, elements, near);
    Data into = Data.of(results, 0, elements, near);
    if (isTyped(access.form)) {
      runTyped(window, access, from, into, base / unit);
    } else {
      runPlain(window, access, from, into, (base + (long) access.places[0] * element.extent) / unit);
    }
    boolean isFound = access.call == Call.GET || access.call == Call.GET_ACCUMULATE;
    for (int i = 0; isFound && access.expected != null && i < count; i++) {
      long at = (long) i * stride * element.extent;
      assertElement(access.expected[i], element, results, at, access);
    }
  }

  private static MemorySegment memory(Access access, int stride, int count) {
    long bytes = (long) stride * count * access.element.extent;
    return (access.form & 8) == 0 ? MemorySegment.ofArray(new byte[(int) bytes]) : Arena.ofAuto().allocate(bytes);
  }

  private void assertElement(long[] expected, ModelElement element, MemorySegment memory, long at, Object where) {
    assertEquals(expected[0], element.first(memory, at), () -> "%s; -Dadrastea.seed=%d".formatted(where, seed));
    assertEquals(expected[1], element.other(memory, at), () -> "%s; -Dadrastea.seed=%d".formatted(where, seed));
  }

  private void runTyped(Window window, Access access, Data from, Data into, long displacement) {
    ModelElement element = access.element;
    int target = access.target;
    int count = access.places.length;
    Datatype there = switch (access.form & 3) {
      case 1 -> Datatype.hindexed(
          new long[] {1}, new long[] {(long) access.places[0] * element.extent},
          Datatype.vector(count, 1, 3, element.type));
      case 2 -> Datatype.indexedBlock(1, Arrays.stream(access.places).asLongStream().toArray(), element.type);
      default -> Datatype.hindexed(LongStream.generate(() -> 1).limit(count).toArray(),
          Arrays.stream(access.places).mapToLong(place -> (long) place * element.extent).toArray(), element.type);
    };
    switch (access.call) {
      case PUT -> window.put(from, target, displacement, 1, there);
      case GET -> window.get(into, target, displacement, 1, there);
      case ACCUMULATE -> window.accumulate(from, target, displacement, 1, there, access.op);
      default -> window.getAccumulate(from, into, target, displacement, 1, there, access.op);
    }
  }

  private void runPlain(Window window, Access access, Data from, Data into, long displacement) {
    int target = access.target;
    boolean isStarted = (access.form & 16) == 0;
    switch (access.call) {
      case PUT -> {
        if (access.element.extent > 8 || access.element == ModelElement.SHORT_INT) { // it has gaps
          window.put(from, target, displacement, access.places.length, access.element.type);
        } else if (isStarted) {
          window.rput(from, target, displacement).await();
        } else {
          window.put(from, target, displacement);
        }
      }
      case GET -> {
        if (access.element.extent > 8 || access.element == ModelElement.SHORT_INT) {
          window.get(into, target, displacement, access.places.length, access.element.type);
        } else if (isStarted) {
          window.rget(into, target, displacement).await();
        } else {
          window.get(into, target, displacement);
        }
      }
      case ACCUMULATE -> {
        if (isStarted) {
          window.raccumulate(from, target, displacement, access.op).await();
        } else {
          window.accumulate(from, target, displacement, access.op);
        }
      }
      case GET_ACCUMULATE -> {
        if (isStarted) {
          window.rgetAccumulate(from, into, target, displacement, access.op).await();
        } else {
          window.getAccumulate(from, into, target, displacement, access.op);
        }
      }
      case FETCH_AND_OP -> assertFound(access, access.element == ModelElement.LONG
          ? window.fetchAndOp(access.operands[0][0], target, displacement, access.op)
          : (long) window.fetchAndOp((double) access.operands[0][0], target, displacement, access.op));
      case COMPARE_AND_SWAP -> compareAndSwap(window, access, displacement);
    }
  }

  private void assertFound(Access access, long found) {
    if (access.expected != null) {
      assertEquals(access.expected[0][0], found, () -> "%s; -Dadrastea.seed=%d".formatted(access, seed));
    }
  }

  private void compareAndSwap(Window window, Access access, long displacement) {
    ModelElement element = access.element;
    if (element == ModelElement.LONG && (access.form & 32) == 0) {
      assertFound(access,
          window.compareAndSwap(access.comparand[0], access.operands[0][0], access.target, displacement));
      return;
    }
    MemorySegment words = MemorySegment.ofArray(new byte[3 * 8]);
    element.write(words, 0, access.comparand[0], 0);
    element.write(words, 8, access.operands[0][0], 0);
    window.compareAndSwap(Data.of(words, 0, 1, element.type), Data.of(words, 8, 1, element.type),
        Data.of(words, 16, 1, element.type), access.target, displacement);
    assertFound(access, element.first(words, 16));
  }

  private void check(Communicator world, List<Modeled> all, int epoch) {
    int self = world.rank();
    for (Modeled modeled : all) {
      MemorySegment local = modeled.window.local();
      for (ModelElement element : ModelElement.values()) {
        for (int i = 0; local.byteSize() > 0 && i < ELEMENTS; i++) {
          assertElement(modeled.elements[self][element.ordinal()][i], element, local,
              (long) element.ordinal() * REGION + (long) i * element.extent,
              "epoch %d, window %d, %s %d of rank %d".formatted(epoch, all.indexOf(modeled), element, i, self));
        }
      }
    }
    world.barrier();
  }
}
