package io.adrastea.bootstrap;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.Link;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import io.adrastea.peers.Peers;
import io.adrastea.link.shm.ShmLink;
import io.adrastea.queue.Intent;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;

/**
 * A rank that has joined: its segment, its core, and which other ranks are there.
 *
 * @param segment shared memory of the node
 * @param table ranks of the node
 * @param rank number of this rank on its node
 * @param nodes the ranks of the job, and on which node each is
 * @param jobRank number of this rank in the job
 * @param provider what made its core
 * @param core primitives on the segment for this rank
 * @param watch ends the process with its launcher; null: there is none
 * @param alone whether it is the only rank of this process
 */
public record JoinedRank(
    Segment segment, RankTable table, int rank, Nodes nodes, int jobRank, CoreProvider provider, Core core,
    LauncherWatch watch, boolean alone) {
  /** Makes a rank that is a thread beside others of this process, in a job on one node. */
  public JoinedRank(Segment segment, RankTable table, int rank, CoreProvider provider, Core core) {
    this(segment, table, rank, Nodes.one(table.size()), rank, provider, core, null, false);
  }

  /** Makes this rank the only one of its process, with the watch that it leaves with. */
  JoinedRank alone(LauncherWatch watch) {
    return new JoinedRank(segment, table, rank, nodes, jobRank, provider, core, watch, true);
  }

  /** Places this rank in the job that its segment is a part of. */
  JoinedRank in(Membership membership) {
    return new JoinedRank(segment, table, rank, membership.nodes(), membership.rank(), provider, core, watch, alone);
  }

  /** The ranks of the job as this one reaches them. */
  public Peers peers(Links links) {
    int[] here = nodes.ranksOf(nodes.node(jobRank));
    ShmLink shm = new ShmLink(core, table, segment, rank, here, nodes.size());
    Link[] byRank =
        links.open(
            new Links.Joined(segment.job(), jobRank, nodes, shm),
            other -> nodes.node(other) == nodes.node(jobRank) && table.isOfC(nodes.localRank(other)));
    return new Peers(jobRank, nodes, byRank, shm);
  }

  /**
   * Whether the rank can leave in order. It cannot when an {@link Error} has stopped it in the middle of an enqueue:
   * what it gave anybody now would take the place of what says so, and nobody could make that queue whole.
   */
  public boolean isWhole() {
    return !Intent.isOpen(segment.memory(), Intent.of(segment.geometry(), rank));
  }

  /** Leaves the job in order. */
  public void leave() {
    // Gives back what it has of others, which take the rest once the state tells that nothing more is done here.
    core.close();
    table.depart(rank, RankEntryDescriptor.STATE_LEFT);
    end();
  }

  /**
   * Enters why the rank fails, which the others read once it has ({@link #fail}, or the end of this process). Threads
   * may be in calls.
   *
   * @param reason a line of text
   * @param aborts whether the whole job is to end
   */
  public void failing(String reason, boolean aborts) {
    table.failing(rank, reason, aborts);
    if (aborts && watch != null) {
      watch.tellAbort(jobRank, reason);
    }
  }

  /** Leaves the job so that operations waiting for this rank fail. No thread can be in a call of the core any more. */
  public void fail() {
    core.close();
    table.depart(rank, RankEntryDescriptor.STATE_FAILED);
    end();
  }

  private void end() {
    if (watch != null) {
      watch.close();
    }
    if (alone) {
      ProcessSeat.leave();
    }
  }
}
