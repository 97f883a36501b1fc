package io.adrastea.link;

import java.util.Arrays;

/** Chooses the link to each rank of a job, when a rank has joined. */
@FunctionalInterface
public interface LinkFactory {
  /** All ranks through shared memory: they are all on one node. */
  LinkFactory SHARED_MEMORY = (self, size, shm) -> {
    Link[] links = new Link[size];
    Arrays.fill(links, shm);
    return links;
  };

  /**
   * The links of a rank.
   *
   * @param self rank in the job
   * @param size ranks of the job
   * @param shm the link of shared memory, which reaches all ranks of the node
   * @return one for each rank, by its number; several ranks may have the same
   */
  Link[] links(int self, int size, Link shm);
}
