package io.adrastea.spread;

import java.util.Arrays;

/**
 * What one member does in a collective by messages: rounds of messages and local steps. Functions of this room fill it
 * (such as {@link BcastRounds}), each member by itself and without asking others; whoever runs it only reads it.
 *
 * <p>
 * A round has messages, which may all be under way at once, and then local steps, which are taken in their order once
 * all messages of the round are over. The next round begins after them. What a message of a round reads, no other
 * message of that round writes. Two members have at most one message in each direction in a round, except those of a
 * {@link NeighborRounds}; messages between two members match in the order in which both have them in their schedules,
 * and have the same length.
 *
 * <p>
 * A step's kind is {@link #SEND}, {@link #RECEIVE}, {@link #COPY} or another one of these constants. It names stretches
 * of {@link #INPUT}, {@link #OUTPUT} and {@link #SCRATCH}: a send the one {@code from} which it takes, a receive the
 * one {@code to} which it puts, local steps both, which never overlap. Offsets and lengths are in bytes; a combination
 * has whole elements. Messages and steps of no bytes are left out, except those of a barrier.
 *
 * <p>
 * Where members pass blocks on whose lengths they do not know, they do so in streams ({@link BlockStream}), which lie
 * in scratch memory. A message of a stream has the bytes that were put to it; the length of the step says how many
 * there are at most.
 *
 * <p>
 * Where the collective allows the operand in the place of the result, input and output may be the same memory: a
 * schedule does not read bytes of the input after it has written those of the output that then lie in their place. A
 * copy of a stretch to itself is then nothing to do. It never writes the input, and never reads an output that it has
 * not written, apart from that of a root of a bcast, whose data lies in the output as that of all members does.
 *
 * <p>
 * All numbers lie in two arrays, which grow as they are needed: a schedule that is filled again makes no garbage, nor
 * does one that is read. One thread at a time uses a schedule; one that nobody fills may be read by several.
 */
public final class Schedule {
  /** Sends {@code length} bytes of {@code from} to {@code peer}. */
  public static final int SEND = 0;

  /** Receives {@code length} bytes of {@code peer} to {@code to}. */
  public static final int RECEIVE = 1;

  /** Copies {@code from} to {@code to}. */
  public static final int COPY = 2;

  /** Makes {@code to = to op from}: what is combined comes from higher members. */
  public static final int COMBINE = 3;

  /** Makes {@code to = from op to}: what is combined comes from lower members. */
  public static final int COMBINE_LEFT = 4;

  /** Begins a {@link BlockStream} {@code to}, without blocks. */
  public static final int BEGIN = 5;

  /** Puts the block {@code from} to the end of the stream {@code to}. */
  public static final int PUT = 6;

  /** Puts its length alone. */
  public static final int PUT_LENGTH = 7;

  /** Passes {@code length} blocks of the stream {@code from}, which came from a peer, to the stream {@code to}. */
  public static final int PASS = 8;

  /** Takes the next block, which a peer gives, of the stream {@code from}, and puts it {@code to}. */
  public static final int TAKE = 9;

  /** Takes its length alone, and compares that. */
  public static final int TAKE_LENGTH = 10;

  /** The member's operand, or the blocks that it gives. */
  public static final int INPUT = 0;

  /** The member's result, or the blocks that it takes; of a bcast the data of every member. */
  public static final int OUTPUT = 1;

  /** Memory of {@link #scratchBytes} that the schedule uses as it likes, aligned to whole elements. */
  public static final int SCRATCH = 2;

  /** In a message: the blocks of the stream in {@link #SCRATCH} that begins there. */
  public static final int STREAM = 3;

  private static final int WORDS = 4; // of a step: what it is, offset from, offset to, length
  private static final int FROM_SHIFT = 4;
  private static final int TO_SHIFT = 8;
  private static final int PEER_SHIFT = 32;
  private static final int MASK = 15;

  /** How the data is cut while a schedule is filled. */
  final Parts parts = new Parts();

  private long[] steps = new long[8 * WORDS];
  private int[] firsts = new int[8]; // of each round its first step and its first local one
  private int stepCount;
  private int roundCount;
  private boolean open; // the last round takes further messages
  private long scratchBytes;
  private int[] numbers; // of the members of a part; null: none is being filled
  private final int[] buffers = {INPUT, OUTPUT, SCRATCH}; // in which those of the part lie
  private final long[] starts = new long[3]; // and where in them

  /** Makes a schedule without steps, to be filled. */
  public Schedule() {}

  /** How many rounds there are; none where there is nothing to do. */
  public int rounds() {
    return roundCount;
  }

  /** The first step of a round: a message, or where it has none {@link #firstLocal}. */
  public int firstMessage(int round) {
    return firsts[2 * round];
  }

  /** The first local step of a round, behind its last message. */
  public int firstLocal(int round) {
    return firsts[2 * round + 1];
  }

  /** The step behind the last one of a round. */
  public int end(int round) {
    return round + 1 < roundCount ? firsts[2 * round + 2] : stepCount;
  }

  /** The kind of a step. */
  public int kind(int step) {
    return (int) steps[WORDS * step] & MASK;
  }

  /** The member to which a message goes or from which it, or a block, comes, as the communicator numbers it. */
  public int peer(int step) {
    return (int) (steps[WORDS * step] >>> PEER_SHIFT);
  }

  /** The buffer from which a step takes. */
  public int from(int step) {
    return (int) (steps[WORDS * step] >>> FROM_SHIFT) & MASK;
  }

  /** The buffer to which a step puts. */
  public int to(int step) {
    return (int) (steps[WORDS * step] >>> TO_SHIFT) & MASK;
  }

  /** The first byte that a step takes. */
  public long fromOffset(int step) {
    return steps[WORDS * step + 1];
  }

