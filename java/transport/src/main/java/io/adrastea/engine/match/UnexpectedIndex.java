package io.adrastea.engine.match;

import io.adrastea.engine.operation.MatchIndex;
import java.util.List;
import java.util.stream.Stream;

/**
 * The unexpected messages of a long list, by source and tag, by tag alone, and by source alone: an index for each kind
 * of receive, which begins with the first one that has searched too long. Without memory for an index there is none,
 * and the list is searched.
 */
final class UnexpectedIndex {
  static final int KINDS = MatchIndex.ANYTHING; // a receive of anything takes the first of the list

  private final List<MatchIndex<UnexpectedMessage>> indexes = // by kind; an empty one is not in use
      Stream.generate(MatchIndex<UnexpectedMessage>::new).limit(KINDS).toList();

  boolean isInUse(int kind) {
    return !indexes.get(kind).isEmpty();
  }

  /** Begins to index the list that begins with {@code first}, if it is not indexed; false: there is no memory. */
  boolean begin(int source, int tag, UnexpectedMessage first) {
    int kind = MatchIndex.kind(source, tag);
    UnexpectedMessage message = isInUse(kind) ? null : first;
    for (; message != null; message = message.next) {
      if (!put(kind, message)) {
        return false;
      }
    }
    return true;
  }

  /** The first message that fits a receive, after {@link #begin}; null: there is none. */
  UnexpectedMessage first(int source, int tag) {
    int kind = MatchIndex.kind(source, tag);
    MatchIndex.Entry<UnexpectedMessage> entry = indexes.get(kind).first(MatchIndex.key(kind, source, tag));
    return entry == null ? null : entry.owner();
  }

  /** A message came to the end of the list. */
  void add(UnexpectedMessage message) {
    for (int kind = 0; kind < KINDS; kind++) {
      if (isInUse(kind)) {
        put(kind, message);
      }
    }
  }

  /** A message was taken off the list, which begins with {@code first} now. */
  void remove(UnexpectedMessage message, UnexpectedMessage first) {
    for (int kind = 0; kind < KINDS; kind++) {
      if (isInUse(kind)) {
        indexes.get(kind).remove(message.entry(kind));
        if (indexes.get(kind).size() <= MatchIndex.FEW) {
          end(kind, first);
        }
      }
    }
  }

  private void end(int kind, UnexpectedMessage first) {
    for (UnexpectedMessage message = first; message != null; message = message.next) {
      indexes.get(kind).remove(message.entry(kind));
    }
  }

  private boolean put(int kind, UnexpectedMessage message) {
    try {
      indexes.get(kind).add(
          MatchIndex.key(kind, message.source(), (int) message.match()), message.entry(kind));
    } catch (OutOfMemoryError e) {
      indexes.get(kind).drop();
      return false;
    }
    return true;
  }
}
