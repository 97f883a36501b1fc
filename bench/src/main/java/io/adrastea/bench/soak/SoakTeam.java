package io.adrastea.bench.soak;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.WorkerCommand;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The ranks of a soak: processes that go where the system puts them. */
final class SoakTeam implements AutoCloseable {
  private static final Duration JOIN_DEADLINE = Duration.ofMinutes(2);
  private static final String HEAP = "-Xmx256m"; // a pool without end is to be noticed, not to fill the machine

  private final SoakPlan plan;
  private final LaunchEnvironment job;
  private final Team team = new Team("soak");

  private SoakTeam(SoakPlan plan) {
    this.plan = plan;
    this.job = LaunchEnvironment.create(plan.ranks());
  }

  /** Starts all ranks and waits until they have joined. */
  static SoakTeam start(SoakPlan plan) throws IOException, BenchException, InterruptedException {
    SoakTeam started = new SoakTeam(plan);
    try {
      for (int rank = 0; rank < plan.ranks(); rank++) {
        started.add(rank);
      }
      started.team.gather("joining", JOIN_DEADLINE);
      return started;
    } catch (IOException | BenchException | InterruptedException e) {
      started.close();
      throw e;
    }
  }

  private void add(int rank) throws IOException {
    ProcessBuilder worker = WorkerCommand.builder(SoakWorker.class, job.forRank(rank, plan.core(rank), -1));
    worker.command().add(1, HEAP);
    worker.command().addAll(List.of("" + plan.seed(), "" + plan.largest(), "" + plan.patience().toSeconds()));
    worker.redirectError(Redirect.INHERIT); // threads of a rank that hangs are more than a few last words
    team.add("rank %d on %s".formatted(rank, plan.core(rank)), worker);
  }

  /** One line of each rank. */
  List<String> ask(String command) throws BenchException, InterruptedException {
    return team.ask(command, plan.patience().plus(plan.patience()));
  }

  /** The file of the segment, which is there only until all ranks have joined. */
  private Path file() {
    return SegmentFile.path(SegmentFile.directory(), Long.parseUnsignedLong(job.job(), 16), 0);
  }

  boolean leavesFile() {
    return Files.exists(file());
  }

  @Override
  public void close() {
    team.close();
    try {
      Files.deleteIfExists(file());
    } catch (IOException | RuntimeException e) {
      // The next job of this user removes it.
    }
  }
}
