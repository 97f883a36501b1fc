package io.adrastea.engine;

/** Takes what the engine knows of a message. */
public interface Received {
  void set(int source, int tag, long bytes);
}
