package io.adrastea.engine.collective;

/**
 * The blocks of one side of an exchange, one for each member: how long each is, and where in that side's data it
 * begins. Asked for while the call is made, and not afterwards.
 */
public interface Blocks {
  /** Bytes of the block that goes to a member, or that comes from it. */
  long bytes(int member);

  /** Where it begins, in bytes from the first of the data in their packed order. */
  long at(int member);
}
