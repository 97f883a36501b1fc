package io.adrastea.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.adrastea.core.Core;
import io.adrastea.link.Inbound;
import io.adrastea.core.Sleeper;
import io.adrastea.core.SleeplessNode;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.step.RankSet;
import io.adrastea.link.Link;
import io.adrastea.ranktable.Abilities;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rank 0 of four, of which the odd ones are reached by another link than itself and rank 2. */
class PeersTest {
  private static final int MANY = 10_000;

  private final GivenNodeLink near = new GivenNodeLink();
  private final GivenLink far = new GivenLink();
  private final Inbound inbound = new Inbound();

  private Peers peers() {
    return new Peers(0, Nodes.of(0, 1, 0, 1), GivenAbilities.all(4), new Link[] {near, far, near, far},
        givenSleeper(0));
  }

  private static Sleeper givenSleeper(long word) {
    return new SleeplessNode() {
      @Override
      public long announceSleep() {
        return word;
      }
    };
  }

  @Test
  void aLinkThatIsAlwaysBusyKeepsNoOtherWaiting() {
    Peers peers = peers();
    near.endless = true;
    near.add(2, 1);
    far.endless = true;
    far.add(1, 2);
    for (int poll = 0; poll < 100; poll++) {
      assertEquals(Core.PIECE, peers.poll(-1, inbound));
      peers.release();
    }
    assertEquals(50, near.taken);
    assertEquals(50, far.taken);
  }

  @Test
  void theRankThatIsAskedForGoesFirstButNotForEver() {
    Peers peers = peers();
    near.endless = true;
    near.add(2, 1);
    far.add(1, 2);
    int polls = 0;
    do {
      assertEquals(Core.PIECE, peers.poll(2, inbound));
      peers.release();
      polls++;
    } while (far.taken == 0 && polls < 100);
    assertTrue(polls > 1 && polls <= 16, "after " + polls + " polls");
  }

  @Test
  void aPieceIsTakenFromTheLinkThatItCameBy() {
    Peers peers = peers();
    far.add(3, 9);
    assertEquals(Core.PIECE, peers.poll(2, inbound));
    assertEquals(3, inbound.source());
    assertEquals(9, inbound.match());
    near.add(2, 1); // comes before the other is taken
    assertEquals(0, peers.release());
    assertEquals(1, far.taken);
    assertEquals(0, near.taken);
    assertEquals(Core.PIECE, peers.poll(-1, inbound));
    assertEquals(2, inbound.source());
  }

  @Test
  void nothingAnywhereIsNothing() {
    assertEquals(Link.AGAIN, peers().poll(-1, inbound));
    assertEquals(Link.AGAIN, peers().poll(1, inbound));
  }

  @Test
  void aReceiveIsFusedWhereItsMessageMayComeOnTheLinkThatFuses() {
    FusedReceive fused = (match, mask, source, to, offset, capacity, polls, into) -> Link.AGAIN;
    near.fused = fused;
    Peers peers = peers();
    assertSame(fused, peers.fused());
    assertTrue(peers.isMixed());
    assertTrue(peers.mayFuse(2));
    assertFalse(peers.mayFuse(1));
    assertTrue(peers.mayFuse(-1), "the other link is looked at beside");
    Peers alone = new Peers(0, Nodes.one(2), GivenAbilities.all(2), new Link[] {near, near}, givenSleeper(0));
    assertFalse(alone.isMixed());
    assertTrue(alone.mayFuse(-1));
  }

  @Test
  void whatIsPolledBesideAFusedReceiveIsNotItsLink() {
    near.fused = (match, mask, source, to, offset, capacity, polls, into) -> Link.AGAIN;
    near.add(2, 1);
    Peers peers = peers();
    assertEquals(Link.AGAIN, peers.pollBeside(inbound));
    far.add(1, 5);
    assertEquals(Core.PIECE, peers.pollBeside(inbound));
    assertEquals(1, inbound.source());
  }

  @Test
  void thereIsABarrierOnlyWhereOneLinkReachesAll() {
    near.barrier = new LinkBarrier() {
      @Override
      public int arrive() {
        return 0;
      }

      @Override
      public int await(int polls) {
        return 0;
      }
    };
    assertNull(peers().barrier());
    assertSame(near.barrier,
        new Peers(0, Nodes.one(1), GivenAbilities.all(1), new Link[] {near}, givenSleeper(0)).barrier());
  }

  @Test
  void onlyLinksOfTheNodeShareMemory() {
    Peers peers = peers();
    assertTrue(peers.sharesMemory(2) && peers.isReachable(2));
    assertSame(near, peers.nodeLink(2));
    assertFalse(peers.sharesMemory(1) || peers.isReachable(1) || peers.isEnding(1));
    assertNull(peers.nodeLink(1));
    Peers alone = new Peers(0, Nodes.one(1), GivenAbilities.all(1), new Link[] {far}, givenSleeper(0));
    assertFalse(alone.sharesMemory(0));
    assertNull(alone.fused());
    assertNull(alone.batches());
    assertNull(alone.barrier());
    assertNull(alone.slots());
  }

