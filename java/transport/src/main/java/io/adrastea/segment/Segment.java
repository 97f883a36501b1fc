package io.adrastea.segment;

import static io.adrastea.layout.SegmentHeaderDescriptor.ATTACHED_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.CHECKS_OFFSET;
import static io.adrastea.layout.SegmentHeaderDescriptor.CHECK_TYPES;

import io.adrastea.atomic.Words;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.ContextIdEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The shared memory of a node's job. Twin of {@code segment/adr_segment.h}.
 *
 * <p>
 * Life: local rank 0 creates it, every rank attaches, reserves its own area and counts itself in; the last one takes
 * the file's name away. Ranks keep the file open, so that it can grow by {@link Regions}.
 *
 * <p>
 * The memory is unmapped when nothing refers to it any more, not when the segment is closed: closing an arena would
 * stop all threads of the JVM, and an access after it would be an error in the middle of a message.
 */
public final class Segment implements AutoCloseable {
  /** Where the locks of the ranks' places begin; below this offset the file's creator has locked. */
  static final long PLACES = 1L << 62;

  private static final int ANY = -1; // number of ranks, and then also any job

  /** What the lock of a rank's byte tells of the process that took it. */
  public enum Place {
    /** Nobody holds it. */
    FREE,
    /** Another process holds it. */
    HELD,
    /** It could not be asked. */
    UNKNOWN
  }

  private final Path path;
  private final FileChannel channel;
  private final MemorySegment memory;
  private final Geometry geometry;
  private final Regions regions;

  private Segment(Path path, FileChannel channel, MemorySegment memory, Geometry geometry) {
    this.path = path;
    this.channel = channel;
    this.memory = memory;
    this.geometry = geometry;
    this.regions = new Regions(this);
  }

  /** The random number of the job. */
  public long job() {
    return SegmentHeader.job(memory);
  }

  /** Makes the segment of a job; the header and the rank table are reserved and written. */
  public static Segment create(Path path, Geometry geometry, long job) {
    FileChannel channel = SegmentFile.create(path);
    try {
      Reservation.requireRoom(path, geometry.reservedBytes(), Reservation.SMALLER_SEGMENT);
      Reservation.reserve(path, channel, 0, geometry.headReservedBytes(), Reservation.SMALLER_SEGMENT);
      MemorySegment memory = map(path, channel, 0, geometry.segmentBytes());
      SegmentHeader.write(memory, geometry, job);
      return new Segment(path, channel, memory, geometry);
    } catch (RuntimeException | Error e) {
      SegmentFile.unlink(path);
      closeQuietly(channel);
      throw e;
    }
  }

  /**
   * Attaches to the segment of a job; empty while its creator has not finished it.
   *
   * @throws SegmentException when it is another user's, another layout's or another job's
   */
  public static Optional<Segment> attach(Path path, int ranks, long job) {
    return SegmentFile.open(path).flatMap(channel -> attach(path, channel, ranks, job));
  }

  /**
   * Attaches to a segment that another process has open, whether it still has its name or not.
   *
   * @param open {@code /proc/<pid>/fd/<n>}
   * @throws SegmentException when it cannot be opened (any more), or as with {@link #attach}
   */
  public static Optional<Segment> attachOpen(Path open, int ranks, long job) {
    return attach(open, SegmentFile.openOther(open), ranks, job);
  }

  /**
   * Attaches likewise to a segment of any job and of any number of ranks.
   *
   * @throws SegmentException when it cannot be opened (any more), or is of another layout
   */
  public static Optional<Segment> attachOpen(Path open) {
    return attach(open, SegmentFile.openOther(open), ANY, ANY);
  }

  private static Optional<Segment> attach(Path path, FileChannel channel, int ranks, long job) {
    try {
      Optional<Geometry> geometry = readHeader(path, channel, ranks, job);
      if (geometry.isEmpty()) {
        letGo(path, channel);
        return Optional.empty();
      }
      MemorySegment memory = map(path, channel, 0, geometry.get().segmentBytes());
      return Optional.of(new Segment(path, channel, memory, geometry.get()));
    } catch (RuntimeException | Error e) {
      letGo(path, channel);
      throw e;
    } catch (IOException e) {
      letGo(path, channel);
      throw new SegmentException("cannot read " + path, e);
    }
  }

  /** A file that this process has opened, and does not take part in. */
  private static void letGo(Path path, FileChannel channel) {
    closeQuietly(channel);
    SegmentFile.disown(path);
  }

