package io.adrastea.coll;

import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.THROUGH;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotLineDescriptor.PAYLOAD;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_SEGMENT;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One member's moves in an exchange: each member gives a block of bytes to each that reads it. Twin of
 * {@code coll/adr_coll_exchange.c}.
 *
 * <p>
 * A gather has one reader, a scatter one giver; in an alltoall, and in an allgather by parts, everybody is both; in one
 * between two groups what a member gives goes to the members of the other group alone, once into its stage for all.
 * Blocks are of one length or, where a member gives or takes by parts, each of its own. Each giver goes its own way,
 * which its line tells:
 * <ul>
 * <li>What fits its line is there, one block behind the other.
 * <li>What is longer goes through its quarter of a stage, a ring of buffers, one for each round: in a round it puts the
 * same stretch of each block into a buffer, and the readers take theirs out.
 * <li>Large blocks are read where they lie: in a shared allocation or, where the giver's readers have all told that
 * they can reach the others' memory, by the system. The giver waits until all have read them.
 * <li>In a gather, and in an alltoall of two, of equal blocks, the giver writes a large one to its reader's output,
 * where both lines tell of memory that the system reaches: so nobody copies the blocks of others alone, and each copies
 * what is in its own caches. It says so at the end, and the reader waits for that.
 * </ul>
 *
 * <p>
 * Lengths of several blocks by parts stand before the data: in a line a byte each, in a stage a word each and, behind
 * these, a word for each block's position. A reader that expects another length says so.
 *
 * <p>
 * A member takes the blocks of a round in the order in which they come: where members share CPUs, those that have run
 * before it have given theirs, and it takes all of them before it gives way.
 *
 * <p>
 * A member's own block goes from its input to its output once the first buffers are filled, so that others need not
 * wait for that copy. One that only gives copies it where it would wait for buffers to be read, and in the end.
 *
 * <p>
 * A member fills one round ahead of the one in which it reads. Its progress, of {@code k + 1} steps, says that it has
 * filled its rounds up to {@code k}, and has read all up to {@code k - 2} that there are for it: so a giver that fills
 * round {@code r}, over round {@code r - 4}, waits for {@code r - 1} steps of those that had bytes there. A member that
 * gives less than it reads, or nothing, says what it has read all the same, and at the end that it has read all.
 */
final class ExchangeMoves {
  private static final int BUFFERS = ExchangeRoom.BUFFERS;

  /** Blocks longer than this do not share a cache line. */
  private static final int CACHE_LINE = 64;

  /** Steps of one that is through: it has read all that there was for it. */
  private static final int ALL_STEPS = Integer.MAX_VALUE;

  /** Bytes of its own block that a member copies before it looks at others again. */
  private static final int KEPT_AT_ONCE = 16_384;

  /** Bytes of its own block that the caller is asked to copy at a time. */
  private static final int REQUEST = 262_144;

  private static final int SETTLE_WAY = 0;
  private static final int WRITE_BLOCK = 1;
  private static final int FILL_BUFFERS = 2;
  private static final int OWN_BLOCK = 3;
  private static final int TAKE_BLOCKS = 4;
  private static final int SAY_ALL = 5;
  private static final int AWAIT_READERS = 6;

  private final CollectiveState coll;
  private final LineMoves lines;
  private final StageMoves stages;
  private final DirectMoves direct;
  private final Slot slot;
  private final int self;
  private final int ranks;
  private final int[] left; // givers whose blocks of this round are not taken yet
  private long[] parts; // of this member, where it gives or takes by parts

  private int kind;
  private int root;
  private long bytes; // of a block or, by parts, of all that this member gives
  private boolean byParts; // this member gives or takes by parts
  private boolean stays; // this member's own block is where it is to be
  private boolean severalBlocks; // a giver has another one for each reader
  private int firstGroup; // members of the first of two groups, each of which gives to the other; 0: there are none
  private int way; // of what this member gives
  private int givers; // other members that have a block for this one
  private int readers; // other members that this one has a block for
  private int header; // bytes before the buffers of a quarter
  private int bufferBytes;
  private int room; // bytes of each block that go in a round
  private int round;
  private int rounds; // in which this member fills or reads
  private int filled; // rounds that this member has filled
  private int fills; // that it has to fill
  private int phase;
  private int leftCount; // of these givers
  private int at; // of these the one that is looked at next; or reader that is waited for
  private int block; // that is put next where others read it
  private long kept; // bytes of this member's own block that are where they are to be
  private boolean writes; // this member's block goes to its reader's output
  private boolean goesOn; // a block of this round has more in the next one
  private boolean isPartly; // the block that is taken was read in part
  private boolean isAwaited; // a giver may wait until this member has read all

