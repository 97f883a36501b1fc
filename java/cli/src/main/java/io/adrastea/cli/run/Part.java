package io.adrastea.cli.run;

import java.util.List;

/**
 * Neighbouring ranks of a job that execute the same program.
 *
 * @param size how many they are
 * @param cores the names dealt to them in turn; none for the default
 * @param binding where they run
 * @param program what they execute
 */
record Part(int size, List<String> cores, Binding binding, Program program) {
  /** The core of its rank of this index, or {@code null} for the default. */
  String core(int index) {
    return cores.isEmpty() ? null : cores.get(index % cores.size());
  }

  /** How many of its ranks are bound to a CPU. */
  int boundRanks() {
    return binding == Binding.cpu ? size : 0;
  }
}
