package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Links;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Started by anything that tells a rank, a size and where the ranks meet. Twin of {@code bootstrap/adr_rendezvous.h}.
 */
final class RendezvousBootstrap implements Bootstrap {
  private static final String INDEX = "JOB_COMPLETION_INDEX"; // which Kubernetes gives to the pods of an indexed job

  @Override
  public String name() {
    return "rendezvous";
  }

  @Override
  public Set<String> launchers() {
    return Set.of();
  }

  /** Properties count too, so the settings are asked and not the environment alone. */
  @Override
  public Optional<Claim> claim(Map<String, String> environment) {
    if (!Tunable.RENDEZVOUS.isSet()) {
      return Optional.empty();
    }
    try {
      RendezvousAddress address = RendezvousAddress.parse(Tunable.RENDEZVOUS.value());
      requireAll(address, environment);
      int size = Tunable.SIZE.intValue();
      int rank = rank(environment);
      if (rank >= size) {
        throw new JoinException("%s=%d, but ADRASTEA_SIZE=%d: ranks are 0 to %d"
            .formatted(rankName(environment), rank, size, size - 1));
      }
      return Optional.of(new Claim(rank, size, "ADRASTEA_RENDEZVOUS=%s, %s=%d, ADRASTEA_SIZE=%d"
          .formatted(address.words(), rankName(environment), rank, size)));
    } catch (IllegalArgumentException e) {
      throw new JoinException(e.getMessage(), e);
    }
  }

  /** A rank of its own counts, and where there is none the index. */
  private static String rankName(Map<String, String> environment) {
    boolean indexed = !Tunable.RANK.isSet() && !variable(environment, INDEX).isEmpty();
    return indexed ? INDEX : Tunable.RANK.variable();
  }

  private static void requireAll(RendezvousAddress address, Map<String, String> environment) {
    List<String> missing = new ArrayList<>();
    if (!Tunable.RANK.isSet() && variable(environment, INDEX).isEmpty()) {
      missing.add(Tunable.RANK.variable());
    }
    if (!Tunable.SIZE.isSet()) {
      missing.add(Tunable.SIZE.variable());
    }
    if (!missing.isEmpty()) {
      throw new JoinException(
          "ADRASTEA_RENDEZVOUS=%s needs ADRASTEA_RANK (or %s) and ADRASTEA_SIZE too; missing: %s"
              .formatted(address.words(), INDEX, String.join(", ", missing)));
    }
  }

  private static int rank(Map<String, String> environment) {
    if (Tunable.RANK.isSet()) {
      return Tunable.RANK.intValue();
    }
    String text = variable(environment, INDEX);
    int number = Variables.digits(text);
    if (number < 0) {
      throw new JoinException("%s is '%.64s'; %s".formatted(INDEX, text, Tunable.RANK.allowed()));
    }
    return number;
  }

  /**
   * A job of one meets nobody. Under our own launcher, of several hosts, the job has its number beforehand, and the
   * launcher of this host is watched.
   */
  @Override
  public Membership membership(Claim claim, Map<String, String> environment) {
    if (claim.size() == 1) {
      return Membership.byOther(Variables.drawJobNumber(), claim, Optional.empty(), "");
    }
    RendezvousMeeting meeting =
        new RendezvousMeeting(RendezvousAddress.parse(Tunable.RENDEZVOUS.value()), claim.rank(), claim.size(),
            Tunable.JOIN_TIMEOUT.intValue(), NodeIdentity.here(), String.join(",", Links.inForce().beyondNode()),
            OwnVariables.launchedJob());
    RendezvousJob job = claim.rank() == 0 ? RendezvousServer.serve(meeting) : RendezvousClient.ask(meeting);
    boolean ours = !meeting.job().isEmpty();
    return new Membership(job.number(), claim.rank(), job.nodes(), ours ? OwnVariables.launcher() : Optional.empty(),
        ours, "", job.cards());
  }
}
