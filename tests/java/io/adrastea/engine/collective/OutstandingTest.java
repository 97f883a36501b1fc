package io.adrastea.engine.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Communicators that end while one of them is gone on with. */
class OutstandingTest {
  private final Steppers steppers = new Steppers();
  private final Outstanding outstanding = new Outstanding(steppers, () -> {});
  private final List<String> stepped = new ArrayList<>();

  /** A communicator whose step ends the collectives of some. */
  private final class Communicator implements Stepper {
    private final String name;
    private final List<Communicator> ended = new ArrayList<>();

    Communicator(String name) {
      this.name = name;
      outstanding.add(this);
    }

    @Override
    public boolean step() {
      stepped.add(name);
      ended.forEach(outstanding::remove);
      return !ended.isEmpty();
    }

    @Override
    public boolean isIdle() {
      return false;
    }
  }

  @Test
  void theStepOfOneMayEndThoseOfOthersAndItsOwn() {
    Communicator first = new Communicator("first");
    Communicator second = new Communicator("second");
    Communicator third = new Communicator("third");
    third.ended.addAll(List.of(first, third));
    assertTrue(steppers.step());
    assertEquals(List.of("third", "second"), stepped);
    assertFalse(outstanding.isIdle());
    second.ended.add(second);
    outstanding.add(third);
    third.ended.add(second);
    assertTrue(steppers.step());
    assertEquals(List.of("third", "second", "third"), stepped);
    assertTrue(outstanding.isIdle());
  }
}
