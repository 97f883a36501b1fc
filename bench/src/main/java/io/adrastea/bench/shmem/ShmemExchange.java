package io.adrastea.bench.shmem;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Op;
import io.adrastea.atomic.Words;
import io.adrastea.bench.measure.CacheFlush;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.shmem.Comparison;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.ShmemLock;
import io.adrastea.shmem.ShmemWaits;
import io.adrastea.shmem.SignalOp;
import io.adrastea.shmem.Symmetric;
import io.adrastea.shmem.Team;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One call of ours, made again and again; {@code adr_shmem_peer.c} does the same with one of an OpenSHMEM for C. */
final class ShmemExchange implements Exchange {
  private static final int WORDS = 128; // that single elements go through
  private static final int SEVERAL = 16; // that are looked at together
  private static final int OBJECT_BYTES = 4096;
  private static final long TABLE_WORDS = Heap.TABLE_BYTES / Long.BYTES;

  private final Call call;
  private final Communicator world;
  private final Shmem shmem;
  private final ShmemContext context;
  private final ShmemWaits waits;
  private final Team team;
  private final ShmemLock lock;
  private final Symmetric memory;
  private final Symmetric source;
  private final Symmetric result;
  private final Symmetric table;
  private final Symmetric words;
  private final Symmetric line;
  private final int pe;
  private final int pes;
  private final int partners;
  private final int target;
  private final MemorySegment own; // this PE's memory that others access
  private final MemorySegment[] far; // that of each PE
  private final MemorySegment[] tables;
  private final MemorySegment origin = Arena.global().allocate(Call.MOST_BYTES, 4096);
  private final MemorySegment got = Arena.global().allocate(Call.MOST_BYTES, 4096);
  private final CacheFlush flush; // null: nothing is flushed
  private final long[] times = new long[2];
  private final Data allTimes = Data.of(times);
  private int bytes;
  private Data message; // what is put with a signal
  private Data given; // what a collective of the communicator is given
  private Data taken;
  private long exchanges; // so far, of each PE that takes part
  private long number; // of the last put, token or root
  private long random;
  private long seen; // by the last atomic operation
  private long swapped;
  private long sum; // of what was got
  private long applied; // the exclusive or of all updates

  ShmemExchange(Call call, Communicator world, Heap heap) {
    this.call = call;
    this.world = world;
    this.shmem = heap.shmem();
    this.context = shmem.context();
    this.waits = shmem.waits();
    this.team = shmem.team();
    this.lock = shmem.lock(heap.lock(), 0);
    this.memory = heap.memory();
    this.source = heap.source();
    this.result = heap.result();
    this.table = heap.table();
    this.words = heap.words();
    this.line = heap.line();
    this.pe = shmem.pe();
    this.pes = shmem.pes();
    this.partners = Call.partners(pes);
    this.target = switch (call) {
      case FETCH_ADD_ALL, FETCH_ADD_LOOP -> pes - 1;
      case LOCK_ALL -> 0;
      default -> call.part() == Call.Part.ALL ? (pe + 1) % pes : 1;
    };
    this.own = memory.local();
    this.far = new MemorySegment[pes];
    this.tables = new MemorySegment[pes];
    for (int of = 0; of < pes; of++) {
      far[of] = memory.at(of);
      tables[of] = table.at(of);
    }
    this.flush = call.isCold() ? new CacheFlush() : null;
  }

  private boolean takesPart() {
    return switch (call.part()) {
      case FIRST -> pe == 0;
      case PAIR -> pe <= 1;
      case ALL -> true;
    };
  }

  @Override
  public void prepare(int length) {
    bytes = length;
    exchanges = 0;
    number = 0;
    random = pe + 1;
    seen = 0;
    swapped = 0;
    sum = 0;
    applied = 0;
    own.fill((byte) 0);
    origin.fill((byte) 0);
    got.fill((byte) 0);
    words.local().fill((byte) 0);
    line.local().fill((byte) 0);
    if (call == Call.GUPS || call == Call.GUPS_LOOP) {
      table.local().fill((byte) 0);
    }
    MemorySegment operands = source.local();
    for (long at = 0; at < Call.MOST_BYTES; at += Double.BYTES) {
      operands.set(JAVA_DOUBLE, at, pe + 1);
      if (call.gets()) {
        own.set(JAVA_LONG, at, 1);
      }
    }
    message = Data.of(origin, 0, bytes == 0 ? Long.BYTES : bytes);
    prepareCommunicators();
    world.barrier();
  }

