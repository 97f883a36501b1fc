package io.adrastea.core;

import static io.adrastea.layout.RankEntryDescriptor.STATE_LEFT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queues whose enqueuers died in the middle: each rank repairs its own. Rank 1 receives, ranks 2, 3 and 4 die, rank 5
 * lives on.
 */
@EveryCorePair
class CoreRepairTest extends CoreSurvivalContract {
  private static final int BEFORE_SWAP = 1;
  private static final int BEFORE_LINK = 2;
  private static final int BEFORE_CLEAR = 3;

  private void assertReceives(String... expected) {
    assertEquals(List.of(expected), received(1));
  }

  /** The order of messages from one rank counts; between ranks it may have changed. */
  private void assertReceivesInAnyOrder(String... expected) {
    List<String> found = new ArrayList<>(received(1));
    assertEquals(List.of(expected).stream().sorted().toList(), found.stream().sorted().toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_SWAP, BEFORE_LINK, BEFORE_CLEAR})
  void aMessageOntoTheEmptyQueueArrivesOnceWhereverItsSenderDied(int steps) {
    message(2, 1, "last").upTo(steps);
    die(2);
    reclaim(1);
    assertReceives("2:last");
    send(5, 1, 1, "on");
    assertReceives("5:on");
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_SWAP, BEFORE_LINK, BEFORE_CLEAR})
  void aMessageBehindAnotherArrivesOnceWhereverItsSenderDied(int steps) {
    send(5, 1, 1, "one");
    message(2, 1, "last").upTo(steps);
    send(5, 1, 1, "two");
    die(2);
    reclaim(1);
    assertReceivesInAnyOrder("5:one", "2:last", "5:two");
    send(5, 1, 1, "on");
    assertReceives("5:on");
  }

  /**
   * It does what a rank does that an Error has stopped there; the last message that it took is to be given back still.
   */
  @ParameterizedTest
  @ValueSource(ints = {BEFORE_SWAP, BEFORE_LINK, BEFORE_CLEAR})
  void aMessageArrivesOnceAlsoWhenItsSenderCouldCloseItsCoreAfterwards(int steps) {
    int depth = depth(5, 1);
    send(5, 2, 1, "taken");
    assertTakes(2, "taken");
    message(2, 1, "last").upTo(steps);
    send(5, 1, 1, "behind");
    ranks.close(2);
    state(2, STATE_LEFT);
    reclaim(1);
    reclaim(5);
    assertReceivesInAnyOrder("2:last", "5:behind");
    assertEquals(depth, depth(5, 1), "and what it had of rank 5 comes back");
  }

  @Test
  void whatLivingRanksPutBehindTheDeadOntoTheEmptyQueueArrivesWithIt() {
    message(2, 1, "last").upTo(BEFORE_LINK);
    send(5, 1, 1, "behind");
    assertNothing(1, "it looks empty");
    die(2);
    reclaim(1);
    assertReceives("2:last", "5:behind");
  }

  @Test
  void aMessageThatWasReceivedBeforeTheRepairDoesNotComeAgain() {
    message(2, 1, "last").upTo(BEFORE_CLEAR);
    send(5, 1, 1, "behind");
    assertReceives("2:last", "5:behind");
    die(2);
    reclaim(1);
    assertReceives();
  }

  @Test
  void aCellThatWasSentOnSinceItCameBackIsNotTakenFromItsReceiver() {
    int depth = depth(1, 5);
    send(1, 2, 1, "x");
    returned(2, 1).upTo(BEFORE_CLEAR);
    int sent = 0;
    while (send(1, 3, 1, "on its way") > 0) {
      sent++;
    }
    die(2);
    reclaim(1);
    assertEquals(Core.AGAIN, send(1, 3, 1, "on its way"), "no cell is there twice");
    for (; sent > 0; sent--) {
      assertTakes(3, "on its way");
    }
    assertNothing(3);
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneDeadBeforeAndOneAfterItsSwap(boolean empty) {
    if (!empty) {
      send(5, 1, 1, "one");
    }
    message(2, 1, "never in").upTo(BEFORE_SWAP);
    message(3, 1, "not linked").upTo(BEFORE_LINK);
    send(5, 1, 1, "behind");
    die(2, 3);
    reclaim(1);
    if (empty) {
      assertReceivesInAnyOrder("2:never in", "3:not linked", "5:behind");
    } else {
      assertReceivesInAnyOrder("5:one", "2:never in", "3:not linked", "5:behind");
    }
  }

  @Test
  void severalDeadInARowWithLivingOnesInBetween() {
    send(5, 1, 1, "a");
    message(2, 1, "b").upTo(BEFORE_LINK);
    send(5, 1, 1, "c");
    message(3, 1, "d").upTo(BEFORE_LINK);
    message(4, 1, "e").upTo(BEFORE_LINK);
    send(5, 1, 1, "f");
    die(2, 3, 4);
    reclaim(1);
    assertReceivesInAnyOrder("5:a", "2:b", "5:c", "3:d", "4:e", "5:f");
  }

  @Test
  void theDeadOneAfterTheOther() {
    send(5, 1, 1, "a");
    message(2, 1, "b").upTo(BEFORE_LINK);
    die(2);
    reclaim(1);
    message(3, 1, "c").upTo(BEFORE_LINK);
    assertReceives("5:a", "2:b");
    die(3);
    reclaim(1);
    message(4, 1, "d").upTo(BEFORE_SWAP);
    send(5, 1, 1, "e");
    die(4);
    reclaim(1);
    assertReceivesInAnyOrder("3:c", "4:d", "5:e");
  }

  @Test
  void aLivingRankBetweenItsSwapAndItsLinkIsWaitedFor() {
    send(5, 1, 1, "a");
    message(2, 1, "b").upTo(BEFORE_LINK);
    Enqueue living = message(4, 1, "c").intend().swap();
    message(3, 1, "d").upTo(BEFORE_LINK);
    die(2, 3);
    reclaim(1);
    assertReceives("5:a"); // no more than before
    assertEquals(Core.AGAIN, core(1).reclaim(), "a link is missing");
    living.link();
    reclaim(1);
    assertReceives(); // it is not seen that it has linked
    living.clear();
    reclaim(1);
    assertReceivesInAnyOrder("2:b", "4:c", "3:d");
    assertEquals(0, core(1).reclaim());
  }

  @Test
  void anIntentOnAnotherQueueIsNotWaitedFor() {
    message(2, 1, "b").upTo(BEFORE_LINK);
    message(4, 5, "elsewhere").intend().swap();
    die(2);
    reclaim(1);
    assertReceives("2:b");
  }

  @Test
  void aSourceWhoseMessagesLieOnBothSidesOfABreakKeepsItsOrder() {
    for (int i = 0; i < 3; i++) {
      send(5, 1, 1, "before" + i);
    }
    message(2, 1, "b").upTo(BEFORE_LINK);
    for (int i = 0; i < 3; i++) {
      send(5, 1, 1, "behind" + i);
    }
    message(3, 1, "d").upTo(BEFORE_SWAP);
    die(2, 3);
    reclaim(1);
    List<String> of5 = received(1).stream().filter(text -> text.startsWith("5")).toList();
    assertEquals(List.of("5:before0", "5:before1", "5:before2", "5:behind0", "5:behind1", "5:behind2"), of5);
  }

  @Test
  void aTakenMessageInFrontOfABreakIsGivenBackOnce() {
    int depth = depth(5, 1);
    send(5, 1, 1, "taken");
    message(2, 1, "b").upTo(BEFORE_LINK);
    assertTakes(1, "taken");
    assertNothing(1, "its successor is not linked");
    die(2);
    reclaim(1);
    assertReceives("2:b");
    assertEquals(depth, depth(5, 1));
  }

  @Test
  void aMessageAtHandInFrontOfABreakStaysAtHand() {
    send(5, 1, 1, "at hand");
    message(2, 1, "b").upTo(BEFORE_LINK);
    assertPolls(1);
    assertEquals(Core.AGAIN, core(1).retain(), "its successor is not linked");
    die(2);
    reclaim(1);
    assertReceives("5:at hand", "2:b");
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE_SWAP, BEFORE_LINK, BEFORE_CLEAR})
  void aCellThatComesBackComesBackOnceWhereverTheReceiverDied(int steps) {
    int depth = depth(1, 5);
    send(1, 2, 1, "x");
    send(1, 3, 1, "y");
    Enqueue broken = returned(2, 1);
    returned(3, 1).upTo(4);
    broken.upTo(steps);
    die(2);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5), "and once more, so that none is there twice");
  }

  @Test
  void cellsGivenBackBehindOneOfTheDeadComeBack() {
    int depth = depth(1, 5);
    for (int to : new int[] {2, 3, 4}) {
      send(1, to, 1, "x");
    }
    Enqueue second = returned(3, 1);
    Enqueue third = returned(4, 1);
    returned(2, 1).upTo(BEFORE_LINK);
    second.upTo(4);
    third.upTo(BEFORE_LINK);
    die(2, 4);
    reclaim(1);
    assertEquals(depth, depth(1, 5));
    assertEquals(depth, depth(1, 5));
  }

  @Test
  void onlyTheBoxesAndNotTheQueueGoOnWhileALinkIsMissing() {
    send(5, 1, 1, "taken");
    Enqueue living = message(2, 1, "not linked yet").intend().swap();
    assertTakes(1, "taken");
    for (int look = 0; look < 3; look++) {
      assertNothing(1);
    }
    living.link().clear();
    assertReceives("2:not linked yet");
  }
}
