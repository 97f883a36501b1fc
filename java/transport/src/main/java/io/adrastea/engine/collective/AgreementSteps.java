package io.adrastea.engine.collective;

import io.adrastea.coll.SlotAgreement;

/**
 * One member's side of the agreements of a communicator, a look at a time: through its slot, or by messages where the
 * members do not all share memory. Nothing waits here. Called inside the gate, where nothing else is said.
 */
interface AgreementSteps {
  /** This member has come to the next agreement. */
  void begin(AgreementStep step, int flags);

  /**
   * Looks for the decision; what it finds is as of {@link SlotAgreement#look}: {@link SlotAgreement#DECIDED} and so on.
   */
  int look();

  /** The member that the last look was about. */
  int other();

  /** What was decided: flags, or a proposal. */
  long decision();

  /** Whether a member has come, and is still there, as of now. */
  boolean lives(int member);

  /** Proposes, where a look has found nothing decided; false: another proposal was decided meanwhile. */
  boolean propose(long proposal);

  /** Tells all members that the communicator is revoked. Any thread may call, outside the gate. */
  void revoke();

  /** Whether a member has told that. Any thread may ask, inside the gate or not. */
  boolean isRevoked();

  /** Whether a member is known to come to no more agreements, though it has not failed. */
  boolean hasClosed(int member);

  /** Another member has told by other messages that it comes to no more agreements. Called inside the gate. */
  void isOut(int member);

  /** This member comes to no more agreements: the communicator is closed. */
  void end();
}
