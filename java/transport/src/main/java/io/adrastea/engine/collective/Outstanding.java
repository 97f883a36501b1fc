package io.adrastea.engine.collective;

import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import java.util.ArrayList;
import java.util.List;

/**
 * The communicators of a rank that have collectives outstanding: each step of progress goes on with them, whoever makes
 * it. Called inside the gate.
 */
public final class Outstanding implements Stepper {
  private final List<Stepper> communicators = new ArrayList<>();
  private final Steppers steppers;
  private final int number;
  private final Runnable wake;

  /**
   * Makes the list of a rank.
   *
   * @param wake has the progress thread, if there is one, look for what there is to move on
   */
  public Outstanding(Steppers steppers, Runnable wake) {
    this.steppers = steppers;
    this.number = steppers.register(this);
    this.wake = wake;
  }

  void add(Stepper communicator) {
    communicators.add(communicator);
    steppers.start(number);
  }

  void remove(Stepper communicator) {
    communicators.remove(communicator);
  }

  /** Whether a communicator has all that a rank is to move on beside messages. */
  boolean isAllOf(Stepper communicator) {
    return communicators.size() == 1 && communicators.getFirst() == communicator && steppers.isAlone(number);
  }

  /** A collective was started that nobody waits for. */
  void started() {
    wake.run();
  }

  @Override
  public boolean step() {
    boolean any = false;
    for (int i = communicators.size() - 1; i >= 0; i = Math.min(i, communicators.size()) - 1) {
      any |= communicators.get(i).step(); // which may end its calls and those of others, and so these go
    }
    return any;
  }

  @Override
  public boolean isIdle() {
    return communicators.isEmpty();
  }
}
