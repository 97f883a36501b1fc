package io.adrastea.engine.step;

/**
 * Whatever a rank moves on beside its messages: large messages, control messages that wait for room. A stepper says
 * when it has something to move, and after each step is asked whether it still has. The sender tells here as well
 * whether messages wait to go out, though it moves them itself; so a rank that has nothing to move on finds that out by
 * one load, however many steppers there are. Called inside the gate.
 */
public final class Steppers {
  private static final int MOST = Integer.SIZE - 1;
  private static final int MESSAGES = 1 << MOST;

  private final Stepper[] steppers = new Stepper[MOST];
  private int count;
  private int busy; // a bit for each that has something to move, or had before its last step; and MESSAGES

  /**
   * Registers a stepper, which is idle.
   *
   * @return its number, for {@link #start}
   * @throws IllegalStateException when there are as many as there can be
   */
  public int register(Stepper stepper) {
    if (count == MOST) {
      throw new IllegalStateException("%d steppers are registered, as many as a rank can have".formatted(MOST));
    }
    steppers[count] = stepper;
    return count++;
  }

  /** The stepper of this number has something to move from now on. */
  public void start(int number) {
    busy |= 1 << number;
  }

  /** Messages wait to go out from now on, or are held back. */
  public void holdMessages() {
    busy |= MESSAGES;
  }

  /** No message waits to go out any more. */
  public void sentMessages() {
    busy &= ~MESSAGES;
  }

  /** Whether nothing is to be moved on, and no message waits to go out. */
  public boolean isIdle() {
    return busy == 0;
  }

  /** Whether nothing is to be moved on beside messages. */
  public boolean hasMessagesAtMost() {
    return (busy & ~MESSAGES) == 0;
  }

  /** Whether the stepper of this number alone has something to move, beside messages. */
  public boolean isAlone(int number) {
    return (busy & ~MESSAGES) == 1 << number;
  }

  /** Moves all on, in the order in which they were registered; whether anything moved. */
  public boolean step() {
    boolean any = false;
    for (int left = busy & ~MESSAGES; left != 0; left &= left - 1) {
      int number = Integer.numberOfTrailingZeros(left);
      any |= steppers[number].step();
      if (steppers[number].isIdle()) {
        busy &= ~(1 << number);
      }
    }
    return any;
  }
}
