package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Nodes;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A job whose ranks are threads of this JVM: one mapping of one segment without a name, or of one for each node where
 * they are to be ranks of several.
 */
public final class ThreadJob implements AutoCloseable {
  private final Nodes nodes;
  private final List<Segment> segments; // by node
  private final CoreProvider[] cores;
  private final ThreadMeeting meeting; // of all nodes

  private ThreadJob(Nodes nodes, List<Segment> segments, CoreProvider[] cores) {
    this.nodes = nodes;
    this.segments = segments;
    this.cores = cores;
    this.meeting = new ThreadMeeting(nodes.size());
  }

  /** A new job of this many ranks on one node; else as {@link #create(Nodes)}. */
  public static ThreadJob create(int ranks) {
    return create(Nodes.one(ranks));
  }

  /** A new job of these ranks; a list of cores is dealt to them in turn, as by the launcher. */
  public static ThreadJob create(Nodes nodes) {
    CoreProvider[] cores =
        Stream.of(Tunable.CORE.word().split(",")).map(Cores::choose).toArray(CoreProvider[]::new);
    long job = Variables.drawJobNumber();
    List<Segment> segments = new ArrayList<>();
    try {
      for (int node = 0; node < nodes.count(); node++) {
        Path path = SegmentFile.path(SegmentFile.directory(), job, node);
        Segment segment = Joining.createSegment(path, nodes.ranksOf(node).length, job);
        segments.add(segment);
        segment.unlink(); // nobody else is to find it
      }
    } catch (RuntimeException | Error e) {
      segments.forEach(Segment::close);
      throw e;
    }
    return new ThreadJob(nodes, segments, cores);
  }

  /**
   * Takes the place of {@code rank}, on its own thread, and waits for all others.
   *
   * @param rank in the job
   * @param late tells when to give up
   */
  public JoinedRank enter(int rank, BooleanSupplier late) {
    JoinedRank joined = Joining.enter(segments.get(nodes.node(rank)), nodes, rank, cores[rank % cores.length],
        RankEntryDescriptor.FLAG_THREAD, late);
    return nodes.count() == 1 ? joined : joined.meetOthers(card -> meeting.meet(rank, card, late));
  }

  /** Closes the segments' files, after all ranks have ended. */
  @Override
  public void close() {
    segments.forEach(Segment::close);
  }
}
