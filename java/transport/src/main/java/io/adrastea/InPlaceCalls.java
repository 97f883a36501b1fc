package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.Operation;
import io.adrastea.engine.ZeroCopy;

/**
 * The calls of {@link Communicator} for messages in several parts of memory, messages read and written where they lie, and several messages
 * together.
 */
abstract sealed class InPlaceCalls extends AgronaCalls permits Communicator {
  private final ZeroCopy zeroCopy;
  private final Burst[] bursts;

  InPlaceCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
    this.zeroCopy = engine.zeroCopy();
    this.bursts = new Burst[size];
  }

  private void requireSend(IoVector parts, int destination, int tag) {
    parts.requireUsable(many);
    requireSendTo(destination, tag);
  }

  private void requireReceive(IoVector parts, int source, int tag) {
    parts.requireWritable(many);
    requireReceiveFrom(source, tag);
  }

  private static IoVector requireNonNull(IoVector parts) {
    if (parts == null) {
      throw new NullPointerException("the list of parts is null");
    }
    return parts;
  }

  /**
   * Sends several parts as one message (gather); returns when they can be used again, which may be before it is received.
   *
   * @param parts sent in their order; copied straight to where the receiver finds them
   * @param destination rank to send to, which may be this one
   * @param tag 0 or more
   */
  public void send(IoVector parts, int destination, int tag) {
    requireSend(requireNonNull(parts), destination, tag);
    engine.send(destination, matchOf(tag), parts.parts);
  }

  /**
   * Receives a message into several parts (scatter); returns when it is there.
   *
   * @param parts filled in their order, straight from where the sender put the bytes; together the most that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length; valid until the next call that returns a status
   */
  public Status recv(IoVector parts, int source, int tag) {
    requireReceive(requireNonNull(parts), source, tag);
    Status result = result();
    engine.receive(source, matchOf(tag), maskOf(tag), parts.parts, result.setter);
    return result;
  }

  /**
   * Starts a send of several parts.
   *
   * @param parts neither they nor the list are to be changed until completion
   * @param destination rank to send to
   * @param tag 0 or more
   * @return to be completed
   */
  public Request isend(IoVector parts, int destination, int tag) {
    requireSend(requireNonNull(parts), destination, tag);
    return request(engine.start(false, destination, matchOf(tag), -1L, parts.parts));
  }

  /**
   * Starts a receive into several parts.
   *
   * @param parts neither they nor the list are to be touched until completion
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   */
  public Request irecv(IoVector parts, int source, int tag) {
    requireReceive(requireNonNull(parts), source, tag);
    return request(engine.start(true, source, matchOf(tag), maskOf(tag), parts.parts));
  }

  /**
   * Waits for a message and hands it over where it lies, without a copy. It counts as received even when the handler throws.
   *
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param handler called once, by this thread; what it throws is thrown on
   */
  public void recv(int source, int tag, MessageHandler handler) {
    if (handler == null) {
      throw new NullPointerException("the handler is null");
    }
    Message message = recvMessage(source, tag);
    int generation = message.generation();
    try {
      handler.onMessage(message);
    } finally {
      if (message.isHeldSince(generation)) {
        message.release();
      }
    }
  }

  /**
   * Waits for a message and leaves it where it lies, without a copy, until it is released.
   *
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be released, soon, since what it lies in is missing to its sender
   */
  public Message recvMessage(int source, int tag) {
    requireReceiveFrom(source, tag);
    return Message.of(zeroCopy, zeroCopy.receive(source, matchOf(tag), maskOf(tag)));
  }

  /**
   * Looks for a message and leaves it where it lies.
   *
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be released; null when none is there whole
   */
  public Message tryRecvMessage(int source, int tag) {
    requireReceiveFrom(source, tag);
    Operation received = zeroCopy.tryReceive(source, matchOf(tag), maskOf(tag));
    return received == null ? null : Message.of(zeroCopy, received);
  }

  /**
   * Waits for room for a message, which is then written in place and committed. Sends that are pending for that rank go first.
   * Until commit or abort nothing else can be sent there.
   *
   * @param destination rank to send to, which may be this one
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell ({@code adrastea.cell.bytes})
   * @return to be committed or aborted
   * @throws IllegalStateException when a claim for that rank is open
   */
  public Claim claim(int destination, int tag, int bytes) {
    requireSendTo(destination, tag);
    return Claim.of(zeroCopy, zeroCopy.claim(destination, matchOf(tag), bytes));
  }

  /**
   * Takes room for a message if it is there now, see {@link #claim}.
   *
   * @param destination rank to send to
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell
   * @return to be committed or aborted; null when there is no room, or other sends to that rank are pending
   * @throws IllegalStateException when a claim for that rank is open
   */
  public Claim tryClaim(int destination, int tag, int bytes) {
    requireSendTo(destination, tag);
    Operation claimed = zeroCopy.tryClaim(destination, matchOf(tag), bytes);
    return claimed == null ? null : Claim.of(zeroCopy, claimed);
  }

  /**
   * Begins a burst: what this thread sends to a rank until it is closed leaves together.
   *
   * @param destination rank to send to
   * @return to be closed
   * @throws IllegalStateException when a burst to that rank is open
   */
  public Burst burst(int destination) {
    requireDestination(destination);
    engine.beginBurst(destination);
    if (bursts[destination] == null) {
      bursts[destination] = new Burst((Communicator) this, destination);
    }
    return bursts[destination].begin();
  }

  void endBurst(int destination) {
    engine.endBurst(destination);
  }
}
