package io.adrastea.engine.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which steppers are moved on, and when none is. */
class SteppersTest {
  private final Steppers steppers = new Steppers();
  private final List<String> moved = new ArrayList<>();

  /** Has so many steps to make. */
  private final class Steps implements Stepper {
    private final String name;
    private final int number = steppers.register(this);
    private int left;

    private Steps(String name) {
      this.name = name;
    }

    private void start(int steps) {
      left = steps;
      steppers.start(number);
    }

    @Override
    public boolean step() {
      moved.add(name);
      left--;
      return true;
    }

    @Override
    public boolean isIdle() {
      return left == 0;
    }
  }

  @Test
  void isIdleUntilOneHasSomethingToMove() {
    Steps one = new Steps("one");
    assertTrue(steppers.isIdle());
    assertFalse(steppers.step());
    one.start(1);
    assertFalse(steppers.isIdle());
    assertTrue(steppers.step());
    assertTrue(steppers.isIdle());
    assertEquals(List.of("one"), moved);
  }

  @Test
  void messagesThatWaitAreToldOfBesideTheSteppers() {
    Steps one = new Steps("one");
    steppers.holdMessages();
    assertFalse(steppers.isIdle());
    assertTrue(steppers.hasMessagesAtMost());
    assertFalse(steppers.step(), "the sender moves messages");
    one.start(1);
    assertFalse(steppers.hasMessagesAtMost());
    assertTrue(steppers.isAlone(one.number));
    steppers.sentMessages();
    assertFalse(steppers.isIdle());
    assertTrue(steppers.step());
    assertTrue(steppers.isIdle());
    assertTrue(steppers.hasMessagesAtMost());
  }

  @Test
  void movesThoseOnThatAreNotIdleInTheOrderOfTheirRegistration() {
    Steps one = new Steps("one");
    new Steps("two");
    Steps three = new Steps("three");
    three.start(2);
    one.start(1);
    steppers.step();
    steppers.step();
    assertTrue(steppers.isIdle());
    assertEquals(List.of("one", "three", "three"), moved);
  }

  @Test
  void movesOneOnThatAnotherHasStartedMeanwhile() {
    Steps one = new Steps("one");
    int[] left = {1};
    int starter = steppers.register(
        new Stepper() {
          @Override
          public boolean step() {
            one.start(1);
            left[0] = 0;
            return false;
          }

          @Override
          public boolean isIdle() {
            return left[0] == 0;
          }
        });
    steppers.start(starter);
    assertFalse(steppers.step());
    assertFalse(steppers.isIdle());
    assertTrue(steppers.step());
    assertTrue(steppers.isIdle());
  }

  @Test
  void refusesMoreThanItHasRoomFor() {
    for (int i = 0; i < Integer.SIZE - 1; i++) {
      new Steps("one of them");
    }
    String words = assertThrows(IllegalStateException.class, () -> new Steps("one more")).getMessage();
    assertTrue(words.contains("31 steppers"), words);
  }
}
