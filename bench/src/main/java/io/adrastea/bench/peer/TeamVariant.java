package io.adrastea.bench.peer;

import io.adrastea.bench.measure.Answer;
import io.adrastea.bench.measure.Answering;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A peer whose processes take the bench's commands; the first one answers with the times. */
final class TeamVariant implements Variant, Answering {
  /** A command that all peers know which send messages in one piece. */
  static final String TRIAL = "latency-untouched 8 1 1";

  private static final Duration START_DEADLINE = Duration.ofSeconds(30);

  private final Abilities abilities;
  private final Scratch scratch;
  private final Team team;
  private final List<ProcessHandle> started = new ArrayList<>();

  /**
   * What can be measured.
   *
   * @param minBytes a stream of bytes has no empty messages
   * @param maxBytes longer messages are beyond it
   * @param inJava its processes are JVMs
   */
  record Abilities(String name, Set<Kind> kinds, int minBytes, int maxBytes, boolean inJava) {}

  /** Starts the processes of a peer, which may need files, and sees them answer. */
  interface Starter {
    void start(TeamVariant variant, Scratch scratch) throws IOException, BenchException, InterruptedException;
  }

  /**
   * Starts a peer.
   *
   * @param parent where its files lie, or {@code null} for the system's temporary directory
   */
  static TeamVariant start(Abilities abilities, Path parent, Starter starter)
      throws IOException, BenchException, InterruptedException {
    TeamVariant variant = new TeamVariant(abilities, new Scratch(parent));
    boolean stands = false;
    try {
      starter.start(variant, variant.scratch);
      stands = true;
      return variant;
    } finally {
      if (!stands) {
        variant.close();
      }
    }
  }

  /**
   * @param scratch its files, removed at the end
   */
  private TeamVariant(Abilities abilities, Scratch scratch) {
    this.abilities = abilities;
    this.scratch = scratch;
    this.team = new Team(abilities.name());
  }

  /** Starts one more process. */
  void add(String name, ProcessBuilder builder) throws IOException {
    note(() -> team.add(name, builder));
  }

  /** Starts an {@code mpirun}, which cleans up after its ranks when it is asked to end. */
  void addLauncher(String name, ProcessBuilder builder) throws IOException {
    note(() -> team.addLauncher(name, builder));
  }

  private interface Start {
    void run() throws IOException;
  }

  private void note(Start start) throws IOException {
    Set<ProcessHandle> before = new HashSet<>(ProcessHandle.current().children().toList());
    start.run();
    ProcessHandle.current()
        .children()
        .filter(child -> !before.contains(child))
        .forEach(started::add);
  }

  /** Waits for the first line of each process. */
  void greet(String expected) throws BenchException, InterruptedException {
    for (String line : team.gather("starting", START_DEADLINE)) {
      if (!line.equals(expected)) {
        throw new BenchException("it greeted with nonsense: '" + line + "'");
      }
    }
  }

  /** A first, uncounted command. */
  void trial() throws BenchException, InterruptedException {
    trial(TRIAL);
  }

  /** A first, uncounted command of one batch. */
  void trial(String command) throws BenchException, InterruptedException {
    Answer.times(team.memberName(0), team.ask(command, START_DEADLINE).get(0), 1);
  }

  @Override
  public String name() {
    return abilities.name();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return abilities.kinds().stream().anyMatch(known -> known.command().equals(kind.command()))
        && bytes <= abilities.maxBytes()
        && (bytes >= abilities.minBytes() || kind.equals(Kind.BARRIER));
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return abilities.inJava();
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(team.times(order.kind().command(), order));
  }

  @Override
  public String ask(String command, Duration deadline) throws BenchException, InterruptedException {
    return team.ask(command, deadline).get(0);
  }

  @Override
  public boolean optional() {
    return true;
  }

  /** Ends the processes, those below them as well: a launcher that is killed leaves its ranks. */
  @Override
  public void close() {
    List<ProcessHandle> below = started.stream().flatMap(ProcessHandle::descendants).toList();
    team.close();
    below.forEach(ProcessHandle::destroyForcibly);
    scratch.close();
  }
}
