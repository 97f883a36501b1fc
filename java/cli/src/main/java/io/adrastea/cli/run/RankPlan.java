package io.adrastea.cli.run;

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
