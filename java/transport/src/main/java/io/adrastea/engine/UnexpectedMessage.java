package io.adrastea.engine;

import io.adrastea.transfer.Transfer;

/**
 * A message, or the part of one that is there, for which no receive was posted: its pieces are copied out of the cells,
 * a large one stays at its sender.
 */
final class UnexpectedMessage {
  int source;
  long match;
  long messageLength;
  long arrived;
  boolean aborted; // no more of it comes
  RuntimeException failure; // why, when its sender is gone; null: the sender called it off
  boolean probed; // a probe has shown it: it is there until it is received
  Transfer transfer; // of a large message that is still all at its sender; null: pieces come by themselves
  Receive fetch; // copies a large message aside for one who does not wait; null: nobody does
  Chunk firstChunk;
  private Chunk lastChunk;

  UnexpectedMessage previous;
  UnexpectedMessage next;

  void begin(int source, long match, long messageLength) {
    this.source = source;
    this.match = match;
    this.messageLength = messageLength;
    arrived = 0;
    aborted = false;
    failure = null;
    probed = false;
    transfer = null;
    fetch = null;
    firstChunk = null;
    lastChunk = null;
  }

  void add(Chunk chunk) {
    if (lastChunk == null) {
      firstChunk = chunk;
    } else {
      lastChunk.next = chunk;
    }
    lastChunk = chunk;
    arrived += chunk.length;
  }

  boolean isWhole() {
    return arrived == messageLength || aborted;
  }
}
