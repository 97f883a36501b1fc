package io.adrastea.engine.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.operation.MatchIndex;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationPool;
import io.adrastea.engine.operation.Receive;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives and messages that wait in lists of any length are matched as lists without an index match them. */
class LongListsTest {
  private static final int ANY = Operation.ANY;
  private static final int BOTH = 0;
  private static final int LAST_TAG = Integer.MAX_VALUE; // its bits are those of a receive of any tag

  private final Members members = new Members(Numbering.world(4), "world");
  private final Contexts contexts = new Contexts(false);
  private final Context context = contexts.open(Context.number(Context.id(3, 1), false), members);
  private final Matching matching = context.matching();
  private final OperationPool pool = new OperationPool(null, false);

  /** These lists hold the same, and are searched from their beginning. */
  private final List<Receive> posted = new ArrayList<>();
  private final List<UnexpectedMessage> unexpected = new ArrayList<>();

  private Receive receive(int source, int tag) {
    return pool.receive(members, source, context.match(tag), Context.mask(tag));
  }

  private static boolean fits(Receive receive, int source, int tag) {
    return (receive.peer() == ANY || receive.peer() == source)
        && (receive.wantedTag() == ANY || receive.wantedTag() == tag);
  }

  private static int tag(UnexpectedMessage message) {
    return (int) message.match();
  }

  private Receive expectedReceive(int source, int tag) {
    return posted.stream().filter(receive -> fits(receive, source, tag)).findFirst().orElse(null);
  }

  private UnexpectedMessage expectedMessage(int source, int tag) {
    return unexpected.stream()
        .filter(message -> (source == ANY || source == message.source()) && (tag == ANY || tag == tag(message)))
        .findFirst()
        .orElse(null);
  }

  private boolean anyOverlaps(int source, int tag) {
    return posted.stream().anyMatch(
        receive -> (receive.peer() == ANY || source == ANY || receive.peer() == source)
            && (receive.wantedTag() == ANY || tag == ANY || receive.wantedTag() == tag));
  }

  private UnexpectedMessage find(int source, int tag) {
    return matching.find(source, context.match(tag), Context.mask(tag));
  }

  /** A message comes: it goes to the receive that is first in turn, or is kept. */
  private void come(int source, int tag) {
    Receive expected = expectedReceive(source, tag);
    assertEquals(
        expected == null && expectedMessage(source, ANY) == null, matching.isNext(source, context.match(tag)));
    assertSame(expected, matching.takePosted(source, context.match(tag)));
    if (expected == null) {
      unexpected.add(matching.add(source, context.match(tag), 0));
    } else {
      posted.remove(expected);
      pool.give(expected);
    }
  }

  /** A receive is started: it takes the first message that fits, or is posted. */
  private void start(int source, int tag) {
    UnexpectedMessage expected = expectedMessage(source, tag);
    boolean clear = matching.isClear(source, context.match(tag), Context.mask(tag));
    boolean isSure = source != ANY && tag != ANY || posted.size() <= Matching.MOST_PASSED;
    if (clear || isSure) {
      assertEquals(expected == null && !anyOverlaps(source, tag), clear);
    }
    assertSame(expected, find(source, tag));
    if (expected == null) {
      Receive receive = receive(source, tag);
      matching.post(receive);
      posted.add(receive);
    } else {
      matching.remove(expected);
      unexpected.remove(expected);
    }
  }

  /** A matched probe takes a message; its receive gets it later. */
  private void hold(Receive holder, UnexpectedMessage message) {
    contexts.held().add(matching, message, holder);
    unexpected.remove(message);
    assertSame(message, contexts.held().of(holder));
    contexts.held().remove(message);
  }

  private void cancel(Receive receive) {
    matching.unpost(receive);
    posted.remove(receive);
    pool.give(receive);
  }

  private void checkLists() {
    assertEquals(posted.isEmpty() && unexpected.isEmpty(), matching.isEmpty());
    assertSame(posted.isEmpty() ? null : posted.getFirst(), matching.firstPosted());
    UnexpectedMessage message = matching.firstUnexpected();
    for (UnexpectedMessage expected : unexpected) {
      assertSame(expected, message);
      message = matching.next(message);
    }
    assertNull(message);
  }