  ExchangeMoves(CollectiveState coll, LineMoves lines, StageMoves stages, DirectMoves direct, Slot slot, int self) {
    this.coll = coll;
    this.lines = lines;
    this.stages = stages;
    this.direct = direct;
    this.slot = slot;
    this.self = self;
    this.ranks = slot.ranks;
    this.left = new int[ranks];
  }

  /** Whether it goes on between two groups, of which the root tells how many members the first one has. */
  static boolean isAcross(int kind, int element) {
    return kind == ALLGATHERV && element >= FOR_GROUPS;
  }

  private static boolean isRooted(int kind) {
    return kind == GATHER || kind == SCATTER;
  }

  private boolean isRoot() {
    return self == root;
  }

  // What each member gives

  private long part(int row, int member) {
    return parts[row * ranks + member];
  }

  /** Whether what a member gives goes to another: between groups, to those of the other one. */
  private boolean givesTo(int giver, int reader) {
    return firstGroup == 0 || giver < firstGroup != reader < firstGroup;
  }

  /**
   * Takes this member's parts, which are as they are to be.
   *
   * @param given a copy is made; null: there were none
   * @return whether a collective can begin with them, in which this member gives so many bytes
   */
  boolean allows(MemorySegment given, int kind, int root, int element, long bytes) {
    if (given == null) {
      return false;
    }
    if (parts == null) {
      parts = new long[PART_ROWS * ranks];
    }
    MemorySegment.copy(given, ValueLayout.JAVA_LONG, 0, parts, 0, parts.length);
    for (long word : parts) {
      if (word < 0 || word > MOST_BYTES) {
        return false;
      }
    }
    for (int member = 0; member < ranks; member++) {
      if (!ExchangeRoom.takes(kind, ranks, part(GIVE_BYTES, member))
          || !ExchangeRoom.takes(kind, ranks, part(TAKE_BYTES, member))) {
        return false;
      }
    }
    firstGroup = isAcross(kind, element) ? root : 0;
    for (int member = 0; member < ranks; member++) {
      if (!givesTo(member, self) && part(TAKE_BYTES, member) != 0) {
        return false;
      }
    }
    long total = Choice.hasSeveralBlocks(kind) ? 0 : part(GIVE_BYTES, self);
    for (int member = 0; Choice.hasSeveralBlocks(kind) && member < ranks; member++) {
      total = Math.min(MOST_BYTES + 1, total + part(GIVE_BYTES, member));
    }
    boolean keeps = givesTo(self, self) && (!isRooted(kind) || self == root);
    return (kind != SCATTER || self == root) && total == bytes
        && (!keeps || part(GIVE_BYTES, self) == part(TAKE_BYTES, self));
  }

  /** The other members, those behind this one first: so not all begin with the same. */
  private int other(int index) {
    int member = self + 1 + index;
    return member < ranks ? member : member - ranks;
  }

  private int giverOf(int index) {
    return kind == SCATTER ? root : other(index);
  }

  private int readerOf(int index) {
    return kind == GATHER ? root : other(index);
  }

  private long giveBytes(int reader) {
    return !givesTo(self, reader) ? 0 : byParts ? part(GIVE_BYTES, severalBlocks ? reader : self) : bytes;
  }

  private long givesAt(int reader) {
    return byParts ? part(GIVE_AT, severalBlocks ? reader : self) : severalBlocks ? reader * bytes : 0;
  }

  private long takeBytes(int giver) {
    return byParts ? part(TAKE_BYTES, giver) : bytes;
  }

  private long takesAt(int giver) {
    return byParts ? part(TAKE_AT, giver) : kind == SCATTER ? 0 : giver * bytes;
  }

  /** Whether this member has a block of its own to bring from its input to its output. */
  private boolean keeps() {
    return !stays && (!isRooted(kind) || isRoot());
  }

  private int wayOf(boolean byParts, long bytes) {
    return Choice.ofGiver(kind, ranks, bytes, byParts, slot.choices);
  }

  private static int up(int bytes, int unit) {
    return (bytes + unit - 1) & -unit;
  }

