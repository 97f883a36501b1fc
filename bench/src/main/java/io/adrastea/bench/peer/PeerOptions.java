package io.adrastea.bench.peer;

import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Launched;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of benches in which MPIs run beside us. */
public final class PeerOptions {
  private static final Effort QUICK = new Effort(2, 0.002, 0.1, true);

  @Option(
      names = "--peers",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Peers to measure, by the names that stand above; none for us alone.", "Default: all that are installed."})
  private List<String> names;

  @Option(names = "--quick", description = "Each for a moment, in a round or two: whether all of it works.")
  private boolean quick;

  /** Creates the options for the command line. */
  public PeerOptions() {}

  /**
   * Returns those of some peers that are asked for, in the order of the tables.
   *
   * @throws IllegalArgumentException when there is no peer of a name
   */
  public List<Peer> chosen(List<Peer> all) {
    return Peers.chosen(all, names);
  }

  /** Chooses likewise among peers that are launched. */
  public List<Launched> chosenLaunched(List<Launched> all) {
    return Peers.chosenLaunched(all, names);
  }

  /** How much is measured: what was asked for, or of a quick run a moment each. */
  public Effort effort(Effort asked) {
    return quick ? QUICK : asked;
  }

  /** Whether it is but to be seen that all of it works. */
  public boolean isQuick() {
    return quick;
  }
}
