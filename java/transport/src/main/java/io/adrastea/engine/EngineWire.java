package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.Path;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.transfer.Wire;
import java.util.concurrent.atomic.AtomicBoolean;

/** What becomes of transfers in the engine: their messages are sent, their operations end. */
final class EngineWire implements Wire {
  private static final System.Logger LOGGER = System.getLogger(Rendezvous.class.getName()); // as it is known

  private static final AtomicBoolean LOST_XPMEM = new AtomicBoolean(); // told: ranks that are threads lose it together

  private final Core core;
  private final Controls controls;
  private final Liveness liveness;
  private final TransferFailures failures;
  private LargeReceives receives;

  EngineWire(Core core, Controls controls, Liveness liveness) {
    this.core = core;
    this.controls = controls;
    this.liveness = liveness;
    this.failures = new TransferFailures(liveness);
  }

  /** Where messages that were fetched ahead go on to. */
  void serve(LargeReceives receives) {
    this.receives = receives;
  }

  @Override
  public void send(int peer, int type, Cookie cookie) {
    controls.send(peer, type, cookie);
  }

  @Override
  public void moved(int peer) {
    core.wake(peer);
  }

  @Override
  public boolean isThere(int peer) {
    return liveness.isReachable(peer);
  }

  @Override
  public boolean isGone(int peer) {
    return liveness.missing(peer) != Liveness.NONE;
  }

  @Override
  public boolean isEnding(int peer) {
    return liveness.isEnding(peer);
  }

  @Override
  public void finished(Transfer transfer) {
    if (transfer.owner == Transfers.ORPHAN) {
      return;
    }
    Operation operation = (Operation) transfer.owner;
    operation.transfer = null;
    operation.moved = Math.min(transfer.length(), operation.length);
    if (transfer.status() == Transfers.WITHDRAWN) {
      operation.cancelled = true;
      operation.complete();
    } else if (transfer.status() != 0) {
      operation.fail(failures.of(operation, transfer));
    } else if (operation.receive) {
      Delivery.finish(operation);
    } else {
      operation.complete();
    }
    if (operation.partner != null) {
      receives.fetched(operation);
    }
  }

  @Override
  public Transfer withdrawn(int peer, int number) {
    return receives.withdrawn(peer, number);
  }

  @Override
  public void refused(int peer, Path path, int errno) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "large messages with rank {0} go through the copy ring: {1} is refused by the system (error {2})",
        peer,
        path,
        -errno);
  }

  @Override
  public void lostXpmem() {
    if (!LOST_XPMEM.getAndSet(true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "XPMEM is given up in this process, large messages go by CMA or through the copy ring: another user of XPMEM here (UCX, an MPI, a program"
              + " that opened /dev/xpmem) has closed a descriptor of it, with which the kernel ends what all in the process had attached and"
              + " exported. Keep that descriptor open, or set adrastea.lmt to cma");
    }
  }
}
