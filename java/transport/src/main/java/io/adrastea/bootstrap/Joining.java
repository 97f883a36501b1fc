package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.peers.Nodes;
import io.adrastea.queue.MpscQueue;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Mount;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * From a membership to a joined rank: rank 0 makes the segment, all attach to it, each prepares its own area, and
 * nobody goes on before everybody is there.
 */
public final class Joining {
  private static final long POLL_MILLIS = 1;
  private static final int POLLS_PER_CHECK = 50;

  /** What the engine, which is the same for every core, can do for other ranks. */
  private static final int CAPABILITIES =
      Capability.bits(
          Capability.MATCHING,
          Capability.RENDEZVOUS,
          Capability.SYNCHRONOUS,
          Capability.COLLECTIVES,
          Capability.WINDOWS,
          Capability.SHMEM,
          Capability.CHECK_TYPES,
          Capability.ACTIVE);

  private final Membership membership;
  private final Path path;
  private final long deadline;

  private Joining(Membership membership) {
    this.membership = membership;
    this.path = SegmentFile.path(SegmentFile.directory(), membership.job(), membership.node());
    this.deadline = System.nanoTime() + timeoutMillis() * 1_000_000L;
  }

  /**
   * Joins as a process of its own.
   *
   * @throws JoinException when ranks are missing at the deadline, one gave up, or this process is a rank already
   */
  public static JoinedRank join(Membership membership) {
    CardExchange cards = membership.cards(); // null: none
    try (cards) { // the others learn of it when this fails
      ProcessSeat.take(membership);
      return joinInSeat(membership);
    }
  }

  private static JoinedRank joinInSeat(Membership membership) {
    try {
      return joinAlone(membership);
    } catch (RuntimeException | Error e) {
      ProcessSeat.giveBack();
      throw e;
    }
  }

  private static JoinedRank joinAlone(Membership membership) {
    CoreProvider provider = Cores.choose(Tunable.CORE.word());
    bind(membership);
    Joining joining = new Joining(membership);
    if (membership.launcher().isPresent()) {
      Consequences.foldUncaught(failed -> membership.ours() || membership.rank() == (failed == 0 ? 1 : 0));
    }
    LauncherWatch watch =
        membership.launcher().map(launcher -> LauncherWatch.start(launcher, joining.path)).orElse(null);
    try {
      membership.launcher().ifPresent(launcher -> provider.spaces().allow((int) launcher.pid())); // else: the ring
      JoinedRank joined = joining.join(provider);
      if (watch != null && !membership.ours()) {
        watch.obey(joined.table());
      }
      return joined.alone(watch);
    } catch (RuntimeException | Error e) {
      if (watch != null) {
        watch.close();
      }
      throw e;
    }
  }

  private static void bind(Membership membership) {
    if (!Tunable.BIND.isSet()) {
      return;
    }
    if (!membership.ours()) {
      LauncherBinding.words(membership.launcher()).ifPresent(words -> {
        throw new JoinException(
            ("%s=%s, but %s; leave %s out, or let the launcher bind nothing (srun --cpu-bind=none, mpirun --bind-to "
                + "none, mpiexec -bind-to none)")
                .formatted(Tunable.BIND.property(), Tunable.BIND.value(), words, Tunable.BIND.property()));
      });
    }
    int cpu = Tunable.BIND.intValue();
    int status = Cores.bindThread(cpu);
    if (status < 0 && status != Core.NOSYS) { // where no core can pin, the rank is only slower
      throw new JoinException(
          "%s=%d: this thread cannot be pinned to that CPU (error %d); allowed are %s"
              .formatted(Tunable.BIND.property(), cpu, -status, Cpus.ofThread()));
    }
  }

  private static int timeoutMillis() {
    return Tunable.JOIN_TIMEOUT.intValue();
  }

  /** A new segment for {@code size} ranks, with the settings in force; files of dead jobs are removed on the way. */
  public static Segment createSegment(Path path, int size, long job) {
    Geometry geometry =
        new Geometry(size, Tunable.CELLS.intValue(), Tunable.CELL_BYTES.intValue(), BoxSettings.inForce());
    String check = Tunable.CHECK.word();
    int choices =
        (check.equals("collectives") || check.equals("all") ? SlotDescriptor.CHECKED : 0)
            | (Tunable.BARRIER.word().equals("counter") ? SlotDescriptor.COUNTER_BARRIER : 0)
            | wayOfCollectives();
    Path directory = path.toAbsolutePath().getParent();
    Mount.requireOneHost(directory);
    SegmentFile.removeStale(directory);
    Segment segment = Segment.create(path, geometry, job);
    segment.checksTypes(check.equals("types") || check.equals("all"));
    segment.worldChoices(choices);
    return segment;
  }

