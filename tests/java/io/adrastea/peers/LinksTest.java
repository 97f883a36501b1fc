package io.adrastea.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Settings;
import io.adrastea.error.JoinException;
import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.LinkPort;
import io.adrastea.link.LinkProvider;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which provider of links reaches which of four ranks, of which the odd ones are on another node than rank 0. */
class LinksTest {
  private final GivenLink shm = new GivenLink();
  private final Links.Joined self = new Links.Joined(7, 0, Nodes.of(0, 1, 0, 1), shm);
  private final List<String> opened = new ArrayList<>();

  /** Brings a link to those ranks that a test says. */
  private class Given implements LinkProvider {
    final GivenLink link = new GivenLink();
    private final String name;
    private final int preference;
    private final IntPredicate reached;

    Given(String name, int preference, IntPredicate reached) {
      this.name = name;
      this.preference = preference;
      this.reached = reached;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int preference() {
      return preference;
    }

    @Override
    public boolean reaches(JobRank from, int rank) {
      assertSame(self, from);
      return reached.test(rank);
    }

    @Override
    public Link open(JobRank from, BitSet ranks) {
      opened.add(name + " " + ranks);
      return link;
    }
  }

  private Link[] open(LinkProvider... providers) {
    return new Links(List.of(providers)).open(self, rank -> false);
  }

  private String refused(LinkProvider... providers) {
    return assertThrows(JoinException.class, () -> open(providers)).getMessage();
  }

  @Test
  void aCRankOfAnotherNodeIsRefusedByItsName() {
    Given all = new Given("all", 0, rank -> true);
    Links links = new Links(List.of(all));
    String said = assertThrows(JoinException.class, () -> links.open(self, rank -> rank == 3)).getMessage();
    assertTrue(said.startsWith("rank 3 is a C rank on another node than rank 0"), said);
    said = assertThrows(JoinException.class, () -> links.open(self, rank -> rank == 2)).getMessage();
    assertTrue(said.startsWith("rank 2 is reached from rank 0 by no link of: all"), said);
  }

  @Test
  void eachRankIsReachedByTheFirstThatSaysSo() {
    Given some = new Given("some", 0, rank -> rank == 1);
    Given all = new Given("all", 0, rank -> true);
    Given late = new Given("late", 0, rank -> true);
    assertArrayEquals(new Link[] {all.link, some.link, all.link, all.link}, open(some, all, late));
    assertEquals(List.of("some {1}", "all {0, 2, 3}"), opened, "and a link that reaches nobody is not made");
  }

  @Test
  void sharedMemoryReachesTheRanksOfTheNode() {
    Given far = new Given("far", 1, rank -> true);
    Link[] links = new Links(List.of(Links.SHM, far)).open(self, rank -> false);
    assertArrayEquals(new Link[] {shm, far.link, shm, far.link}, links);
  }

  @Test
  void aCRankOfTheNodeIsReachedBySharedMemoryAlone() {
    Given all = new Given("all", -1, rank -> true);
    Link[] links = new Links(List.of(all, Links.SHM)).open(self, rank -> rank == 2);
    assertArrayEquals(new Link[] {all.link, all.link, shm, all.link}, links);
  }

  @Test
  void allLinksAreClosedAlsoWhenOneThrows() {
    IllegalStateException first = new IllegalStateException("first");
    Given one = new Given("one", 0, rank -> rank == 0);
    Given other = new Given("other", 0, rank -> true);
    one.link.failure = first;
    other.link.failure = new IllegalStateException("second");
    assertSame(first,
        assertThrows(IllegalStateException.class, () -> Links.close(one.link, null, other.link, one.link)));
    assertEquals(1, one.link.closed);
    assertEquals(1, other.link.closed);
    assertEquals("second", first.getSuppressed()[0].getMessage());
    other.link.failure = first;
    assertSame(first, assertThrows(IllegalStateException.class, () -> Links.close(one.link, other.link)));
  }

  @Test
  void aRankThatNoneReachesIsRefusedAndWhatWasMadeIsClosed() {
    Given some = new Given("some", 0, rank -> rank < 3);
    String words = refused(some, new Given("none", 0, rank -> false));
    assertTrue(words.contains("rank 3 is reached from rank 0 by no link of: some, none"), words);
    assertEquals(1, some.link.closed);
  }

  @Test
  void aProviderThatThrowsOrGivesNoLinkIsTheRanksFailure() {
    Given some = new Given("some", 0, rank -> rank < 3);
    IllegalStateException failure = new IllegalStateException("no network");
    Given broken = new Given("broken", 0, rank -> true) {
      @Override
      public Link open(JobRank from, BitSet ranks) {
        throw failure;
      }
    };
    assertSame(failure, assertThrows(IllegalStateException.class, () -> open(some, broken)));
    assertEquals(1, some.link.closed);
    Given empty = new Given("empty", 0, rank -> true) {
      @Override
      public Link open(JobRank from, BitSet ranks) {
        return null;
      }
    };
    String words = refused(some, empty);
    assertTrue(words.contains("'empty' gave none from rank 0 to ranks {3}"), words);
  }

