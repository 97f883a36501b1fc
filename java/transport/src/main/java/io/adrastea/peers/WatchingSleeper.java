package io.adrastea.peers;

import io.adrastea.core.Sleeper;
import io.adrastea.link.Link;

/**
 * One sleep for all links of a rank: the rank sleeps on its doorbell in shared memory, and the links that cannot ring
 * it from outside, since what they wait for is a descriptor, watch that while it sleeps, and ring it themselves. The
 * order is that of any sleep: announced first, then the last look, for which each watch counts what is there already.
 */
final class WatchingSleeper implements Sleeper {
  private final Sleeper own;
  private final Link[] links;
  private final Runnable wake;

  WatchingSleeper(Sleeper own, Link[] links, int self) {
    this.own = own;
    this.links = links;
    this.wake = () -> own.wake(self);
  }

  @Override
  public int enableSenderFence() {
    return own.enableSenderFence();
  }

  @Override
  public long announceSleep() {
    long word = own.announceSleep();
    if (word >= 0) { // else the rank naps for short stretches, and looks by itself
      for (Link link : links) {
        link.watch(wake);
      }
    }
    return word;
  }

  @Override
  public int sleep(long word, long nanos) {
    return own.sleep(word, nanos);
  }

  @Override
  public int endSleep() {
    for (Link link : links) {
      link.endWatch();
    }
    return own.endSleep();
  }

  @Override
  public int wake(int rank) {
    return own.wake(rank);
  }

  @Override
  public int giveWay(long now) {
    return own.giveWay(now);
  }

  @Override
  public int worksUntil(long time) {
    return own.worksUntil(time);
  }

  @Override
  public int wasGivenWay(long since) {
    return own.wasGivenWay(since);
  }

  @Override
  public int avoidSharedCpu(int other) {
    return own.avoidSharedCpu(other);
  }
}