  /** Begins; {@code stays}: this member's own block is where it is to be. */
  void begin(boolean byParts, boolean stays) {
    kind = coll.kind();
    root = coll.root();
    bytes = coll.bytes();
    severalBlocks = Choice.hasSeveralBlocks(kind);
    firstGroup = isAcross(kind, coll.element()) ? root : 0;
    this.byParts = byParts;
    this.stays = stays;
    boolean onlyTakes = kind == GATHER ? isRoot() : kind == SCATTER && !isRoot();
    boolean onlyGives = kind == SCATTER ? isRoot() : kind == GATHER && !isRoot();
    givers = onlyGives ? 0 : kind == SCATTER ? 1 : ranks - 1;
    readers = onlyTakes ? 0 : kind == GATHER ? 1 : ranks - 1;
    way = wayOf(byParts, bytes);
    phase = SETTLE_WAY;
    at = 0;
    block = 0;
    round = 0;
    filled = 0;
    kept = 0;
    isPartly = false;
    isAwaited = false;
    writes = false;
    goesOn = false;
    direct.beginBlocks();
    header = ExchangeRoom.header(kind, ranks);
    bufferBytes = ExchangeRoom.bufferBytes(kind, ranks);
    room = ExchangeRoom.stretch(kind, ranks);
  }

  /** The longest block that this member gives, or takes. */
  private long longestOf(boolean gives) {
    int members = gives ? readers : givers;
    long longest = members == 0 || byParts ? 0 : bytes;
    for (int i = 0; byParts && i < members; i++) {
      longest = Math.max(longest, gives ? giveBytes(readerOf(i)) : takeBytes(giverOf(i)));
    }
    return longest;
  }

  /** Whether others may write their blocks to this member's output. */
  boolean tellsOutput() {
    boolean takes = kind == GATHER ? isRoot() : kind == ALLTOALL && ranks == 2 && !stays;
    return takes && !byParts && longestOf(false) >= Choice.leastBySystem(kind, ranks, slot.choices);
  }

  /** Whether the caller is to tell of its buffers: others may read or write this member's where it lies. */
  boolean exposes() {
    return tellsOutput() || way == Choice.GIVER_DIRECT && readers > 0
        || slot.spaces(self) == 0 && longestOf(false) >= Choice.leastBySystem(kind, ranks, slot.choices);
  }

  /** Where in the input the block lies that goes to all; 0: there is one for each, and readers find theirs. */
  long oneBlockAt() {
    return severalBlocks ? 0 : givesAt(self);
  }

  /** Where in this member's input, or output, another one may have it copy. */
  long stretchAt(int member, boolean isInput) {
    return isInput ? givesAt(member) : takesAt(member);
  }

  /** How many bytes. */
  long stretch(int member, boolean isInput) {
    return isInput ? giveBytes(member) : takeBytes(member);
  }

  /** Whether what this member takes in a collective goes over what it gives: nobody can read that where it lies. */
  boolean isOverInput(int kind) {
    return kind == ALLTOALL && stays;
  }

  /** How a member's buffers can be reached, and by which spaces it can reach the others'. */
  private long byOf(int member) {
    return slot.tells(member, coll.sequence(), TELL_BY);
  }

  /**
   * Whether a giver's line tells that its blocks are read where they lie; in a gather the root would bring all of them
   * alone.
   */
  private boolean isReadThere(int giver) {
    return (byOf(giver) & (BY_OFFSET | (kind == GATHER ? 0 : BY_ADDRESS))) != 0;
  }

  private static boolean isBySystem(long by) {
    return (by & BY_ADDRESS) != 0 && (by >>> 16 & (XPMEM | CMA)) != 0;
  }

  /**
   * By which spaces a member reaches the memory of another one, as both lines tell: XPMEM only where that one exports
   * it.
   */
  private long spacesTo(int member, int owner) {
    long spaces = byOf(member) >>> 16 & (XPMEM | CMA);
    return slot.tells(owner, coll.sequence(), TELL_SEGMENT) != 0 ? spaces : spaces & ~XPMEM;
  }

  /** Whether the lines of two members tell that the one can write its block to the output of the other. */
  private boolean canWrite(int giver, int reader) {
    long given = lines.givenBytes(giver);
    return given == lines.givenBytes(reader) && !lines.givesParts(giver) && !lines.givesParts(reader)
        && given >= Choice.leastBySystem(kind, ranks, slot.choices) && (byOf(giver) & BY_ADDRESS) != 0
        && (byOf(reader) >>> 8 & BY_ADDRESS) != 0 && spacesTo(giver, reader) != 0;
  }

  /**
   * Whether it does. In an alltoall both do, or none: what a member says of its writing would tell a giver that fills a
   * stage for it that it has read that.
   */
  private boolean isWritten(int giver, int reader) {
    return kind == GATHER && canWrite(giver, reader)
        || kind == ALLTOALL && ranks == 2 && canWrite(giver, reader) && canWrite(reader, giver);
  }

