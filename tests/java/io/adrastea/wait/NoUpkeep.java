package io.adrastea.wait;

/** A wait that has nothing to move on beside what it waits for. */
class NoUpkeep implements Upkeep {
  @Override
  public void show() {}

  @Override
  public boolean step() {
    return false;
  }

  @Override
  public boolean isIdle() {
    return true;
  }

  @Override
  public int pollInVain() {
    return 0;
  }

  @Override
  public boolean tell() {
    return false;
  }

  @Override
  public boolean drain(int gone) {
    return true;
  }

  @Override
  public void raise() {}
}
