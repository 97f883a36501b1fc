package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Team;
import java.io.IOException;

/**
 * A function whose instructions are counted while a program calls it in a certain state.
 *
 * @param program its name in the jar
 * @param state the program's name for it
 * @param function its symbol
 */
record Counted(String program, String state, String function) {
  static final String PROGRAM = "adrastea-counts";

  /** That program on a queue without shadow head. */
  static final String PLAIN = "adrastea-counts-plain";

  /** Starts a program that does what orders name, on the first two CPUs. */
  static Team serve(String program, Cpus cpus) throws IOException {
    return Team.ofProgram("C", program, "box 8 1 1", "serve", cpus.of(0, 0), cpus.of(0, 1));
  }

  /** In the ordinary program. */
  Counted(String state, String function) {
    this(PROGRAM, state, function);
  }
}
