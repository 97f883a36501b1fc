package io.adrastea.peers;

import io.adrastea.link.Inbound;
import io.adrastea.core.Sleeper;
import io.adrastea.link.Link;
import io.adrastea.ranktable.Abilities;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ranks of a job as one of them reaches them: each by one link, so that the order of what goes there is that of its
 * link. What comes is taken in from all links in turn; which one the piece at hand came by is kept here. Used inside
 * the engine's gate, except where a method says otherwise.
 *
 * <p>
 * A job on one node has one link. Then all that this class does beyond it is a load and a comparison for each poll.
 */
public final class Peers implements AutoCloseable {
  /**
   * Every so many polls begin with the link whose turn it is, rather than with that of the rank that is asked for,
   * which could be busy for ever: a power of two.
   */
  private static final int TURN = 8;

  private final int self;
  private final Nodes nodes;
  private final Abilities[] abilities; // by rank
  private final Link[] byRank;
  private final Link[] links; // each once
  private final int[] departures; // by link: how many of those that it lists were taken up; NOSYS: it lists none
  private final NodeLink[] nodeLinks; // by rank; null: no memory is shared with it
  private final Link only; // null: there are several
  private final NodeLink onlyNode; // null: there are several, or it shares no memory
  private final FusedReceive fused; // null: on no link
  private final Link fusedLink; // null: none
  private final BatchPoll batches; // of that link; null: none
  private final Sleeper sleeper;
  private final int pieceBytes; // the least of all links
  private Link at; // that the piece at hand came by
  private int turn; // link to begin with: the one behind the last that had something
  private int polls;

  /**
   * The peers of a rank.
   *
   * @param self rank in the job
   * @param abilities what each rank can do
   * @param byRank the link of each rank, its own number included
   * @param sleeper how this rank sleeps, and wakes others, by their numbers in the job
   */
  public Peers(int self, Nodes nodes, Abilities[] abilities, Link[] byRank, Sleeper sleeper) {
    this.self = self;
    this.nodes = nodes;
    this.abilities = abilities.clone();
    this.byRank = byRank.clone();
    this.links = Stream.of(this.byRank).distinct().toArray(Link[]::new);
    this.departures = Stream.of(links).mapToInt(link -> link.departed(0) == Link.NOSYS ? Link.NOSYS : 0).toArray();
    this.nodeLinks = Stream.of(this.byRank).map(Peers::ofNode).toArray(NodeLink[]::new);
    this.only = links.length == 1 ? links[0] : null;
    this.onlyNode = ofNode(only);
    this.at = links[0];
    NodeLink fusing =
        Stream.of(nodeLinks).filter(link -> link != null && link.fused() != null).findFirst().orElse(null);
    this.fusedLink = fusing;
    this.fused = fusing == null ? null : fusing.fused();
    this.batches = fusing == null ? null : fusing.batches();
    this.pieceBytes = Stream.of(links).mapToInt(Link::pieceBytes).min().orElseThrow();
    this.sleeper = links.length == 1 && fusedLink == links[0] ? sleeper : new WatchingSleeper(sleeper, links, self);
  }

  private static NodeLink ofNode(Link link) {
    return link instanceof NodeLink node ? node : null;
  }

  /** Number of ranks of the job. */
  public int size() {
    return byRank.length;
  }

  /** This rank. */
  public int self() {
    return self;
  }

  /** Where the ranks of the job are. */
  public Nodes nodes() {
    return nodes;
  }

  /** Whether a rank is on the node of this one, whatever link reaches it. */
  public boolean isOnNode(int rank) {
    return nodes.node(rank) == nodes.node(self);
  }

  /** What a rank can do beyond plain messages. */
  public Abilities abilities(int rank) {
    return abilities[rank];
  }

  /** How a rank is reached. */
  public Link link(int rank) {
    return only == null ? byRank[rank] : only;
  }

  /** How a rank is reached that this one shares memory with; null: it shares none. */
  public NodeLink nodeLink(int rank) {
    return only == null ? nodeLinks[rank] : onlyNode;
  }

  /** Most bytes of a message of one piece, whichever rank it is for. */
  public int pieceBytes() {
    return pieceBytes;
  }

  /** Most bytes of a message of one piece to that rank. */
  public int pieceBytes(int rank) {
    return only == null ? byRank[rank].pieceBytes() : pieceBytes;
  }

  /** How this rank sleeps, whatever it waits for, with ranks as the job numbers them. */
  public Sleeper sleeper() {
    return sleeper;
  }

  // What comes

  /**
   * Finds the next piece on any link, see {@link Link#poll}.
   *
   * @param first rank whose pieces go before those of others; -1: none
   */
  public int poll(int first, Inbound inbound) {
    return links.length == 1 ? at.poll(first, inbound) : pollAll(first, inbound);
  }

  private int pollAll(int first, Inbound inbound) {
    Link wanted = first < 0 ? null : byRank[first];
    boolean inTurn = wanted == null || (++polls & TURN - 1) == 0;
    int status = inTurn ? Link.AGAIN : pollOne(wanted, first, inbound);
    for (int count = 0, index = turn; status == Link.AGAIN && count < links.length; count++) {
      Link link = links[index];
      index = index + 1 == links.length ? 0 : index + 1;
      if (inTurn || link != wanted) {
        status = pollOne(link, link == wanted ? first : -1, inbound);
        turn = status == Link.AGAIN ? turn : index;
      }
    }
    return status;
  }

