package io.adrastea.engine.send;

import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.operation.SentSignature;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Capability;
import java.lang.foreign.MemorySegment;

/**
 * Tells receivers the types of messages, where the job checks them: in a control message that goes the way of the
 * message, directly before it. It queues with the message, so it is sent here and not by {@link ControlMessages}. The
 * message itself is the same as in any other job. The control message has the words of a {@link SentSignature}, none to
 * take back what was told last.
 */
final class Signatures {
  private final Peers peers;
  private final boolean[] hearers; // ranks that take in what they are told: all but those in C
  private final SentSignature signature = new SentSignature();
  private final MemorySegment memory = MemorySegment.ofArray(new long[SentSignature.MOST_BYTES / Long.BYTES]);

  Signatures(Peers peers) {
    this.peers = peers;
    this.hearers = new boolean[peers.size()];
    for (int rank = 0; rank < hearers.length; rank++) {
      hearers[rank] = peers.abilities(rank).has(Capability.CHECK_TYPES);
    }
  }

  /** Whether the receiver of a message is to be told its types. */
  boolean applies(Send send) {
    return hearers[send.peer()] && SentSignature.isOf(send.payload());
  }

  /** Tells the types of the message that goes next: 0 or more, or what the core says. */
  int tell(Send send) {
    signature.set(send.payload(), peers.pieceBytes(send.peer()));
    return trySend(send, signature.write(memory));
  }

  /** That message does not come: 0, or what the core says. */
  int takeBack(Send send) {
    return trySend(send, 0);
  }

  private int trySend(Send send, int bytes) {
    int peer = send.peer();
    long match = ControlMessages.MATCH | ControlType.SIGNATURE.number();
    return peers.link(peer).trySend(peer, CellDescriptor.KIND_FIRST, match, bytes, memory, 0, bytes);
  }
}