  /** The first byte to which a step puts. */
  public long toOffset(int step) {
    return steps[WORDS * step + 2];
  }

  /** Bytes of a step, of a message of a stream at most; blocks that are passed on. */
  public long length(int step) {
    return steps[WORDS * step + 3];
  }

  /** Bytes of {@link #SCRATCH} that the schedule needs. */
  public long scratchBytes() {
    return scratchBytes;
  }

  /** Begins to be filled: takes all steps away, but inside a part, which goes on behind what is there. */
  void begin() {
    open = false;
    if (numbers == null) {
      stepCount = 0;
      roundCount = 0;
      scratchBytes = 0;
    }
  }

  /**
   * Begins a part: the schedule of some members in their own numbering, with buffers of its own that lie in those of
   * the whole. Its scratch memory lies behind that which was set aside before.
   *
   * @param members the number of each in the whole; not to be changed before the part is over
   * @param input the buffer of the whole in which that of the part lies
   * @param inputAt where it begins there
   * @param output likewise
   * @param outputAt likewise
   */
  void part(int[] members, int input, long inputAt, int output, long outputAt) {
    numbers = members;
    buffers[INPUT] = input;
    starts[INPUT] = inputAt;
    buffers[OUTPUT] = output;
    starts[OUTPUT] = outputAt;
    open = false;
  }

  /** The part is over; what follows is of all members, and waits for what is in it. */
  void whole() {
    numbers = null;
    open = false;
  }

  /** Sets scratch memory aside. @return its first byte */
  long scratch(long bytes) {
    long first = scratchBytes;
    scratchBytes += bytes;
    return first;
  }

  /** Messages that follow wait for those before. */
  void nextRound() {
    open = false;
  }

  void send(int peer, int from, long offset, long length) {
    if (length > 0) {
      message(SEND, peer, from, offset, 0, 0, length);
    }
  }

  void receive(int peer, int to, long offset, long length) {
    if (length > 0) {
      message(RECEIVE, peer, 0, 0, to, offset, length);
    }
  }

  /** Tells a member something by a message of no bytes, and waits for another one to do so. */
  void signal(int to, int from) {
    signalTo(to);
    signalFrom(from);
  }

  void signalTo(int to) {
    message(SEND, to, INPUT, 0, 0, 0, 0);
  }

  void signalFrom(int from) {
    message(RECEIVE, from, 0, 0, OUTPUT, 0, 0);
  }

  void copy(int from, long fromOffset, int to, long toOffset, long length) {
    local(COPY, from, fromOffset, to, toOffset, length);
  }

  /** Combines what comes from lower members, or from higher ones, with what is there. */
  void combine(boolean lower, int from, long fromOffset, int to, long toOffset, long length) {
    local(lower ? COMBINE_LEFT : COMBINE, from, fromOffset, to, toOffset, length);
  }

  /** Begins a stream for which there are so many bytes of memory. @return where it is */
  long stream(long room) {
    long stream = scratch(room);
    onStream(BEGIN, 0, SCRATCH, 0, stream, 0);
    return stream;
  }

  /** Puts a block of the input to a stream, or its length alone. */
  void put(long stream, boolean goes, long offset, long length) {
    onStream(goes ? PUT : PUT_LENGTH, 0, INPUT, offset, stream, length);
  }

  /** Passes blocks on, of a stream that came from a member. */
  void pass(long from, int peer, long to, long blocks) {
    onStream(PASS, peer, SCRATCH, from, to, blocks);
  }

  /** Takes the next block of a stream, which a member gives, to the output, or its length alone. */
  void take(long stream, int giver, boolean comes, long offset, long length) {
    beginLocal();
    write(comes ? TAKE : TAKE_LENGTH, giver, SCRATCH, stream, comes ? OUTPUT : SCRATCH, offset, length);
  }

  private void onStream(int kind, int peer, int from, long fromOffset, long to, long length) {
    beginLocal();
    write(kind, peer, from, fromOffset, SCRATCH, to, length);
  }

  private void message(int kind, int peer, int from, long fromOffset, int to, long toOffset, long length) {
    if (!open) {
      beginRound();
      open = true;
    }
    add(kind, peer, from, fromOffset, to, toOffset, length);
    firsts[2 * roundCount - 1] = stepCount;
  }

  private void local(int kind, int from, long fromOffset, int to, long toOffset, long length) {
    if (length > 0) {
      beginLocal();
      add(kind, 0, from, fromOffset, to, toOffset, length);
    }
  }

  private void beginLocal() {
    if (roundCount == 0) {
      beginRound();
    }
    open = false;
  }

  private void beginRound() {
    if (firsts.length == 2 * roundCount) {
      firsts = Arrays.copyOf(firsts, 4 * roundCount);
    }
    firsts[2 * roundCount] = stepCount;
    firsts[2 * roundCount + 1] = stepCount;
    roundCount++;
  }

  private void add(int kind, int peer, int from, long fromOffset, int to, long toOffset, long length) {
    if (numbers == null) {
      write(kind, peer, from, fromOffset, to, toOffset, length);
    } else {
      write(
          kind, kind <= RECEIVE ? numbers[peer] : 0, buffers[from], starts[from] + fromOffset, buffers[to],
          starts[to] + toOffset, length);
    }
  }

  private void write(int kind, int peer, int from, long fromOffset, int to, long toOffset, long length) {
    int word = WORDS * stepCount;
    if (steps.length == word) {
      steps = Arrays.copyOf(steps, 2 * word);
    }
    steps[word] = (long) peer << PEER_SHIFT | to << TO_SHIFT | from << FROM_SHIFT | kind;
    steps[word + 1] = fromOffset;
    steps[word + 2] = toOffset;
    steps[word + 3] = length;
    stepCount++;
  }
}