  /** Tells the log, at level debug, what was found out of the ways to each rank. */
  public void sayWays() {
    for (Link link : links) {
      link.sayWays();
    }
  }

  /** Finds the next piece on the links that a fused receive does not poll; {@link Link#AGAIN}: there is none. */
  public int pollBeside(Inbound inbound) {
    for (Link link : links) {
      if (link != fusedLink) {
        int status = pollOne(link, -1, inbound);
        if (status != Link.AGAIN) {
          return status;
        }
      }
    }
    return Link.AGAIN;
  }

  private int pollOne(Link link, int first, Inbound inbound) {
    int status = link.poll(first, inbound);
    if (status != Link.AGAIN) {
      at = link;
    }
    return status;
  }

  /** Copies the first bytes of the piece at hand, and ends with it. */
  public int take(MemorySegment destination, long offset, long length) {
    return at.take(destination, offset, length);
  }

  /** Ends with the piece at hand without a copy. */
  public int release() {
    return at.release();
  }

  /** Keeps the piece at hand where it lies, see {@link Link#retain}. */
  public int retain() {
    return at.retain();
  }

  // What only shared memory has

  /** Receives in one crossing, where {@link #mayFuse} says so; null: never. */
  public FusedReceive fused() {
    return fused;
  }

  /**
   * Whether a receive from a rank, -1: from any, may be fused. With several links one from any rank finds the messages
   * of one link only: {@link #pollBeside} is to be asked for the others', every so often.
   */
  public boolean mayFuse(int source) {
    return links.length == 1 || source < 0 || byRank[source] == fusedLink;
  }

  /** Whether there are links that neither a fused receive nor a batch polls. */
  public boolean isMixed() {
    return links.length > 1;
  }

  /**
   * Finds many messages in one crossing, on the link of the fused receive; null: no link does that. With several links
   * {@link #pollBeside} is to be asked for the others', every so often.
   */
  public BatchPoll batches() {
    return batches;
  }

  /** A barrier of all ranks; null: no link reaches them all and has one. */
  public LinkBarrier barrier() {
    return onlyNode == null ? null : onlyNode.barrier();
  }

  /** Whether memory is shared with a rank. */
  public boolean sharesMemory(int rank) {
    return nodeLink(rank) != null;
  }

  /** Whether this rank and another one can have a place for collectives in memory that both share. */
  public boolean sharesSlots(int rank) {
    return byRank[rank] == byRank[self] && slots() != null;
  }

  /** Places for collectives in the memory that this rank shares with others; null: none. */
  public Slots slots() {
    NodeLink own = nodeLink(self);
    return own == null ? null : own.slots();
  }

  // Which ranks are there

  public boolean isPresent(int rank) {
    return byRank[rank].isPresent(rank);
  }

  /** The other ranks whose links list no departures, so that each is to be asked for. */
  public int[] unlisted() {
    return IntStream.range(0, byRank.length).filter(rank -> rank != self && byRank[rank].departed(0) == Link.NOSYS)
        .toArray();
  }

  /** The next rank that a link lists as gone, each once; -1: there is none. */
  public int nextDeparted() {
    for (int index = 0; index < links.length; index++) {
      int rank = departures[index] < 0 ? Link.NOSYS : links[index].departed(departures[index]);
      if (rank >= 0) {
        departures[index]++;
        return rank;
      }
    }
    return -1;
  }

  /** Whether the process of a rank runs, whose memory transfers may use: also when the rank has left. */
  public boolean isReachable(int rank) {
    NodeLink link = nodeLink(rank);
    return link != null && link.isReachable(rank);
  }

  /** Whether the process of a rank is about to end, as far as can be told. */
  public boolean isEnding(int rank) {
    NodeLink link = nodeLink(rank);
    return link != null && link.isEnding(rank);
  }

  /** Puts right what ranks that are gone have left behind: zero or more, or the worst that a link answers. */
  public int repair() {
    int worst = 0;
    for (Link link : links) {
      worst = Math.min(worst, link.repair()); // CORRUPT is below AGAIN
    }
    return worst;
  }

  /** How many polls find all that is there at a time, if nothing comes meanwhile. */
  public int mostPieces() {
    int sum = 0;
    for (Link link : links) {
      sum += link.mostPieces();
    }
    return links.length == 1 ? sum : sum * links.length;
  }

  /** This rank is about to fail: each link is to tell the ranks that it reaches, see {@link Link#failing}. */
  public void failing(String reason) {
    for (Link link : links) {
      link.failing(reason);
    }
  }

  /**
   * The name of a rank for reports, and behind it what tells where to look: its link, and its host where that is known,
   * as in {@code 3 (tcp from 10.0.0.1, host n2)}; of a rank that memory is shared with the name alone.
   */
  public String whereabouts(String name, int rank) {
    if (sharesMemory(rank)) {
      return name;
    }
    String host = link(rank).host(rank);
    return "%s (%s%s)".formatted(name, link(rank).describe(), host.isEmpty() ? "" : ", host " + host);
  }

  /** Ends all links, when the rank leaves or fails. */
  @Override
  public void close() {
    Links.close(links);
  }
}
