package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.ProgressThread;
import io.adrastea.Request;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.Side;
import io.adrastea.bench.measure.Touched;
import io.adrastea.bench.measure.Work;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One collective, called again and again. Before each call every rank writes its input, in the next of the buffers that
 * take turns; after each call a word of each cache line of the output is looked at. Neither is in the time.
 */
final class CollectiveExchange implements Exchange {
  private static final int LINE_DOUBLES = Touched.LINE / Double.BYTES;
  private static final int NUMBERS = 1024;
  private static final int TRIALS = StartLine.CALLS; // of which the first half may run uncompiled

  /** Steps of computing by call and bytes, of each rank: the same in all parts of an overlap. */
  private static final Map<Communicator, Map<String, Long>> STEPS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Call call;
  private final Collective collective;
  private final OurCalls calls;
  private final int rank;
  private final int ranks;
  private final StartLine line;
  private final Rows inputRows;
  private final Rows outputRows;
  private MemorySegment[] inputs = {};
  private MemorySegment[] outputs = {};
  private Data[] given = {}; // the inputs, as calls are given them
  private Data[] taken = {};
  private final Job job;
  private final Request[] requests; // of calls that are started
  private final Request[] outstanding;
  private final Work work = new Work();
  private Request[][] prepared = {}; // persistent calls of each buffer and root
  private Parts parts;
  private long steps; // of computing
  private ProgressThread helper;
  private int number; // of the last call

  CollectiveExchange(Call call, Side side, StartLine line) {
    Communicator world = side.world();
    this.call = call;
    this.collective = call.collective();
    this.calls = new OurCalls(world);
    this.rank = world.rank();
    this.ranks = world.size();
    this.line = line;
    this.inputRows = new Rows(side.memory(), side.job());
    this.outputRows = new Rows(side.memory(), side.job());
    this.job = side.job();
    this.requests = Stream.generate(Request::new).limit(call.form().calls()).toArray(Request[]::new);
    this.outstanding = new Request[requests.length];
  }

  /**
   * @param bytes of a part, a multiple of 8
   */
  @Override
  public void prepare(int bytes) {
    parts = new Parts(collective, ranks, rank, bytes / Double.BYTES);
    long input = parts.input() * Double.BYTES;
    long output = parts.output() * Double.BYTES;
    int turns = call.form().calls() > 1
        ? call.form().calls()
        : Touched.buffers(Math.toIntExact(Math.max(input, output)));
    Rows.Row[] in = inputRows.take(turns, input);
    Rows.Row[] out = outputRows.take(turns, output);
    inputs = Stream.of(in).map(Rows.Row::memory).toArray(MemorySegment[]::new);
    outputs = Stream.of(out).map(Rows.Row::memory).toArray(MemorySegment[]::new);
    given = Stream.of(in).map(row -> parts.given(row.data())).toArray(Data[]::new);
    taken = Stream.of(out).map(row -> parts.taken(row.data())).toArray(Data[]::new);
    prepared = new Request[turns][ranks];
    if (call.form().computes()) {
      steps = STEPS.computeIfAbsent(calls.world(), key -> new HashMap<>())
          .computeIfAbsent(call.in(Form.ALONE).kind().command() + " " + bytes, key -> agreedSteps());
    }
    if (call.form() == Form.THREAD) {
      helper = Helper.start(job);
    }
  }

