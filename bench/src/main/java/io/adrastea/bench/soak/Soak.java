package io.adrastea.bench.soak;

import io.adrastea.bench.measure.BenchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the rounds of a soak: about one a second, until its time is over, with a look at what the ranks hold between
 * them.
 */
final class Soak {
  private static final double ROUND_SECONDS = 1;
  private static final long LOOKS = 60; // at most; a collection of the heap goes with each
  private static final long LEAST_LOOK_NANOS = 1_000_000_000;

  private final SoakPlan plan;
  private final SoakText text;
  private final Tally tally = new Tally();
  private final List<Levels> levels = new ArrayList<>();
  private int rounds;
  private int steps = 1;

  Soak(SoakPlan plan, SoakText text) {
    this.plan = plan;
    this.text = text;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      levels.add(new Levels());
    }
  }

  /** Runs it; what was wrong, one sentence each. */
  List<String> run() throws IOException, BenchException, InterruptedException {
    try (SoakTeam team = SoakTeam.start(plan)) {
      text.joined();
      long begin = System.nanoTime();
      long lookEvery = Math.max(plan.length().toNanos() / LOOKS, LEAST_LOOK_NANOS);
      for (long now = begin, look = begin; now - begin < plan.length().toNanos(); now = System.nanoTime()) {
        round(team);
        if (System.nanoTime() - look >= 0) {
          look(team);
          look += lookEvery;
        }
        text.progress(System.nanoTime() - begin, rounds, tally, levels);
      }
      return wrong(team);
    }
  }

  private void round(SoakTeam team) throws BenchException, InterruptedException {
    long begin = System.nanoTime();
    for (String answer : team.ask("%s %d %d".formatted(SoakWorker.ROUND, rounds++, steps))) {
      tally.add(answer);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    steps = (int) Math.clamp(steps * Math.clamp(ROUND_SECONDS / seconds, 0.5, 2), 1, Traffic.MOST_STEPS - 1);
  }

  private void look(SoakTeam team) throws BenchException, InterruptedException {
    List<String> answers = team.ask(SoakWorker.USAGE);
    for (int rank = 0; rank < answers.size(); rank++) {
      levels.get(rank).add(Usage.of(answers.get(rank)));
    }
  }

  private List<String> wrong(SoakTeam team) {
    List<String> wrong = new ArrayList<>();
    for (int rank = 0; rank < levels.size(); rank++) {
      String name = "rank %d on %s: ".formatted(rank, plan.core(rank));
      levels.get(rank).grown().map(name::concat).forEach(wrong::add);
    }
    if (tally.sent() != tally.received()) {
      wrong.add("%d messages were sent and %d received".formatted(tally.sent(), tally.received()));
    }
    if (team.leavesFile()) {
      wrong.add("the segment's file is still in the directory of shared memory");
    }
    return wrong;
  }

  Tally tally() {
    return tally;
  }

  List<Levels> levels() {
    return levels;
  }

  int rounds() {
    return rounds;
  }
}