  /**
   * Whether the readers of this member's blocks can reach them where they lie, and that pays: by the system it takes
   * longer to begin.
   */
  private boolean isInReachOfReaders() {
    long by = byOf(self);
    int spaces = slot.spaces(self);
    if ((by & BY_OFFSET) != 0) {
      return true;
    }
    if ((by & BY_ADDRESS) == 0 || longestOf(true) < Choice.leastBySystem(kind, ranks, slot.choices)) {
      return false;
    }
    if (kind == GATHER) {
      return isBySystem(byOf(self));
    }
    for (int i = 0; i < readers; i++) {
      spaces &= giveBytes(readerOf(i)) > 0 ? slot.spaces(readerOf(i)) : spaces;
    }
    return (spaces & (XPMEM | CMA)) != 0;
  }

  /** Rounds that the longest block takes which this member gives, or takes. */
  private int roundsOf(boolean gives) {
    return (int) ((longestOf(gives) + room - 1) / room);
  }

  /** Whether most blocks are empty, and nobody looks at those. */
  private boolean isSparse() {
    return coll.element() == FOR_NEIGHBOR_ALLTOALL || coll.element() == FOR_NEIGHBOR_ALLGATHER;
  }

  /**
   * Whether this member is to have the stages made before it posts its line: it makes those of all, and may end its
   * part here without having seen that others need them.
   */
  boolean makesStages() {
    return self == 0 && !stages.areMade() && (isSparse() && ranks > 1 || kind == GATHER && readers > 0);
  }

  private void countRounds() {
    boolean tells = way != Choice.GIVER_LINE && readers > 0 && byParts && severalBlocks; // how long its blocks are
    fills = Math.max(tells ? 1 : 0, way == Choice.GIVER_STAGE ? roundsOf(true) : 0);
    rounds = Math.max(fills, roundsOf(false));
  }

  /** This member's line is about to be posted, and has told of its buffers where it is to. */
  void decide() {
    if (way == Choice.GIVER_DIRECT && (readers == 0 || !isInReachOfReaders())) {
      way = Choice.GIVER_STAGE;
      if (readers > 0) {
        slot.tell(coll.sequence(), TELL_BY, 0);
      }
    }
    countRounds();
  }

  // By lines

  /** Puts what this member gives into its line, where it fits: NEXT, or FILL. */
  int fillLine() {
    if (way != Choice.GIVER_LINE || readers == 0) {
      return NEXT;
    }
    int payload = slot.payload(self, coll.sequence());
    if (!byParts || !severalBlocks) {
      long length = severalBlocks ? ranks * bytes : bytes;
      return length == 0 ? NEXT : coll.fill(slot.memory, payload, givesAt(0), (int) length);
    }
    int to = payload + ranks;
    for (int member = 0; member < ranks; member++) {
      int length = (int) part(GIVE_BYTES, member);
      slot.memory.set(ValueLayout.JAVA_BYTE, payload + member, (byte) length);
      if (member == block) {
        int status = length == 0 ? NEXT : coll.fill(slot.memory, to, part(GIVE_AT, member), length);
        if (status != NEXT) {
          return status;
        }
        block++;
      }
      to += length;
    }
    block = 0;
    return NEXT;
  }

  private int lengthInLine(int giver, int reader) {
    return slot.memory.get(ValueLayout.JAVA_BYTE, slot.payload(giver, coll.sequence()) + reader) & 0xFF;
  }

  /** Where in a giver's line the block of this member lies, in bytes from the first. */
  private int inLine(int giver, boolean byParts, int length) {
    if (!severalBlocks) {
      return 0;
    }
    if (!byParts) {
      return self * length;
    }
    int before = ranks;
    for (int member = 0; member < self; member++) {
      before += lengthInLine(giver, member);
    }
    return before;
  }

  /** Whether this member shows a line: one that only reads another's line need not. */
  boolean posts() {
    return kind != SCATTER || isRoot();
  }

  // By moves

  /** Begins to take the blocks of a round; those of the first givers are taken. */
  private int beginToTake(int taken) {
    phase = TAKE_BLOCKS;
    at = 0;
    leftCount = givers - taken;
    for (int i = 0; i < leftCount; i++) {
      left[i] = giverOf(taken + i);
    }
    return NEXT;
  }

  private int next(int phase) {
    this.phase = phase;
    block = 0;
    at = 0;
    return NEXT;
  }

