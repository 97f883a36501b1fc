package io.adrastea.bench.shmem;

import io.adrastea.bench.measure.Choice;
import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What PEs do with symmetric memory; {@code adr_shmem_peer.c} and {@code adr_shmem_floor.c} have the same. PE 0 alone
 * calls, and acts on PE 1, while the others wait in a barrier, and its own time counts. Where all PEs take part the
 * time goes from the last PE's begin to the last PE's end.
 */
enum Call {
  /** PE 0 puts to PE 1 and waits for its answer [OpenSHMEM over XPMEM 2011, Figs. 5 and 6]; one way counts. */
  PING_PONG("pingPong", Call.MOST_BYTES, Part.PAIR, true),
  /** Each puts 128 messages to each of up to six PEs and waits for the last one that it expects [ibid., Fig. 7]. */
  RATE("rate", Call.RATE_BYTES, Part.ALL, true),
  /** Caches are flushed before that, as in the paper. */
  RATE_COLD("rate-cold", Call.RATE_BYTES, Part.ALL, true),
  /** Single elements. */
  PUT_LONG("putLong", Long.BYTES, Part.FIRST, true), GET_LONG("getLong", Long.BYTES, Part.FIRST, true),
  /** Blocks. */
  PUT("put", Call.MOST_BYTES, Part.FIRST, true), GET("get", Call.MOST_BYTES, Part.FIRST, true), PUT_NBI("putNbi",
      Call.MOST_BYTES, Part.FIRST, true), GET_NBI("getNbi", Call.MOST_BYTES, Part.FIRST, true), PUT_SIGNAL("putSignal",
          Call.MOST_BYTES, Part.FIRST, false),
  /** Words, of which every second one is left out at the PE that is accessed. */
  PUT_STRIDED("putStrided", Call.MOST_BYTES / Call.STRIDE, Part.FIRST, true), GET_STRIDED("getStrided",
      Call.MOST_BYTES / Call.STRIDE, Part.FIRST, true),
  /** Atomic operations on one word. */
  FETCH("fetch", Long.BYTES, Part.FIRST, true), SET("set", Long.BYTES, Part.FIRST, true), SWAP("swap", Long.BYTES,
      Part.FIRST, true), COMPARE_SWAP("compareSwap", Long.BYTES, Part.FIRST, true), FETCH_ADD("fetchAdd", Long.BYTES,
          Part.FIRST, true), FETCH_ADD_ALL("fetchAdd-all", Long.BYTES, Part.ALL, true), FETCH_ADD_NBI("fetchAddNbi",
              Long.BYTES, Part.FIRST, false), ADD("add", Long.BYTES, Part.FIRST, true), FETCH_INC("fetchInc",
                  Long.BYTES, Part.FIRST, true), INC("inc", Long.BYTES, Part.FIRST, true), FETCH_AND("fetchAnd",
                      Long.BYTES, Part.FIRST, true), AND("and", Long.BYTES, Part.FIRST, true), FETCH_OR("fetchOr",
                          Long.BYTES, Part.FIRST, true), OR("or", Long.BYTES, Part.FIRST, true), FETCH_XOR("fetchXor",
                              Long.BYTES, Part.FIRST, true), XOR("xor", Long.BYTES, Part.FIRST, true),
  /** A word that is as it is to be, and words that are not. */
  WAIT_UNTIL("waitUntil", 0, Part.FIRST, true), TEST("test", 0, Part.FIRST, true), TEST_ANY("testAny", 0, Part.FIRST,
      false),
  /** A single element is put before each. */
  FENCE("fence", 0, Part.FIRST, true), QUIET("quiet", 0, Part.FIRST, true),
  /** A word is raised under the lock. */
  LOCK("lock", 0, Part.FIRST, true), LOCK_ALL("lock-all", 0, Part.ALL, true),
  /** A token goes around, from PE to PE: as an element, or as the signal of a put. */
  RING("ring", 0, Part.ALL, true), RING_SIGNAL("ring-signal", 0, Part.ALL, false),
  /** Each PE puts a word to each, and waits for those of all. */
  WAIT_UNTIL_ALL("waitUntilAll", 0, Part.ALL, true), BARRIER_ALL("barrierAll", 0, Part.ALL, true), SYNC_ALL("syncAll",
      0, Part.ALL, true),
  /** Another PE is the root in each call. */
  BROADCAST("broadcast", Call.SMALL_BYTES, Part.ALL, true), FCOLLECT("fcollect", Call.SMALL_BYTES, Part.ALL,
      true), COLLECT("collect", Call.SMALL_BYTES, Part.ALL, true), ALLTOALL("alltoall", Call.SMALL_BYTES / 4, Part.ALL,
          true),
  /** Doubles are added. */
  REDUCE("reduce", Call.MOST_BYTES, Part.ALL, true),
  /** An object of a page is allocated and freed. */
  ALLOCATE("allocate", 0, Part.ALL, true),
  /** Words of tables of 16 MiB at all PEs are changed at random, by exclusive or. */
  GUPS("gups", 0, Part.ALL, true),

