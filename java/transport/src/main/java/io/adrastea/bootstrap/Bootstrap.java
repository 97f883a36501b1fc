package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A way in which a process learns which rank of its job it is: our launcher, or another start-up service. */
public interface Bootstrap {
  /** What {@code adrastea.bootstrap} calls it. */
  String name();

  /** Names of the processes whose end ends a rank; empty: the variables tell which it is, or there is none. */
  Set<String> launchers();

  /**
   * What the environment says of this way, without asking anybody; empty when the process was not started in it.
   *
   * @param environment variables by their names
   * @throws JoinException when it was, but what is given is incomplete or contradictory
   */
  Optional<Claim> claim(Map<String, String> environment);

  /**
   * Which rank of which job this process is; may talk to a launcher.
   *
   * @param claim what {@link #claim} has found
   * @param environment variables by their names
   * @throws JoinException when the launcher does not tell
   */
  Membership membership(Claim claim, Map<String, String> environment);

  /**
   * What the environment says.
   *
   * @param rank number of this process in the job
   * @param size ranks of the job; 0: the launcher tells it later
   * @param words what was found, for messages
   */
  record Claim(int rank, int size, String words) {}
}