  /** A member's buffer of a round. */
  private long bufferOf(int member, int round) {
    return stages.quarter(member) + header + (long) (round & BUFFERS - 1) * bufferBytes;
  }

  /** Bytes of this member's own block that are to be brought from its input to its output. */
  private long leftToKeep() {
    return keeps() ? giveBytes(self) - kept : 0;
  }

  /** Brings some of them, or all. */
  private int keep() {
    long left = leftToKeep();
    if (left == 0) {
      return givers > 0 ? beginToTake(0) : next(SAY_ALL);
    }
    if (coll.hasIn() && coll.hasOut()) {
      int piece = (int) Math.min(left, KEPT_AT_ONCE);
      coll.keep(givesAt(self) + kept, takesAt(self) + kept, piece);
      kept += piece;
      return NEXT;
    }
    long piece = Math.min(left, REQUEST);
    if (coll.asks()) {
      return coll.ask(KEEP, givesAt(self) + kept, 0, takesAt(self) + kept, piece, false);
    }
    kept += piece;
    return NEXT;
  }

  /** Bytes from one block to the next in a giver's buffer; short ones of one length stand close together. */
  private int strideOf(boolean byParts, long length) {
    return byParts || length >= room ? room
        : Math.min(room, up((int) length, length > CACHE_LINE ? CACHE_LINE : Long.BYTES));
  }

  private long position(int round) {
    return (long) round * room;
  }

  private void say(int steps) {
    slot.publish(coll.sequence(), steps);
    if (readers <= 1 && givers <= 1) {
      coll.wake(readers == 1 ? readerOf(0) : giverOf(0));
    } else {
      coll.wakeAll();
    }
  }

  /**
   * Whether a reader of this member's bytes has taken so many steps: NEXT, AGAIN, or MISMATCH: it has ended without.
   */
  private int seeReader(int reader, int steps) {
    if (slot.hasTaken(reader, coll.sequence(), steps)) {
      return NEXT;
    }
    coll.waitFor(reader);
    if (slot.done(reader) < coll.sequence()) {
      return AGAIN;
    }
    return slot.hasTaken(reader, coll.sequence(), steps) ? NEXT
        : lines.differs(reader, giveBytes(reader), -1);
  }

  /** Looks whether the members that had bytes in the buffer that is filled next have read it. */
  private int seeFree() {
    for (int i = 0; i < readers; i++) {
      int reader = readerOf(i);
      int status = giveBytes(reader) > position(filled - BUFFERS) ? seeReader(reader, filled - 1) : NEXT;
      if (status != NEXT) {
        return status;
      }
    }
    return NEXT;
  }

  /** Tells the lengths of this member's blocks, and where they lie in its input. */
  private void writeHeader() {
    for (int member = 0; byParts && severalBlocks && member < ranks; member++) {
      long to = stages.quarter(self) + (long) member * Long.BYTES;
      Words.storeLong(stages.memory(), to, part(GIVE_BYTES, member));
      Words.storeLong(stages.memory(), to + (long) ranks * Long.BYTES, part(GIVE_AT, member));
    }
  }

  /** Puts the next stretch of each block into a buffer. */
  private int fillNext() {
    int ready = stages.isReady() ? NEXT : stages.prepare();
    if (ready == NEXT && block == 0 && filled >= BUFFERS) {
      ready = seeFree();
    }
    if (ready != NEXT) {
      return ready;
    }
    if (filled == 0 && block == 0) {
      writeHeader();
    }
    if (way == Choice.GIVER_DIRECT) {
      return NEXT;
    }
    int stride = strideOf(byParts, bytes);
    long from = position(filled);
    int blocks = severalBlocks ? readers : 1;
    for (; block < blocks; block++) {
      int reader = readerOf(block);
      int length = (int) Math.min(room, (severalBlocks ? giveBytes(reader) : bytes) - from);
      if (length > 0) {
        long to = bufferOf(self, filled) + (long) block * stride;
        int status = coll.fill(stages.memory(), to, givesAt(reader) + from, length);
        if (status != NEXT) {
          return status;
        }
      }
    }
    return NEXT;
  }

