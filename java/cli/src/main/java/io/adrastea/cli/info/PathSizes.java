package io.adrastea.cli.info;

import io.adrastea.config.Tunable;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.EagerLimits;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.transfer.PathSelector;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The sizes at which messages begin to go another way, with the settings in force.
 *
 * @param box longest message in a fastbox, in bytes; below 0: there are none
 * @param rendezvous whether there is any: not with very small cells
 */
record PathSizes(TransferSettings large, long box, boolean rendezvous) {
  static PathSizes inForce() {
    boolean boxes = Tunable.BOX_LINES.intValue() != 0;
    boolean rendezvous = Tunable.CELL_BYTES.intValue() >= Cookie.LEAST_BYTES;
    long box = boxes ? Tunable.BOX_MESSAGE_BYTES.intValue() : -1;
    return new PathSizes(TransferSettings.inForce(), box, rendezvous);
  }

  /** Whether a message is sent before its receive is known. */
  boolean isEager(PathSelector.Memory from, boolean heard, long bytes) {
    return !rendezvous || bytes <= large.eager().of(from, large.reaches(), heard);
  }

  /** The sizes at which something may change, the least first. */
  SortedSet<Long> steps() {
    EagerLimits eager = large.eager();
    SortedSet<Long> steps = new TreeSet<>();
    steps.add(0L);
    steps.add(box + 1);
    if (rendezvous) {
      steps.add(eager.shared() + 1);
      steps.add(eager.answer() + 1);
      steps.add(eager.stream() + 1);
      steps.add(eager.array() + 1);
      steps.add(large.splitBytes());
    }
    return steps;
  }
}
