package io.adrastea.engine.send;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Send;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import java.util.List;

/**
 * Room that was claimed and is being filled, for one message per destination at most. Nothing else goes there
 * meanwhile.
 */
public final class Claims {
  private final Peers peers;
  private final Liveness liveness;
  private final Send[] open; // per destination; null: none
  private int count;

  Claims(Peers peers, Liveness liveness) {
    this.peers = peers;
    this.liveness = liveness;
    this.open = new Send[peers.size()];
  }

  boolean isOpen(int destination) {
    return count != 0 && open[destination] != null;
  }

  public void requireNone(int destination) {
    if (isOpen(destination)) {
      throw new IllegalStateException(
          "a %s is open; commit or abort it before anything else is sent there".formatted(open[destination]));
    }
  }

  /** Room was found. */
  void add(Send claim) {
    open[claim.peer()] = claim;
    count++;
  }

  /** Sends what was filled in; the claim is over, also when its destination is gone. */
  public void commit(Send claim) {
    remove(claim);
    int status = peers.link(claim.peer()).commit(claim.peer());
    if (status == Link.GONE) {
      throw liveness.failure(claim.members(), claim.peer(), claim);
    }
    CoreStatus.checked(status);
  }

  public void abort(Send claim) {
    remove(claim);
    CoreStatus.checked(peers.link(claim.peer()).abort(claim.peer()));
  }

  private void remove(Send claim) {
    open[claim.peer()] = null;
    count--;
  }

  /** Aborts all; adds a description of each to {@code words}. */
  public void close(List<String> words) {
    for (int destination = 0; count != 0 && destination < open.length; destination++) {
      Send claim = open[destination];
      if (claim != null) {
        words.add(claim.toString());
        claim.loseView();
        abort(claim);
      }
    }
  }

  /** Takes all from those that fill them in, and gives nothing back: the rank fails, and others take what it has. */
  public void lose() {
    for (Send claim : open) {
      if (claim != null) {
        claim.loseView();
      }
    }
  }
}
