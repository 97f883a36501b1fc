package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Answer;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Something that two processes in C do on the channel; those of a program share its processes. */
final class CountsVariant implements Variant {
  private static final String TRIAL = "box 8 1 1";
  private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(30);

  private final String name;
  private final String command;
  private final Team team;

  /**
   * @param name what tables call it
   * @param command what the program calls it
   */
  CountsVariant(String name, String command, Team team) {
    this.name = name;
    this.command = command;
    this.team = team;
  }

  /**
   * Starts a program out of the jar on the first two CPUs.
   *
   * @throws BenchException when the jar has none for this platform or it cannot be run
   */
  static Team start(String program, Cpus cpus) throws BenchException {
    try {
      return Extracted.with(
          program, file -> start(program, file.toString(), cpus.of(0, 0), cpus.of(0, 1)));
    } catch (IOException e) {
      throw new BenchException(e.getMessage());
    }
  }

  private static Team start(String program, String file, int cpu0, int cpu1)
      throws IOException, BenchException, InterruptedException {
    Team team = new Team("C");
    try {
      team.add(program, new ProcessBuilder(file, "serve", "" + cpu0, "" + cpu1));
      Answer.times(program, team.ask(TRIAL, TRIAL_DEADLINE).get(0), 1);
      return team;
    } catch (IOException | BenchException e) {
      team.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    String line = team.ask(order.command(command), order.deadline()).get(0);
    return List.of(Answer.times(team.memberName(0), line, order.batches()));
  }

  @Override
  public void close() {
    team.close();
  }
}