  /** Sees whether this member writes its block to its reader's output, before it puts anything into its stage. */
  private int settle() {
    if (way != Choice.GIVER_DIRECT || (byOf(self) & BY_OFFSET) != 0 || !(kind == GATHER || tellsOutput())) {
      return next(FILL_BUFFERS);
    }
    int reader = readerOf(0);
    int status = lines.look(reader);
    if (status != NEXT) {
      return status;
    }
    writes = isWritten(self, reader);
    if (writes) {
      rounds = givers > 0 ? 1 : 0; // in which it sees that the other has written
      return next(WRITE_BLOCK);
    }
    if (kind == GATHER) {
      way = Choice.GIVER_STAGE;
      countRounds();
    }
    return next(FILL_BUFFERS);
  }

  /** Writes it, and says so. */
  private int writeBlock() {
    int reader = readerOf(0);
    int status = direct.putBlock(reader, givesAt(reader), self * bytes, bytes);
    if (status != NEXT || !direct.hasFetched(bytes)) {
      return status;
    }
    say(ALL_STEPS);
    return next(FILL_BUFFERS);
  }

  private int fillAhead() {
    while (filled < round + 2 && filled < rounds) {
      int status = filled < fills ? fillNext() : NEXT;
      if (status != NEXT) {
        return status;
      }
      if (filled >= fills && rounds > BUFFERS && !lines.hasRoom()) {
        return AGAIN; // for what it says
      }
      filled++;
      block = 0;
      if (filled <= fills || rounds > BUFFERS) {
        say(filled);
      }
    }
    return round == 0 && givers > 0 ? next(OWN_BLOCK) : beginToTake(0);
  }

  private int takeFromLine(int giver, boolean givesParts, int length) {
    int given = givesParts ? lengthInLine(giver, self) : length;
    if (given != length) {
      return lines.differs(giver, given, length);
    }
    int from = inLine(giver, givesParts, length);
    if (from + length > PAYLOAD) { // lengths that no member writes
      coll.waitFor(giver);
      return CORRUPT;
    }
    return length == 0 ? NEXT
        : coll.drain(slot.memory, slot.payload(giver, coll.sequence()) + from, takesAt(giver), length);
  }

  /** What a giver by parts tells of this member's block: {@code row} 0 its length, 1 its position. */
  private long told(int giver, int row) {
    return Words.loadLong(stages.memory(), stages.quarter(giver) + ((long) row * ranks + self) * Long.BYTES);
  }

  /** NEXT: the giver has taken so many steps, and what it tells of this member's block is right. */
  private int seeStage(int giver, boolean givesParts, long length, int steps) {
    int ready = stages.isReady() ? NEXT : stages.prepare();
    if (ready != NEXT) {
      return ready;
    }
    int status = lines.see(giver, steps, steps == 1);
    if (status != NEXT) {
      return status;
    }
    isAwaited |= givesParts;
    long given = givesParts && steps == 1 ? told(giver, 0) : length;
    return given == length ? NEXT : lines.differs(giver, given, length);
  }

  private int takeFromStage(int giver, boolean givesParts, long length) {
    long from = position(round);
    int part = (int) Math.min(room, length - from);
    if (part <= 0 && !givesParts) {
      return NEXT;
    }
    goesOn |= from + room < length;
    int status = seeStage(giver, givesParts, length, round + 1);
    if (status != NEXT || part <= 0) {
      return status;
    }
    int block = severalBlocks ? (self - giver - 1 + ranks) % ranks : 0;
    long source = bufferOf(giver, round) + (long) block * strideOf(givesParts, length);
    return coll.drain(stages.memory(), source, takesAt(giver) + from, part);
  }

  /**
   * The round in which a block is read where it lies: the first one or, where it goes over the block that this member
   * gives the other, the one before which it has filled the last stretch of that.
   */
  private int directRound(long length) {
    boolean overwrites = stays && kind == ALLTOALL;
    return overwrites ? (int) Math.max(0, (length + room - 1) / room - 2) : 0;
  }

  /** Reads the whole block in one round. */
  private int takeDirect(int giver, boolean givesParts, long length) {
    goesOn |= round < directRound(length);
    if (round != directRound(length)) {
      return NEXT;
    }
    long from = severalBlocks ? self * length : 0;
    if (givesParts) {
      int status = seeStage(giver, true, length, 1);
      if (status != NEXT) {
        return status;
      }
      from = told(giver, 1);
    }
    isAwaited = true;
    int status = length == 0 ? NEXT : direct.fetchBlock(giver, from, takesAt(giver), length);
    isPartly = status == NEXT && !direct.hasFetched(length);
    boolean isWhole = status == NEXT && !isPartly;
    return isWhole && length > 0 ? direct.trustBlock(giver) : status; // it waits for those that it gives bytes
  }

