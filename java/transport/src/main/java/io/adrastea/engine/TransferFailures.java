package io.adrastea.engine;

import io.adrastea.core.Spaces;
import io.adrastea.error.AdrasteaException;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;

/** What an operation throws when its transfer has failed. */
final class TransferFailures {
  private final Liveness liveness;

  TransferFailures(Liveness liveness) {
    this.liveness = liveness;
  }

  RuntimeException of(Operation operation, Transfer transfer) {
    int status = transfer.status();
    if (transfer.cause() != null && status == Transfers.CANCELED) {
      return new AdrasteaException(
          "the buffer of a %s cannot be used any more: %s".formatted(operation, transfer.cause().getMessage()),
          transfer.cause());
    }
    if (status == Spaces.SRCH || liveness.missing(transfer.peer()) != Liveness.NONE) {
      return liveness.failure(transfer.peer(), operation);
    }
    return new AdrasteaException(
        switch (status) {
          case Transfers.CANCELED, Spaces.FAULT ->
            "rank %d gave up its end of a %s: its buffer was closed, or its memory is gone".formatted(transfer.peer(),
                operation);
          case Transfers.NO_MEMORY ->
            "a %s cannot be done: one of its ends has no memory for it, shared for a copy ring (adrastea.ring.bytes) or on its heap (-Xmx)"
                .formatted(operation);
          default -> "a %s failed between the two ranks: error %d".formatted(operation, -status);
        },
        transfer.cause());
  }
}
