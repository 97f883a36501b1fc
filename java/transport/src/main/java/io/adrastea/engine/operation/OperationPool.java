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

  private final Pending.Owner<Operation> owner;
  private final boolean checksTypes;

  /** @param owner moves them on where a request tells of them */
  public OperationPool(Pending.Owner<Operation> owner, boolean checksTypes) {
    this.owner = owner;
    this.checksTypes = checksTypes;
    for (int i = 0; i < RESERVE; i++) {
      sends.add(new Send(owner));
      receives.add(new Receive(owner, checksTypes));
    }
  }

  public Send send(Members members, int destination, long match) {
    Send send = sends.size() < RESERVE / 2 ? new Send(owner) : sends.poll();
    send.ask(members, destination, match, -1L);
    return send;
  }

  public Receive receive(Members members, int source, long match, long mask) {
    Receive receive = receives.size() < RESERVE / 2 ? new Receive(owner, checksTypes) : receives.poll();
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

  /** Makes a persistent operation, which is not pooled. */
  public Operation make(Operation.Kind kind, Members members, int peer, long match, long mask) {
    Operation made;
    if (kind == Operation.Kind.RECEIVE) {
      made = new Receive(owner, false);
      made.ask(members, peer, match, mask);
    } else {
      Send send = new Send(owner);
      send.ask(members, peer, match, mask);
      send.synchronous(kind == Operation.Kind.SYNCHRONOUS_SEND);
      made = send;
    }
    made.persist();
    return made;
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
