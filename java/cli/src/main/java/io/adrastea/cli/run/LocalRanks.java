package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.ExitStatus;
import io.adrastea.cli.run.EndedRanks.Failure;
import io.adrastea.config.Tunable;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.launch.RollCall;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The ranks that this process starts on its host. However it ends, none of them stays: {@link #end} is called by its
 * shutdown hook or, when it is killed, {@link Prefixes#ofDeathSignal} does it.
 */
final class LocalRanks implements JobRanks {
  private static final int CANNOT_START = 126;

  private final List<RankPlan> plans;
  private final int first;
  private final int reader;
  private final Redirect input;
  private final Output output;
  private final Consumer<String> say;
  private final JobProcesses members;
  private final JobFile file;
  private final EndedRanks ended;
  private final RollCall roll; // of the watch for hangs alone
  private final List<Process> processes = new ArrayList<>();
  private HangWatch watch; // null: it has not begun
  private boolean over;

  /**
   * Ranks yet to be started, whose numbers follow each other.
   *
   * @param job of theirs
   * @param node number of this host among those of the job
   * @param reader the rank that reads standard input; one that is not here: none does
   * @param input what it reads
   * @param say is told what the user is to hear
   */
  LocalRanks(List<RankPlan> plans, LaunchEnvironment job, int node, int reader, Redirect input, Output output,
      Consumer<String> say) {
    this.plans = plans;
    this.first = plans.getFirst().rank();
    this.reader = reader;
    this.input = input;
    this.output = output;
    this.say = say;
    this.members = JobProcesses.of(job);
    this.file = new JobFile(job.job(), node);
    this.ended = new EndedRanks(new RollCall(job.job(), node, first, plans.size()), first, members, file);
    this.roll = new RollCall(job.job(), node, first, plans.size());
  }

  /** To be called by a thread that lives as long as this process: {@link Prefixes#ofDeathSignal} follows the thread. */
  @Override
  public void start(RankEnds ends) {
    file.guard();
    List<String> prefix = Prefixes.ofDeathSignal();
    for (RankPlan plan : plans) {
      start(plan, prefix, ends);
    }
    beginWatch();
  }

  private synchronized void start(RankPlan plan, List<String> prefix, RankEnds ends) {
    if (over) {
      return;
    }
    ProcessBuilder builder = plan.process(prefix);
    builder.redirectInput(plan.rank() == reader ? input : Redirect.from(new File("/dev/null")));
    try {
      Process process = output.start(plan.rank(), builder);
      processes.add(process);
      process
          .onExit()
          .thenAccept(p -> ends.add(plan.rank(), new ExitStatus(p.exitValue())));
    } catch (IOException e) {
      throw new CommandFailure(
          CANNOT_START, "rank %d cannot be started: %s".formatted(plan.rank(), e.getMessage()));
    }
  }

  private synchronized void beginWatch() {
    watch = HangWatch.start(roll, file, List.copyOf(processes), Tunable.HANG_REPORT.intValue(), say);
  }

  /** What the rank that reads gets, where its input is a pipe; {@code null}: it is not here. */
  synchronized OutputStream input() {
    return reader < first || reader - first >= processes.size() ? null : processes.get(reader - first)
        .getOutputStream();
  }

  @Override
  public String name(int rank) {
    return "rank " + rank;
  }

  @Override
  public String words(RankEnds.End end) {
    return end.status().toString();
  }

  @Override
  public synchronized Failure failure(int rank) {
    return over ? Failure.UNKNOWN : ended.failure(rank, processes);
  }

  @Override
  public boolean isCause(int rank) {
    return false;
  }

  @Override
  public synchronized Map<Integer, String> there() {
    Map<Integer, String> waits = over ? Map.of() : ended.waits(processes);
    Map<Integer, String> there = new TreeMap<>();
    for (int i = 0; i < processes.size(); i++) {
      if (processes.get(i).isAlive()) {
        there.put(first + i, waits.getOrDefault(first + i, ""));
      }
    }
    return there;
  }

  @Override
  public synchronized boolean isAnyThere() {
    return processes.stream().anyMatch(Process::isAlive);
  }

  @Override
  public synchronized void add(RankEnds.End end) {
    ended.add(end);
  }

  @Override
  public synchronized boolean isOpen() {
    return ended.isOpen();
  }

  @Override
  public synchronized void look() {
    if (!over) { // what was made now would stay
      ended.look(processes).forEach(say);
    }
  }

  @Override
  public synchronized void end() {
    if (over) {
      return;
    }
    over = true;
    JobProcesses.end(JobProcesses.tree(processes), () -> members.find(processes));
    clean();
  }

  @Override
  public synchronized boolean isOver() {
    return over;
  }

  @Override
  public synchronized void finish() {
    over = true;
    clean();
  }

  private void clean() {
    if (watch != null) {
      watch.end();
    }
    ended.close();
    file.remove();
  }
}
