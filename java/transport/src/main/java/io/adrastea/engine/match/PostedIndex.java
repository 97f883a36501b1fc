package io.adrastea.engine.match;

import io.adrastea.engine.operation.MatchIndex;
import io.adrastea.engine.operation.OperationList;
import io.adrastea.engine.operation.Receive;
import java.util.Arrays;

/**
 * The posted receives of a long list, by what they ask for. A message looks in the queue of its source and tag, and in
 * up to three of wildcards, and takes the receive among their first that was posted before the others. Without memory
 * for the index there is none, and the list is searched.
 */
final class PostedIndex {
  private final OperationList<Receive> posted;
  private final MatchIndex<Receive> index = new MatchIndex<>(); // empty: it is not in use
  private final int[] asking = new int[MatchIndex.KINDS]; // how many ask for each kind of key

  PostedIndex(OperationList<Receive> posted) {
    this.posted = posted;
  }

  boolean isInUse() {
    return !index.isEmpty();
  }

  /** Begins to index the list if it is not indexed; false: there is no memory for that. */
  boolean begin() {
    for (Receive receive = isInUse() ? null : posted.first(); receive != null; receive = posted.next(receive)) {
      if (!put(receive)) {
        return false;
      }
    }
    return true;
  }

  /** The first in turn of those that a message is for; null: there is none. */
  Receive first(int source, int tag) {
    MatchIndex.Entry<Receive> earliest = null;
    for (int kind = 0; kind < MatchIndex.KINDS; kind++) {
      if (asking[kind] != 0) {
        MatchIndex.Entry<Receive> entry = index.first(MatchIndex.key(kind, source, tag));
        earliest = entry != null && entry.isBefore(earliest) ? entry : earliest;
      }
    }
    return earliest == null ? null : earliest.owner();
  }

  /** A receive was posted. */
  void add(Receive receive) {
    if (isInUse()) {
      put(receive);
    }
  }

  /** A receive was taken off the list. */
  void remove(Receive receive) {
    if (!isInUse()) {
      return;
    }
    takeOut(receive);
    if (index.size() <= MatchIndex.FEW) {
      for (Receive other = posted.first(); other != null; other = posted.next(other)) {
        takeOut(other);
      }
    }
  }

  private boolean put(Receive receive) {
    int kind = kind(receive);
    try {
      index.add(MatchIndex.key(kind, receive.peer(), receive.wantedTag()), receive.entry());
    } catch (OutOfMemoryError e) {
      index.drop();
      Arrays.fill(asking, 0);
      return false;
    }
    asking[kind]++;
    return true;
  }

  private void takeOut(Receive receive) {
    index.remove(receive.entry());
    asking[kind(receive)]--;
  }

  private static int kind(Receive receive) {
    return MatchIndex.kind(receive.peer(), receive.wantedTag());
  }
}
