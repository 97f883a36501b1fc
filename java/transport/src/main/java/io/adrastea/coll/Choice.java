package io.adrastea.coll;

import static io.adrastea.layout.SlotDescriptor.CHECKED;
import static io.adrastea.layout.SlotDescriptor.DIRECT_EARLY;
import static io.adrastea.layout.SlotDescriptor.STAGES_ALONE;
import static io.adrastea.layout.SlotLineDescriptor.PAYLOAD;

import io.adrastea.core.SlotMember;
import io.adrastea.layout.SegmentHeaderDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * Which way a collective takes: one function of what all members know, so that all take the same. Twin of
 * {@code coll/adr_coll_choice.h}; {@code tests/coll/choices.golden} has what both choose.
 */
public final class Choice {
  /** Every member posts a line, and every member reads all lines. */
  public static final int LINES_ALL = 1;

  /** Every member posts a line; the lowest reads all, and the others read what it has made of them. */
  public static final int LINES_ROOT = 2;

  /** The root posts a line, and the others read that one. */
  public static final int LINES_BCAST = 3;

  /** Every member posts a line, and reads those of which it needs what they carry: none, some or all. */
  public static final int LINES_NEEDED = 4;

  /** Through the members' stages, in rounds; of an allreduce each member combines a part. */
  public static final int STAGES = 5;

  /** Where all members can reach it, straight from the others' memory; else through stages. */
  public static final int DIRECT = 6;

  /** In an exchange each giver has a way of its own; by this one its blocks are in its line. */
  public static final int GIVER_LINE = 7;

  /** Through its stage, in rounds. */
  public static final int GIVER_STAGE = 8;

  /** Straight from its memory where its readers reach that, else through its stage. */
  public static final int GIVER_DIRECT = 9;

  /** A member reads so many lines in the time in which it would wait for the lowest one to have read as many. */
  private static final int MOST_LINES = 16;

  /**
   * Bytes from which on one copy is cheaper than two through stages; of a reduce_scatter all parts together. It begins
   * when all have told of their memory: more than two members, which may share CPUs, wait longer for that.
   */
  private static final int DIRECT_FROM = 262_144;

  private static final int DIRECT_OF_TWO = 65_536;
  private static final int DIRECT_ALLGATHER = 32_768;
  private static final int DIRECT_EXCHANGE = 32_768;

  /** Below so many bytes of an exchange two copies through stages in caches take no longer than one by the system. */
  private static final int DIRECT_BY_SYSTEM = 131_072;

  /** Where a setting says so: fewer bytes than a page gain by it nowhere. */
  private static final int EARLY = 4096;

  private Choice() {}

  /** The limit of the slot's choices in the place of one that is learnt or set here. */
  private static long limit(long bytes, int choices) {
    if ((choices & STAGES_ALONE) != 0) {
      return Long.MAX_VALUE;
    }
    return (choices & DIRECT_EARLY) != 0 ? EARLY : bytes;
  }

  private static long leastDirect(int kind, int ranks, int choices) {
    return switch (kind) {
      case SlotMember.BCAST, SlotMember.ALLREDUCE, SlotMember.REDUCE, SlotMember.REDUCE_SCATTER ->
        limit(ranks == 2 ? DIRECT_OF_TWO : DIRECT_FROM, choices);
      case SlotMember.EXSCAN -> // of more than two, each has another result
        ranks == 2 ? limit(DIRECT_OF_TWO, choices) : Long.MAX_VALUE;
      case SlotMember.ALLGATHER -> limit(DIRECT_ALLGATHER, choices);
      default -> Long.MAX_VALUE;
    };
  }

  /** Whether each member gives a block of bytes to each that reads it. */
  public static boolean isExchange(int kind) {
    return kind >= SlotMember.GATHER && kind <= SlotMember.ALLGATHERV;
  }

  /** Whether a giver has another block for each reader. */
  public static boolean hasSeveralBlocks(int kind) {
    return kind == SlotMember.SCATTER || kind == SlotMember.ALLTOALL;
  }

  /** The way of what one member gives in an exchange: a block for each, or one for all. */
  static int ofGiver(int kind, int ranks, long bytes, boolean byParts, int choices) {
    boolean several = hasSeveralBlocks(kind);
    long inLine = !several ? bytes : byParts ? bytes + ranks : bytes * ranks; // a length of each part
    if (inLine <= PAYLOAD) {
      return GIVER_LINE;
    }
    long block = several && byParts ? bytes / ranks : bytes;
    return ranks > 1 && block >= limit(DIRECT_EXCHANGE, choices) ? GIVER_DIRECT : GIVER_STAGE;
  }

