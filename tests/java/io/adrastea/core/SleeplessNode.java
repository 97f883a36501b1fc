package io.adrastea.core;

/**
 * A node on which nobody sleeps: every call answers 0 and does nothing. A test overrides the calls that it looks at.
 */
public class SleeplessNode implements Sleeper {
  @Override
  public int enableSenderFence() {
    return 0;
  }

  @Override
  public long announceSleep() {
    return 0;
  }

  @Override
  public int sleep(long word, long nanos) {
    return 0;
  }

  @Override
  public int endSleep() {
    return 0;
  }

  @Override
  public int wake(int rank) {
    return 0;
  }

  @Override
  public int giveWay(long now) {
    return 0;
  }

  @Override
  public int worksUntil(long time) {
    return 0;
  }

  @Override
  public int wasGivenWay(long since) {
    return 0;
  }

  @Override
  public int avoidSharedCpu(int other) {
    return 0;
  }
}