  private void prepareCommunicators() {
    long in = call == Call.COMMUNICATOR_ALLTOALL ? (long) bytes * pes : bytes;
    long out = call == Call.ALLGATHER ? (long) bytes * pes : in;
    if (call == Call.ALLREDUCE) {
      given = Data.of(source.local(), 0, bytes / Double.BYTES, Datatype.DOUBLE);
      taken = Data.of(result.local(), 0, bytes / Double.BYTES, Datatype.DOUBLE);
    } else {
      given = Data.of(source.local(), 0, in);
      taken = Data.of(result.local(), 0, out);
    }
  }

  @Override
  public void batch(int count) {
    switch (call) {
      case PING_PONG, PING_PONG_TRIALS -> pingPong(count);
      case RATE, RATE_COLD -> rate(count);
      case PUT_LONG -> putLong(count);
      case GET_LONG -> getLong(count);
      case PUT -> put(count);
      case GET -> get(count);
      case PUT_NBI -> putNbi(count);
      case GET_NBI -> getNbi(count);
      case PUT_SIGNAL -> putSignal(count);
      case PUT_STRIDED -> putStrided(count);
      case GET_STRIDED -> getStrided(count);
      case WAIT_UNTIL -> waitUntil(count);
      case TEST -> test(count);
      case TEST_ANY -> testAny(count);
      case FENCE -> fence(count);
      case QUIET -> quiet(count);
      case LOCK, LOCK_ALL -> lock(count);
      case RING -> ring(count);
      case RING_SIGNAL -> ringSignal(count);
      case WAIT_UNTIL_ALL -> waitUntilAll(count);
      case GUPS -> gups(count);
      case ALLOCATE -> allocate(count);
      case BARRIER_ALL, SYNC_ALL, BROADCAST, FCOLLECT, COLLECT, ALLTOALL, REDUCE -> collective(count);
      case BARRIER, BCAST, ALLGATHER, COMMUNICATOR_ALLTOALL, ALLREDUCE -> ofCommunicator(count);
      case PUT_LONG_LOOP -> putLongLoop(count);
      case GET_LONG_LOOP -> getLongLoop(count);
      case PUT_LOOP -> putLoop(count);
      case GET_LOOP -> getLoop(count);
      case PUT_STRIDED_LOOP -> putStridedLoop(count);
      case GET_STRIDED_LOOP -> getStridedLoop(count);
      case FETCH_ADD_LOOP -> fetchAddLoop(count);
      case RATE_LOOP, RATE_COLD_LOOP -> rateLoop(count);
      case GUPS_LOOP -> gupsLoop(count);
      default -> atomic(count);
    }
  }

  /** A message whose last word is told behind the rest of it. */
  private void tell(int other) {
    long last = bytes - Long.BYTES;
    if (last > 0) {
      context.put(memory, 0, origin, 0, last, other);
      context.fence();
    }
    context.putLong(memory, last, number, other);
  }

