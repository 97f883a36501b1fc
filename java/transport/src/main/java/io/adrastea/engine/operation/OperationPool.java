package io.adrastea.engine.operation;

import io.adrastea.engine.group.Members;
import java.util.ArrayDeque;

/**
 * Spent operations, used again in the order in which they were given back: a stale handle meets an idle operation
 * rather than a new one for as long as possible.
 */
public final class OperationPool {
  private static final int RESERVE = 64;

  private final ArrayDeque<Send> sends = new ArrayDeque<>(2 * RESERVE);
  private final ArrayDeque<Receive> receives = new ArrayDeque<>(2 * RESERVE);

  private final boolean checksTypes;

  public OperationPool(boolean checksTypes) {
    this.checksTypes = checksTypes;
    for (int i = 0; i < RESERVE; i++) {
      sends.add(new Send());
      receives.add(new Receive(checksTypes));
    }
  }

  public Send send(Members members, int destination, long match) {
    Send send = sends.size() < RESERVE / 2 ? new Send() : sends.poll();
    send.ask(members, destination, match, -1L);
    return send;
  }

  public Receive receive(Members members, int source, long match, long mask) {
    Receive receive = receives.size() < RESERVE / 2 ? new Receive(checksTypes) : receives.poll();
    receive.ask(members, source, match, mask);
    return receive;
  }

  public Operation take(Operation.Kind kind, Members members, int peer, long match, long mask) {
    if (kind == Operation.Kind.RECEIVE) {
      return receive(members, peer, match, mask);
    }
    Send send = send(members, peer, match);
    send.synchronous(kind == Operation.Kind.SYNCHRONOUS_SEND);
    return send;
  }

  /** Makes an operation that is not pooled. */
  public static Operation make(Operation.Kind kind, Members members, int peer, long match, long mask) {
    if (kind == Operation.Kind.RECEIVE) {
      Receive receive = new Receive();
      receive.ask(members, peer, match, mask);
      return receive;
    }
    Send send = new Send();
    send.ask(members, peer, match, mask);
    send.synchronous(kind == Operation.Kind.SYNCHRONOUS_SEND);
    return send;
  }

  public void give(Operation operation) {
    operation.forget();
    if (operation instanceof Receive receive) {
      receives.add(receive);
    } else {
      sends.add((Send) operation);
    }
  }
}
