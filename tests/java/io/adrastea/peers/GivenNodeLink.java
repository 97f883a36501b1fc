package io.adrastea.peers;

/** A given link to ranks of the node, which answers what a test has set of what they have beside. */
final class GivenNodeLink extends GivenLink implements NodeLink {
  FusedReceive fused;
  LinkBarrier barrier;

  @Override
  public boolean isReachable(int rank) {
    return true;
  }

  @Override
  public boolean isEnding(int rank) {
    return false;
  }

  @Override
  public FusedReceive fused() {
    return fused;
  }

  @Override
  public LinkBarrier barrier() {
    return barrier;
  }
}
