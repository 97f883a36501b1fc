package io.adrastea.peers;

import io.adrastea.link.Link;

/** A barrier that a link brings, of all the ranks that it reaches and the rank itself [MPICH2 2007, 3.4]. */
public interface LinkBarrier {
  /** Arrives. */
  int arrive();

  /** Whether all have arrived, asked at most {@code polls} times: 0, or {@link Link#AGAIN}. */
  int await(int polls);
}
