package io.adrastea.bench.measure;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A variant whose ranks a launcher starts, as it does for users, and which run where that puts them. */
public interface Launched {
  /** The name in the table and in the CSV. */
  String name();

  /** What it needs and is not here, with what brings it; nothing when it can be started. */
  Optional<String> missing();

  /**
   * Starts a job of so many ranks.
   *
   * @param cpus that there are for them
   * @param prefix a program that executes the launcher, with its words; may be empty
   */
  Answering launch(int ranks, int cpus, List<String> prefix) throws IOException, BenchException, InterruptedException;
}
