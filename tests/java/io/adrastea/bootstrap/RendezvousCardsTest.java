package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.FakePeer.PATIENCE_MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.FreePort;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranks of several nodes that meet: what each hears of nodes, and the cards that they give each other. */
class RendezvousCardsTest {
  private final int port = FreePort.find();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private RendezvousMeeting meeting(int rank, int size, int node, String links, int millis) {
    return new RendezvousMeeting(
        RendezvousAddress.parse("127.0.0.1:" + port), rank, size, millis, "6a1c:26:" + node, links, "");
  }

  private static RendezvousJob meet(RendezvousMeeting meeting) {
    return meeting.rank() == 0 ? RendezvousServer.serve(meeting) : RendezvousClient.ask(meeting);
  }

  /** All ranks meet, those on the node that a function says. */
  private List<RendezvousJob> meetAll(int size, IntUnaryOperator node, int millis) {
    return IntStream.range(0, size)
        .mapToObj(rank -> CompletableFuture.supplyAsync(
            () -> meet(meeting(rank, size, node.applyAsInt(rank), "tcp,other", millis)), threads))
        .toList().stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<List<String>> exchange(RendezvousJob job, String card) {
    return CompletableFuture.supplyAsync(() -> job.cards().exchange(card), threads);
  }

  private static String refusal(CompletableFuture<?> failed) {
    Throwable cause = assertThrows(CompletionException.class, failed::join).getCause();
    assertEquals(JoinException.class, cause.getClass());
    return cause.getMessage();
  }

  @Test
  void ranksOfOneNodeNeedNoCards() {
    for (RendezvousJob job : meetAll(3, rank -> 7, PATIENCE_MILLIS)) {
      assertEquals(Nodes.one(3), job.nodes());
      assertNull(job.cards());
    }
  }

  @Test
  void allHearOnWhichNodeEachIsAndTheCardsOfAll() {
    int[] dealt = {4, 9, 9, 4, 1, 4};
    List<RendezvousJob> jobs = meetAll(dealt.length, rank -> dealt[rank], PATIENCE_MILLIS);
    List<CompletableFuture<List<String>>> heard = new ArrayList<>();
    for (int rank = 0; rank < dealt.length; rank++) {
      assertEquals(Nodes.of(0, 1, 1, 0, 2, 0), jobs.get(rank).nodes());
      assertEquals(jobs.getFirst().number(), jobs.get(rank).number());
      heard.add(exchange(jobs.get(rank), "card-" + rank));
    }
    for (CompletableFuture<List<String>> cards : heard) {
      assertEquals(List.of("card-0", "card-1", "card-2", "card-3", "card-4", "card-5"), cards.join());
    }
  }

  @Test
  void linesAreAsLongAsManyRanksNeed() {
    int size = 150;
    String most = "x".repeat(CardExchange.MOST_BYTES - 3);
    List<RendezvousJob> jobs = meetAll(size, rank -> rank % 5, PATIENCE_MILLIS);
    List<CompletableFuture<List<String>>> heard =
        IntStream.range(0, size).mapToObj(rank -> exchange(jobs.get(rank), most + (100 + rank))).toList();
    List<String> expected = IntStream.range(0, size).mapToObj(rank -> most + (100 + rank)).toList();
    for (int rank = 0; rank < size; rank++) {
      assertEquals(rank % 5, jobs.get(7).nodes().node(rank));
      assertEquals(expected, heard.get(rank).join());
    }
  }

  @Test
  void aRankThatGivesUpIsNamedToAllOthers() {
    List<RendezvousJob> jobs = meetAll(3, rank -> rank, PATIENCE_MILLIS);
    CompletableFuture<List<String>> zero = exchange(jobs.get(0), "a");
    CompletableFuture<List<String>> one = exchange(jobs.get(1), "b");
    jobs.get(2).cards().close();
    String words = "rank 2 has ended, or given up, while it joined on its node";
    assertEquals(words, refusal(zero));
    assertEquals(words, refusal(one));
  }

  @Test
  void allHearThatRankZeroGivesUp() {
    List<RendezvousJob> jobs = meetAll(3, rank -> rank % 2, PATIENCE_MILLIS);
    CompletableFuture<List<String>> one = exchange(jobs.get(1), "b");
    jobs.get(0).cards().close();
    jobs.get(0).cards().close(); // again does nothing
    String words = "rank 0 has given up while it joined on its node, and tells why";
    assertEquals(words, refusal(one));
    assertEquals(words, refusal(exchange(jobs.get(2), "c")));
  }

  @Test
  void ranksThatDoNotJoinInTimeAreNamed() {
    List<RendezvousJob> jobs = meetAll(3, rank -> rank % 2, 1500);
    CompletableFuture<List<String>> zero = exchange(jobs.get(0), "a");
    CompletableFuture<List<String>> one = exchange(jobs.get(1), "b");
    String words = "rank 0 waited 1500 ms for rank(s) [2] of 3, which have met the others, and have not joined on "
        + "their nodes (ADRASTEA_JOIN_TIMEOUT)";
    assertEquals(words, refusal(zero));
    assertEquals(words, refusal(one));
    jobs.get(2).cards().close();
  }

  @Test
  void whatIsNoCardIsRefusedByAll() {
    List<RendezvousJob> jobs = meetAll(3, rank -> rank % 2, PATIENCE_MILLIS);
    CompletableFuture<List<String>> zero = exchange(jobs.get(0), "a");
    CompletableFuture<List<String>> one = exchange(jobs.get(1), "b");
    String words = "rank 2 has sent what is no card: 'card two words'";
    assertEquals(words, refusal(exchange(jobs.get(2), "two words")));
    assertEquals(words, refusal(zero));
    assertEquals(words, refusal(one));
  }

  @Test
  void aRankWithoutLinksBesideOthersOfSeveralNodesIsRefusedByName() {
    List<CompletableFuture<RendezvousJob>> met = IntStream.range(0, 3)
        .mapToObj(rank -> CompletableFuture.supplyAsync(
            () -> meet(meeting(rank, 3, rank / 2, rank == 1 ? "" : "tcp", PATIENCE_MILLIS)), threads))
        .toList();
    for (CompletableFuture<RendezvousJob> each : met) {
      assertEquals(
          "rank 1 has no links to other nodes, as a C rank has none, and the ranks of this job are on 2 nodes; "
              + "put a jar with links on its class path (adrastea.links), or start all ranks on one node",
          refusal(each));
    }
  }
}
