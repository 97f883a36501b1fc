package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two ranks in network namespaces of their own, on what is between them: as two hosts, whose network has faults. */
class LinkFaultsIT {
  private static final int PORT = 29_950; // nobody else is in these namespaces

  @RegisterExtension
  final ShmDirectory first = new ShmDirectory();

  @RegisterExtension
  final ShmDirectory second = new ShmDirectory();

  private final String one = "adr-" + ProcessHandle.current().pid() + "-a";
  private final String other = "adr-" + ProcessHandle.current().pid() + "-b";

  @BeforeEach
  void makeHosts() throws Exception {
    assumeTrue(works("ip", "netns", "add", one), "ip makes no network namespace here: it takes root, and iproute2");
    require("ip", "netns", "add", other);
    require("ip", "-n", one, "link", "add", "veth", "type", "veth", "peer", "name", "veth", "netns", other);
    int number = 1;
    for (String host : List.of(one, other)) {
      require("ip", "-n", host, "addr", "add", "10.93.0." + number++ + "/24", "dev", "veth");
      require("ip", "-n", host, "link", "set", "lo", "up");
      require("ip", "-n", host, "link", "set", "veth", "up");
    }
    for (String host : List.of(one, other)) { // the kernel may take a second to tell that the other end is up
      while (!Launch.command("ip", "-n", host, "link", "show", "veth").run().exits(0).out().contains("state UP")) {
        Thread.sleep(10);
      }
    }
  }

  /** Which takes the devices along. */
  @AfterEach
  void removeHosts() throws Exception {
    works("ip", "netns", "del", one);
    works("ip", "netns", "del", other);
  }

  private static boolean works(String... words) throws Exception {
    try {
      return Launch.command(words).run().code() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  private static void require(String... words) throws Exception {
    Launch.command(words).run().exits(0);
  }

  private List<Child> start(int millis, int timeout) throws Exception {
    List<Child> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ranks.add(Launch
          .meeting(PORT, rank == 0 ? first : second, rank, 2, "io.adrastea.it.LinkFaultsRank", Integer.toString(millis))
          .set("rendezvous", "10.93.0.1:" + PORT).set("tcp.timeout", timeout).set("tcp.linger", 1)
          .under("ip", "netns", "exec", rank == 0 ? one : other, "unshare", "--uts", "sh", "-c",
              "hostname $0 && exec \"$@\"", rank == 0 ? "one" : "other")
          .start());
    }
    return ranks;
  }

  private static void awaitRunning(List<Child> ranks) throws Exception {
    for (Child rank : ranks) {
      rank.awaitOutput("^running$");
    }
  }

  @Test
  void messagesStayWholeThoughTheLinkIsSlowAndDownForAWhile() throws Exception {
    require("tc", "-n", one, "qdisc", "add", "dev", "veth", "root", "tbf", "rate", "1gbit", "burst", "64kb", "latency",
        "20ms");
    List<Child> ranks = start(3000, 60);
    try {
      awaitRunning(ranks);
      require("ip", "-n", one, "link", "set", "veth", "down");
      Thread.sleep(1000);
      require("ip", "-n", one, "link", "set", "veth", "up");
      for (Child rank : ranks) {
        rank.await().exits(0).prints("all came");
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }

  @Test
  void aLinkThatStaysDownIsTheFailureOfTheRankBehindIt() throws Exception {
    List<Child> ranks = start(3_600_000, 2);
    try {
      awaitRunning(ranks);
      require("ip", "-n", one, "link", "set", "veth", "down");
      for (int rank = 0; rank < 2; rank++) {
        ranks.get(rank).await().exits(0).prints("failed: ",
            "no word from host %s for 2 s (adrastea.tcp.timeout)".formatted(rank == 0 ? "other" : "one"));
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