  /** What a giver has written to this member's output is there when it says so. */
  private int seeWritten(int giver) {
    if (slot.hasTaken(giver, coll.sequence(), ALL_STEPS)) {
      return NEXT;
    }
    coll.waitFor(giver);
    return AGAIN;
  }

  /** Takes nothing, since the giver is of the same group; but member 0 makes the stages that it goes through. */
  private int pass(int giver, long given) {
    int way = wayOf(false, given);
    boolean byStage = way == Choice.GIVER_STAGE || way == Choice.GIVER_DIRECT && !isReadThere(giver);
    return byStage && self == 0 && !stages.isReady() ? stages.prepare() : NEXT;
  }

  private int takeFrom(int giver) {
    long length = takeBytes(giver);
    if (length <= position(round) && (round > 0 || length == 0 && isSparse())) {
      return NEXT;
    }
    int status = round > 0 ? NEXT : lines.look(giver);
    if (status != NEXT) {
      return status;
    }
    boolean givesParts = severalBlocks && lines.givesParts(giver);
    long told = lines.givenBytes(giver);
    if (!givesTo(giver, self)) {
      return pass(giver, told);
    }
    if (!givesParts && told != length) {
      return lines.differs(giver, told, length);
    }
    if (isWritten(giver, self)) {
      return seeWritten(giver);
    }
    return switch (wayOf(givesParts, told)) {
      case Choice.GIVER_LINE -> takeFromLine(giver, givesParts, (int) length);
      case Choice.GIVER_DIRECT -> isReadThere(giver) ? takeDirect(giver, givesParts, length)
          : takeFromStage(giver, givesParts, length);
      default -> takeFromStage(giver, givesParts, length);
    };
  }

  /** Takes the next block of this round that is there. AGAIN: it has looked at all that are left, and none was. */
  private int takeNext() {
    for (boolean looksAtAll = at == 0;; looksAtAll = true) {
      for (; at < leftCount; at++) {
        int status = takeFrom(left[at]);
        if (status == NEXT && !isPartly) {
          left[at] = left[--leftCount];
        }
        if (status != AGAIN) {
          return status;
        }
      }
      at = 0;
      if (looksAtAll) {
        return AGAIN;
      }
    }
  }

  /** Takes the blocks of this round. */
  private int take() {
    if (leftCount > 0) {
      return takeNext();
    }
    if (round == 0 && givers == ranks - 1 && !isSparse()) {
      coll.allHaveBegun();
    }
    if (!goesOn && fills <= BUFFERS) { // it has all, and there is nothing more to say
      rounds = Math.max(fills, round + 1);
    }
    goesOn = false;
    round++;
    if (round < rounds) {
      return next(FILL_BUFFERS);
    }
    return next(givers > 0 ? SAY_ALL : OWN_BLOCK);
  }

  private int sayAll() {
    if (givers > 0 && (rounds > BUFFERS || isAwaited)) {
      if (!lines.hasRoom()) {
        return AGAIN;
      }
      say(ALL_STEPS);
    }
    return way == Choice.GIVER_DIRECT && !writes ? next(AWAIT_READERS) : THROUGH;
  }

  /** Memory is what its member gave for as long as others read it. */
  private int awaitReaders() {
    for (; at < readers; at++) {
      int reader = readerOf(at);
      int status = giveBytes(reader) > 0 ? seeReader(reader, ALL_STEPS) : NEXT;
      if (status != NEXT) {
        return status;
      }
    }
    return THROUGH;
  }

  private int goOn() {
    return switch (phase) {
      case SETTLE_WAY -> settle();
      case WRITE_BLOCK -> writeBlock();
      case FILL_BUFFERS -> fillAhead();
      case OWN_BLOCK -> keep();
      case TAKE_BLOCKS -> take();
      case SAY_ALL -> sayAll();
      default -> awaitReaders();
    };
  }

  /** Whether this member copies its own block where it would wait for others. */
  private boolean keepsMeanwhile() {
    return givers == 0 && coll.hasIn() && coll.hasOut() && leftToKeep() > 0;
  }

  int advance() {
    int status = goOn();
    return status == AGAIN && keepsMeanwhile() ? keep() : status;
  }

  // The straight path: by lines alone, or by what fits one buffer of the stages

