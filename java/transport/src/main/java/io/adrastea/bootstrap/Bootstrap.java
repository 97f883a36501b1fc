package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import java.util.List;
import java.util.Optional;

/** A way in which a process learns which rank of its job it is: our launcher, or another start-up service. */
public interface Bootstrap {
  /** Every way, in the order in which they are asked. The last one always answers: the process is a job of one. */
  List<Bootstrap> ALL = List.of(new LauncherBootstrap(), () -> Optional.of(Membership.alone()));

  /**
   * Tells which rank of which job this process is; empty when it was not started in this way.
   *
   * @throws JoinException when it was, but what is given is incomplete or contradictory
   */
  Optional<Membership> membership();

  /** Tells which rank of which job this process is, by the first way that knows. */
  static Membership find() {
    return ALL.stream().flatMap(bootstrap -> bootstrap.membership().stream()).findFirst().orElseThrow();
  }
}
