package io.adrastea.spread;

/**
 * How a collective goes among the members of one communicator: a pure function of what all of them know, so that all
 * choose alike. What takes the least time by the model of {@link Cheapest} is chosen.
 *
 * <p>
 * Whether the operands of a reduction may have other brackets than from the left is told: operators of the program's
 * own may not, since they need not associate, and neither may any where members of a node do not have consecutive
 * numbers. Then the operands travel as they are, and are combined where a result is wanted.
 */
public final class Spread {
  /** What members do together. */
  public enum Kind {
    BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, REDUCE_SCATTER, ALLGATHER, ALLGATHER_BY_PARTS, GATHER, SCATTER, ALLTOALL
  }

  /** Between which members messages go. */
  public enum Reach {
    /** Between any two. */
    FLAT,

    /** On each node between its members, and between nodes among one member of each. */
    LEADERS,

    /** On each node between its members, and between nodes among those that have one stripe of the data there. */
    STRIPES
  }

  /** Another number for each change of what is chosen, or of a schedule: members of two versions do not fit. */
  public static final int VERSION = 2;

  /** Bytes that go at once from member to member down a chain. */
  public static final long SEGMENT = 65_536;

  /** Most bytes of a block that goes by way of leaders in an exchange. */
  private static final long MOST_OF_BLOCK = 4096;

  private static final long LEAST_OF_BLOCK = 8;

  /** Most memory that a leader takes for the blocks of an exchange. */
  private static final long ROOM = 1 << 20;

  private final int nodes;
  private final int size;
  private final int most; // members of a node
  private final int least;
  private final LinkClass link;
  private final Cheapest flat;
  private final Cheapest within;
  private final Cheapest between;
  private final long longestOfRoot; // bytes of a block that goes by way of leaders, to or from a root
  private final long longestOfAll; // and from all to all

  /**
   * Makes the choice for the members of a communicator.
   *
   * @param hierarchy on which nodes they are
   * @param link the class of the links between nodes
   */
  public Spread(Hierarchy hierarchy, LinkClass link) {
    this.nodes = hierarchy.count();
    this.size = hierarchy.size();
    this.most = hierarchy.most();
    this.least = hierarchy.least();
    this.link = link;
    this.flat = new Cheapest(size, nodes == 1 ? LinkClass.MEMORY : link, nodes == 1 ? 1 : most);
    this.within = new Cheapest(most, LinkClass.MEMORY, 1);
    this.between = between(hierarchy, link);
    this.longestOfRoot = findLongest(Kind.GATHER);
    this.longestOfAll = findLongest(Kind.ALLTOALL);
  }

  static Cheapest between(Hierarchy hierarchy, LinkClass link) {
    return new Cheapest(hierarchy.count(), link, 1);
  }

  /** Bytes of a segment of whole elements that have so many. */
  public static long segment(long element) {
    return Math.max(1, SEGMENT / element) * element;
  }

  /**
   * Chooses the algorithm of a collective that goes between any two members.
   *
   * @param bytes of the operand or the data of each member; of an allgather those of a block, by parts those of all; of
   * a gather, a scatter and an alltoall those of a block, which its two ends alone know
   * @param anyBrackets operands may be combined with other brackets than from the left
   */
  public Algorithm algorithm(Kind kind, long bytes, boolean anyBrackets) {
    return switch (kind) {
      case GATHER, SCATTER, ALLTOALL -> Algorithm.DIRECT; // nobody else knows how long blocks are
      default -> flat.algorithm(kind, bytes, anyBrackets);
    };
  }

  /**
   * Bytes of the longest block of a gather, a scatter or an alltoall that goes by way of leaders, which send blocks
   * behind their lengths; longer ones go straight. Below zero: all go straight.
   */
  public long longest(Kind kind) {
    return kind == Kind.ALLTOALL ? longestOfAll : longestOfRoot;
  }

  /** How the leaders send blocks of a gather, a scatter or an alltoall to each other. */
  Algorithm leadersAlgorithm(Kind kind) {
    return between.algorithm(kind, most * LEAST_OF_BLOCK, true);
  }

  /** Of those that take no longer by way of leaders, and for all of which a leader has room. */
  private long findLongest(Kind kind) {
    long blocks = kind == Kind.ALLTOALL ? 4L * most * (size - least) : 2L * size;
    boolean isStraight =
        nodes == 1 || most == 1 && (kind == Kind.ALLTOALL || leadersAlgorithm(kind) == Algorithm.DIRECT);
    long room = ROOM - 2L * (nodes + most) * BlockStream.room(1, 0); // without what streams have beside their blocks
    for (long bytes = MOST_OF_BLOCK; !isStraight && bytes >= LEAST_OF_BLOCK; bytes /= 2) {
      long given = bytes + BlockStream.LENGTH;
      if (blocks * given <= room && byLeaders(kind, given) <= straight(kind, bytes)) {
        return bytes;
      }
    }
    return -1;
  }

