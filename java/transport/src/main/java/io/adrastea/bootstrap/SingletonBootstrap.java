package io.adrastea.bootstrap;

import java.security.SecureRandom;
import java.util.Optional;

/** Started by nobody in particular: a job of one. */
final class SingletonBootstrap implements Bootstrap {
  @Override
  public Optional<Membership> membership() {
    return Optional.of(new Membership(new SecureRandom().nextLong(), 0, 1, Optional.empty()));
  }
}
