package io.adrastea.launch;

import io.adrastea.error.SegmentException;
import io.adrastea.ranktable.RankTable;
import io.adrastea.ranktable.Waiting;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a launcher tells the ranks of a job that are joining: which of the others have ended and will not come. This is
 * entered in the rank table, where they look; they fail with that rank's number instead of waiting for it until their
 * deadline. And what a launcher can learn once all have joined. Not thread-safe.
 */
public final class RollCall implements AutoCloseable {
  private static final BoxSettings NO_BOXES = new BoxSettings(0, 0, 0, 0);

  /** What is known of a rank. */
  public enum Answer {
    /** There is no segment of that name: nobody has come yet, or all have. */
    UNKNOWN,
    /** It had come before it ended, so the others see that by themselves. */
    CAME,
    /** It had not come. Those that wait for it are told. */
    MISSED
  }

  private final Path path;
  private final long job;
  private final int first;
  private final int size;
  private Segment held; // the segment that all have joined, or what stands in for it; null: none

  /**
   * Makes the roll call of the ranks of a job that are on one node, in the directory in force. Ranks are named by their
   * numbers in the job.
   *
   * @param job its id, 16 hex digits
   * @param node number of the node; 0 where there is one
   * @param first the lowest of its ranks
   * @param size its ranks, whose numbers follow each other
   */
  public RollCall(String job, int node, int first, int size) {
    this.job = Long.parseUnsignedLong(job, 16);
    this.path = SegmentFile.path(SegmentFile.directory(), this.job, node);
    this.first = first;
    this.size = size;
  }

  /** {@return whether ranks are joining: whether there is a segment of that name} */
  public boolean isOpen() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * {@return what there was to tell those that join of a rank that has ended, and was told if there is a segment}
   *
   * @param rank whose process has ended
   */
  public Answer ended(int rank) {
    try {
      Optional<Segment> segment = Segment.attach(path, size, job);
      if (segment.isEmpty()) {
        return Answer.UNKNOWN;
      }
      try (Segment there = segment.get()) {
        return miss(there, rank);
      }
    } catch (SegmentException e) { // it is no good, which those that join find out as well
      return Answer.UNKNOWN;
    }
  }

  private Answer miss(Segment segment, int rank) {
    return new RankTable(segment).miss(rank - first) ? Answer.MISSED : Answer.CAME;
  }

  /**
   * Makes the segment in place of the lowest rank, which has ended without: the others wait for the file, and find in
   * it that this rank is missing. The last call; to be removed with what else the job leaves. Where it cannot be made,
   * they wait until their deadline.
   */
  public void standIn() {
    SegmentFile.removeStale(path.toAbsolutePath().getParent()); // rank 0 may have begun
    try {
      held = Segment.create(path, new Geometry(size, Geometry.MIN_CELLS, Geometry.MIN_CELL_PAYLOAD, NO_BOXES), job);
      miss(held, first);
    } catch (SegmentException e) {
      // there is no room: nothing is lost
    }
  }

  /**
   * Whether all ranks have joined: a file that has no name any more is asked by way of a process that has it open. One
   * that has lost its name otherwise is not taken for theirs.
   *
   * @param open {@code /proc/<pid>/fd/<n>}
   * @return true: {@link #end} can be asked
   */
  public boolean isComplete(Path open) {
    try {
      held = Segment.attachOpen(open, size, job).orElse(null);
    } catch (SegmentException e) { // it was closed meanwhile, or is no good
      return false;
    }
    if (held != null && !held.allAttached()) {
      close();
    }
    return held != null;
  }

  /** What has become of a rank that had joined. */
  public enum End {
    /** It is still there: a process that the launcher does not know may be the rank. */
    NONE,
    /** The rank has left the job. */
    LEFT,
    /** It ended without, and the others see it as failed. */
    FAILED
  }

  /**
   * {@return what has become of a rank, once {@link #isComplete}}
   *
   * @param rank its number
   */
  public End end(int rank) {
    RankTable table = new RankTable(held);
    if (table.isPresent(rank - first)) {
      return End.NONE;
    }
    return table.hasLeft(rank - first) ? End.LEFT : End.FAILED;
  }

  /**
   * Ranks that wait for each other. Two looks that find equal ones tell that none of these has moved anything in
   * between.
   *
   * @param words who waits for whom
   * @param told what each of these ranks has told, as {@link Waiting#word(int)} has it
   */
  public record Hang(String words, List<Long> told) {}

  /**
   * Looks whether ranks wait for each other, once {@link #isComplete}: in what the ranks tell in the rank table that
   * have waited for long, while nothing moved ({@code adrastea.hang.report}).
   *
   * @return who waits for whom in a circle or, where none do, that all wait; empty: some rank may go on
   */
  public Optional<Hang> hang() {
    RankTable table = new RankTable(held);
    List<Long> told = new ArrayList<>();
    List<Optional<Waiting>> waits = new ArrayList<>();
    List<Integer> there = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      long word = table.waiting(rank);
      told.add(word);
      waits.add(word == 0 ? Optional.empty() : Optional.of(Waiting.of(word)));
      if (table.isPresent(rank)) {
        there.add(rank);
      }
    }
    return HangCycle.find(waits, there, first)
        .map(found -> new Hang(found.words(), found.ranks().stream().map(told::get).toList()));
  }

  /**
   * {@return what ranks wait for, once {@link #isComplete}: in words, by the numbers of those that have waited for long
   * ({@code adrastea.hang.report}) and tell so}
   */
  public Map<Integer, String> waits() {
    RankTable table = new RankTable(held);
    Map<Integer, String> waits = new TreeMap<>();
    for (int rank = 0; rank < size; rank++) {
      long word = table.waiting(rank);
      if (word != 0 && table.isPresent(rank)) {
        waits.put(first + rank, HangCycle.words(Waiting.of(word), first));
      }
    }
    return waits;
  }

  /**
   * {@return why a rank has failed, once {@link #isComplete}: what it said itself, one line; empty: nothing}
   *
   * @param rank its number
   */
  public String reason(int rank) {
    RankTable table = new RankTable(held);
    return table.isPresent(rank - first) ? "" : table.reason(rank - first);
  }

  /**
   * {@return whether a rank has failed and wants the whole job to end, once {@link #isComplete}}
   *
   * @param rank its number
   */
  public boolean aborts(int rank) {
    RankTable table = new RankTable(held);
    return !table.isPresent(rank - first) && table.aborts(rank - first);
  }

  /** Lets go of the segment; the file stays. */
  @Override
  public void close() {
    if (held != null) {
      held.close();
      held = null;
    }
  }
}
