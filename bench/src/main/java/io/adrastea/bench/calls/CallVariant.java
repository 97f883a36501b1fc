package io.adrastea.bench.calls;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.measure.WorkerCommand;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.library.Extracted;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A process that makes calls when it is told to: a core's worker, or the program in C. */
final class CallVariant implements Variant {
  /** What the line of the program in C is called. */
  static final String C = "c";

  private static final String PROGRAM = "adrastea-calls";
  private static final Duration START_DEADLINE = Duration.ofSeconds(60);

  private final String name;
  private final Team team;

  private CallVariant(String name) {
    this.name = name;
    this.team = new Team(name);
  }

  /** Starts the worker of a core and waits until it is ready. */
  static CallVariant ofCore(String core, int cpu) throws IOException, BenchException, InterruptedException {
    return new CallVariant(core)
        .start("worker", WorkerCommand.builder(CallWorker.class, LaunchEnvironment.create(1).forRank(0, core, cpu)));
  }

  /**
   * Starts the program in C out of the jar.
   *
   * @throws IOException when the jar has none for this platform or it cannot be run
   */
  static CallVariant ofC(int cpu) throws IOException {
    String directory = SegmentFile.directory().toString();
    return Extracted.with(
        PROGRAM,
        file -> new CallVariant(C).start(PROGRAM, new ProcessBuilder(file.toString(), "" + cpu, directory)));
  }

  private CallVariant start(String member, ProcessBuilder process)
      throws IOException, BenchException, InterruptedException {
    boolean ready = false;
    try {
      team.add(member, process);
      String greeting = team.gather("starting", START_DEADLINE).get(0);
      if (!greeting.equals(CallWorker.READY)) {
        throw new BenchException(team.memberName(0) + " greeted with nonsense: '" + greeting + "'");
      }
      ready = true;
      return this;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return !name.equals(C) || Call.of(kind.command()).inC();
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(team.times(order.kind().command(), order));
  }

  @Override
  public void close() {
    team.close();
  }
}