  private static Optional<Geometry> readHeader(Path path, FileChannel channel, int ranks, long job) throws IOException {
    if (channel.size() < SegmentHeader.PAGE_BYTES) {
      return Optional.empty();
    }
    MemorySegment header = map(path, channel, 0, SegmentHeader.PAGE_BYTES);
    if (!SegmentHeader.isComplete(header)) {
      return Optional.empty();
    }
    Geometry geometry =
        ranks == ANY
            ? SegmentHeader.read(path, header, SegmentHeader.ranks(header), SegmentHeader.job(header))
            : SegmentHeader.read(path, header, ranks, job);
    if (channel.size() < geometry.segmentBytes()) {
      throw new SegmentException(
          "%s has %d bytes, its header says %d; it was cut".formatted(path, channel.size(), geometry.segmentBytes()));
    }
    return Optional.of(geometry);
  }

  static MemorySegment map(Path path, FileChannel channel, long offset, long bytes) {
    try {
      return channel.map(FileChannel.MapMode.READ_WRITE, offset, bytes, Arena.ofAuto());
    } catch (IOException e) {
      throw new SegmentException("cannot map %d bytes of %s: %s".formatted(bytes, path, e.getMessage()), e);
    }
  }

  /**
   * Reserves the area of a rank, without its boxes, on the rank's own thread: writing places its pages near that
   * thread. For a rank that joins: an interrupt closes the segment.
   */
  public void reserveArea(int rank) {
    Reservation.reserve(path, channel, geometry.rankAreaOffset(rank), geometry.boxesOffset(),
        Reservation.SMALLER_SEGMENT);
  }

  /** Reserves the rings of a rank's fastboxes from all sources, as {@link #reserveArea} reserves the rest. */
  public void reserveBoxes(int rank) {
    long bytes = (long) geometry.ranks() * geometry.boxes().ringBytes();
    Reservation.reserve(path, channel, geometry.boxRingOffset(rank, 0), bytes, Reservation.SMALLER_SEGMENT);
  }

  /**
   * Reserves the ring of a rank's fastbox from one source; it is all zeros then. The segment stays open even if the
   * thread is interrupted.
   *
   * @throws SegmentException when there is no room
   */
  public void reserveBox(int rank, int source) {
    reserve(geometry.boxRingOffset(rank, source), geometry.boxes().ringBytes());
  }

  /**
   * Reserves the page of a communicator's number, and of those behind it on the page. The byte that is written is one
   * that is always zero: others may use the page already.
   *
   * @throws SegmentException when there is no room
   */
  public void reserveContexts(int number) {
    long word = geometry.contextIdTableOffset() + (long) number * ContextIdEntryDescriptor.BYTES;
    reserve(word + ContextIdEntryDescriptor.WORD_OFFSET + Long.BYTES - 1, 1);
  }

  /** Reserves a stretch of the file once the rank has joined: its lock is not to be lost. */
  void reserve(long offset, long bytes) {
    try {
      Undisturbed.run(() -> Reservation.reserve(path, channel, offset, bytes, Reservation.SMALLER_GROWTH));
    } catch (IOException e) {
      throw new SegmentException("cannot reserve %d bytes of %s: %s".formatted(bytes, path, e.getMessage()), e);
    }
  }

  /** Makes a stretch of the file all zeros, whose pages stay where they are, likewise. */
  void clear(long offset, long bytes) {
    try {
      Undisturbed.run(() -> Reservation.clear(channel, offset, bytes));
    } catch (IOException e) {
      throw new SegmentException("cannot clear %d bytes of %s: %s".formatted(bytes, path, e.getMessage()), e);
    }
  }

  /** Maps a stretch of the file once the rank has joined, if it lies within. */
  MemorySegment mapLater(long offset, long bytes) {
    MemorySegment[] mapped = new MemorySegment[1];
    try {
      Undisturbed.run(
          () -> {
            requireRegion(offset, bytes, channel.size());
            mapped[0] = map(path, channel, offset, bytes);
          });
    } catch (IOException e) {
      throw new SegmentException("cannot tell the size of " + path, e);
    }
    return mapped[0];
  }

  /** Refuses what is no region behind the areas. */
  void requireRegion(long offset, long bytes, long size) {
    boolean whole = ((offset | bytes) & Regions.PAGE - 1) == 0;
    if (!whole || offset < geometry.segmentBytes() || bytes <= 0 || bytes > size - offset) {
      throw new SegmentException(
          ("region of %d bytes at %d lies outside the file of %d bytes, or is no whole pages; a rank of this job "
              + "is broken")
              .formatted(bytes, offset, size));
    }
  }