  private long straight(Kind kind, long bytes) {
    int far = size - least;
    return kind == Kind.ALLTOALL
        ? link.cost((far + Operands.PARTNERS - 1) / Operands.PARTNERS, far, most * far * bytes)
        : link.cost(1, far, far * bytes);
  }

  private long byLeaders(Kind kind, long bytes) {
    if (kind != Kind.ALLTOALL) {
      return gathering(most * bytes) + between.cost(kind, most * bytes, true) + Cheapest.copying(size * bytes);
    }
    long ofNode = (long) most * (size - least) * bytes;
    return 2 * gathering(ofNode) + 2 * Cheapest.copying(ofNode) + between.cost(kind, most * most * bytes, true);
  }

  /** Chooses between which members messages go; the arguments are those of {@link #algorithm}. */
  public Reach reach(Kind kind, long bytes, boolean anyBrackets) {
    if (nodes == 1 || most == 1 && kind != Kind.GATHER && kind != Kind.SCATTER) {
      return Reach.FLAT;
    }
    return switch (kind) {
      case BARRIER, ALLGATHER_BY_PARTS -> Reach.LEADERS;
      case GATHER, SCATTER, ALLTOALL -> bytes <= longest(kind) ? Reach.LEADERS : Reach.FLAT;
      case BCAST -> cheaper(
          within.cost(Kind.BCAST, bytes, true), within.cost(Kind.BCAST, bytes, true) + costOfTelling(bytes), kind,
          bytes);
      case ALLREDUCE -> anyBrackets
          ? cheaper(
              within.cost(Kind.REDUCE, bytes, true) + within.cost(Kind.BCAST, bytes, true),
              within.cost(Kind.REDUCE_SCATTER, bytes, false) + costOfTelling(bytes), kind, bytes)
          : operands(kind, bytes, within.cost(Kind.BCAST, bytes, true));
      case REDUCE -> anyBrackets
          ? cheaper(
              within.cost(Kind.REDUCE, bytes, true), within.cost(Kind.REDUCE_SCATTER, bytes, false) + gathering(bytes),
              kind, bytes)
          : operands(kind, bytes, 0);
      case SCAN -> anyBrackets ? Reach.LEADERS : operands(kind, bytes, within.cost(Kind.BCAST, size * bytes, true));
      case REDUCE_SCATTER -> anyBrackets ? Reach.LEADERS : Reach.FLAT;
      case ALLGATHER -> allgather(bytes);
    };
  }

  /** Between leaders, or in stripes, which each cost so much on a node beside. */
  private Reach cheaper(long onNode, long inStripes, Kind kind, long bytes) {
    if (least == 1) {
      return Reach.LEADERS;
    }
    long leaders = onNode + between.cost(kind, bytes, true);
    long stripes = inStripes + between.cost(kind, bytes / link.streams(least), true) + moreMessages();
    return leaders <= stripes ? Reach.LEADERS : Reach.STRIPES;
  }

  /** Messages of the other members of a node, which its link has to carry too. */
  private long moreMessages() {
    return link.cost(0, (least - 1L) * Halves.levels(nodes), 0);
  }

  private long costOfTelling(long bytes) {
    int levels = Halves.levels(most);
    return LinkClass.MEMORY.cost(levels, 2L * levels, bytes);
  }

  private long gathering(long bytes) {
    return LinkClass.MEMORY.cost(1, most - 1, bytes);
  }

  /** Leaders get all operands, or each member those of its part. */
  private Reach operands(Kind kind, long bytes, long telling) {
    long all = size * bytes;
    long leaders =
        all > Cheapest.MOST_OPERANDS ? Cheapest.NEVER
            : gathering(most * bytes) + between.cost(Kind.ALLGATHER_BY_PARTS, all, true) + Cheapest.combining(all)
                + telling;
    return leaders <= flat.cost(kind, bytes, false) ? Reach.LEADERS : Reach.FLAT;
  }

  private Reach allgather(long bytes) {
    if (most != least) {
      return Reach.LEADERS;
    }
    long all = size * bytes;
    long leaders =
        gathering(most * bytes) + between.cost(Kind.ALLGATHER_BY_PARTS, all, true) + within.cost(Kind.BCAST, all, true);
    long stripes =
        link.cost(nodes - 1, (long) (nodes - 1) * most, all / nodes * (nodes - 1) / link.streams(most))
            + LinkClass.MEMORY.cost(nodes, nodes * (most - 1L), all);
    return leaders <= stripes ? Reach.LEADERS : Reach.STRIPES;
  }
}
