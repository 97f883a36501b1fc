package io.adrastea.cli.run;

import io.adrastea.cli.host.AllowedCpus;
import io.adrastea.launch.LaunchEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is to be started as one rank.
 *
 * @param rank its number in the job
 * @param program what it executes
 * @param common settings of all ranks
 * @param own the variables that make it this rank of this job
 */
record RankPlan(int rank, Program program, Map<String, String> common, Map<String, String> own) {
  private static final int NO_CPU = -1;

  /**
   * The ranks of all parts, numbered through.
   *
   * @param common settings of all ranks
   * @param cpus dealt to the ranks that are bound
   */
  static List<RankPlan> ofAll(
      List<Part> parts, LaunchEnvironment job, Map<String, String> common, AllowedCpus cpus) {
    List<RankPlan> plans = new ArrayList<>();
    int bound = 0;
    for (Part part : parts) {
      for (int i = 0; i < part.size(); i++) {
        int rank = plans.size();
        int cpu = part.binding() == Binding.cpu ? cpus.ofRank(bound++) : NO_CPU;
        plans.add(new RankPlan(rank, part.program(), common, job.forRank(rank, part.core(i), cpu)));
      }
    }
    return plans;
  }

  /** A process to be started; {@code prefix} is a program that executes another. */
  ProcessBuilder process(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(program.command());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(program.environment());
    builder.environment().putAll(common);
    builder.environment().putAll(own);
    return builder;
  }
}