  private void pingPong(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      if (pe == 0) {
        tell(1);
      }
      waits.waitUntilLong(memory, bytes - Long.BYTES, Comparison.GE, number);
      if (pe == 1) {
        tell(0);
      }
    }
  }

  private void rate(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      origin.set(JAVA_LONG, 0, number);
      long at = 0;
      for (int partner = 1; partner <= partners; partner++) {
        int there = (pe + partner) % pes;
        if (bytes == Long.BYTES) {
          putElements(at, there);
        } else {
          putBlocks(at, there);
        }
        at += (long) Call.MESSAGES * bytes;
      }
      waits.waitUntilLong(memory, at - bytes, Comparison.GE, number);
    }
  }

  private void putElements(long from, int there) {
    for (int i = 0; i < Call.MESSAGES; i++) {
      context.putLong(memory, from + i * (long) Long.BYTES, number, there);
    }
  }

  private void putBlocks(long from, int there) {
    for (int i = 0; i < Call.MESSAGES; i++) {
      context.put(memory, from + i * (long) bytes, origin, 0, bytes, there);
    }
  }

  private void rateLoop(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      origin.set(JAVA_LONG, 0, number);
      long at = 0;
      for (int partner = 1; partner <= partners; partner++) {
        MemorySegment to = far[(pe + partner) % pes];
        for (int message = 0; message < Call.MESSAGES; message++) {
          if (bytes == Long.BYTES) {
            Words.storeRelaxedLong(to, at, number); // no order: the last one is no word of the others
          } else {
            MemorySegment.copy(origin, 0, to, at, bytes);
          }
          at += bytes;
        }
      }
      while (Words.loadRelaxedLong(own, at - bytes) < number) { // no order: nothing is read behind it
        Thread.onSpinWait();
      }
    }
  }

  private static long wordAt(int i) {
    return i % WORDS * (long) Long.BYTES;
  }

  private void putLong(int count) {
    for (int i = 0; i < count; i++) {
      context.putLong(memory, wordAt(i), ++number, target);
    }
    context.quiet();
  }

  private void putLongLoop(int count) {
    MemorySegment to = far[target];
    for (int i = 0; i < count; i++) {
      Words.storeRelaxedLong(to, wordAt(i), ++number); // no order: what is timed is the store
    }
    context.quiet();
  }

  private void getLong(int count) {
    for (int i = 0; i < count; i++) {
      sum += context.getLong(memory, wordAt(i), target);
    }
  }

  private void getLongLoop(int count) {
    MemorySegment from = far[target];
    for (int i = 0; i < count; i++) {
      sum += Words.loadRelaxedLong(from, wordAt(i)); // no order: what is timed is the load
    }
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      origin.set(JAVA_LONG, 0, ++number);
      context.put(memory, 0, origin, 0, bytes, target);
    }
    context.quiet();
  }

  private void putLoop(int count) {
    MemorySegment to = far[target];
    for (int i = 0; i < count; i++) {
      origin.set(JAVA_LONG, 0, ++number);
      MemorySegment.copy(origin, 0, to, 0, bytes);
    }
    context.quiet();
  }

  private void get(int count) {
    for (int i = 0; i < count; i++) {
      context.get(got, 0, bytes, memory, 0, target);
      sum += got.get(JAVA_LONG, 0);
    }
  }

  private void getLoop(int count) {
    MemorySegment from = far[target];
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(from, 0, got, 0, bytes);
      sum += got.get(JAVA_LONG, 0);
    }
  }

  private void putNbi(int count) {
    origin.set(JAVA_LONG, 0, ++number);
    for (int i = 0; i < count; i++) {
      context.putNbi(memory, 0, message, target);
    }
    context.quiet();
  }

  private void getNbi(int count) {
    Data into = Data.of(got, 0, bytes);
    for (int i = 0; i < count; i++) {
      context.getNbi(into, memory, 0, target);
    }
    context.quiet();
    sum += count * got.get(JAVA_LONG, 0);
  }

  private void putSignal(int count) {
    for (int i = 0; i < count; i++) {
      origin.set(JAVA_LONG, 0, ++number);
      context.putSignal(memory, 0, message, line, 0, number, SignalOp.SET, target);
    }
  }

  private void putStrided(int count) {
    for (int i = 0; i < count; i++) {
      origin.set(JAVA_LONG, 0, ++number);
      context.putStrided(memory, 0, Call.STRIDE * Long.BYTES, origin, 0, Long.BYTES, Long.BYTES, bytes / Long.BYTES,
          target);
    }
    context.quiet();
  }

  private void putStridedLoop(int count) {
    MemorySegment to = far[target];
    for (int i = 0; i < count; i++) {
      origin.set(JAVA_LONG, 0, ++number);
      for (long at = 0; at < bytes; at += Long.BYTES) {
        to.set(JAVA_LONG, at * Call.STRIDE, origin.get(JAVA_LONG, at));
      }
    }
    context.quiet();
  }

  private void getStrided(int count) {
    for (int i = 0; i < count; i++) {
      context.getStrided(got, 0, Long.BYTES, memory, 0, Call.STRIDE * Long.BYTES, Long.BYTES, bytes / Long.BYTES,
          target);
      sum += got.get(JAVA_LONG, 0);
    }
  }

  private void getStridedLoop(int count) {
    MemorySegment from = far[target];
    for (int i = 0; i < count; i++) {
      for (long at = 0; at < bytes; at += Long.BYTES) {
        got.set(JAVA_LONG, at, from.get(JAVA_LONG, at * Call.STRIDE));
      }
      sum += got.get(JAVA_LONG, 0);
    }
  }

  private void atomic(int count) {
    switch (call) {
      case FETCH -> fetch(count);
      case SET -> set(count);
      case SWAP -> swap(count);
      case COMPARE_SWAP -> compareSwap(count);
      case FETCH_ADD, FETCH_ADD_ALL -> fetchAdd(count);
      case FETCH_ADD_NBI -> fetchAddNbi(count);
      case ADD -> add(count);
      case FETCH_INC -> fetchInc(count);
      case INC -> inc(count);
      case FETCH_AND -> fetchAnd(count);
      case AND -> and(count);
      case FETCH_OR -> fetchOr(count);
      case OR -> or(count);
      case FETCH_XOR -> fetchXor(count);
      case XOR -> xor(count);
      default -> throw new IllegalStateException("there is no loop for " + call.word());
    }
  }

  private void fetch(int count) {
    for (int i = 0; i < count; i++) {
      sum += context.fetchLong(memory, 0, target);
    }
  }

  private void set(int count) {
    for (int i = 0; i < count; i++) {
      context.setLong(memory, 0, ++number, target);
    }
  }

  private void swap(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.swapLong(memory, 0, ++number, target);
    }
  }

  /** Expects what the last one left, or what the failed one saw. */
  private void compareSwap(int count) {
    for (int i = 0; i < count; i++) {
      long expected = seen;
      seen = context.compareSwapLong(memory, 0, expected, expected + 1, target);
      if (seen == expected) {
        seen++;
        swapped++;
      }
    }
  }

  private void fetchAdd(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.fetchAddLong(memory, 0, 1, target);
    }
  }

  private void fetchAddLoop(int count) {
    MemorySegment to = far[target];
    for (int i = 0; i < count; i++) {
      seen = Words.addRelaxedLong(to, 0, 1); // no order: what is timed is the instruction
    }
  }

  private void fetchAddNbi(int count) {
    for (int i = 0; i < count; i++) {
      context.fetchAddLongNbi(got, 0, memory, 0, 1, target);
    }
    context.quiet();
  }

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      context.addLong(memory, 0, 1, target);
    }
  }

  private void fetchInc(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.fetchIncLong(memory, 0, target);
    }
  }

  private void inc(int count) {
    for (int i = 0; i < count; i++) {
      context.incLong(memory, 0, target);
    }
  }

  private void fetchAnd(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.fetchAndLong(memory, 0, -1, target);
    }
  }

  private void and(int count) {
    for (int i = 0; i < count; i++) {
      context.andLong(memory, 0, -1, target);
    }
  }

  private void fetchOr(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.fetchOrLong(memory, 0, 1, target);
    }
  }

  private void or(int count) {
    for (int i = 0; i < count; i++) {
      context.orLong(memory, 0, 1, target);
    }
  }

  private void fetchXor(int count) {
    for (int i = 0; i < count; i++) {
      seen = context.fetchXorLong(memory, 0, 1, target);
    }
  }

  private void xor(int count) {
    for (int i = 0; i < count; i++) {
      context.xorLong(memory, 0, 1, target);
    }
  }

  private void waitUntil(int count) {
    for (int i = 0; i < count; i++) {
      waits.waitUntilLong(memory, 0, Comparison.GE, 0);
    }
  }

  private void test(int count) {
    for (int i = 0; i < count; i++) {
      sum += waits.testLong(memory, 0, Comparison.LT, 0) ? 1 : 0;
    }
  }

  private void testAny(int count) {
    for (int i = 0; i < count; i++) {
      sum += waits.testAnyLong(memory, 0, SEVERAL, null, Comparison.LT, 0) >= 0 ? 1 : 0;
    }
  }

  private void fence(int count) {
    for (int i = 0; i < count; i++) {
      context.putLong(memory, 0, ++number, target);
      context.fence();
    }
  }

  private void quiet(int count) {
    for (int i = 0; i < count; i++) {
      context.putLong(memory, 0, ++number, target);
      context.quiet();
    }
  }

  private void lock(int count) {
    for (int i = 0; i < count; i++) {
      lock.set();
      context.putLong(memory, 0, context.getLong(memory, 0, target) + 1, target);
      lock.clear();
    }
  }

  private void ring(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      if (pe == 0) {
        context.putLong(line, 0, number, target);
      }
      waits.waitUntilLong(line, 0, Comparison.GE, number);
      if (pe != 0) {
        context.putLong(line, 0, number, target);
      }
    }
  }

  private void ringSignal(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      if (pe == 0) {
        context.putSignal(memory, 0, message, line, 0, number, SignalOp.SET, target);
      }
      waits.waitUntilLong(line, 0, Comparison.GE, number);
      if (pe != 0) {
        context.putSignal(memory, 0, message, line, 0, number, SignalOp.SET, target);
      }
    }
  }

  private void waitUntilAll(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      for (int turn = 0; turn < pes; turn++) {
        context.putLong(words, pe * (long) Long.BYTES, number, (pe + turn) % pes);
      }
      waits.waitUntilAllLong(words, 0, pes, null, Comparison.GE, number);
    }
  }

  private void gups(int count) {
    long x = random;
    for (int i = 0; i < count; i++) {
      x = next(x);
      context.xorLong(table, wordOf(x), x, peOf(x));
      applied ^= x;
    }
    random = x;
    context.quiet();
  }

  private void gupsLoop(int count) {
    long x = random;
    for (int i = 0; i < count; i++) {
      x = next(x);
      Words.xorRelaxedLong(tables[peOf(x)], wordOf(x), x); // no order: what is timed is the instruction
      applied ^= x;
    }
    random = x;
    context.quiet();
  }

  private static long next(long x) {
    return x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L; // Knuth's MMIX generator
  }

  private int peOf(long x) {
    return (int) ((x >>> 32) * pes >>> 32);
  }

  private static long wordOf(long x) {
    return (x >>> 8 & TABLE_WORDS - 1) * Long.BYTES;
  }

  private void allocate(int count) {
    for (int i = 0; i < count; i++) {
      shmem.allocate(OBJECT_BYTES).free();
    }
  }

  private void collective(int count) {
    for (int i = 0; i < count; i++) {
      switch (call) {
        case BARRIER_ALL -> shmem.barrierAll();
        case SYNC_ALL -> shmem.syncAll();
        case BROADCAST -> team.broadcast(result, 0, source, 0, bytes, (int) (number++ % pes));
        case FCOLLECT -> team.fcollect(result, 0, source, 0, bytes);
        case COLLECT -> team.collect(result, 0, source, 0, bytes);
        case ALLTOALL -> team.alltoall(result, 0, source, 0, bytes);
        default -> team.reduce(result, 0, source, 0, bytes / Double.BYTES, Datatype.DOUBLE, Op.SUM);
      }
    }
  }

  private void ofCommunicator(int count) {
    for (int i = 0; i < count; i++) {
      switch (call) {
        case BARRIER -> world.barrier();
        case BCAST -> bcast();
        case ALLGATHER -> world.allgather(given, taken);
        case COMMUNICATOR_ALLTOALL -> world.alltoall(given, taken);
        default -> world.allreduce(given, taken, Op.SUM);
      }
    }
  }

  private void bcast() {
    int root = (int) (number++ % pes);
    world.bcast(pe == root ? given : taken, root);
  }

  @Override
  public long timed(int count, Clock clock) {
    if (call == Call.PING_PONG_TRIALS) {
      return trials(count, clock);
    }
    if (flush == null) {
      return together(count, clock);
    }
    long sumOfTimes = 0;
    for (int i = 0; i < count; i++) {
      flush.run();
      sumOfTimes += together(1, clock);
    }
    return sumOfTimes;
  }

  /** Runs exchanges that keep both PEs in step by themselves. */
  private long trials(int count, Clock clock) {
    long begin = System.nanoTime();
    if (takesPart()) {
      batch(count);
    }
    return clock.since(begin);
  }

  /** Runs exchanges without a pause between them; nanoseconds of them all without what the clock costs. */
  private long together(int count, Clock clock) {
    exchanges += count;
    world.barrier();
    times[0] = System.nanoTime();
    if (takesPart()) {
      batch(count);
    }
    times[1] = System.nanoTime();
    world.barrier();
    if (call.part() == Call.Part.ALL) {
      world.allreduce(allTimes, Op.MAX);
    }
    return times[1] - times[0] - clock.cost();
  }

  /** Looks at what all PEs have left in the memory. */
  @Override
  public void verify() {
    shmem.barrierAll();
    long[] told = {number, swapped};
    world.bcast(Data.of(told), 0);
    boolean isTarget = pe == (call.part() == Call.Part.FIRST ? 1 : call == Call.LOCK_ALL ? 0 : pes - 1);
    long all = call.part() == Call.Part.ALL ? exchanges * pes : exchanges;
    long word = own.get(JAVA_LONG, 0);
    require(!isTarget || !call.counts() || word == all, "the word does not hold the count");
    require(!isTarget || !call.puts() || word == told[0], "the memory does not hold what was put last");
    require(!isTarget || call != Call.COMPARE_SWAP || word == told[1], "the word does not hold the number of swaps");
    require(!call.gets() || !takesPart() || sum == exchanges, "what was got is not what the memory holds");
    require(!call.isRate() || holdsMessages(), "a message is missing");
    require(holdsResult(), "the result is not what the operands make");
    if (call == Call.GUPS || call == Call.GUPS_LOOP) {
      require(unexplained() == 0, "updates are missing");
    }
    world.barrier();
  }

  private boolean holdsMessages() {
    for (long at = 0; at < (long) partners * Call.MESSAGES; at++) {
      if (own.get(JAVA_LONG, at * bytes) != exchanges) {
        return false;
      }
    }
    return true;
  }

  private boolean holdsResult() {
    long root = (number - 1) % pes;
    return switch (call) {
      case REDUCE, ALLREDUCE -> lastOf(0) == pes * (pes + 1) / 2.0;
      case BROADCAST -> lastOf(0) == root + 1;
      case BCAST -> pe == root || lastOf(0) == root + 1;
      case FCOLLECT, COLLECT, ALLTOALL, ALLGATHER, COMMUNICATOR_ALLTOALL -> holdsParts();
      default -> true;
    };
  }

  private boolean holdsParts() {
    for (int of = 0; of < pes; of++) {
      if (lastOf(of) != of + 1) {
        return false;
      }
    }
    return true;
  }

  /** The last double of a part of the result. */
  private double lastOf(int part) {
    return result.local().get(JAVA_DOUBLE, (part + 1L) * bytes - Double.BYTES);
  }

  /** What tables hold that no PE has put there. */
  private long unexplained() {
    long left = applied;
    MemorySegment mine = table.local();
    for (long at = 0; at < Heap.TABLE_BYTES; at += Long.BYTES) {
      left ^= mine.get(JAVA_LONG, at);
    }
    long[] all = {left};
    world.allreduce(Data.of(all), Op.BXOR);
    return all[0];
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("%s of %d bytes: %s".formatted(call.word(), bytes, otherwise));
    }
  }
}
