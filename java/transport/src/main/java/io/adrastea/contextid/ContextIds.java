package io.adrastea.contextid;

/**
 * Numbers of communicators, each in use once at a time among all ranks that may meet. A number together with its
 * generation, which is raised whenever the number is free again, is a <em>context id</em>: what stands in match words
 * and in slots. Ranks take them from the {@link ContextIdTable} of their node; no two nodes deal the same numbers.
 */
public interface ContextIds {
  /** No id: all numbers are taken. */
  int NONE = -1;

  /** Takes a number for a communicator that this rank is about to make; gives the id, or {@link #NONE}. */
  int take();

  /** Shows where the slot of a taken number lies. From then on the members decide when the number is free. */
  void show(int id, long slotOffset);

  /** Gives a number back whose slot was not shown. */
  void giveBack(int id);

  /**
   * Frees a number if every member has closed the communicator or is gone. It does nothing where that is not so, or
   * where another member was faster.
   *
   * @param slot of the communicator
   */
  void release(CommunicatorSlot slot);

  /**
   * A member on another node has said that it has closed the communicator, or never comes to it: frees the number if
   * that was the last.
   */
  void farIsOut(int id, int jobRank);

  /** Whether a communicator has the number still, in that generation. */
  boolean isTaken(int id);
}
