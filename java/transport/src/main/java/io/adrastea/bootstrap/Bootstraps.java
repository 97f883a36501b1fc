package io.adrastea.bootstrap;

import io.adrastea.bootstrap.Bootstrap.Claim;
import io.adrastea.config.Tunable;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ways in which a process learns which rank of its job it is, and the choice among them. Twin of
 * {@code bootstrap/adr_bootstrap.h}.
 */
public final class Bootstraps {
  /** All ways, in the order in which they are asked. */
  public static final List<Bootstrap> ALL =
      List.of(new OwnVariables(), new SlurmBootstrap(), new PmixBootstrap(), new PmiBootstrap(),
          new RendezvousBootstrap());

  private static final String AUTO = "auto";
  private static final String NONE = "none"; // a job of one, whatever the environment says

  private Bootstraps() {}

  /**
   * A way and what it claims.
   *
   * @param by the way
   * @param claim what the environment says of it
   */
  public record Found(Bootstrap by, Claim claim) {
    private boolean agrees(Found other) {
      boolean told = claim.size() > 0 && other.claim.size() > 0;
      return claim.rank() == other.claim.rank() && (!told || claim.size() == other.claim.size());
    }

    private String words() {
      String size = claim.size() > 0 ? " of " + claim.size() : "";
      return "rank %d%s by %s (%s)".formatted(claim.rank(), size, by.name(), claim.words());
    }
  }

  /**
   * Which rank of which job this process is: by the way that {@code adrastea.bootstrap} names, or by the first that
   * claims it; without any it is a job of one.
   *
   * @throws JoinException when what is given is incomplete, or two ways claim different ranks or sizes
   */
  public static Membership find() {
    Map<String, String> environment = System.getenv();
    Optional<Found> found = choose(Tunable.BOOTSTRAP.word(), environment);
    if (found.isEmpty()) {
      if (Tunable.BOOTSTRAP.word().equals(AUTO)) {
        SlurmBootstrap.warningWithoutStep(environment).ifPresent(System.err::println);
      }
      return Membership.alone();
    }
    ProcessSeat.requireVacant(); // at once, and not when the other ranks have been met
    return found.get().by().membership(found.get().claim(), environment);
  }

  /**
   * The way that is taken; empty: the process is a job of one.
   *
   * @param wanted the name of a way, {@code auto} or {@code none}
   * @throws JoinException as {@link #find}
   */
  public static Optional<Found> choose(String wanted, Map<String, String> environment) {
    if (wanted.equals(NONE)) {
      return Optional.empty();
    }
    if (!wanted.equals(AUTO)) {
      return Optional.of(named(wanted, environment));
    }
    List<Found> found = claims(environment);
    for (Found other : found) {
      if (!found.getFirst().agrees(other)) {
        throw new JoinException(
            "two launchers disagree about this process: %s, %s; choose one by adrastea.bootstrap=%s or %s".formatted(
                found.getFirst().words(), other.words(), found.getFirst().by().name(), other.by().name()));
      }
    }
    return found.stream().findFirst();
  }

  private static Found named(String name, Map<String, String> environment) {
    Bootstrap by = ALL.stream().filter(each -> each.name().equals(name)).findFirst()
        .orElseThrow(() -> new ArgumentException(Reason.SETTING,
            "adrastea.bootstrap is '%s'; %s".formatted(name, Tunable.BOOTSTRAP.allowed())));
    return by.claim(environment).map(claim -> new Found(by, claim))
        .orElseThrow(() -> new JoinException(
            ("adrastea.bootstrap is '%s', but this process was not started so: its variables are missing; leave "
                + "adrastea.bootstrap out, or start it in that way").formatted(name)));
  }

  /** In words, which way is taken for this process and why; or why none can be. */
  public static String words() {
    Map<String, String> environment = System.getenv();
    try {
      Optional<Found> found = choose(Tunable.BOOTSTRAP.word(), environment);
      return found.map(Found::words).orElse("a job of one")
          + SlurmBootstrap.warningWithoutStep(environment).filter(words -> found.isEmpty())
              .map(words -> "; " + words).orElse("");
    } catch (JoinException | IllegalArgumentException e) {
      return "refused: " + e.getMessage();
    }
  }

  /**
   * In words, which process started this one, and whether it has bound it to CPUs; empty: no launcher of others did.
   */
  public static Optional<String> launcherWords() {
    try {
      Optional<ProcessIdentity> launcher = choose(Tunable.BOOTSTRAP.word(), System.getenv())
          .flatMap(found -> Variables.parentNamed(found.by().launchers()));
      Optional<String> name = launcher.flatMap(found -> ProcessIdentity.lookUp(found.pid()))
          .map(found -> "%s (process %d)".formatted(found.name(), found.identity().pid()));
      return LauncherBinding.words(launcher)
          .or(() -> name.map(words -> words + ", which has bound this process to no CPUs"));
    } catch (JoinException | IllegalArgumentException e) {
      return Optional.empty(); // words() tells it
    }
  }

  /** All ways that claim this process, in their order. */
  public static List<Found> claims(Map<String, String> environment) {
    List<Found> found = new ArrayList<>();
    for (Bootstrap by : ALL) {
      by.claim(environment).ifPresent(claim -> found.add(new Found(by, claim)));
    }
    return found;
  }
}