  /** Returns as many steps as take the median time of a call that is started and waited for, timed as all calls are. */
  private long agreedSteps() {
    for (int at = 0; at < TRIALS; at++) {
      timeOne(Form.ALONE, at);
    }
    line.meet(); // all times are there
    long[] times = IntStream.range(TRIALS / 2, TRIALS).mapToLong(line::slowest).sorted().toArray();
    long[] agreed = {work.stepsIn(times[times.length / 2])}; // compiles it, at every rank
    calls.world().bcast(Data.of(agreed), 0);
    return agreed[0];
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      begin();
      run(call.form());
      number += call.form().calls();
    }
  }

  /** The sum of the calls' times at rank 0, as {@link StartLine} has them. */
  @Override
  public long timed(int count, Clock clock) {
    long sum = 0;
    for (int done = 0; done < count; done += StartLine.CALLS) {
      int some = Math.min(StartLine.CALLS, count - done);
      for (int at = 0; at < some; at++) {
        timeOne(call.form(), at);
      }
      line.meet(); // all times are there
      sum += rank == 0 ? sum(some) - some * clock.cost() : 0;
    }
    return sum;
  }

  private void timeOne(Form form, int at) {
    begin();
    line.meet();
    long begin = System.nanoTime();
    run(form);
    long end = System.nanoTime();
    line.note(at, begin, end);
    check(form, LINE_DOUBLES);
  }

  private long sum(int calls) {
    long sum = 0;
    for (int at = 0; at < calls; at++) {
      sum += line.slowest(at);
      if (collective == Collective.BARRIER && call.form() != Form.COMPUTE && !line.allMet(at)) {
        throw new IllegalStateException("a rank left a barrier before the last one had come");
      }
    }
    return sum;
  }

  /** The inputs of the next calls of this form, and what is prepared once. */
  private void begin() {
    for (int next = number + 1; next <= number + call.form().calls(); next++) {
      if (collective.gives(rank, call.rootOf(next, ranks))) {
        Rows.write(inputs[next % inputs.length], first(next, rank));
      }
      if (call.form() == Form.PERSISTENT && persistent(next) == null) {
        int root = call.rootOf(next, ranks);
        prepared[next % inputs.length][Math.max(0, root)] = calls.prepare(collective, in(next), out(next), root);
      }
    }
  }

  /** The first number that a rank writes for a call. */
  private static double first(int number, int of) {
    return number % NUMBERS * 2 + of;
  }

  private void run(Form form) {
    switch (form) {
      case BLOCKING -> calls.run(collective, in(number + 1), out(number + 1), call.rootOf(number + 1, ranks));
      case PERSISTENT -> persistent(number + 1).start().await();
      case OUTSTANDING -> runOutstanding();
      case COMPUTE -> work.run(steps);
      case BOTH, THREAD -> runBoth();
      case STARTED, ALONE, IN_TURN -> runInTurn();
    }
  }

  private void runInTurn() {
    for (int i = 0; i < requests.length; i++) {
      start(number + 1 + i, requests[0]).await();
    }
  }

  private void runOutstanding() {
    for (int i = 0; i < requests.length; i++) {
      outstanding[i] = start(number + 1 + i, requests[i]);
    }
    Request.waitAll(outstanding); // no element is left in it
  }

  /** No call of the library between the start and the wait. */
  private void runBoth() {
    Request request = start(number + 1, requests[0]);
    work.run(steps);
    request.await();
  }

  private Request start(int next, Request request) {
    return calls.start(collective, in(next), out(next), call.rootOf(next, ranks), request);
  }

  private Request persistent(int next) {
    return prepared[next % inputs.length][Math.max(0, call.rootOf(next, ranks))];
  }

  private Data in(int next) {
    return given[next % given.length];
  }

  private Data out(int next) {
    return taken[next % taken.length];
  }

  /** Looks at the outputs, and counts the calls. */
  private void check(Form form, int step) {
    int last = number + form.calls();
    while (number < last) {
      number++;
      if (form != Form.COMPUTE && collective.takes(rank, call.rootOf(number, ranks)) && !holds(step)) {
        throw new IllegalStateException("%s of %d bytes: the output is not what the inputs make"
            .formatted(call.title(), (long) parts.elements() * Double.BYTES));
      }
    }
  }

  private boolean holds(int step) {
    MemorySegment output = outputs[number % outputs.length];
    int root = call.rootOf(number, ranks);
    if (collective.folds()) {
      int of = collective.folded(rank, ranks);
      double first = of * first(number, 0) + of * (of - 1) / 2.0;
      return of == 0 || Rows.holds(output, parts.givenAt(0, rank), first, of, step);
    }
    return switch (collective.out()) {
      case NOTHING -> Rows.holds(inputs[number % inputs.length], 0, first(number, root), 1, step);
      case ONE -> Rows.holds(output, parts.givenAt(root, rank), first(number, root), 1, step);
      case ALL -> holdsAll(output, step);
    };
  }

  private boolean holdsAll(MemorySegment output, int step) {
    for (int from = 0; from < ranks; from++) {
      MemorySegment part = output.asSlice(parts.takenAt(from, rank) * Double.BYTES,
          (long) parts.part(from, rank) * Double.BYTES);
      if (!Rows.holds(part, parts.givenAt(from, rank), first(number, from), 1, step)) {
        return false;
      }
    }
    return true;
  }

  /** Calls all elements of the outputs of which are looked at. */
  @Override
  public void verify() {
    begin();
    run(call.form());
    check(call.form(), 1);
    if (helper != null) { // it would disturb what comes next
      helper.close();
      helper = null;
    }
  }
}
