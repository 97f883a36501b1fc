package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.FreePort;
import io.adrastea.link.pipe.PipeDirectory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes on several nodes that meet at an address: those of a node have a directory of segments in common, and reach
 * the others by sockets, those of the tests or tcp.
 */
class RendezvousNodesIT {
  private static final int RANKS = 4;

  @RegisterExtension
  final ShmDirectory first = new ShmDirectory();

  @RegisterExtension
  final ShmDirectory second = new ShmDirectory();

  private final int port = FreePort.find();

  /** A rank of Java, of which those with an even number are on the first node. */
  private Launch rank(int rank, Map<String, String> links, String part) throws Exception {
    return Launch.meeting(port, rank % 2 == 0 ? first : second, rank, RANKS, "io.adrastea.PipesRank", part)
        .flags(links.entrySet().stream().map(entry -> "-D" + entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new))
        .set("core", rank == 1 ? "java" : "ffm");
  }

  /** By which link the nodes reach each other. */
  private enum Network {
    PIPES, TCP;

    Map<String, String> settings(PipeDirectory directory) {
      return this == TCP
          ? Map.of("adrastea.links", "shm,tcp", "adrastea.tcp.addresses", "127.0.0.0/8")
          : directory.settings("nodes");
    }
  }

  private List<Child> start(Map<String, String> links, String part) throws Exception {
    List<Child> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      ranks.add(rank(rank, links, part).start());
    }
    return ranks;
  }

  @ParameterizedTest
  @EnumSource
  void exchangeMessagesOfEverySize(Network network) throws Exception {
    try (PipeDirectory directory = PipeDirectory.create()) {
      List<Child> ranks = start(network.settings(directory), "exchange");
      try {
        ranks.get(0).await().exits(0).prints("sources add up to 6", "rank 0 done");
        for (int rank = 1; rank < RANKS; rank++) {
          ranks.get(rank).await().exits(0).prints("rank " + rank + " done");
        }
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKilledOneFailsWhatWaitsForItAndTheOthersGoOn(Network network) throws Exception {
    try (PipeDirectory directory = PipeDirectory.create()) {
      List<Child> ranks = start(network.settings(directory), "survive");
      try {
        ranks.get(3).awaitOutput("^ready$");
        ranks.get(3).signal("KILL");
        for (int rank = 0; rank < 3; rank++) {
          ranks.get(rank).await().exits(0).prints("told of 3", "rank " + rank + " done");
        }
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }

  /** A rank without IPv6 leaves such addresses of others out. */
  @Test
  void thoseWithIpv6AndOneWithoutReachEachOther() throws Exception {
    assumeTrue(NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
        .anyMatch(InetAddress.ofLiteral("::1")::equals), "this machine has no ::1");
    Map<String, String> both = Map.of("adrastea.links", "shm,tcp", "adrastea.tcp.addresses", "::1,127.0.0.0/8");
    Map<String, String> without = new HashMap<>(Network.TCP.settings(null));
    without.put("java.net.preferIPv4Stack", "true");
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < RANKS; rank++) {
        ranks.add(rank(rank, rank == 1 ? without : both, "exchange").start());
      }
      for (Child rank : ranks) {
        rank.await().exits(0).prints(" done");
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }

  /** Its segment cannot be made: the others hear of it, and do not wait until they are late. */
  @Test
  void aRankThatCannotJoinOnItsNodeIsNamedToAll() throws Exception {
    try (PipeDirectory directory = PipeDirectory.create()) {
      List<Child> ranks = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        Launch launch = rank(rank, directory.settings("nodes"), "exchange").set("size", 2);
        ranks.add((rank == 1 ? launch.set("bind", 9999) : launch).start());
      }
      try {
        ranks.get(1).await().exits(1).says("this thread cannot be pinned to that CPU");
        ranks.get(0).await().exits(1).says("rank 1 has ended, or given up, while it joined on its node");
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }
}
