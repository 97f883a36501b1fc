package io.adrastea.link;

/** A rank for which links are made, as {@link LinkProvider} sees it: it has joined its job on its node. */
public interface JobRank {
  /**
   * The random number of the job, the same at all its ranks, and another one in each job.
   *
   * @return any number
   */
  long job();

  /**
   * Number of this rank in the job.
   *
   * @return 0 or more, below {@link #size}
   */
  int rank();

  /**
   * Ranks of the job.
   *
   * @return 1 or more
   */
  int size();

  /**
   * On which node a rank of the job is.
   *
   * @param rank any of the job
   * @return number of the node, from 0
   */
  int node(int rank);

  /**
   * The link of shared memory, which reaches the ranks of this rank's node, itself among them: for links that stand
   * over it, or that ask it which of those ranks are there. It is not to be closed by others.
   *
   * @return always the same
   */
  Link sharedMemory();
}
