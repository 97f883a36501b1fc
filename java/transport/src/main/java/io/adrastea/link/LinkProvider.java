package io.adrastea.link;

import java.util.BitSet;

/**
 * Brings links of one kind: how ranks reach others through one kind of network. It is found by
 * {@link java.util.ServiceLoader}: a module says that it provides this type, a jar on the class path names the class in
 * {@code META-INF/services/io.adrastea.link.LinkProvider}. It has a public constructor without arguments, and is used
 * by all ranks of a JVM, on any thread.
 *
 * <p>
 * Each rank of a job is reached by the first provider that says so. They are asked in the order of {@link #preference},
 * or as the setting {@code adrastea.links} names them, which leaves out those that it does not name. All ranks of a job
 * have to have the same providers and the same setting, and two ranks have to be told the same of each other: else one
 * sends by a link that the other does not poll. Two ranks of a node that differ are refused, by the first eight letters
 * of the names.
 */
public interface LinkProvider {
  /** The {@link #preference} of shared memory, whose link is called {@code shm} and reaches all ranks of the node. */
  int SHARED_MEMORY_PREFERENCE = 0;

  /**
   * What the setting {@code adrastea.links} and messages call these links.
   *
   * @return lower-case letters, digits, {@code -} and {@code _}; not {@code auto} nor {@code shm}
   */
  String name();

  /**
   * Place in the order in which providers are asked where the setting names none.
   *
   * @return above {@link #SHARED_MEMORY_PREFERENCE}: for ranks of other nodes alone; below: for ranks of the node as
   *   well, of which C ranks are reached by shared memory all the same. The least is asked first.
   */
  int preference();

  /**
   * Opens what others are to find when they reach for a rank, such as a socket that listens, before any of them is told
   * of it. Asked once for each rank of a job on several nodes, when it has joined on its own; where all ranks are on
   * one node nobody asks.
   *
   * @param job the random number of the job
   * @param rank number of the rank in the job
   * @return what was opened, which {@link JobRank#port} gives back; null: nothing, and nobody is told of this provider
   * @throws RuntimeException when it cannot: this rank does not join, and the others hear of it
   */
  default LinkPort listen(long job, int rank) {
    return null;
  }

  /**
   * Whether these links reach a rank from another one. Both ranks have to answer alike of each other, without waiting.
   *
   * @param self the rank that asks
   * @param rank number in the job of the one that it is to reach, which may be its own
   * @return false as well: the network is not there, or the provider's own settings say that it is not to be used
   */
  boolean reaches(JobRank self, int rank);

  /**
   * Makes the link from a rank to those that it is to reach by it. It may wait until these have joined, and has to look
   * meanwhile whether they still can.
   *
   * @param self the rank whose link it is; it has sent nothing yet
   * @param ranks numbers in the job of those that {@link #reaches} has said, and no other provider reaches before; at
   * least one
   * @return a new link, which the engine closes when the rank leaves or fails, and which closes the port of its
   *   provider
   * @throws RuntimeException when it cannot: this rank fails, and the others hear of it by links that they have
   */
  Link open(JobRank self, BitSet ranks);
}
