package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Answer;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.WorkerCommand;
import io.adrastea.library.Extracted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What runs beside a job, from its start to its end; however this process ends, the other ends with it. */
final class Company implements AutoCloseable {
  private static final String HOG = "adrastea-hog";
  private static final int ALL_THE_TIME_MICROS = 1_000_000;
  private static final int WORK_MICROS = 200;
  private static final int SLEEP_MICROS = 300;
  private static final long LAST_RESORT_SECONDS = Duration.ofHours(12).toSeconds();
  private static final Duration START = Duration.ofSeconds(60);

  private final List<Team> teams = new ArrayList<>();

  private Company() {}

  /**
   * Starts it and returns once it runs.
   *
   * @param cpus how many a job may use
   * @param prefix a program that executes another, with its words; may be empty
   */
  static Company start(Beside beside, int cpus, List<String> prefix)
      throws IOException, BenchException, InterruptedException {
    Company company = new Company();
    boolean runs = false;
    try {
      company.start(beside, cpus, new Starter(beside.word(), prefix));
      runs = true;
      return company;
    } finally {
      if (!runs) {
        company.close();
      }
    }
  }

  private void start(Beside beside, int cpus, Starter starter)
      throws IOException, BenchException, InterruptedException {
    switch (beside) {
      case ALONE, QUOTA -> {
        // Nothing runs beside it.
      }
      case NICE19 -> teams.add(starter.hog(ALL_THE_TIME_MICROS, 0, 1, 19));
      case NICE0 -> teams.add(starter.hog(ALL_THE_TIME_MICROS, 0, 1, 0));
      case WAKER -> teams.add(starter.hog(WORK_MICROS, SLEEP_MICROS, 1, 0));
      case JOB -> teams.add(starter.job(List.of()));
      case BOUND_JOB -> teams.add(starter.job(List.of("--bind", "cpu")));
      case ALL -> teams.add(starter.hog(ALL_THE_TIME_MICROS, 0, cpus, 0));
    }
  }

  private record Starter(String name, List<String> prefix) {
    /** The file is there until the program answers: a prefix executes it some time after its own start. */
    Team hog(int workMicros, int sleepMicros, int threads, int niceness) throws IOException, BenchException {
      List<String> words = Stream.of(workMicros, sleepMicros, threads, LAST_RESORT_SECONDS, niceness)
          .map(String::valueOf).toList();
      Team team = new Team(name);
      try {
        Optional<BenchException> silent = Extracted.with(HOG, file -> {
          List<String> command = new ArrayList<>(prefix);
          command.add(file.toString());
          command.addAll(words);
          team.add(HOG, new ProcessBuilder(command));
          return silent(team);
        });
        if (silent.isPresent()) {
          throw silent.get();
        }
        return team;
      } catch (IOException | BenchException e) {
        team.close();
        throw e;
      }
    }

    /** What it says in the place of an answer. One that has begun and then fails would do so in any directory. */
    private static Optional<BenchException> silent(Team team) throws InterruptedException {
      try {
        Answer.times(HOG, team.ask("cpu", START).get(0), 1); // all its threads are there
        return Optional.empty();
      } catch (BenchException e) {
        return Optional.of(e);
      }
    }

    Team job(List<String> options) throws IOException, BenchException, InterruptedException {
      Team team = new Team(name);
      List<String> all = new ArrayList<>(List.of("-n", "2", "--label", "never"));
      all.addAll(options);
      team.addLauncher("adrastea run", WorkerCommand.launcher(prefix, all, CrowdRank.class, CrowdRank.BESIDE));
      try {
        team.gather("starting", START);
        return team;
      } catch (BenchException | InterruptedException e) {
        team.close();
        throw e;
      }
    }
  }

  @Override
  public void close() {
    teams.forEach(Team::close);
  }
}