  private static int wayOfCollectives() {
    return switch (Tunable.COLLECTIVE_WAY.word()) {
      case "stages" -> SlotDescriptor.STAGES_ALONE;
      case "direct" -> SlotDescriptor.DIRECT_EARLY;
      default -> 0;
    };
  }

  private JoinedRank join(CoreProvider provider) {
    Segment segment =
        membership.localRank() == 0 ? createSegment(path, membership.localSize(), membership.job()) : attach();
    try {
      JoinedRank joined = enter(segment, membership.nodes(), membership.rank(), provider, 0,
          () -> System.nanoTime() - deadline > 0);
      return membership.cards() == null ? joined : joined.meetOthers(this::exchange);
    } catch (RuntimeException | Error e) {
      if (membership.localRank() == 0 && !keepsFile()) {
        segment.unlink();
      }
      segment.close();
      throw e;
    }
  }

  /** Waits until all others have joined on their nodes, and hears the card of each. */
  private List<Card> exchange(Card own) {
    List<String> cards = membership.cards().exchange(own.words());
    return IntStream.range(0, cards.size()).mapToObj(rank -> Card.read(rank, cards.get(rank))).toList();
  }

  /**
   * Whether others may still come, which are to see in the file that rank 0 gave up; our launcher removes it when the
   * job has ended. Another launcher knows nothing of it.
   */
  private boolean keepsFile() {
    return membership.localSize() > 1 && membership.ours()
        && membership.launcher().filter(ProcessIdentity::isAlive).isPresent();
  }

  private Segment attach() {
    Mount.requireOneHost(path.toAbsolutePath().getParent());
    JoinNotice notice = new JoinNotice(System::nanoTime);
    while (true) {
      Optional<Segment> segment = Segment.attach(path, membership.localSize(), membership.job());
      if (segment.isPresent()) {
        return segment.get();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new JoinException(
            ("rank %d waited %,d ms for rank %d to create %s; is that rank of job %016x running here, as the same "
                + "user? (adrastea.join.timeout, adrastea.shm.dir)%s")
                .formatted(membership.rank(), timeoutMillis(), maker(), path, membership.job(), onNodes()));
      }
      notice.look(
          () -> ("rank %d waits for rank %d to create %s, for at most %,d ms (adrastea.join.timeout); is it "
              + "running, with job %016x?%s")
              .formatted(membership.rank(), maker(), path, timeoutMillis(), membership.job(), onNodes()));
      sleep();
    }
  }

  /** The rank that makes the segment of this node. */
  private int maker() {
    return membership.nodes().ranksOf(membership.node())[0];
  }

  /** What the launcher says of nodes, behind a message. */
  private String onNodes() {
    return membership.nodeWords().isEmpty() ? "" : "; " + membership.nodeWords();
  }

  /**
   * Takes the place of a rank in the segment of its node, on the rank's own thread, and waits for all others of that.
   *
   * @param nodes the ranks of the job, and on which node each is
   * @param jobRank number of the rank in the job
   * @param flags {@code RankEntryDescriptor.FLAG_…}
   * @param late tells when to give up
   */
  public static JoinedRank enter(
      Segment segment, Nodes nodes, int jobRank, CoreProvider provider, int flags, BooleanSupplier late) {
    int rank = nodes.localRank(jobRank);
    RankTable table = new RankTable(segment);
    int abilities = provider.prepareToWake() ? RankEntryDescriptor.FLAG_WAKEABLE | RankEntryDescriptor.FLAG_WAKER : 0;
    boolean process = (flags & RankEntryDescriptor.FLAG_THREAD) == 0;
    boolean held = !process || segment.lockPlace(rank); // before anybody can ask for it
    table.enter(rank, provider.number(), flags | abilities, CAPABILITIES, Cpus.ofThread(), CpuQuota.here());
    try {
      requireHeld(jobRank, held);
      segment.reserveArea(rank);
      segment.regions().adviseBy(provider.spaces()::advise);
      segment.regions().releaseBy(memory -> provider.spaces().release(memory) == 0);
      MpscQueue.formatFreeQueue(segment, rank);
      JoinedRank joined = new JoinedRank(segment, table, nodes, jobRank, provider, provider.open(segment, rank));
      comeIn(joined, late);
      return joined;
    } catch (RuntimeException | Error e) {
      table.depart(rank, RankEntryDescriptor.STATE_FAILED);
      throw e;
    }
  }

