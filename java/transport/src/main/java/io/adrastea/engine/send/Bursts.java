package io.adrastea.engine.send;

import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.step.RankSet;
import io.adrastea.engine.step.Steppers;
import io.adrastea.peers.Peers;
import java.util.List;

/**
 * Bursts that are open, one per destination at most. What the thread that opened one sends there is held back by the
 * link until it ends; what other threads of the rank send there is shown at once. A wait of any kind shows first what
 * was held back, so that nobody waits for an answer to what nobody can see.
 */
public final class Bursts {
  private final Peers peers;
  private final Steppers steppers;
  private final Thread[] owners; // per destination; null: no burst is open
  private final Members[] members; // per destination: of the communicator whose burst it is
  private final RankSet hiding; // destinations for which something may be held back
  private int open;

  public Bursts(Peers peers, Steppers steppers) {
    this.peers = peers;
    this.steppers = steppers;
    this.owners = new Thread[peers.size()];
    this.members = new Members[peers.size()];
    this.hiding = new RankSet(peers.size());
  }

  /** Begins one among these members, if none is open to that rank, of whatever communicator. */
  public void begin(Members members, int destination) {
    if (owners[destination] != null) {
      throw new IllegalStateException(
          "a burst to rank %s is open; end it before the next one".formatted(members.name(destination)));
    }
    CoreStatus.checked(peers.link(destination).beginBurst(destination));
    owners[destination] = Thread.currentThread();
    this.members[destination] = members;
    open++;
  }

  public void end(int destination) {
    forget(destination);
    CoreStatus.checked(peers.link(destination).endBurst(destination));
  }

  private void forget(int destination) {
    hiding.remove(destination);
    owners[destination] = null;
    members[destination] = null;
    open--;
  }

  public void sent(int destination) {
    if (open != 0 && owners[destination] != null) {
      sentInBurst(destination);
    }
  }

  private void sentInBurst(int destination) {
    if (owners[destination] != Thread.currentThread()) {
      showNow(destination);
    } else {
      hiding.add(destination);
      steppers.holdMessages();
    }
  }

  /** Shows what was held back; the bursts go on. */
  public void show() {
    while (hiding.count() != 0) {
      int destination = hiding.at(hiding.count() - 1);
      hiding.remove(destination);
      showNow(destination);
    }
  }

  /** A message went there that somebody waits for: it is shown at once, and so is all that was held back. */
  public void sentUrgently(int destination) {
    sent(destination);
    show();
  }

  private void showNow(int destination) {
    CoreStatus.checked(peers.link(destination).endBurst(destination));
    CoreStatus.checked(peers.link(destination).beginBurst(destination));
  }

  /** Ends all; adds a description of each to {@code words}. */
  public void close(List<String> words) {
    for (int destination = 0; open != 0 && destination < owners.length; destination++) {
      if (owners[destination] != null) {
        words.add("burst to rank %s, not ended".formatted(members[destination].name(destination)));
        end(destination);
      }
    }
  }
}