  /** A provider that opens a port at each rank, and reaches those that have told of one. */
  private class Listening extends Given {
    private final String words;
    int portsOpen;

    Listening(String name, String words) {
      super(name, 1, rank -> true);
      this.words = words;
    }

    @Override
    public LinkPort listen(long job, int rank) {
      portsOpen++;
      return new LinkPort() {
        @Override
        public String words() {
          return words + rank;
        }

        @Override
        public void close() {
          portsOpen--;
        }
      };
    }

    @Override
    public boolean reaches(JobRank from, int rank) {
      return from.words(this, rank).equals(words + rank);
    }
  }

  @Test
  void whatAProviderTellsOfAPortIsHeardByTheSameProviderAtTheOthers() {
    Listening one = new Listening("one", "a=");
    Listening other = new Listening("other", "b,");
    Links links = new Links(List.of(Links.SHM, one, other));
    try (LinkPorts ports = links.listen(7, 0)) {
      assertEquals("one=a=0;other=b,0", ports.words());
      ports.hear(List.of(ports.words(), "one=a=1", "", "other=b,3;new=c"));
      Link[] opened = links.open(new Links.Joined(7, 0, Nodes.of(0, 1, 0, 1), shm, ports), rank -> false);
      assertArrayEquals(new Link[] {shm, one.link, shm, other.link}, opened);
    }
    assertEquals(1, one.portsOpen, "it is its link's now");
  }

  @Test
  void portsThatNoLinkHasTakenAreClosed() {
    Listening one = new Listening("one", "a=");
    Links links = new Links(List.of(Links.SHM, one));
    try (LinkPorts ports = links.listen(7, 0)) {
      ports.hear(List.of(ports.words(), "", "", ""));
      assertThrows(JoinException.class,
          () -> links.open(new Links.Joined(7, 0, Nodes.of(0, 1, 0, 1), shm, ports), rank -> false));
    }
    assertEquals(0, one.portsOpen);
    Listening strange = new Listening("strange", "a;b");
    String said = assertThrows(JoinException.class, () -> new Links(List.of(one, strange)).listen(7, 0)).getMessage();
    assertTrue(said.startsWith("the provider of links 'strange' tells 'a;b0' of a rank; allowed is printable "), said);
    assertEquals(0, one.portsOpen);
    assertEquals(0, strange.portsOpen);
  }

  @Test
  void thosePreferredAreAskedFirst() {
    Given first = new Given("first", -1, rank -> true);
    Given last = new Given("last", 1, rank -> true);
    assertEquals(
        List.of(first, Links.SHM, last), Links.ordered(List.of(Links.SHM, last, first)));
  }

  @Test
  void twoOfOneNameAreRefused() {
    Given one = new Given("net", -1, rank -> true);
    Given other = new Given("net", 1, rank -> true);
    String words = assertThrows(JoinException.class, () -> Links.ordered(List.of(one, other))).getMessage();
    assertTrue(words.contains("two providers of links are called 'net'"), words);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"auto", "shm", "Net", "a,b", " net"})
  void aNameThatNoSettingCanNameIsRefused(String name) {
    Given provider = new Given(name, 1, rank -> true);
    List<LinkProvider> providers = List.of(Links.SHM, provider);
    String words = assertThrows(JoinException.class, () -> Links.ordered(providers)).getMessage();
    String called = name == null ? "null" : "'" + name + "'";
    assertTrue(words.contains(Given.class.getName() + " has the name " + called + "; allowed are"), words);
  }

  @Test
  void theSettingNamesThoseThatAreFound() throws Exception {
    Links.Joined alone = new Links.Joined(7, 0, Nodes.one(2), shm);
    for (String names : List.of("auto", "shm", "SHM", "added,shm", "pipes,shm", "tcp,shm")) { // all reach nobody
      Link[] links = Settings.with(Map.of("adrastea.links", names), () -> Links.inForce().open(alone, rank -> false));
      assertArrayEquals(new Link[] {shm, shm}, links, names);
    }
    String words = Settings.with(
        Map.of("adrastea.links", "shm,ether"), () -> assertThrows(JoinException.class, Links::inForce).getMessage());
    assertTrue(words.contains("names 'ether', and there are: auto, ") && words.contains("shm"), words);
    words = Settings.with(
        Map.of("adrastea.links", "shm,"),
        () -> assertThrows(IllegalArgumentException.class, Links::inForce).getMessage());
    assertTrue(words.contains("allowed are auto and names, with commas between them"), words);
  }
}
