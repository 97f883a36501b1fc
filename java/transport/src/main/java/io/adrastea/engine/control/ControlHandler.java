package io.adrastea.engine.control;

import java.lang.foreign.MemorySegment;

/** Takes in the control messages of one type or several, for which it is registered. */
public interface ControlHandler {
  /**
   * Takes memory for what the next message brings about, its answers too ({@link ControlMessages#reserve}). Called
   * before the message is taken: where there is no memory the message stays, and is found again.
   */
  void reserve();

  /**
   * Takes in a message.
   *
   * @param memory holds it from the beginning on, until this returns
   * @param bytes of the message
   * @return false: no correct rank sends such a message
   */
  boolean received(int source, int type, MemorySegment memory, int bytes);
}
