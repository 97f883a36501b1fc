package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Started by {@code adrastea run}, or by anything that sets the same variables or properties. Twin of
 * {@code bootstrap/adr_own_variables.c}.
 */
final class OwnVariables implements Bootstrap {
  @Override
  public String name() {
    return "adrastea";
  }

  @Override
  public Set<String> launchers() {
    return Set.of();
  }

  /** Properties count too, so the settings are asked and not the environment alone. */
  @Override
  public Optional<Claim> claim(Map<String, String> environment) {
    if (!Tunable.JOB.isSet() && !Tunable.RANK.isSet() && !Tunable.SIZE.isSet()) {
      return Optional.empty();
    }
    if (!Tunable.JOB.isSet() && Tunable.RENDEZVOUS.isSet()) {
      return Optional.empty(); // rank and size belong to that
    }
    requireAll();
    try {
      int size = Tunable.SIZE.intValue();
      int rank = Tunable.RANK.intValue();
      if (rank >= size) {
        throw new JoinException(
            "%s=%d, but %s=%d: ranks are 0 to %d"
                .formatted(Tunable.RANK.variable(), rank, Tunable.SIZE.variable(), size, size - 1));
      }
      return Optional.of(
          new Claim(rank, size,
              "%s=%d, %s=%d".formatted(Tunable.RANK.variable(), rank, Tunable.SIZE.variable(), size)));
    } catch (IllegalArgumentException e) {
      throw new JoinException(e.getMessage(), e);
    }
  }

  @Override
  public Membership membership(Claim claim, Map<String, String> environment) {
    try {
      return new Membership(job(), claim.rank(), claim.size(), launcher());
    } catch (IllegalArgumentException e) {
      throw new JoinException(e.getMessage(), e);
    }
  }

  private static void requireAll() {
    String missing =
        Stream.of(Tunable.JOB, Tunable.RANK, Tunable.SIZE)
            .filter(tunable -> !tunable.isSet())
            .map(Tunable::variable)
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      throw new JoinException(
          ("a job needs %s, %s and %s; missing: %s (without any of them a program is a job of one; 'adrastea "
              + "run' sets all)")
              .formatted(Tunable.JOB.variable(), Tunable.RANK.variable(), Tunable.SIZE.variable(), missing));
    }
  }

  private static long job() {
    return Long.parseUnsignedLong(checked(Tunable.JOB), 16);
  }

  private static String checked(Tunable setting) {
    setting
        .refusal()
        .ifPresent(
            allowed -> {
              throw new ArgumentException(Reason.SETTING,
                  "%s is '%s'; %s".formatted(setting.variable(), setting.value(), allowed));
            });
    return setting.value();
  }

  /** The job's number, 16 hex digits, where our launcher has given it; empty: it has not. */
  static String launchedJob() {
    return Tunable.JOB.isSet() ? checked(Tunable.JOB) : "";
  }

  /** Empty too when its number means nothing here: it is in another PID namespace, and cannot be watched. */
  static Optional<ProcessIdentity> launcher() {
    if (!Tunable.LAUNCHER.isSet()) {
      return Optional.empty();
    }
    String[] words = checked(Tunable.LAUNCHER).split(":");
    long here = ProcessIdentity.visibleNamespace();
    boolean visible = words.length == 2 || here != 0 && Long.parseLong(words[2]) == here;
    return visible ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1])))
        : Optional.empty();
  }
}
