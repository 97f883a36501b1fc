package io.adrastea.engine.step;

/** Something that has to be moved on again and again until it is over, in steps that are short. */
public interface Stepper {
  /** Moves it on a little; whether anything moved. */
  boolean step();

  /** Whether nothing is to be moved on. */
  boolean isIdle();
}