  /**
   * Counts one more rank in; the last one takes the file's name away before. If it cannot, the next job does.
   */
  public void countAttached() {
    while (true) {
      int in = Words.loadAcquire(memory, ATTACHED_OFFSET); // SYNC attached: acquire, pairs with the counts
      if (in + 1 == geometry.ranks()) {
        unlinkQuietly(); // before the others go on: they may leave, and join a later job of the same number
      }
      // SYNC attached: acq_rel; everything a rank wrote into its area comes before its count.
      if (Words.casAcqRel(memory, ATTACHED_OFFSET, in, in + 1)) {
        return;
      }
    }
  }

  private void unlinkQuietly() {
    try {
      unlink();
    } catch (SegmentException e) {
      // nothing that this rank should fail for
    }
  }

  /**
   * Takes back that a rank has counted itself in, so that nobody goes on with one that has given up.
   *
   * @return false: all are in, and it is one of them
   */
  public boolean countOut() {
    // SYNC attached: acquire, pairs with the counts, as in allAttached.
    int in = Words.loadAcquire(memory, ATTACHED_OFFSET);
    while (in != geometry.ranks()) {
      // SYNC attached: acq_rel; hands on what the counts before it hand on.
      if (Words.casAcqRel(memory, ATTACHED_OFFSET, in, in - 1)) {
        return true;
      }
      in = Words.loadAcquire(memory, ATTACHED_OFFSET); // SYNC attached: acquire, as above
    }
    return false;
  }

  /** Whether all ranks have counted themselves in. */
  public boolean allAttached() {
    // SYNC attached: acquire, pairs with the counts; so all areas are formatted.
    return Words.loadAcquire(memory, ATTACHED_OFFSET) == geometry.ranks();
  }

  /** Sets whether the job checks types: by the creator alone, before it counts itself in. */
  public void checksTypes(boolean checksTypes) {
    Words.store(memory, CHECKS_OFFSET, checksTypes ? CHECK_TYPES : 0); // no order: the creator's count comes after it
  }

  /** What all ranks are to know of the collectives of the world, {@code SlotDescriptor}: for the creator. */
  public void worldChoices(int choices) {
    Words.store(memory, geometry.worldSlotOffset() + SlotDescriptor.CHOICES_OFFSET, choices); // no order, likewise
  }

  /** Likewise, for all. */
  public int worldChoices() {
    return Words.load(memory, geometry.worldSlotOffset() + SlotDescriptor.CHOICES_OFFSET); // no order, as checksTypes
  }

  /** Whether the receivers of messages are told their types, and compare them. To be asked when all are attached. */
  public boolean checksTypes() {
    return (Words.load(memory, CHECKS_OFFSET) & CHECK_TYPES) != 0; // no order: behind the acquire of allAttached
  }

  /** Takes the file's name away, if it still has one. */
  public void unlink() {
    SegmentFile.unlink(path);
  }

  public MemorySegment memory() {
    return memory;
  }

  public Geometry geometry() {
    return geometry;
  }

  /** What was added to the segment after it was made. */
  public Regions regions() {
    return regions;
  }

  /**
   * Locks the byte of a rank, for as long as this process lives and has the segment open: a rank that is a process has
   * one, far behind the file's end. The kernel drops the lock with the process, as soon as none of its threads touches
   * memory any more: so others see whether it lives, whatever PID namespace it lives in.
   *
   * @return false: another process has
   */
  public boolean lockPlace(int rank) {
    try {
      return channel.tryLock(PLACES + rank, 1, false) != null;
    } catch (IOException e) {
      throw new SegmentException(
          "cannot lock the byte of rank %d in the segment's file: %s".formatted(rank, e.getMessage()), e);
    }
  }

  /**
   * Whether another process holds the byte of a rank, which is not one of this process. Java cannot ask for a lock
   * without taking it; one for reading is in the way of the holder's alone, and of no other that asks as well.
   */
  public Place checkPlace(int rank) {
    try (FileLock lock = channel.tryLock(PLACES + rank, 1, true)) {
      return lock == null ? Place.HELD : Place.FREE;
    } catch (IOException | OverlappingFileLockException e) { // the second: another thread asks just now
      return Place.UNKNOWN;
    }
  }

  Path path() {
    return path;
  }

  /** Closes the file; the memory stays usable. */
  @Override
  public void close() {
    closeQuietly(channel);
    SegmentFile.disown(path);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // nothing was buffered, so nothing is lost
    }
  }
}
