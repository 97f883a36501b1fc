package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Placement.Place;
import io.adrastea.cli.place.Placement;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.launch.LaunchEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is to be started as one rank.
 *
 * @param rank its number in the job
 * @param program what it executes
 * @param binder the words before it that bind it to CPUs
 * @param common settings of all ranks
 * @param own the variables that make it this rank of this job
 */
record RankPlan(
    int rank, Program program, List<String> binder, Map<String, String> common, Map<String, String> own) {
  private static final int NO_CPU = -1;

  /**
   * Ranks of all parts, which are numbered through.
   *
   * @param common settings of all ranks
   * @param first the lowest rank that is placed
   * @param placement of the ranks from there on; the others are none of them
   * @throws io.adrastea.cli.base.CommandFailure when ranks cannot be bound here
   */
  static List<RankPlan> ofAll(
      List<Part> parts, LaunchEnvironment job, Map<String, String> common, int first, Placement placement) {
    List<RankPlan> plans = new ArrayList<>();
    int rank = -1;
    for (Part part : parts) {
      for (int i = 0; i < part.size(); i++) {
        rank++;
        if (rank < first || rank - first >= placement.places().size()) {
          continue;
        }
        Place place = placement.places().get(rank - first);
        int cpu = place.binding() == Binding.cpu ? place.cpus().first() : NO_CPU;
        List<String> binder = Prefixes.ofBinding(place, part.program().isJava());
        plans.add(new RankPlan(rank, part.program(), binder, common, job.forRank(rank, part.core(i), cpu)));
      }
    }
    return plans;
  }

  /** A process to be started; {@code prefix} is a program that executes another. */
  ProcessBuilder process(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(binder);
    command.addAll(program.command());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(LaunchEnvironment.variables());
    builder.environment().putAll(common);
    builder.environment().putAll(program.environment()); // with settings that are this part's own
    builder.environment().putAll(own);
    if (program.directory() != null) {
      builder.directory(program.directory().toFile());
    }
    return builder;
  }
}
