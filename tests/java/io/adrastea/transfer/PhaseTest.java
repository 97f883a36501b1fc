package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The phases of one end of a transfer, and the steps between them. */
class PhaseTest {
  private final Ends ends = new Ends();

  private static Set<Phase> followers(Phase phase) {
    Set<Phase> followers = EnumSet.noneOf(Phase.class);
    for (Phase next : Phase.values()) {
      if (phase.mayBecome(next)) {
        followers.add(next);
      }
    }
    return followers;
  }

  /** Takes a step, and says where it has led. */
  private Phase behind(Runnable step) {
    step.run();
    return ends.phase();
  }

  @Test
  void nothingLeadsBackToAnOffer() {
    List<Phase> before = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      if (phase.mayBecome(Phase.OFFERED)) {
        before.add(phase);
      }
    }
    assertEquals(List.of(), before);
  }

  @Test
  void whatIsToldIsFollowedByTheRestAlone() {
    assertEquals(EnumSet.of(Phase.COPYING), followers(Phase.TOLD));
    assertEquals(EnumSet.of(Phase.COPYING, Phase.TOLD), followers(Phase.LINGERING));
    assertEquals(EnumSet.of(Phase.COPYING, Phase.TOLD), followers(Phase.SKIPPING));
  }

  @Test
  void aTransferGoesFromItsOfferToItsDone() {
    assertEquals(Phase.OFFERED, ends.phase());
    assertFalse(ends.isMoving());
    assertEquals(Phase.COPYING, behind(ends::agree));
    assertTrue(ends.isMoving());
    assertEquals(Phase.COPIED, behind(ends::copied));
    assertFalse(ends.isTold());
    assertEquals(Phase.TOLD, behind(ends::told));
    assertTrue(ends.isCopied());
  }

  @Test
  void anEndThatFailsInTheMiddleSaysSoAndGoesOnToTheEndOfItsPart() {
    ends.agree();
    assertEquals(Phase.SKIPPING, behind(ends::told));
    assertTrue(ends.isTold());
    assertTrue(ends.isMoving());
    assertFalse(ends.isCopied());
    assertEquals(Phase.TOLD, behind(ends::copied));
  }

  @Test
  void anOfferCanBeWithdrawnOnceAndNotBehindItsMatch() {
    assertTrue(ends.withdraw());
    assertFalse(ends.withdraw());
    assertEquals(Phase.COPYING, behind(ends::agree), "the receiver has taken it meanwhile");
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
    assertEquals(Phase.LINGERING, ends.phase());
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
    assertEquals(Phase.COPYING, behind(ends::agree));
    assertFalse(ends.isPeerDone());
    assertFalse(ends.doesSenderTell());
  }

  @Test
  void aStepThatIsNotLegalIsRefused() {
    ends.withdraw();
    ends.agree();
    ends.copied();
    ends.copied();
    assertEquals(Phase.COPIED, ends.phase(), "said twice");
    ends.told();
    ends.told();
    assertEquals(Phase.TOLD, ends.phase(), "said twice");
    assertFalse(ends.linger());
    assertFalse(Phase.TOLD.mayBecome(Phase.WITHDRAWING));
    assertFalse(Phase.COPYING.mayBecome(Phase.WITHDRAWING));
    assertFalse(Phase.COPYING.mayBecome(Phase.LINGERING));
  }
}
