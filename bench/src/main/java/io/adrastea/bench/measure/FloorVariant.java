package io.adrastea.bench.measure;

import io.adrastea.library.Extracted;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What the machine allows, timed by two processes in plain C ({@code adrastea-floor}). Several variants share them:
 * each has its own command.
 */
public final class FloorVariant implements Variant {
  private static final String PROGRAM = "adrastea-floor";
  private static final String TRIAL = "line 8 1 1";
  private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(10);

  private final Kind.Reference reference;
  private final Team team;

  public FloorVariant(Kind.Reference reference, Team team) {
    this.reference = reference;
    this.team = team;
  }

  /**
   * Starts the program out of the jar.
   *
   * @throws IOException when the jar has none for this platform or it cannot be run
   */
  public static Team start(int cpu0, int cpu1) throws IOException {
    return Extracted.with(PROGRAM, file -> start(file, cpu0, cpu1));
  }

  private static Team start(Path program, int cpu0, int cpu1)
      throws IOException, BenchException, InterruptedException {
    Team team = new Team("floor");
    try {
      team.add(PROGRAM, new ProcessBuilder(program.toString(), "" + cpu0, "" + cpu1));
      Answer.times(PROGRAM, team.ask(TRIAL, TRIAL_DEADLINE).get(0), 1);
      return team;
    } catch (IOException | BenchException e) {
      team.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return reference.variant();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return kind.references().contains(reference) && bytes <= reference.maxBytes();
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    String line = team.ask(order.command(reference.command()), order.deadline()).get(0);
    return List.of(Answer.times(team.memberName(0), line, order.batches()));
  }

  @Override
  public void close() {
    team.close();
  }
}
