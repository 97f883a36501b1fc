package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.JobRun;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What the machine needs at least for a rank's bytes: the one-way time of a cache line, and a copy of what the other
 * CPU has just written where they are more than a line. Two CPUs do so, however many ranks there are.
 *
 * @param program {@code adrastea-floor}
 */
record FloorVariant(Team program) implements Variant {
  /** Bytes that a cache line has room for. */
  static final int LINE = 64;

  @Override
  public String name() {
    return JobRun.FLOOR;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return kind.messagesPerExchange() == 1 // not of several calls, whose time is shared out
        && Call.of(kind.command()).filter(call -> !call.form().computes()).isPresent();
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return false;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return order.bytes() > LINE
        ? List.of(program.times("copy", order))
        : List.of(LongStream.of(program.times("line", order)).map(roundTrip -> roundTrip / 2).toArray());
  }

  @Override
  public void close() {
    program.close();
  }
}