  /**
   * Bytes of a block of an exchange from which on one copy by the system is cheaper than two through stages. Of many
   * blocks a round takes little of each, and each round waits for all readers; in an alltoall of two both members write
   * at once.
   */
  static long leastBySystem(int kind, int ranks, int choices) {
    boolean early = kind == SlotMember.ALLTOALL || kind == SlotMember.SCATTER && ranks > 2;
    return limit(early ? DIRECT_EXCHANGE : DIRECT_BY_SYSTEM, choices);
  }

  /**
   * The way of a collective.
   *
   * @param kind of {@link SlotMember}
   * @param ranks members
   * @param bytes of each member's part
   * @param choices of the slot
   */
  public static int of(int kind, int ranks, long bytes, int choices) {
    if (isExchange(kind)) {
      return ofGiver(kind, ranks, bytes, false, choices);
    }
    boolean checked = (choices & CHECKED) != 0;
    if (bytes > PAYLOAD) {
      return ranks > 1 && bytes >= leastDirect(kind, ranks, choices) ? DIRECT : STAGES;
    }
    if (kind == SlotMember.BCAST) {
      return checked ? LINES_ALL : LINES_BCAST;
    }
    if (kind >= SlotMember.REDUCE && kind <= SlotMember.EXSCAN) {
      return checked ? LINES_ALL : LINES_NEEDED;
    }
    return kind == SlotMember.ALLGATHER || ranks <= MOST_LINES || checked ? LINES_ALL : LINES_ROOT;
  }

  /** The way in words. */
  public static String name(int way) {
    return switch (way) {
      case LINES_ALL -> "everybody reads the lines of all";
      case LINES_ROOT -> "member 0 reads the lines of all, the others what it makes of them";
      case LINES_BCAST -> "everybody reads the root's line";
      case LINES_NEEDED -> "everybody reads the lines that it needs";
      case STAGES -> "through stages, in rounds";
      case DIRECT -> "straight from memory that all can reach, else through stages";
      case GIVER_LINE -> "in the giver's line";
      case GIVER_STAGE -> "through the giver's stage, in rounds";
      case GIVER_DIRECT -> "straight from the giver's memory where its readers reach it, else through its stage";
      default -> throw new IllegalArgumentException("no way of a collective has the number " + way);
    };
  }

  /**
   * Collectives that take the same way.
   *
   * @param kind of {@link SlotMember}
   * @param choices of the slot
   * @param fewest members
   * @param most members
   * @param least bytes of each member's part
   * @param greatest bytes of each member's part
   */
  public record Row(int kind, int choices, int fewest, int most, long least, long greatest, int way) {
    private boolean goesOn(Row next) {
      return next.kind == kind && next.choices == choices && next.least == least && next.greatest == greatest
          && next.way == way && next.fewest == most + 1;
    }
  }

  /** All choices, for every number of members that a job can have on a node. */
  public static List<Row> table() {
    List<Row> rows = new ArrayList<>();
    for (int kind = SlotMember.BARRIER; kind <= SlotMember.ALLGATHERV; kind++) {
      for (int choices : new int[] {0, CHECKED, STAGES_ALONE, DIRECT_EARLY}) {
        List<Row> open = new ArrayList<>();
        for (int ranks = 1; ranks <= SegmentHeaderDescriptor.MAX_LOCAL_RANKS; ranks++) {
          for (Row row : bands(kind, choices, ranks)) {
            Row before = open.stream().filter(o -> o.goesOn(row)).findAny().orElse(null);
            if (before == null) {
              open.add(row);
            } else {
              Row longer =
                  new Row(kind, choices, before.fewest(), ranks, row.least(), row.greatest(), row.way());
              open.set(open.indexOf(before), longer);
            }
          }
        }
        rows.addAll(open);
      }
    }
    return rows;
  }

  /** Finds the rows of one number of members: it looks at each size up to a line's, and at each power of two behind. */
  private static List<Row> bands(int kind, int choices, int ranks) {
    List<Row> bands = new ArrayList<>();
    long last = kind == SlotMember.BARRIER ? 0 : SlotMember.MOST_BYTES;
    long least = 0;
    for (long bytes = 0; bytes <= last; bytes = next(bytes)) {
      int way = of(kind, ranks, bytes, choices);
      long after = next(bytes);
      if (after > last || of(kind, ranks, after, choices) != way) {
        bands.add(new Row(kind, choices, ranks, ranks, least, Math.min(after - 1, last), way));
        least = after;
      }
    }
    return bands;
  }

  private static long next(long bytes) {
    return bytes <= 2 * PAYLOAD ? bytes + 1 : 2 * Long.highestOneBit(bytes);
  }
}
