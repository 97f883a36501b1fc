package io.adrastea.hostile;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BoxEntryDescriptor;
import io.adrastea.layout.BoxMessageDescriptor;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.MpscQueueDescriptor;
import io.adrastea.layout.RankAreaDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** A rank that writes whatever it likes to wherever it can: the twin of {@code tests/fuzz/fuzz_spoil.c}. */
public final class HostilePeer {
  private static final long[] QUEUE_WORDS = {
    MpscQueueDescriptor.HEAD_OFFSET, MpscQueueDescriptor.TAIL_OFFSET, MpscQueueDescriptor.SHADOW_HEAD_OFFSET
  };
  private static final long[] ENTRY_WORDS = {
    RankEntryDescriptor.STATE_OFFSET,
    RankEntryDescriptor.INTENT_QUEUE_OFFSET,
    RankEntryDescriptor.INTENT_CELL_OFFSET,
    RankEntryDescriptor.INTENT_GENERATION_OFFSET,
    RankEntryDescriptor.DOORBELL_WORD_OFFSET,
    RankEntryDescriptor.DOORBELL_ACTIVE_OFFSET
  };
  private static final int BUSY_WORDS = 32; // at the beginning of a ring, where most is read

  private final Geometry geometry;
  private final MemorySegment memory;
  private final SplittableRandom random;

  public HostilePeer(Segment segment, SplittableRandom random) {
    this.geometry = segment.geometry();
    this.memory = segment.memory();
    this.random = random;
  }

  /** Writes to a word, or to half of one. */
  public void spoil() {
    long at = place();
    if (random.nextBoolean()) {
      Words.storeLong(memory, at, value(Words.loadLong(memory, at)));
    } else {
      at += Integer.BYTES * (long) random.nextInt(2);
      Words.store(memory, at, (int) value(Words.load(memory, at)));
    }
  }

  private int rank() {
    return random.nextInt(geometry.ranks());
  }

  private long word(int words) {
    return (long) Long.BYTES * random.nextInt(words);
  }

  private long cell() {
    return geometry.cellOffset(rank(), random.nextInt(geometry.cells()));
  }

  private long queue() {
    return random.nextBoolean() ? geometry.receiveQueueOffset(rank()) : geometry.freeQueueOffset(rank());
  }

  private long ringWord() {
    int words = geometry.boxes().ringBytes() / Long.BYTES;
    long ring = geometry.boxRingOffset(rank(), rank());
    return words == 0 ? cell() : ring + word(random.nextBoolean() ? BUSY_WORDS : words);
  }

  /** Offset of a word that a broken rank could write to. */
  public long place() {
    return switch (random.nextInt(10)) {
      case 0 -> queue() + QUEUE_WORDS[random.nextInt(QUEUE_WORDS.length)];
      case 1, 2 -> cell() + word(CellDescriptor.BYTES / Long.BYTES);
      case 3 ->
        geometry.boxEntryOffset(rank(), rank()) + (random.nextBoolean() ? 0 : BoxEntryDescriptor.RELEASED_OFFSET);
      case 4, 5 -> ringWord();
      case 6 ->
        geometry.rankEntryOffset(rank()) + ENTRY_WORDS[random.nextInt(ENTRY_WORDS.length)] / Long.BYTES * Long.BYTES;
      case 7 -> geometry.regionDirectoryOffset() + word(64);
      case 8 -> word(SegmentHeaderDescriptor.BYTES / Long.BYTES);
      default ->
        geometry.rankAreaOffset() + word((int) (geometry.segmentBytes() - geometry.rankAreaOffset()) / Long.BYTES);
    };
  }

  /** A header of a message in a fastbox. */
  private long boxHeader() {
    long sequence = random.nextInt(-8, 40);
    long kind = random.nextInt(8);
    long packed = random.nextBoolean() ? BoxMessageDescriptor.PACKED : 0;
    return sequence << BoxMessageDescriptor.SEQUENCE_SHIFT | kind << BoxMessageDescriptor.KIND_SHIFT | packed
        | random.nextInt(1 << 16);
  }

  /** What a broken rank could write: among others offsets of cells and queues. */
  public long value(long before) {
    return switch (random.nextInt(10)) {
      case 0 -> random.nextInt(256);
      case 1 -> random.nextLong();
      case 2 -> cell();
      case 3 -> cell() + random.nextInt(-128, 128);
      case 4 -> queue();
      case 5 -> boxHeader();
      case 6 -> -random.nextInt(256);
      case 7 -> before + random.nextInt(-128, 128);
      case 8 -> before ^ 1L << random.nextInt(Long.SIZE);
      default -> geometry.segmentBytes() - 64L * random.nextInt(256);
    };
  }
}
