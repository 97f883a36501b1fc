package io.adrastea.bench.paper;

/**
 * A function whose instructions are counted while a program calls it in a certain state.
 *
 * @param program its name in the jar
 * @param state the program's name for it
 * @param function its symbol
 */
record Counted(String program, String state, String function) {
  static final String PROGRAM = "adrastea-counts";

  /** The same on a queue without shadow head. */
  static final String PLAIN = "adrastea-counts-plain";

  /** In the ordinary program. */
  Counted(String state, String function) {
    this(PROGRAM, state, function);
  }
}
