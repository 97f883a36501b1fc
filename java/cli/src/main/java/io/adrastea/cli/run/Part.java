package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import java.util.List;

/**
 * Neighbouring ranks of a job that execute the same program.
 *
 * @param size how many they are
 * @param cores the names dealt to them in turn; none for the default
 * @param binding what each is bound to
 * @param program what they execute
 */
record Part(int size, List<String> cores, Binding binding, Program program) {
  /** The core of its rank of this index, or {@code null} for the default. */
  String core(int index) {
    return cores.isEmpty() ? null : cores.get(index % cores.size());
  }
}
