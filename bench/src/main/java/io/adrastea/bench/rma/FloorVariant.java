package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.JobRun;
import java.util.List;

/**
 * What two processes in C need at least for an access.
 *
 * @param program {@code adrastea-rma}
 */
record FloorVariant(Team program, By by) implements Variant {
  static final String PROGRAM = "adrastea-rma";

  /** A first, uncounted command of the program. */
  static final String TRIAL = "put 8 1 1";

  /** How it is made. */
  enum By {
    /** On memory that both have mapped: a copy, an atomic instruction, a barrier of two lines, a loop. */
    MAPPED(""),
    /** By the bare call of the system, {@code process_vm_writev} or {@code process_vm_readv}. */
    SYSTEM("-cma"),
    /** By the C core's copy through that call. */
    SPACE("-space");

    private final String suffix;

    By(String suffix) {
      this.suffix = suffix;
    }
  }

  @Override
  public String name() {
    return JobRun.FLOOR + by.suffix;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return Access.of(kind.command())
        .filter(access -> by == By.MAPPED ? access.hasFloor() : access.isCopy())
        .isPresent();
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return false;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(program.times(Access.of(order.kind().command()).orElseThrow().word() + by.suffix, order));
  }

  /** A system may refuse its calls. */
  @Override
  public boolean optional() {
    return by != By.MAPPED;
  }

  /** The program is that of all, and ends with the first of them. */
  @Override
  public void close() {
    if (by == By.MAPPED) {
      program.close();
    }
  }
}
