package io.adrastea.transfer;

import io.adrastea.space.Space;
import java.util.Locale;

/**
 * A way for the bytes of a large message: which end copies, and through what. The order is that of preference where
 * nothing has been measured: one copy of what is mapped at an end, then the ring, then the system's copy. On content
 * that was just written the system is slower than two copies that overlap, on most machines and for most lengths; where
 * it is not, that is found out ({@link WayCosts}).
 */
enum Way {
  /** Both ends copy parts; the receiver reads a shared allocation of the sender. */
  SHARED_BOTH(Cookie.GET, Path.SHARED, true),
  /** The receiver reads a shared allocation of the sender. */
  SHARED_GET(Cookie.GET, Path.SHARED, false),
  /** The sender writes to a shared allocation of the receiver. */
  SHARED_PUT(Cookie.PUT, Path.SHARED, false),
  /** Both ends copy parts; the receiver reads memory of the sender that is attached to its process. */
  XPMEM_BOTH(Cookie.GET, Path.XPMEM, true),
  /** The receiver reads memory of the sender that is attached to its process. */
  XPMEM_GET(Cookie.GET, Path.XPMEM, false),
  /** The sender writes to memory of the receiver that is attached to its process. */
  XPMEM_PUT(Cookie.PUT, Path.XPMEM, false),
  /** Both ends copy, through a ring in shared memory. */
  RING(Cookie.RING, Path.RING, false),
  /**
   * Both ends copy, through the ring in chunks of a fourth of the bytes: the reader follows the writer more closely.
   */
  RING_FINE(Cookie.RING, Path.RING, false),
  /** Both ends copy, through the ring in chunks of four times the bytes: the ends look at each other more rarely. */
  RING_COARSE(Cookie.RING, Path.RING, false),
  /**
   * Both ends copy, through the first bytes of the ring alone: it takes less room in caches that the buffers are in,
   * too.
   */
  RING_FRONT(Cookie.RING, Path.RING, false),
  /** Both ends copy parts; the receiver has the system read memory of the sender. */
  CMA_BOTH(Cookie.GET, Path.CMA, true),
  /** The receiver has the system read memory of the sender. */
  CMA_GET(Cookie.GET, Path.CMA, false),
  /** The sender has the system write to memory of the receiver. */
  CMA_PUT(Cookie.PUT, Path.CMA, false);

  private static final int CHUNK_FACTOR = 4;
  private static final int LEAST_CHUNKS = 4; // fewer do not overlap for long
  private static final int LEAST_LAPS = 2; // in the front of a ring: what goes through it once takes no less room
  private static final Way[] ALL = values();
  private static final Space[] SPACES = Space.values();

  private final int driver;
  private final Path path;
  private final boolean both;

  Way(int driver, Path path, boolean both) {
    this.driver = driver;
    this.path = path;
    this.both = both;
  }

  static int count() {
    return ALL.length;
  }

  static Way at(int number) {
    return ALL[number];
  }

  /** Which end copies: {@link Cookie#GET}, the receiver; {@link Cookie#PUT}, the sender; {@link Cookie#RING}, both. */
  int driver() {
    return driver;
  }

  /** What the receiver copies through; that of the sender when the receiver does not copy. */
  Path path() {
    return path;
  }

  /** Whether the sender is asked to copy a part of what the receiver could copy alone. */
  boolean isSplit() {
    return both;
  }

  /** Whether it differs from another way in the length of its chunks alone. */
  boolean isVariant() {
    return this == RING_FINE || this == RING_COARSE;
  }

  /** The chunk of a ring, where {@code bytes} are those of {@link #RING}. */
  int chunk(int bytes) {
    return this == RING_FINE ? bytes / CHUNK_FACTOR : this == RING_COARSE ? bytes * CHUNK_FACTOR : bytes;
  }

  /**
   * The other chunks of a ring that a message may go by: at most so large that it is of several, and that several fit
   * the ring.
   *
   * @param bytes of the message
   * @param ring bytes of the ring
   * @param chunk its usual chunk, in bytes
   */
  static int variants(long bytes, int ring, int chunk) {
    boolean fine = chunk / CHUNK_FACTOR >= TransferSettings.LEAST_CHUNK;
    boolean coarse = Math.min(bytes, ring) / CHUNK_FACTOR / LEAST_CHUNKS >= chunk;
    return (fine ? RING_FINE.bit() : 0) | (coarse ? RING_COARSE.bit() : 0);
  }

  /**
   * Whether a message may go by the front of a ring: one that goes round there more than once.
   *
   * @param bytes of the message
   * @param ring bytes of the ring
   */
  static boolean hasFront(long bytes, int ring) {
    return ring > RingMover.FRONT_BYTES && bytes >= LEAST_LAPS * RingMover.FRONT_BYTES;
  }

  /** The words for it in tables and logs. */
  String word() {
    if (this == RING_FRONT) {
      return "front of the ring";
    }
    if (isVariant()) {
      return this == RING_FINE ? "ring in small chunks" : "ring in large chunks";
    }
    String through = path.name().toLowerCase(Locale.ROOT);
    return both ? through + " by both" : driver == Cookie.PUT ? through + " by the sender" : through;
  }

  int bit() {
    return 1 << ordinal();
  }

  boolean isIn(int ways) {
    return (ways & bit()) != 0;
  }

  /** The one that is preferred among these, of which there is at least one. */
  static Way first(int ways) {
    return ALL[Integer.numberOfTrailingZeros(ways)];
  }

  /** The one that is taken among these when a path was asked for by its name: the ring only for want of another. */
  static Way forced(int ways) {
    int direct = ways & ~RING.bit();
    return direct == 0 ? RING : first(direct);
  }

  /**
   * The ways of a message: the ring always; by get each of the spaces that the receiver can read through, and both ends
   * if the sender can write, too, and is to join in; by put if that is through a space that is preferred to those.
   *
   * @param readers set of spaces through which the receiver can read the sender's memory
   * @param writer what the sender can write the receiver's memory through; null: it cannot
   * @param splits whether the message is long enough for both ends to copy parts of it
   */
  static int all(int readers, Space writer, boolean splits) {
    int ways = RING.bit();
    boolean reads = false;
    for (Space space : SPACES) {
      boolean puts = !reads && space == writer;
      reads |= space.isIn(readers);
      for (Way way : ALL) {
        if (way.path.bit() == space.bit()) {
          boolean fits = way.driver == Cookie.PUT ? puts && !space.isIn(readers)
              : space.isIn(readers) && (!way.both || splits && writer != null);
          ways |= fits ? way.bit() : 0;
        }
      }
    }
    return ways;
  }
}