  // A paper's: a batch begins without a meeting, so that one exchange is a trial of its own.
  PING_PONG_TRIALS("pingPong-trials", Call.MOST_BYTES, Part.PAIR),

  // What stands beside: loops by hand in Java on the same memory, and collectives of the communicator.
  PUT_LONG_LOOP("putLong-loop", Long.BYTES, Part.FIRST), GET_LONG_LOOP("getLong-loop", Long.BYTES,
      Part.FIRST), PUT_LOOP("put-loop", Call.MOST_BYTES, Part.FIRST), GET_LOOP("get-loop", Call.MOST_BYTES,
          Part.FIRST), PUT_STRIDED_LOOP("putStrided-loop", Call.MOST_BYTES / Call.STRIDE,
              Part.FIRST), GET_STRIDED_LOOP("getStrided-loop", Call.MOST_BYTES / Call.STRIDE,
                  Part.FIRST), FETCH_ADD_LOOP("fetchAdd-all-loop", Long.BYTES, Part.ALL), RATE_LOOP("rate-loop",
                      Call.RATE_BYTES, Part.ALL), RATE_COLD_LOOP("rate-cold-loop", Call.RATE_BYTES,
                          Part.ALL), GUPS_LOOP("gups-loop", 0, Part.ALL), BARRIER("barrier", 0, Part.ALL), BCAST(
                              "bcast", Call.SMALL_BYTES, Part.ALL), ALLGATHER("allgather", Call.SMALL_BYTES,
                                  Part.ALL), COMMUNICATOR_ALLTOALL("communicator-alltoall", Call.SMALL_BYTES / 4,
                                      Part.ALL), ALLREDUCE("allreduce", Call.MOST_BYTES, Part.ALL);

  /** Which PEs take part. */
  enum Part {
    /** PE 0 alone. */
    FIRST,
    /** PEs 0 and 1. */
    PAIR,
    /** All of them. */
    ALL
  }

  /** Bytes of a PE that others access. */
  static final int MOST_BYTES = 1 << 20;
  /** The most bytes of a part of a collective. */
  static final int SMALL_BYTES = 64 << 10;
  /** The most bytes of a message of a rate. */
  static final int RATE_BYTES = 1 << 10;
  /** Words from one to the next that is accessed, where some are left out. */
  static final int STRIDE = 2;
  /** Messages to a partner. */
  static final int MESSAGES = 128;
  /** The most partners of a PE [OpenSHMEM over XPMEM 2011, 5.2]. */
  static final int PARTNERS = 6;

  /** The word of an option for all of them. */
  static final String EVERY = "every";

  private static final String START = "shmem-";
  private static final String LOOP = "loop";
  private static final Map<Call, Map<String, Call>> BESIDE = Map.ofEntries(
      Map.entry(PUT_LONG, Map.of(LOOP, PUT_LONG_LOOP)), Map.entry(GET_LONG, Map.of(LOOP, GET_LONG_LOOP)),
      Map.entry(PUT, Map.of(LOOP, PUT_LOOP)), Map.entry(GET, Map.of(LOOP, GET_LOOP)),
      Map.entry(PUT_STRIDED, Map.of(LOOP, PUT_STRIDED_LOOP)), Map.entry(GET_STRIDED, Map.of(LOOP, GET_STRIDED_LOOP)),
      Map.entry(FETCH_ADD_ALL, Map.of(LOOP, FETCH_ADD_LOOP)), Map.entry(RATE, Map.of(LOOP, RATE_LOOP)),
      Map.entry(RATE_COLD, Map.of(LOOP, RATE_COLD_LOOP)), Map.entry(GUPS, Map.of(LOOP, GUPS_LOOP)),
      Map.entry(BARRIER_ALL, Map.of("barrier", BARRIER)), Map.entry(SYNC_ALL, Map.of("barrier", BARRIER)),
      Map.entry(BROADCAST, Map.of("bcast", BCAST)), Map.entry(FCOLLECT, Map.of("allgather", ALLGATHER)),
      Map.entry(COLLECT, Map.of("allgather", ALLGATHER)),
      Map.entry(ALLTOALL, Map.of("alltoall", COMMUNICATOR_ALLTOALL)),
      Map.entry(REDUCE, Map.of("allreduce", ALLREDUCE)));

