package io.adrastea.bench.shmem;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.JobRun;
import java.util.List;

/**
 * What two processes in C need at least for a call, by loops on memory that both have mapped.
 *
 * @param program {@code adrastea-shmem}
 */
record FloorVariant(Team program) implements Variant {
  static final String PROGRAM = "adrastea-shmem";

  /** A first, uncounted command of the program. */
  static final String TRIAL = "put 8 1 1";

  @Override
  public String name() {
    return JobRun.FLOOR;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return Call.of(kind.command()).filter(Call::hasFloor).isPresent();
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return false;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(program.times(Call.of(order.kind().command()).orElseThrow().word(), order));
  }

  @Override
  public void close() {
    program.close();
  }
}
