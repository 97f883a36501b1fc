package io.adrastea.bench.collectives;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.bench.collectives.Rows.Row;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Side;
import io.adrastea.bench.measure.Touched;

/**
 * One collective, called again and again. Before each call every rank writes its input, in the next of the buffers that
 * take turns; after each call a word of each cache line of the output is looked at. Neither is in the time.
 */
final class CollectiveExchange implements Exchange {
  private static final int LINE_DOUBLES = Touched.LINE / Double.BYTES;
  private static final int NUMBERS = 1024;

  private final Call call;
  private final Communicator world;
  private final int rank;
  private final int ranks;
  private final StartLine line;
  private final Rows inputRows;
  private final Rows outputRows;
  private Row[] inputs = {};
  private Row[] outputs = {};
  private int bytes;
  private int number; // of the call

  CollectiveExchange(Call call, Side side, StartLine line) {
    this.call = call;
    this.world = side.world();
    this.rank = world.rank();
    this.ranks = world.size();
    this.line = line;
    this.inputRows = new Rows(side.memory(), side.job());
    this.outputRows = new Rows(side.memory(), side.job());
  }

  /**
   * @param bytes of one rank's input, a multiple of 8
   */
  @Override
  public void prepare(int bytes) {
    this.bytes = bytes;
    long output = (long) bytes * call.collective().outputs(ranks);
    int turns = Touched.buffers(Math.toIntExact(Math.max(bytes, output)));
    inputs = inputRows.take(turns, bytes);
    outputs = outputRows.take(turns, output);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      begin();
      run();
    }
  }

  /** The sum of the calls' times at rank 0, as {@link StartLine} has them. */
  @Override
  public long timed(int count, Clock clock) {
    long sum = 0;
    for (int done = 0; done < count; done += StartLine.CALLS) {
      int some = Math.min(StartLine.CALLS, count - done);
      for (int at = 0; at < some; at++) {
        timeOne(at);
      }
      line.meet(); // all times are there
      sum += rank == 0 ? sum(some) - some * clock.cost() : 0;
    }
    return sum;
  }

  private void timeOne(int at) {
    begin();
    line.meet();
    long begin = System.nanoTime();
    run();
    long end = System.nanoTime();
    line.note(at, begin, end);
    check(LINE_DOUBLES);
  }

  private long sum(int calls) {
    long sum = 0;
    for (int at = 0; at < calls; at++) {
      sum += line.slowest(at);
      if (call.collective() == Collective.BARRIER && !line.allMet(at)) {
        throw new IllegalStateException("a rank left a barrier before the last one had come");
      }
    }
    return sum;
  }

  private void begin() {
    number++;
    int root = call.rootOf(number, ranks);
    if (call.collective().hasBytes() && (root < 0 || root == rank)) {
      Rows.write(inputs[number % inputs.length].memory(), first(rank));
    }
  }

  private double first(int of) {
    return number % NUMBERS * 2 + of;
  }

  private void run() {
    Data input = inputs[number % inputs.length].data();
    Data output = outputs[number % outputs.length].data();
    switch (call.collective()) {
      case BARRIER -> world.barrier();
      case BCAST -> world.bcast(input, call.rootOf(number, ranks));
      case ALLREDUCE -> world.allreduce(input, output, Op.SUM);
      case ALLGATHER -> world.allgather(input, output);
    }
  }

  private void check(int step) {
    if (!holds(step)) {
      throw new IllegalStateException(
          "%s of %d bytes: the output is not what the inputs make".formatted(call.title(), bytes));
    }
  }

  private boolean holds(int step) {
    Row input = inputs[number % inputs.length];
    Row output = outputs[number % outputs.length];
    return switch (call.collective()) {
      case BARRIER -> true;
      case BCAST -> Rows.holds(input.memory(), 0, bytes, first(call.rootOf(number, ranks)), 1, step);
      case ALLREDUCE ->
        Rows.holds(output.memory(), 0, bytes, ranks * first(0) + ranks * (ranks - 1) / 2.0, ranks, step);
      case ALLGATHER -> holdsAll(output, step);
    };
  }

  private boolean holdsAll(Row output, int step) {
    for (int of = 0; of < ranks; of++) {
      if (!Rows.holds(output.memory(), (long) of * bytes, bytes, first(of), 1, step)) {
        return false;
      }
    }
    return true;
  }

  /** One call all elements of which are looked at. */
  @Override
  public void verify() {
    batch(1);
    check(1);
  }
}