  private final String word;
  private final int most;
  private final Part part;
  private final boolean offered;
  private final boolean isOld;

  /**
   * @param most bytes of one; 0: it moves none that are chosen
   * @param isOld whether OpenSHMEM has had it before version 1.5
   */
  Call(String word, int most, Part part, boolean isOld) {
    this.word = word;
    this.most = most;
    this.part = part;
    this.offered = true;
    this.isOld = isOld;
  }

  /** One that is not offered. */
  Call(String word, int most, Part part) {
    this.word = word;
    this.most = most;
    this.part = part;
    this.offered = false;
    this.isOld = true;
  }

  /** Its name in options and tables. */
  String word() {
    return word;
  }

  /** What ranks are told, ours and those of a peer. An exchange of a ping-pong is there and back. */
  Kind kind() {
    return this == PING_PONG ? new Kind(START + word, Kind.Figure.TIME, 2, 1, List.of()) : Kind.time(START + word);
  }

  /** The call of a command. */
  static Optional<Call> of(String command) {
    return Arrays.stream(values()).filter(one -> command.equals(START + one.word)).findFirst();
  }

  /** Those sizes of some that it can have; 0 where it moves no bytes. */
  List<Integer> sizes(List<Integer> asked) {
    return most == 0 ? List.of(0)
        : most == Long.BYTES ? List.of(Long.BYTES) : asked.stream().filter(bytes -> bytes <= most).toList();
  }

  Part part() {
    return part;
  }

  /** Whether a peer has it whose OpenSHMEM is older than version 1.5. */
  boolean isOld() {
    return isOld;
  }

  /** What our ranks do in the same rounds, by what stands behind their names. */
  Map<String, Call> beside() {
    return BESIDE.getOrDefault(this, Map.of());
  }

  /** Whether the floor's program has it. */
  boolean hasFloor() {
    return switch (this) {
      case WAIT_UNTIL, TEST, TEST_ANY, LOCK_ALL, BROADCAST, FCOLLECT, COLLECT, ALLTOALL, REDUCE, ALLOCATE -> false;
      default -> offered || this == PING_PONG_TRIALS;
    };
  }

  /** Whether caches are flushed before each exchange. */
  boolean isCold() {
    return this == RATE_COLD || this == RATE_COLD_LOOP;
  }

  /** Whether it is a stream of messages to partners. */
  boolean isRate() {
    return this == RATE || this == RATE_LOOP || isCold();
  }

  /** Whether PE 0 has what its target holds. */
  boolean gets() {
    return this == GET_LONG || this == GET || this == GET_NBI || this == GET_STRIDED || this == FETCH
        || this == GET_LONG_LOOP || this == GET_LOOP || this == GET_STRIDED_LOOP;
  }

  /** Whether its target's first word is what was put last. */
  boolean puts() {
    return switch (this) {
      case PUT, PUT_NBI, PUT_SIGNAL, PUT_STRIDED, SET, SWAP, FENCE, QUIET, PUT_LOOP, PUT_STRIDED_LOOP -> true;
      default -> false;
    };
  }

  /** Whether its target holds the number of exchanges. */
  boolean counts() {
    return switch (this) {
      case FETCH_ADD, FETCH_ADD_ALL, FETCH_ADD_NBI, ADD, FETCH_INC, INC, FETCH_ADD_LOOP, LOCK, LOCK_ALL -> true;
      default -> false;
    };
  }

  /** PEs that each PE sends messages to. */
  static int partners(int pes) {
    return Math.min(PARTNERS, pes - 1);
  }

  /** Messages of each PE in an exchange, which share its time. */
  int messages(int pes) {
    return isRate() ? MESSAGES * partners(pes) : 1;
  }

  /** Reads a word of an option: one of them, or {@link #EVERY}. */
  static List<Call> named(String word) {
    List<Call> offered = Arrays.stream(values()).filter(one -> one.offered).toList();
    return new Choice<>("call", offered, Call::word, EVERY).named(word);
  }
}