  private static void comeIn(JoinedRank joined, BooleanSupplier late) {
    Segment segment = joined.segment();
    try {
      openBoxes(segment, joined);
      joined.table().state(joined.rank(), RankEntryDescriptor.STATE_ATTACHED);
      segment.countAttached();
      awaitAll(joined, late);
    } catch (RuntimeException | Error e) {
      joined.core().close(); // it has memory of its own
      throw e;
    }
  }

  private static void requireHeld(int rank, boolean held) {
    if (!held) {
      throw new JoinException(
          ("the place of rank %d is locked by another process, which was started as the same rank; each process "
              + "of a job needs a rank of its own")
              .formatted(rank));
    }
  }

  /** In a small job all fastboxes are there before the first message. */
  private static void openBoxes(Segment segment, JoinedRank joined) {
    if (!segment.geometry().hasAllBoxes()) {
      return;
    }
    segment.reserveBoxes(joined.rank());
    for (int source = 0; source < segment.geometry().ranks(); source++) {
      joined.core().openBox(source);
    }
  }

  private static void awaitAll(JoinedRank joined, BooleanSupplier late) {
    Segment segment = joined.segment();
    JoinNotice notice = new JoinNotice(System::nanoTime);
    try {
      for (int polls = 1; !segment.allAttached(); polls++) {
        sleep();
        if (polls % POLLS_PER_CHECK == 0) {
          checkMissing(joined, late, notice);
        }
      }
    } catch (JoinException e) {
      if (segment.countOut()) { // else all have come in this moment, this rank too; one may even have left already
        throw e;
      }
    }
  }

  private static void checkMissing(JoinedRank joined, BooleanSupplier late, JoinNotice notice) {
    RankTable table = joined.table();
    int rank = joined.jobRank();
    int size = joined.nodes().size();
    Missing missing = Missing.in(table, joined.onNode());
    if (!missing.gone().isEmpty()) {
      throw new JoinException("rank %d cannot join: rank(s) %s died or gave up while joining%s".formatted(rank,
          missing.gone(), missing.alsoAbsent()));
    }
    if (late.getAsBoolean()) {
      throw new JoinException(
          "rank %d waited %,d ms for rank(s) %s of %d, which did not join; were all started? (adrastea.join.timeout)"
              .formatted(rank, timeoutMillis(), missing.absent(), size));
    }
    if (JoinNotice.isSpeaker(table, joined.rank())) {
      notice.look(
          () -> ("rank(s) %s of %d have not joined yet; the others wait for them, for at most %,d ms "
              + "(adrastea.join.timeout)")
              .formatted(missing.absent(), size, timeoutMillis()));
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JoinException("interrupted while joining", e);
    }
  }

  /**
   * Ranks that are not ready during joining.
   *
   * @param absent numbers in the job of those that have not come, or are still preparing
   * @param gone those that came and died, gave up or left
   */
  private record Missing(List<Integer> absent, List<Integer> gone) {
    static Missing in(RankTable table, int[] jobRanks) {
      Missing missing = new Missing(new ArrayList<>(), new ArrayList<>());
      for (int rank = 0; rank < table.size(); rank++) {
        if (!table.isPresent(rank)) {
          missing.gone.add(jobRanks[rank]);
        } else if (table.state(rank) != RankEntryDescriptor.STATE_ATTACHED) {
          missing.absent.add(jobRanks[rank]);
        }
      }
      return missing;
    }

    /**
     * Adds to a message that names the ranks gone which ones have not come, since that may be why the others gave up.
     */
    String alsoAbsent() {
      return absent.isEmpty() ? "" : "; rank(s) %s had not come".formatted(absent);
    }
  }
}
