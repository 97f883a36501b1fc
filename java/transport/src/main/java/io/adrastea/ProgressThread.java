package io.adrastea;

import io.adrastea.wait.ProgressLoop;

/** A thread that moves the messages of a rank on while its other threads compute, see {@link Job#progressThread()}. */
public final class ProgressThread implements AutoCloseable {
  private final ProgressLoop loop;

  ProgressThread(ProgressLoop loop) {
    this.loop = loop;
  }

  /**
   * Ends the thread, and waits until it has ended. Messages move on inside calls again. Any thread may call; again:
   * nothing.
   */
  @Override
  public void close() {
    loop.close();
  }
}
