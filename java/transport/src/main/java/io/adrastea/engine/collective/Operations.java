package io.adrastea.engine.collective;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationPool;

/** How operations of messages begin and end that no request tells of. Called inside the gate. */
public interface Operations {
  /** Operations that are not in use. */
  OperationPool pool();

  /** Begins one that was described. */
  void begin(Operation operation);

  /** Takes one back if nothing of it has happened; whether it was. It is complete then. */
  boolean takeBack(Operation operation);

  /** Ends one that is not complete: whether nothing of it is left, so that it can be given back. */
  boolean abandon(Operation operation, Throwable cause);
}
