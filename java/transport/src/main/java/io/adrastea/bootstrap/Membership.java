package io.adrastea.bootstrap;

import io.adrastea.peers.Nodes;
import io.adrastea.segment.ProcessIdentity;
import java.util.Optional;

/**
 * Which rank of its job a process is.
 *
 * @param job random number of the job
 * @param rank number of this process in the job
 * @param nodes the ranks of the job, and on which node each is
 * @param launcher process whose end ends this rank
 * @param ours whether the launcher, if there is one, is ours: it tells why ranks have failed
 * @param nodeWords what another launcher says of several nodes, for messages; empty: nothing
 * @param cards by which ranks of several nodes tell each other that they have joined there; null: all are on one
 */
public record Membership(
    long job, int rank, Nodes nodes, Optional<ProcessIdentity> launcher, boolean ours, String nodeWords,
    CardExchange cards) {
  /** Makes the membership in a job of that size on one node. */
  public Membership(long job, int rank, int size, Optional<ProcessIdentity> launcher) {
    this(job, rank, Nodes.one(size), launcher, true, "", null);
  }

  /** Makes the membership of a rank that another launcher has started, with what that says of nodes. */
  static Membership byOther(
      long job, Bootstrap.Claim claim, Optional<ProcessIdentity> launcher, String nodeWords) {
    return new Membership(job, claim.rank(), Nodes.one(claim.size()), launcher, false, nodeWords, null);
  }

  /** Makes the membership of a rank that another launcher has started, if any, and that knows where the others are. */
  static Membership onNodes(
      long job, int rank, Nodes nodes, Optional<ProcessIdentity> launcher, CardExchange cards) {
    return new Membership(job, rank, nodes, launcher, false, "", cards);
  }

  /** Ranks of the job. */
  public int size() {
    return nodes.size();
  }

  /** Number of the node that this process is on. */
  public int node() {
    return nodes.node(rank);
  }

  /** Number of this process among those of its node. */
  public int localRank() {
    return nodes.localRank(rank);
  }

  /** Ranks of its node. */
  public int localSize() {
    return nodes.ranksOf(node()).length;
  }

  /** The only rank of a new job. */
  static Membership alone() {
    return new Membership(Variables.drawJobNumber(), 0, 1, Optional.empty());
  }
}