  /** Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
  boolean goesStraight() {
    boolean needsIn = readers > 0 || keeps();
    boolean needsOut = givers > 0 || keeps();
    long given = severalBlocks ? bytes * ranks : bytes;
    boolean fitsBuffer =
        way == Choice.GIVER_STAGE && !byParts && bytes <= room && given <= StageMoves.MOST_MOVED && stages.isFree();
    return (way == Choice.GIVER_LINE || fitsBuffer) && !makesStages() && (!needsIn || coll.hasIn())
        && (!needsOut || coll.hasOut());
  }

  /** Puts what this member gives into the first buffer of its stage, and shows its line, which tells that. */
  private void showStraightByStage() {
    long stride = strideOf(false, bytes);
    int blocks = severalBlocks ? readers : Math.min(readers, 1);
    for (int block = 0; block < blocks; block++) {
      coll.fill(stages.memory(), bufferOf(self, 0) + block * stride, givesAt(readerOf(block)), (int) bytes);
    }
    fills = filled = Math.min(blocks, 1);
    lines.show(1);
  }

  /** Puts what this member gives into its line, and shows that. */
  private void showStraight() {
    if (byParts) {
      fillLine();
    } else if (readers > 0 && bytes > 0) {
      MemorySegment.copy(coll.in(), coll.inOffset(), slot.memory, slot.payload(self, coll.sequence()),
          severalBlocks ? ranks * bytes : bytes);
    }
    lines.show(0);
  }

  private void keepStraight() {
    if (keeps() && giveBytes(self) > 0) {
      coll.keep(givesAt(self), takesAt(self), (int) giveBytes(self));
    }
  }

  /** Takes a block out of its giver's stage, if that has it. */
  private boolean takeStraightFromStage(int giver, int spins) {
    if (!lines.awaitStep(giver, spins)) {
      return false;
    }
    int block = severalBlocks ? (self - giver - 1 + ranks) % ranks : 0;
    long source = bufferOf(giver, 0) + (long) block * strideOf(false, bytes);
    coll.drain(stages.memory(), source, takesAt(giver), (int) bytes);
    return true;
  }

  /** Takes a block out of its giver's line, if that is there, and has it. */
  private boolean takeStraight(int giver, int spins) {
    long length = takeBytes(giver);
    if (length == 0 && isSparse()) {
      return true;
    }
    if (!lines.awaitHead(giver, spins)) {
      return false;
    }
    if (!byParts && lines.callsAlike(giver)) { // as many bytes for each, and it does not lag
      if (length > 0) {
        int payload = slot.payload(giver, coll.sequence());
        coll.drain(slot.memory, payload + inLine(giver, false, (int) length), takesAt(giver), (int) length);
      }
      return true;
    }
    boolean givesParts = severalBlocks && lines.givesParts(giver);
    long given = lines.givenBytes(giver);
    boolean isPassed = !givesTo(giver, self);
    return lines.callsTheSame(giver) && (isPassed || givesParts || given == length)
        && wayOf(givesParts, given) == Choice.GIVER_LINE
        && (isPassed || takeFromLine(giver, givesParts, (int) length) == NEXT);
  }

  /** Whether the straight path was gone to the end; else moves go on. */
  boolean goStraight(int spins) {
    boolean byStage = way == Choice.GIVER_STAGE;
    if (byStage) {
      stages.takeQuarter();
      fills = 0;
      if (posts()) {
        showStraightByStage();
      }
    } else if (posts()) {
      showStraight();
    }
    keepStraight();
    for (int taken = 0; taken < givers; taken++) {
      int giver = giverOf(taken);
      if (byStage ? !takeStraightFromStage(giver, spins) : !takeStraight(giver, spins)) {
        decide();
        beginToTake(taken);
        return false;
      }
    }
    if (givers == ranks - 1 && !isSparse()) {
      coll.allHaveBegun();
      if (!byStage && kind != GATHER) {
        coll.hasReadLinesOfAll();
      }
    } else if (givers == 0) {
      coll.looksForRoom(); // now rather than before the next one
    }
    return true;
  }

  /**
   * At the end: the next one of this kind is likely to write as much to the same place of the next quarter; this holds
   * for a member that gave nothing, too: it may be the next one's root, or no longer.
   */
  void fetchNext() {
    if (way != Choice.GIVER_STAGE || fills > 1) {
      return;
    }
    int blocks = severalBlocks ? ranks - 1 : 1;
    long stride = strideOf(byParts, bytes);
    long all = header;
    for (int i = 0; i < blocks; i++) {
      all += giveBytes(readerOf(i));
    }
    if (!stages.prepareNext(all, givers == 0)) {
      return;
    }
    stages.fetchLines(0, header);
    for (int i = 0; i < blocks; i++) {
      stages.fetchLines(header + i * stride, giveBytes(readerOf(i)));
    }
  }
}
