package io.adrastea.transfer;

import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which way a large message takes: chosen by its receiver, among those that both buffers allow and both ranks can, by
 * what they cost with this peer ({@link WayCosts}): for each kind of buffers and each power of two of bytes by itself.
 * A path that was asked for by its name is taken without a comparison. Where nothing has been measured, the order of
 * {@link Way} decides ({@link #select}).
 */
public final class WaySelector {
  private static final System.Logger LOGGER = System.getLogger(WaySelector.class.getName());
  private static final int ALLOWED_SHIFT = 8; // in an RTS, above the flags of the buffer
  private static final int ABLE_SHIFT = 16;

  private static final int LEAST_CLASS = 11; // powers of two: shorter messages are large by exception only
  private static final int MOST_CLASS = 26; // with all that are longer
  private static final long LEAST_LEARNT = 1L << LEAST_CLASS;
  private static final int MEMORIES = Memory.values().length;
  private static final String[] FORMS = {"", " in parts", " in blocks", " in blocks from 32 bytes",
    " in blocks from 256 bytes", " in blocks from 2048 bytes"};
  private static final int FRONT = Way.RING_FRONT.bit();
  private static final int KINDS = MEMORIES * MEMORIES * FORMS.length;

  /** The system takes some 50 to 100 ns for each stretch, in which a CPU packs about so many bytes. */
  private static final long LEAST_CMA_BLOCK = 512;

  /**
   * The receiver copies all of shorter blocks. What the sender writes of a line that the receiver has had crosses
   * between the CPUs twice more, whatever is written of it.
   */
  private static final long LEAST_SPLIT_BLOCK = 256;

  /**
   * Shorter blocks go through the ring as long as nothing has been measured: both ends work at them at the same time,
   * and dense lines cross between the CPUs, where one copy fetches the gaps, too, and leaves the sender's lines with
   * the receiver.
   */
  private static final long LEAST_DIRECT_BLOCK = 2048;

  /** Where a buffer lies. */
  public enum Memory {
    /**
     * Native memory that nobody can free meanwhile: of the global or an automatic arena, or of the waiting thread's
     * own.
     */
    NATIVE(Exposure.ADDRESS | Exposure.LASTING),
    /** A shared allocation of its rank. */
    SHARED(Exposure.SHARED | Exposure.LASTING),
    /** A Java array. */
    ARRAY(0);

    private final int exposure;

    Memory(int exposure) {
      this.exposure = exposure;
    }

    /** The word for it in tables and logs. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One end of a message.
   *
   * @param memory where its buffer lies
   * @param allowed set of paths that its settings allow, see {@link TransferSettings#paths()}
   * @param able set of paths by which it can reach the other end's memory, as far as that memory allows
   */
  public record End(Memory memory, int allowed, int able) {}

  /**
   * What a message takes.
   *
   * @param receiver what the receiver copies through; null: it does not copy
   * @param sender what the sender copies through; null: it does not copy
   */
  public record Selection(Path receiver, Path sender) {}

  /**
   * What a large message of so many bytes takes as long as nothing has been measured.
   *
   * @param splitBytes least length of which both ends copy parts; 0: none
   */
  public static Selection select(End sender, End receiver, long bytes, long splitBytes) {
    int allowed = Path.spaces(sender.allowed & receiver.allowed);
    int readers = Exposure.readers(sender.memory.exposure, allowed & receiver.able);
    Space writer = Exposure.writer(receiver.memory.exposure, allowed & sender.able);
    int ways = Way.all(readers, writer, isSplit(bytes, splitBytes));
    boolean learns = learns(sender.allowed & receiver.allowed, bytes);
    Way way = learns ? Way.first(ways) : Way.forced(ways);
    return switch (way.driver()) {
      case Cookie.GET -> new Selection(way.path(), way.isSplit() ? Path.through(writer) : null);
      case Cookie.PUT -> new Selection(null, way.path());
      default -> new Selection(Path.RING, Path.RING);
    };
  }

  private static boolean isSplit(long bytes, long splitBytes) {
    return splitBytes != 0 && bytes >= splitBytes && bytes <= Split.MOST_BYTES;
  }

  /** Whether the ways of a message are compared: none was asked for by its name, and the message is not short. */
  private static boolean learns(int allowed, long bytes) {
    return allowed == Path.all() && bytes >= LEAST_LEARNT;
  }

  private final RemoteMemory memory;
  private final int allowed; // paths that the settings of this rank allow
  private final long splitBytes;
  private final long blockBytes;
  private final TransferSettings settings;
  private final WayCosts[][] costs; // by peer; then by class, null: none came yet

  /** Makes the selector of one rank; refuses settings that ask for a path which the rank does not have. */
  WaySelector(Transfers.Resources resources) {
    TransferSettings settings = resources.settings();
    this.memory = resources.memory();
    this.allowed = settings.paths();
    this.splitBytes = settings.splitBytes();
    this.blockBytes = settings.blockBytes();
    this.settings = settings;
    this.costs = new WayCosts[resources.ranks()][];
    settings.requireAble(memory.able() | Path.RING.bit(), resources.spaces());
  }

  /** What the sender of a message tells of its buffer and of itself. */
  int offers(Transfer transfer) {
    int usable = memory.usable(transfer.peer) | Path.RING.bit();
    return transfer.own.flags() | allowed << ALLOWED_SHIFT | usable << ABLE_SHIFT;
  }

  /** Receiver: whether the message lies in a shared allocation that may be used. */
  boolean isShared(Transfer transfer) {
    return transfer.remote.isShared() && Path.SHARED.isIn(allowed(transfer));
  }

  /** What the settings of both ends allow. */
  private int allowed(Transfer transfer) {
    return allowed & transfer.remote.flags() >>> ALLOWED_SHIFT;
  }

  /**
   * Receiver: chooses the way of a message, and what each end could copy it through.
   *
   * @param others transfers of the peer that are under way
   */
  void choose(Transfer transfer, int others) {
    int paths = allowed(transfer);
    int both = Path.spaces(paths);
    if (!memory.resolve(transfer.peer, transfer.remote)) {
      throw new IllegalArgumentException(
          "rank %d has offered elements of a datatype, and other words stand where its program was to be"
              .formatted(transfer.peer));
    }
    int senderAble = both & transfer.remote.flags() >>> ABLE_SHIFT;
    int readers =
        Exposure.readers(transfer.remote.flags(), both & memory.reaching(transfer.peer, transfer.remote));
    boolean splits = isSplit(transfer.chosen.wanted, splitBytes);
    transfer.own.segment(writesAttached(transfer, senderAble, readers == 0 || splits) ? memory.segment() : 0);
    transfer.chosen.writing =
        Exposure.writer(transfer.own.flags(), senderAble & memory.reachedBy(transfer.peer, transfer.own));
    transfer.chosen.take(way(transfer, paths, ways(transfer, paths, readers, splits), others));
    if (transfer.own.isTyped() && (transfer.chosen.driver == Cookie.PUT || transfer.chosen.way.isSplit())) {
      publish(transfer, readers);
    }
    if (transfer.chosen.reading != null) {
      memory.look(transfer.peer, transfer.chosen.reading); // before the clock runs: it is no cost of the way
    }
  }

  /** The sender is to be told of this rank's elements; without room for their program it copies nothing. */
  private void publish(Transfer transfer, int readers) {
    memory.publish(transfer.own);
    if (!transfer.own.isTyped()) {
      transfer.chosen.writing = null;
      if (transfer.chosen.costs != null) {
        ended(transfer, 0, 0);
      }
      transfer.chosen.take(Way.first(Way.all(readers, null, false)));
    }
  }

  /**
   * The ways of a message: CMA, and both ends, where its blocks are long enough, unless a path has been named; and the
   * ring alone where they are shorter than the settings of this rank ask for [SCI-MPICH 2002, 3.3.2].
   */
  private int ways(Transfer transfer, int paths, int readers, boolean splits) {
    long mean = block(transfer);
    if (mean < blockBytes) {
      return Way.all(0, null, false);
    }
    long block = paths == Path.all() ? mean : Long.MAX_VALUE;
    boolean pays = block >= LEAST_CMA_BLOCK;
    int through = pays ? readers : readers & ~Space.CMA.bit();
    Space writer = pays || transfer.chosen.writing != Space.CMA ? transfer.chosen.writing : null;
    return Way.all(through, writer, splits && block >= LEAST_SPLIT_BLOCK);
  }

  /** Bytes of a block of elements at the end where they are shorter; of contiguous memory as many as can be. */
  private static long block(Transfer transfer) {
    return Math.min(block(transfer.remote), block(transfer.own));
  }

  /** Bytes of a block of what lies at an end, on average. */
  private static long block(Exposure end) {
    return end.program() == null ? Long.MAX_VALUE : end.program().meanBlock();
  }

  /** Whether the sender may be asked to write to this rank's memory by XPMEM. */
  private static boolean writesAttached(Transfer transfer, int senderAble, boolean writes) {
    return writes && transfer.own.isAddress() && Space.XPMEM.isIn(senderAble);
  }

  private Way way(Transfer transfer, int paths, int spaces, int others) {
    if (!learns(paths, transfer.chosen.wanted)) {
      return Way.forced(spaces);
    }
    int ways = spaces | (settings.learningChunks() ? chunks(transfer) : 0) | (hasFront(transfer) ? FRONT : 0);
    if (!settings.learning() || Integer.bitCount(ways) == 1) {
      Way prior = prior(transfer);
      return prior != null && prior.isIn(ways) ? prior : Way.first(ways);
    }
    WayCosts known = costs(transfer);
    Way way = known.choose(ways, others);
    transfer.chosen.costs = known.isTimed() ? known : null;
    transfer.chosen.trial = known.isTrial();
    return way;
  }

  /** Whether it may go by the front of the ring, unless what has gaps goes there anyway. */
  private boolean hasFront(Transfer transfer) {
    return settings.learningRing() && block(transfer) == Long.MAX_VALUE
        && Way.hasFront(transfer.chosen.wanted, settings.ringBytes());
  }

  private int chunks(Transfer transfer) {
    return Way.variants(transfer.chosen.wanted, settings.ringBytes(), settings.ringChunk());
  }

  // What was learnt

  private WayCosts costs(Transfer transfer) {
    WayCosts[] ofPeer = costs[transfer.peer];
    if (ofPeer == null) {
      ofPeer = new WayCosts[KINDS * (MOST_CLASS - LEAST_CLASS + 1)];
      costs[transfer.peer] = ofPeer;
    }
    int place = place(transfer);
    if (ofPeer[place] == null) {
      ofPeer[place] = new WayCosts(1L << place / KINDS + LEAST_CLASS, prior(transfer));
    }
    return ofPeer[place];
  }

  /** The way of messages of which nothing is known; null: the first in the order of preference. */
  private static Way prior(Transfer transfer) {
    return block(transfer) < LEAST_DIRECT_BLOCK ? Way.RING : null;
  }

  private static int place(Transfer transfer) {
    int sizeClass = Math.min(MOST_CLASS, Long.SIZE - 1 - Long.numberOfLeadingZeros(transfer.chosen.wanted));
    return (sizeClass - LEAST_CLASS) * KINDS + kind(transfer);
  }

  /** A number for where both buffers lie, and for their form. */
  private static int kind(Transfer transfer) {
    return (memory(transfer.remote).ordinal() * MEMORIES + memory(transfer.own).ordinal()) * FORMS.length
        + form(transfer);
  }

  /** One stretch at each end, several, or blocks of elements by the length of the shorter ones. */
  private static int form(Transfer transfer) {
    long block = block(transfer);
    if (block != Long.MAX_VALUE) {
      return block < 32 ? 2 : block < 256 ? 3 : block < 2048 ? 4 : 5;
    }
    return transfer.remote.vector().count() > 1 || transfer.own.vector().count() > 1 ? 1 : 0;
  }

  private static Memory memory(Exposure exposure) {
    return exposure.isShared() ? Memory.SHARED : exposure.isAddress() ? Memory.NATIVE : Memory.ARRAY;
  }

  /**
   * Receiver: a transfer that was timed is over, or does not go by the way that was chosen.
   *
   * @param nanos how long it took; 0: that tells nothing, as it failed or went another way
   * @param gap nanoseconds from the end of the one before to its beginning, as far as known
   */
  void ended(Transfer transfer, long nanos, long gap) {
    WayCosts known = transfer.chosen.costs;
    long switches = known.switches();
    if (nanos > 0) {
      known.took(transfer.chosen.way, transfer.chosen.trial, nanos, gap, transfer.chosen.wanted);
    } else {
      known.lost(transfer.chosen.trial);
    }
    transfer.chosen.costs = null;
    if (known.switches() != switches && LOGGER.isLoggable(Level.DEBUG)) {
      LOGGER.log(Level.DEBUG, describe(transfer.peer, place(transfer), known) + ", from now on");
    }
  }

  /** Describes what is believed of the ways of messages that came, a line for each peer, kind and size. */
  void describe(List<String> words) {
    for (int peer = 0; peer < costs.length; peer++) {
      for (int place = 0; costs[peer] != null && place < costs[peer].length; place++) {
        if (costs[peer][place] != null) {
          words.add(describe(peer, place, costs[peer][place]));
        }
      }
    }
  }

  /** Describes costs that may have been forgotten meanwhile. */
  private static String describe(int peer, int place, WayCosts known) {
    Memory from = Memory.values()[place % KINDS / FORMS.length / MEMORIES];
    Memory to = Memory.values()[place % KINDS / FORMS.length % MEMORIES];
    return "rank %d, %s to %s%s, from %,d bytes: %s".formatted(peer, from.word(), to.word(),
        FORMS[place % FORMS.length], 1L << place / KINDS + LEAST_CLASS, known);
  }

  /** Tells what is believed to the log, at level debug. */
  void say() {
    if (LOGGER.isLoggable(Level.DEBUG)) {
      List<String> words = new ArrayList<>();
      describe(words);
      words.forEach(line -> LOGGER.log(Level.DEBUG, line));
    }
  }

  /** The way of this transfer has failed: what is known of its path with this peer is forgotten. */
  void refused(Transfer transfer) {
    if (transfer.chosen.costs != null) {
      ended(transfer, 0, 0);
    }
    Path path = transfer.chosen.way.path();
    WayCosts[] ofPeer = costs[transfer.peer];
    for (int i = 0; ofPeer != null && i < ofPeer.length; i++) {
      for (int way = 0; ofPeer[i] != null && way < Way.count(); way++) {
        if (Way.at(way).path() == path) {
          ofPeer[i].forget(Way.at(way));
        }
      }
    }
  }

  /** A peer is gone: what was learnt of it is forgotten. */
  void forget(int peer) {
    costs[peer] = null;
  }
}
