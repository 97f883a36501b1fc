package io.adrastea.bootstrap;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.Link;
import io.adrastea.peers.LinkPorts;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import io.adrastea.peers.Peers;
import io.adrastea.link.shm.ShmLink;
import io.adrastea.queue.Intent;
import io.adrastea.ranktable.Abilities;
import io.adrastea.ranktable.FailureReason;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A rank that has joined: its segment, its core, and which other ranks are there.
 *
 * @param segment shared memory of the node
 * @param table ranks of the node
 * @param rank number of this rank on its node
 * @param nodes the ranks of the job, and on which node each is
 * @param jobRank number of this rank in the job
 * @param abilities what each rank of the job can do; null: the table tells it of all, which are on one node
 * @param ports what its links have opened for ranks of other nodes, and what those have told of theirs
 * @param provider what made its core
 * @param core primitives on the segment for this rank
 * @param watch ends the process with its launcher; null: there is none
 * @param alone whether it is the only rank of this process
 */
public record JoinedRank(
    Segment segment, RankTable table, int rank, Nodes nodes, int jobRank, Abilities[] abilities, LinkPorts ports,
    CoreProvider provider, Core core, LauncherWatch watch, boolean alone) {
  /** Makes a rank that is a thread beside others of this process, in a job on one node. */
  public JoinedRank(Segment segment, RankTable table, int rank, CoreProvider provider, Core core) {
    this(segment, table, Nodes.one(table.size()), rank, provider, core);
  }

  /** Makes a rank that has joined on its node. */
  JoinedRank(Segment segment, RankTable table, Nodes nodes, int jobRank, CoreProvider provider, Core core) {
    this(segment, table, nodes.localRank(jobRank), nodes, jobRank, null, new LinkPorts(), provider, core, null, false);
  }

  /** Makes this rank the only one of its process, with the watch that it leaves with. */
  JoinedRank alone(LauncherWatch watch) {
    return new JoinedRank(segment, table, rank, nodes, jobRank, abilities, ports, provider, core, watch, true);
  }

  /**
   * Opens what the ranks of other nodes reach it by, and waits until all of them have joined. When that fails, this
   * rank has left as failed.
   *
   * @param exchange gives the card of this rank, and has those of all ranks of the job
   * @return this rank, with what it has heard
   */
  JoinedRank meetOthers(Function<Card, List<Card>> exchange) {
    LinkPorts opened = new LinkPorts();
    try {
      opened = Links.inForce().listen(segment.job(), jobRank);
      List<Card> cards = exchange.apply(new Card(table.abilities(rank), opened.words()));
      opened.hear(cards.stream().map(Card::links).toList());
      Abilities[] heard = cards.stream().map(Card::abilities).toArray(Abilities[]::new);
      return new JoinedRank(segment, table, rank, nodes, jobRank, heard, opened, provider, core, watch, alone);
    } catch (RuntimeException | Error e) {
      opened.close();
      fail();
      throw e;
    }
  }

  /** The ranks of its node, as the job numbers them. */
  public int[] onNode() {
    return nodes.ranksOf(nodes.node(jobRank));
  }

  /** The ranks of the job as this one reaches them. */
  public Peers peers(Links links) {
    ShmLink shm = new ShmLink(core, table, segment, rank, onNode(), nodes.size());
    Abilities[] able =
        abilities == null
            ? IntStream.range(0, table.size()).mapToObj(table::abilities).toArray(Abilities[]::new)
            : abilities;
    Link[] byRank;
    try (ports) { // those that no link has taken are of no use
      byRank = links.open(new Links.Joined(segment.job(), jobRank, nodes, shm, ports), other -> able[other].isOfC());
    }
    return new Peers(jobRank, nodes, able, byRank, shm);
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

  /** A reason to fail as other ranks are told it. */
  public String oneLine(String reason) {
    return FailureReason.cut(reason);
  }

  /** Leaves the job so that operations waiting for this rank fail. No thread can be in a call of the core any more. */
  public void fail() {
    core.close();
    table.depart(rank, RankEntryDescriptor.STATE_FAILED);
    end();
  }

  private void end() {
    ports.close();
    if (watch != null) {
      watch.close();
    }
    if (alone) {
      ProcessSeat.leave();
    }
  }
}
