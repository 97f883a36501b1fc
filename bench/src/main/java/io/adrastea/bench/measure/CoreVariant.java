package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A job of ranks on given cores, each a {@link Worker} process pinned to a CPU. Rank {@code i} of the lower half and
 * rank {@code i + n/2} form a pair; all pairs run at the same time. The last of an odd number is of no pair.
 */
public final class CoreVariant implements Variant {
  private static final Duration JOIN_DEADLINE = Duration.ofSeconds(60);
  private static final Duration JOIN_OF_A_RANK = Duration.ofSeconds(3); // more for each: their JVMs start on few CPUs
  private static final Duration ANSWER_DEADLINE = Duration.ofSeconds(60);

  private final CorePair cores;
  private final RankOptions options;
  private final LaunchEnvironment job;
  private final Hosts hosts; // null: all ranks are on this one
  private final Team team;

  private CoreVariant(CorePair cores, RankOptions options, LaunchEnvironment job, Hosts hosts) {
    this.cores = cores;
    this.options = options;
    this.job = job;
    this.hosts = hosts;
    this.team = new Team(name());
  }

  /** Starts the ranks and waits until all have joined. */
  public static CoreVariant start(CorePair cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    return start(cores, ranks, cpus, RankOptions.NONE);
  }

  /**
   * As {@link #start}, if ranks of these cores can join with what {@code options} and this JVM's settings say.
   *
   * @param notes is told in one line which variant is left out, and why
   */
  public static Optional<CoreVariant> startIfAble(CorePair cores, int ranks, Cpus cpus, RankOptions options,
      Consumer<String> notes) throws IOException, BenchException, InterruptedException {
    return startIfAble(cores, ranks, cpus, options, null, notes);
  }

  /**
   * As {@link #startIfAble(CorePair, int, Cpus, RankOptions, Consumer)}, with the halves of the ranks on two hosts.
   *
   * @param hosts {@code null}: all ranks are on this one
   */
  public static Optional<CoreVariant> startIfAble(CorePair cores, int ranks, Cpus cpus, RankOptions options,
      Hosts hosts, Consumer<String> notes) throws IOException, BenchException, InterruptedException {
    try {
      return Optional.of(start(cores, ranks, cpus, options, hosts));
    } catch (RefusedException e) {
      notes.accept("%s is left out: %s".formatted(name(cores, options), e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * Refuses a run in which no ranks of ours take part, since each variant that was asked for was left out.
   *
   * @throws BenchException when {@code ours} is empty
   */
  public static void requireAny(List<?> ours) throws BenchException {
    if (ours.isEmpty()) {
      throw new BenchException("no variant is left to be measured; each line above says why one is left out, and what"
          + " is allowed here: choose other cores with --core, or another adrastea.lmt");
    }
  }

  /** Starts ranks as {@link #start} does; the first pair waits by spinning whatever the number of ranks. */
  public static CoreVariant startSpinning(CorePair cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    return start(cores, ranks, cpus, RankOptions.SPINNING);
  }

  /** Starts ranks as {@link #start} does, with what {@code options} say. */
  public static CoreVariant start(CorePair cores, int ranks, Cpus cpus, RankOptions options)
      throws IOException, BenchException, InterruptedException {
    return start(cores, ranks, cpus, options, null);
  }

  private static CoreVariant start(CorePair cores, int ranks, Cpus cpus, RankOptions options, Hosts hosts)
      throws IOException, BenchException, InterruptedException {
    LaunchEnvironment job = hosts == null ? LaunchEnvironment.create(ranks)
        : LaunchEnvironment.onHost(LaunchEnvironment.drawJob(), ranks, hosts.address(0) + ":" + hosts.port());
    CoreVariant variant = new CoreVariant(cores, options, job, hosts);
    boolean joined = false;
    try {
      variant.startRanks(ranks, cpus);
      joined = true;
      return variant;
    } finally {
      if (!joined) {
        variant.close();
      }
    }
  }

  private void startRanks(int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    String line = hosts == null ? null : hosts.startLine();
    for (int rank = 0; rank < ranks; rank++) {
      int side = rank / (ranks / 2);
      String core = side == 0 ? cores.lower() : cores.upper();
      int cpu = cpus.ofRank(rank, ranks);
      ProcessBuilder worker =
          WorkerCommand.builder(Worker.class, job.forRank(rank, core, cpu), properties());
      worker.command().addAll(options.words(rank % (ranks / 2)));
      if (hosts != null) {
        worker.command().addAll(0, hosts.enter(hosts.of(rank, ranks)));
        worker.environment().put(Hosts.START_LINE, line);
      }
      team.add("rank " + rank, worker);
    }
    for (String greeting : team.gather("joining", JOIN_DEADLINE.plus(JOIN_OF_A_RANK.multipliedBy(ranks)))) {
      if (!greeting.equals(Worker.READY)) {
        throw new BenchException(
            "variant " + name() + ": a rank greeted with nonsense: '" + greeting + "'");
      }
    }
  }

  /** A directory of segments that this JVM was told of is not there on a host that was made. */
  private Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(hosts == null ? Map.of()
        : Map.of(Tunable.SHM_DIR.property(), "/dev/shm"));
    properties.putAll(options.properties());
    return properties;
  }

  @Override
  public String name() {
    return name(cores, options);
  }

  private static String name(CorePair cores, RankOptions options) {
    return cores.name() + options.suffix();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return Worker.knows(kind.command())
        && (options.memory() == Memory.NATIVE || kind.anyMemory());
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    List<String> answers = team.ask(order.command(order.kind().command()), order.deadline());
    List<long[]> pairs = new ArrayList<>();
    for (int rank = 0; rank < team.size() / 2; rank++) {
      pairs.add(Answer.times(team.memberName(rank), answers.get(rank), order.batches()));
    }
    return pairs;
  }

  @Override
  public long compilerNanos() throws BenchException, InterruptedException {
    List<String> answers = team.ask(Worker.COMPILERS, ANSWER_DEADLINE);
    long sum = 0;
    for (int rank = 0; rank < answers.size(); rank++) {
      sum += Answer.times(team.memberName(rank), answers.get(rank), 1)[0];
    }
    return sum;
  }

  @Override
  public void close() {
    team.close();
    try {
      // Gone already once all had joined; still there when they were ended before that.
      Files.deleteIfExists(
          SegmentFile.path(SegmentFile.directory(), Long.parseUnsignedLong(job.job(), 16), 0));
    } catch (IOException | RuntimeException e) {
      // The next job of this user removes it.
    }
  }
}
