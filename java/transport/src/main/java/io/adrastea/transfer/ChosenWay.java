package io.adrastea.transfer;

import io.adrastea.space.Space;

/**
 * How the bytes of one transfer go: chosen by the {@link WaySelector} of its receiver, and told to its sender in the
 * CTS; and what is told how long they took.
 */
final class ChosenWay {
  int driver; // Cookie.GET, PUT or RING; 0: not known yet
  Way way; // receiving: the one that was chosen
  Space reading; // what the receiver copies through
  Space writing; // what the sender copies through
  long wanted; // bytes that the receiver takes
  WayCosts costs; // receiving: what is told how long it took; null: it is not timed
  boolean trial; // of that way

  /** A message of so many bytes is offered. */
  void begin(long length) {
    driver = 0;
    way = null;
    reading = null;
    writing = null;
    wanted = length;
    costs = null;
    trial = false;
  }

  /** Receiver: this is the way. */
  void take(Way chosen) {
    way = chosen;
    driver = chosen.driver();
    reading = driver == Cookie.GET ? Space.of(chosen.path().ordinal()) : null;
  }
}