  /**
   * Random messages, receives, probes that match, and cancels. First more of one side come than of the other, then the
   * reverse, so that both lists grow long and short again.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 20, 500})
  void areMatchedInTheOrderOfThePlainLists(int tags) {
    Random random = new Random(tags);
    int longest = 0;
    for (int step = 0; step < 30_000; step++) {
      boolean favoured = random.nextInt(8) != 0;
      boolean messages = (step / 500 % 2 == 0) == favoured;
      int source = random.nextInt(4);
      int tag = random.nextInt(10) == 0 ? LAST_TAG : random.nextInt(tags);
      if (random.nextInt(10) == 0 && !posted.isEmpty()) {
        cancel(posted.get(random.nextInt(posted.size())));
      } else if (messages) {
        come(source, tag);
      } else {
        boolean wild = random.nextInt(4) == 0;
        int wantedSource = wild && random.nextBoolean() ? ANY : source;
        int wantedTag = wild && random.nextBoolean() ? ANY : tag;
        UnexpectedMessage message = random.nextInt(10) == 0 ? expectedMessage(wantedSource, wantedTag) : null;
        if (message == null) {
          start(wantedSource, wantedTag);
        } else {
          assertSame(message, find(wantedSource, wantedTag));
          hold(receive(wantedSource, wantedTag), message);
        }
      }
      longest = Math.max(longest, Math.max(posted.size(), unexpected.size()));
      if (step % 100 == 0) {
        checkLists();
      }
    }
    assertTrue(longest > 4 * Matching.MOST_PASSED, "both were long: " + longest);
  }

  @Test
  void oneOfTheirMiddleIsTakenOut() {
    for (int i = 0; i < 100; i++) {
      come(1, i);
    }
    assertSame(unexpected.get(50), find(1, 50)); // indexes them
    UnexpectedMessage message = unexpected.remove(70);
    matching.remove(message);
    assertNull(find(1, 70));
    assertNull(find(ANY, 70));
    checkLists();
  }

  @Test
  void messagesAreIndexedForTheKindOfReceiveThatSearchesLong() {
    for (int i = 0; i <= Matching.MOST_PASSED; i++) {
      assertNull(find(1, i));
      assertNull(matching.unexpectedIndex(), "no search was long");
      come(1, i);
    }
    come(1, 100);
    assertSame(unexpected.getLast(), find(1, 100));
    UnexpectedIndex index = matching.unexpectedIndex();
    assertTrue(index.isInUse(BOTH));
    int anySource = MatchIndex.kind(ANY, 0);
    assertFalse(index.isInUse(anySource));
    assertSame(unexpected.getLast(), find(ANY, 100));
    assertTrue(index.isInUse(anySource));
    while (unexpected.size() > MatchIndex.FEW) {
      assertTrue(index.isInUse(BOTH));
      start(1, tag(unexpected.getLast()));
    }
    assertFalse(index.isInUse(BOTH), "the list is short again");
    assertFalse(index.isInUse(anySource));
    checkLists();
  }

  @Test
  void messagesThatAreTakenInTheirOrderAreNotIndexed() {
    for (int i = 0; i < 1000; i++) {
      come(1, i);
    }
    for (int i = 0; i < 1000; i++) {
      start(1, i);
    }
    assertNull(matching.unexpectedIndex());
  }

  @Test
  void receivesAreIndexedWhenAMessageSearchesLong() {
    for (int i = 0; i <= Matching.MOST_PASSED; i++) {
      start(1, i);
      assertNull(matching.postedIndex(), "no search was long");
    }
    start(ANY, ANY);
    start(1, 50);
    start(ANY, 50);
    come(1, 50); // the one of anything is first in turn
    PostedIndex index = matching.postedIndex();
    assertTrue(index.isInUse());
    come(1, 50);
    come(1, 50);
    for (int tag = Matching.MOST_PASSED; posted.size() > MatchIndex.FEW; tag--) {
      assertTrue(index.isInUse());
      come(1, tag);
    }
    assertFalse(index.isInUse(), "the list is short again");
    checkLists();
  }
}
