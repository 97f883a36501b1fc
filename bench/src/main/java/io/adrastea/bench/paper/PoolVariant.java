package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Answer;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import io.adrastea.cli.host.CpuPair;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A move on one way of adrastea-pool; those of a pair of CPUs share the program's processes. */
final class PoolVariant implements Variant {
  static final String PROGRAM = "adrastea-pool";

  private static final String TRIAL = "cells-latency 8 1 1";
  private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(30);

  private final String name;
  private final PoolWay way;
  private final PoolWay.Move move;
  private final PoolSettings settings;
  private final Team team;

  PoolVariant(String name, PoolWay way, PoolWay.Move move, PoolSettings settings, Team team) {
    this.name = name;
    this.way = way;
    this.move = move;
    this.settings = settings;
    this.team = team;
  }

  /**
   * Starts the program out of the jar.
   *
   * @throws BenchException when the jar has none for this platform or it cannot be run
   */
  static Team start(CpuPair cpus, PoolSettings settings) throws BenchException {
    try {
      return Extracted.with(PROGRAM, file -> start(file.toString(), cpus, settings));
    } catch (IOException e) {
      throw new BenchException(e.getMessage());
    }
  }

  private static Team start(String file, CpuPair cpus, PoolSettings settings)
      throws IOException, BenchException, InterruptedException {
    Team team = new Team("C");
    try {
      team.add(
          PROGRAM,
          new ProcessBuilder(
              file,
              "" + cpus.first(),
              "" + cpus.second(),
              "" + settings.cellBytes(),
              "" + settings.bufferBytes()));
      Answer.times(PROGRAM, team.ask(TRIAL, TRIAL_DEADLINE).get(0), 1);
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
    return settings.measures(way, bytes);
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    String line = team.ask(order.command(way.command(move)), order.deadline()).get(0);
    return List.of(Answer.times(team.memberName(0), line, order.batches()));
  }

  @Override
  public void close() {
    team.close();
  }
}