  @Test
  void reportsTellByWhatLinkAndOnWhichHostARankIsThatSharesNoMemory() {
    assertEquals("7 (given, host n2)", peers().whereabouts("7", 1));
    assertEquals("3 (given)", peers().whereabouts("3", 3));
    assertEquals("2", peers().whereabouts("2", 2));
  }

  /** The failure of a rank names its host. */
  @Test
  void failuresTellOnWhichHostARankWas() {
    Members all = new Members(Numbering.world(4), "all ranks of the job");
    String said = new Liveness(peers(), false).failure(all, 1, "send").getMessage();
    assertTrue(said.startsWith("rank 1 (process 1 on host n2) has left the job; a send"), said);
  }

  /** Rank 0 of many, a hundred on each node. */
  private final class Many {
    private final int[] nodes = IntStream.range(0, MANY).map(rank -> rank / 100).toArray();
    private final Link[] links = IntStream.of(nodes).mapToObj(node -> node == 0 ? near : far).toArray(Link[]::new);
    private final Abilities[] abilities = GivenAbilities.all(MANY);
    private final Sleeper sleeper = givenSleeper(0);

    Peers peers() {
      return new Peers(0, Nodes.of(nodes), abilities, links, sleeper);
    }
  }

  @Test
  void aLookOfAWaitAsksTheRanksOfTheNodeAndTakesFromOtherLinksWhoHasGone() {
    far.departed = new ArrayList<>();
    Liveness liveness = new Liveness(new Many().peers(), false);
    Members all = new Members(Numbering.world(MANY), "all ranks of the job");
    assertEquals(Liveness.NONE, liveness.missing(all, -1));
    assertEquals(Liveness.NONE, liveness.missingOfAll(all.numbering()));
    assertEquals(Liveness.NONE, liveness.failedOf(all.numbering()));
    liveness.sample();
    assertFalse(liveness.isAnyGone());
    assertEquals(0, far.asked, "no rank of another node is asked for");
    assertEquals(3 * 99 + 64, near.asked);
    far.departed.addAll(List.of(MANY - 1, 500));
    assertEquals(500, liveness.missingOfAll(all.numbering()), "the first of the members");
    assertTrue(liveness.isGone(MANY - 1) && liveness.isAnyGone());
    Numbering some = Numbering.of(MANY, 3, MANY - 1, 0);
    assertEquals(MANY - 1, liveness.missingOfAll(some));
    assertEquals(Liveness.NONE, liveness.failedOf(some), "it has left in order");
    assertEquals(Liveness.NONE, liveness.missing(all, -1), "others are there");
    assertEquals(MANY - 1, liveness.missing(new Members(Numbering.of(MANY, 0, MANY - 1), "two"), -1));
    assertEquals(0, far.asked);
  }

  @Test
  void ofTenThousandRanksEachTakesAFewWordsAndAPollAsksEachLinkOnce() {
    Many many = new Many();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Peers peers = many.peers();
    Liveness liveness = new Liveness(peers, false);
    assertEquals(Liveness.NONE, liveness.missing(MANY - 1));
    RankSet waiting = new RankSet(MANY);
    waiting.add(MANY - 1);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 128L * MANY, "%d bytes".formatted(bytes));
    assertEquals(Link.AGAIN, peers.poll(-1, inbound));
    assertEquals(1, near.polls);
    assertEquals(1, far.polls);
  }

  @Test
  void aPieceIsAsLongAsItsOwnLinkAllows() {
    far.pieceBytes = 40;
    Peers peers = peers();
    assertEquals(100, peers.pieceBytes(2));
    assertEquals(40, peers.pieceBytes(1));
    assertEquals(40, peers.pieceBytes(), "that fits all of them");
  }

  @Test
  void whatOneLinkStillHasOfThoseWhoAreGoneIsNotHidden() {
    far.repaired = Link.AGAIN;
    near.repaired = 3;
    assertEquals(Link.AGAIN, peers().repair());
    far.repaired = Link.CORRUPT;
    assertEquals(Link.CORRUPT, peers().repair());
    far.repaired = 0;
    assertTrue(peers().repair() >= 0);
  }

  @Test
  void allLinksWatchWhileTheRankSleepsAndNoneAfterwards() {
    Peers peers = peers();
    assertEquals(0, peers.sleeper().announceSleep());
    assertEquals(1, near.watches);
    assertEquals(1, far.watches);
    peers.sleeper().endSleep();
    assertEquals(0, near.watches);
    assertEquals(0, far.watches);
  }

  @Test
  void nobodyWatchesForARankThatOnlyNaps() {
    Peers peers = new Peers(0, Nodes.one(2), GivenAbilities.all(2), new Link[] {near, far}, givenSleeper(Core.NOSYS));
    assertEquals(Core.NOSYS, peers.sleeper().announceSleep());
    assertEquals(0, far.watches);
  }

  @Test
  void eachLinkIsClosedOnce() {
    peers().close();
    assertEquals(1, near.closed);
    assertEquals(1, far.closed);
  }
}
