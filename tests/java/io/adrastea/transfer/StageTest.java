package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The stages of one end of a transfer, and the steps between them. */
class StageTest {
  private final Ends ends = new Ends();

  private static Set<Stage> followers(Stage stage) {
    Set<Stage> followers = EnumSet.noneOf(Stage.class);
    for (Stage next : Stage.values()) {
      if (stage.mayBecome(next)) {
        followers.add(next);
      }
    }
    return followers;
  }

  /** Takes a step, and says where it has led. */
  private Stage behind(Runnable step) {
    step.run();
    return ends.stage();
  }

  @Test
  void nothingLeadsBackToAnOffer() {
    List<Stage> before = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      if (stage.mayBecome(Stage.OFFERED)) {
        before.add(stage);
      }
    }
    assertEquals(List.of(), before);
  }

  @Test
  void whatIsToldIsFollowedByTheRestAlone() {
    assertEquals(EnumSet.of(Stage.COPYING), followers(Stage.TOLD));
    assertEquals(EnumSet.of(Stage.COPYING, Stage.TOLD), followers(Stage.LINGERING));
    assertEquals(EnumSet.of(Stage.COPYING, Stage.TOLD), followers(Stage.SKIPPING));
  }

  @Test
  void aTransferGoesFromItsOfferToItsDone() {
    assertEquals(Stage.OFFERED, ends.stage());
    assertFalse(ends.isMoving());
    assertEquals(Stage.COPYING, behind(ends::agree));
    assertTrue(ends.isMoving());
    assertEquals(Stage.COPIED, behind(ends::copied));
    assertFalse(ends.isTold());
    assertEquals(Stage.TOLD, behind(ends::told));
    assertTrue(ends.isCopied());
  }

  @Test
  void anEndThatFailsInTheMiddleSaysSoAndGoesOnToTheEndOfItsPart() {
    ends.agree();
    assertEquals(Stage.SKIPPING, behind(ends::told));
    assertTrue(ends.isTold());
    assertTrue(ends.isMoving());
    assertFalse(ends.isCopied());
    assertEquals(Stage.TOLD, behind(ends::copied));
  }

  @Test
  void anOfferCanBeWithdrawnOnceAndNotBehindItsMatch() {
    assertTrue(ends.withdraw());
    assertFalse(ends.withdraw());
    assertEquals(Stage.COPYING, behind(ends::agree), "the receiver has taken it meanwhile");
    assertFalse(ends.withdraw());
    ends.clear();
    ends.peerDone();
    assertFalse(ends.withdraw(), "the receiver has copied all");
  }

  @Test
  void aSenderLingersForOneStep() {
    ends.agree();
    ends.copied();
    assertTrue(ends.linger());
    assertEquals(Stage.LINGERING, ends.stage());
    assertFalse(ends.linger());
    assertTrue(ends.isCopied());
  }

  @Test
  void theRestOfAMessageBeginsAgain() {
    ends.agree();
    ends.letSenderTell();
    ends.copied();
    ends.told();
    ends.peerDone();
    assertEquals(Stage.COPYING, behind(ends::agree));
    assertFalse(ends.isPeerDone());
    assertFalse(ends.doesSenderTell());
  }

  @Test
  void aStepThatIsNotLegalIsRefused() {
    ends.withdraw();
    ends.agree();
    ends.copied();
    ends.copied();
    assertEquals(Stage.COPIED, ends.stage(), "said twice");
    ends.told();
    ends.told();
    assertEquals(Stage.TOLD, ends.stage(), "said twice");
    assertFalse(ends.linger());
    assertFalse(Stage.TOLD.mayBecome(Stage.WITHDRAWING));
    assertFalse(Stage.COPYING.mayBecome(Stage.WITHDRAWING));
    assertFalse(Stage.COPYING.mayBecome(Stage.LINGERING));
  }
}
