package io.adrastea.engine.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.group.Members;
import org.junit.jupiter.api.Test;

/** Which context a message is for, by the number in its match word. */
class ContextsTest {
  private static final int LAST = Context.GENERATIONS - 1;

  private final Members members = new Members(Numbering.world(2), "world");
  private final Contexts contexts = new Contexts(false);

  private static int number(int communicator, int generation) {
    return Context.number(Context.id(communicator, generation), false);
  }

  private Context reserve(int number) {
    return contexts.reserve((long) number << 32 | 7);
  }

  @Test
  void theNumberHasThePartsThatTheDesignSays() {
    assertEquals(0, number(0, 0));
    assertEquals(0x4000_0000, Context.number(Context.id(0, 0), true));
    assertEquals(0x0000_4000, number(1, 0));
    assertEquals(0x3FFF_FFFF, number(Context.NUMBERS - 1, LAST));
    assertEquals(0x7FFF_FFFF, Context.number(Context.id(Context.NUMBERS - 1, LAST), true));
    Context context = contexts.open(number(1, 2), members);
    assertEquals(0x0000_4002_0000_0005L, context.match(5));
    assertEquals(0x0000_4002_7FFF_FFFFL, context.match(-1));
  }

  @Test
  void whatComesBeforeIsKeptForTheContextThatIsMade() {
    Context early = reserve(number(9, 3));
    early.matching().add(1, (long) number(9, 3) << 32 | 7, 0);
    assertNull(early.members());
    Context made = contexts.open(number(9, 3), members);
    assertSame(early, made);
    assertSame(made, reserve(number(9, 3)));
    assertSame(made, contexts.of(made.match(0)));
    assertEquals(1, made.matching().find(-1, made.match(-1), Context.mask(-1)).source());
  }

  @Test
  void communicatorsAndTheirInternalContextsAreApart() {
    Context one = contexts.open(number(1, 0), members);
    Context internal = contexts.open(Context.number(Context.id(1, 0), true), members);
    Context far = contexts.open(number(Context.NUMBERS - 1, 0), members);
    assertNotSame(one, internal);
    assertSame(one, reserve(number(1, 0)));
    assertSame(internal, reserve(Context.number(Context.id(1, 0), true)));
    assertSame(far, reserve(number(Context.NUMBERS - 1, 0)));
  }

  @Test
  void whatIsForAnEndedContextOrAnEarlierOneIsForNone() {
    Context first = contexts.open(number(1, LAST), members);
    contexts.close(first);
    assertNull(reserve(number(1, LAST)));
    assertNull(reserve(number(1, LAST - 1)));
    Context next = reserve(number(1, 0)); // generations begin again
    assertSame(next, contexts.open(number(1, 0), members));
    assertNull(reserve(number(1, LAST)));
    assertNull(reserve(Context.CONTROL));
  }

  @Test
  void aGenerationThatWasPassedOverIsFound() {
    Context passedOver = reserve(number(1, 3));
    assertNull(contexts.missed());
    contexts.open(number(1, 5), members);
    assertSame(passedOver, contexts.missed());
    contexts.close(passedOver);
    assertNull(contexts.missed());
  }

  @Test
  void aNumberInUseIsRefused() {
    contexts.open(number(1, 5), members);
    assertThrows(IllegalStateException.class, () -> contexts.open(number(1, 6), members));
    contexts.close(contexts.of((long) number(1, 5) << 32));
    assertThrows(IllegalStateException.class, () -> contexts.open(number(1, 5), members));
    assertThrows(IllegalStateException.class, () -> contexts.open(number(1, 4), members));
    contexts.open(number(1, 6), members);
  }
}
