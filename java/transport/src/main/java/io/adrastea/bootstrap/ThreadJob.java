package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A job whose ranks are threads of this JVM: one mapping of one segment without a name. */
public final class ThreadJob implements AutoCloseable {
  private final Segment segment;
  private final CoreProvider[] cores;

  private ThreadJob(Segment segment, CoreProvider[] cores) {
    this.segment = segment;
    this.cores = cores;
  }

  /** A new job of this many ranks; a list of cores is dealt to them in turn, as by the launcher. */
  public static ThreadJob create(int ranks) {
    CoreProvider[] cores =
        Stream.of(Tunable.CORE.word().split(",")).map(Cores::choose).toArray(CoreProvider[]::new);
    long job = Variables.drawJobNumber();
    Segment segment = Joining.createSegment(SegmentFile.path(SegmentFile.directory(), job, 0), ranks, job);
    segment.unlink(); // nobody else is to find it
    return new ThreadJob(segment, cores);
  }

  /**
   * Takes the place of {@code rank}, on its own thread, and waits for all others.
   *
   * @param late tells when to give up
   */
  public JoinedRank enter(int rank, BooleanSupplier late) {
    return Joining.enter(segment, rank, cores[rank % cores.length], RankEntryDescriptor.FLAG_THREAD, late);
  }

  /** Closes the segment's file, after all ranks have ended. */
  @Override
  public void close() {
    segment.close();
  }
}
