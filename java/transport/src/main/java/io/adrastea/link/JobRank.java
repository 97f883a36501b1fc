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

  /**
   * What a rank of the job has told of the port that a provider has opened there ({@link LinkProvider#listen}).
   *
   * @param provider that asks
   * @param rank any of the job
   * @return what {@link LinkPort#words} was there; empty: there is none, or all ranks are on one node
   */
  String words(LinkProvider provider, int rank);

  /**
   * The port that a provider has opened for this rank.
   *
   * @param provider that asks
   * @return what {@link LinkProvider#listen} gave; null: nothing, or all ranks are on one node
   */
  LinkPort port(LinkProvider provider);
}
