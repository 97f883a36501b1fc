package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Answering;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Launched;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.WorkerCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A job of ours, by {@code adrastea run}.
 *
 * @param cores of the lower and the upper half of its ranks
 * @param binding the word of {@code --bind}; {@link #DEFAULT}: none is given
 */
record OurJob(CorePair cores, String binding) implements Launched {
  /** The binding that {@code run} chooses by itself. */
  static final String DEFAULT = "default";

  @Override
  public String name() {
    return binding.equals(DEFAULT) ? cores.name() : cores.name() + "/" + binding;
  }

  @Override
  public Optional<String> missing() {
    return Optional.empty();
  }

  @Override
  public Answering launch(int ranks, int cpus, List<String> prefix) throws IOException {
    List<String> options = new ArrayList<>(List.of("-n", "" + ranks, "--label", "never", "--core", cores(ranks)));
    if (!binding.equals(DEFAULT)) {
      options.addAll(List.of("--bind", binding));
    }
    Team team = new Team(name());
    team.addLauncher("adrastea run", WorkerCommand.launcher(prefix, options, CrowdRank.class));
    return new Answering() {
      @Override
      public String ask(String command, Duration deadline) throws BenchException, InterruptedException {
        return team.ask(command, deadline).get(0);
      }

      @Override
      public void close() {
        team.close();
      }
    };
  }

  private String cores(int ranks) {
    return Stream.of(cores.lower(), cores.upper())
        .flatMap(core -> Collections.nCopies(ranks / 2, core).stream())
        .collect(Collectors.joining(","));
  }
}
