package io.adrastea.bootstrap;

import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks that are not ready during joining.
 *
 * @param absent those that have not come, or are still preparing
 * @param gone those that came and died, gave up or left
 */
record Missing(List<Integer> absent, List<Integer> gone) {
  static Missing in(RankTable table) {
    Missing missing = new Missing(new ArrayList<>(), new ArrayList<>());
    for (int rank = 0; rank < table.size(); rank++) {
      if (!table.isPresent(rank)) {
        missing.gone.add(rank);
      } else if (table.state(rank) != RankEntryDescriptor.STATE_ATTACHED) {
        missing.absent.add(rank);
      }
    }
    return missing;
  }

  /** For a message that names those gone: who has not come either, since that may be why the others gave up. */
  String alsoAbsent() {
    return absent.isEmpty() ? "" : "; rank(s) %s had not come".formatted(absent);
  }
}
