package io.adrastea.launch;

import static io.adrastea.layout.RankEntryDescriptor.IN_BARRIER;
import static io.adrastea.layout.RankEntryDescriptor.IN_RECEIVE;
import static io.adrastea.layout.RankEntryDescriptor.IN_REQUESTS;
import static io.adrastea.layout.RankEntryDescriptor.IN_SEND;
import static io.adrastea.layout.RankEntryDescriptor.IN_WINDOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.ranktable.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which rank waits for which, as a launcher says it. */
class HangCycleTest {
  private final List<Optional<Waiting>> waits = new ArrayList<>();

  /** What the next rank waits for. */
  private HangCycleTest then(int call, int peer, int tag) {
    waits.add(Optional.of(new Waiting(call, peer, tag)));
    return this;
  }

  /** The next rank does not wait. */
  private HangCycleTest thenNothing() {
    waits.add(Optional.empty());
    return this;
  }

  private void says(String words) {
    assertEquals(
        words,
        HangCycle.find(waits, IntStream.range(0, waits.size()).boxed().toList(), 0).map(HangCycle.Found::words)
            .orElse("nothing"));
  }

  @Test
  void threeRanksInACircle() {
    then(IN_RECEIVE, 1, 7).then(IN_SEND, 2, 8).then(IN_RECEIVE, 0, -1);
    says(
        "ranks wait for each other: rank 0 waits for rank 1 (in a receive from rank 1 with tag 7), which waits "
            + "for rank 2"
            + " (in a send to rank 2 with tag 8), which waits for rank 0 (in a receive from rank 0 with any tag)");
  }

  @Test
  void ranksThatWaitForEachOthersLocksAndPosts() {
    then(IN_WINDOW, 1, 0).then(IN_RECEIVE, 2, 4).then(IN_WINDOW, 0, 0);
    says(
        "ranks wait for each other: rank 0 waits for rank 1 (in an epoch of a window, for rank 1), which waits "
            + "for rank 2"
            + " (in a receive from rank 2 with tag 4), which waits for rank 0 (in an epoch of a window, for rank 0)");
  }

  @Test
  void whoWaitsForACircleIsNoPartOfIt() {
    then(IN_RECEIVE, 2, 1).thenNothing().then(IN_RECEIVE, 3, 2).then(IN_RECEIVE, 2, 3);
    says(
        "ranks wait for each other: rank 2 waits for rank 3 (in a receive from rank 3 with tag 2), which waits "
            + "for rank 2"
            + " (in a receive from rank 2 with tag 3)");
  }

  @Test
  void theBarrierWaitsForEachWhoIsNotThere() {
    then(IN_BARRIER, -1, 0).then(IN_RECEIVE, 3, 1).then(IN_RECEIVE, 0, 5).thenNothing();
    says(
        "ranks wait for each other: rank 0 waits for rank 2 (at the barrier, for all other ranks), which waits "
            + "for rank 0"
            + " (in a receive from rank 0 with tag 5)");
  }

  @Test
  void aRankThatWaitsForItselfIsACircleToo() {
    thenNothing().then(IN_RECEIVE, 1, 7);
    says("ranks wait for each other: rank 1 waits for rank 1 (in a receive from rank 1 with tag 7)");
  }

  @Test
  void aChainThatEndsAtARankAtWorkIsNone() {
    then(IN_RECEIVE, 1, 7).then(IN_RECEIVE, 2, 7).thenNothing();
    says("nothing");
  }

  @Test
  void whoWaitsForAnyMayGoOnAsLongAsOneRankDoesNotWait() {
    then(IN_RECEIVE, -1, 7).then(IN_RECEIVE, 0, 7).thenNothing();
    says("nothing");
  }

  @Test
  void allWait() {
    then(IN_RECEIVE, -1, 7).then(IN_REQUESTS, -1, 0);
    says("all ranks wait: rank 0 in a receive from any rank with tag 7; rank 1 for one of several requests");
  }

  @Test
  void ranksThatAreGoneAreLeftOut() {
    then(IN_RECEIVE, 1, 7).then(IN_RECEIVE, 0, 7);
    assertEquals(Optional.empty(), HangCycle.find(List.of(waits.get(0), Optional.empty()), List.of(1), 0));
    assertEquals(Optional.empty(),
        HangCycle.find(List.of(Optional.of(new Waiting(IN_RECEIVE, 900, 7)), Optional.empty()), List.of(0, 1), 0));
    assertEquals(
        Optional.of(new HangCycle.Found(List.of(0), "all ranks wait: rank 0 in a receive from rank 1 with tag 7")),
        HangCycle.find(waits, List.of(0), 0));
    assertEquals(Optional.empty(), HangCycle.find(waits, List.of(), 0));
  }
}
