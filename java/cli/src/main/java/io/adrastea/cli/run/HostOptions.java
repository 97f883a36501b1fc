package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of on which hosts ranks run, and how they are started there. */
final class HostOptions {
  private static final List<String> SSH =
      List.of("ssh", "-oBatchMode=yes", "-oConnectTimeout=10", "-oServerAliveInterval=15");

  @Option(
      names = {"--hosts", "--host"},
      paramLabel = "HOST[:N],...",
      description = {
        "Ranks run on these hosts: the first N on the first, and so on (default:",
        "all on this one, without an agent). A host without N takes one."
      })
  private String hosts;

  @Option(
      names = "--hostfile",
      paramLabel = "FILE",
      description = {
        "The same from a file with a host in each line, as a, a:4 or a slots=4;",
        "# begins a comment."
      })
  private Path file;

  @Option(
      names = "--agent",
      paramLabel = "COMMAND",
      description = {
        "What starts a command on another host: it is given the name of the host",
        "and the words of the command, as ssh is; blanks separate its own words",
        "(default: ssh, which has to let you in without a password)."
      })
  private String agent;

  @Option(
      names = "--rendezvous",
      paramLabel = "HOST[:PORT]",
      description = {
        "An address of the first host, by which the others reach it: ranks meet",
        "there (default: by the host's name, or else an address that it has; a",
        "port that is free)."
      })
  private String rendezvous;

  /**
   * On which hosts ranks run; empty: all on this one.
   *
   * @throws IllegalArgumentException when they cannot be read, or options do not go together
   */
  Optional<HostList> hosts() {
    if (hosts != null && file != null) {
      throw new IllegalArgumentException("--hosts and --hostfile say the same; leave one of them out");
    }
    if (hosts == null && file == null) {
      refuseWithoutHosts("--agent", agent);
      refuseWithoutHosts("--rendezvous", rendezvous);
      return Optional.empty();
    }
    requireRendezvous();
    return Optional.of(hosts != null ? HostList.parse(hosts) : HostList.read(file));
  }

  private static void refuseWithoutHosts(String option, String value) {
    if (value != null) {
      throw new IllegalArgumentException(
          "%s is for ranks on other hosts; name them by --hosts or --hostfile, or leave it out".formatted(option));
    }
  }

  private void requireRendezvous() {
    if (rendezvous != null && !MeetingPlace.hasPort(rendezvous) && !MeetingPlace.hasPort(rendezvous + ":1")) {
      throw new IllegalArgumentException(
          "--rendezvous is '%s'; allowed is <host> or <host>:<port>, with IPv6 as [<address>]:<port>"
              .formatted(rendezvous));
    }
  }

  /** Where ranks are to meet; empty: the first host chooses. */
  String rendezvous() {
    return rendezvous == null ? "" : rendezvous;
  }

  /**
   * The words before the name of a host.
   *
   * @throws IllegalArgumentException when there are none
   * @throws CommandFailure when there is no such program
   */
  List<String> agent() {
    List<String> words = agent == null ? SSH : List.of(agent.strip().split("\\s+"));
    if (words.getFirst().isEmpty()) {
      throw new IllegalArgumentException("--agent is empty; name a command that takes a host and a command, as ssh");
    }
    try {
      return Program.find(words, null, System.getenv(), Map.of()).command();
    } catch (CommandFailure e) {
      throw new CommandFailure(e.exitCode(), "the agent of other hosts (--agent): " + e.getMessage());
    }
  }
}
