package io.adrastea.bootstrap;

import io.adrastea.segment.ProcessIdentity;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Who a process is in its job.
 *
 * @param job random number of the job
 * @param rank number of this process in the job
 * @param size ranks of the job
 * @param launcher process whose end ends this rank
 */
public record Membership(long job, int rank, int size, Optional<ProcessIdentity> launcher) {
  /** The only rank of a new job. */
  static Membership alone() {
    return new Membership(new SecureRandom().nextLong(), 0, 1, Optional.empty());
  }
}
