package io.adrastea.bench.rma;

import io.adrastea.bench.measure.Choice;
import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What ranks do with each other's windows; {@code adr_mpi_rma.c} and {@code adr_rma.c} have the same. Rank 0 alone
 * accesses the window of rank 1, while the others wait in a barrier, and its own time counts. Where all ranks take part
 * the time goes from the last rank's begin to the last rank's end.
 */
enum Access {
  /** A flush follows each. */
  PUT("put", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL), GET("get", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL),
  /** One flush follows all of a batch. */
  PUTS("puts", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL), GETS("gets", Access.MOST_BYTES, Part.FIRST,
      When.LOCK_ALL), FETCH_AND_OP("fetchAndOp", Long.BYTES, Part.FIRST, When.LOCK_ALL), FETCH_AND_OP_ALL(
          "fetchAndOp-all", Long.BYTES, Part.ALL, When.LOCK_ALL), COMPARE_AND_SWAP("compareAndSwap", Long.BYTES,
              Part.FIRST, When.LOCK_ALL), COMPARE_AND_SWAP_ALL("compareAndSwap-all", Long.BYTES, Part.ALL,
                  When.LOCK_ALL),
  /** Doubles are added. */
  ACCUMULATE("accumulate", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL), ACCUMULATE_ALL("accumulate-all",
      Access.MOST_BYTES, Part.ALL, When.LOCK_ALL), ACCUMULATE_EACH("accumulate-each", Access.MOST_BYTES, Part.EACH,
          When.LOCK_ALL),
  /** Nobody else has access: the sum is no atomic one of its kind. */
  ACCUMULATE_LOCKED("accumulate-locked", Access.MOST_BYTES, Part.FIRST, When.LOCK),
  /** Rank 1 computes meanwhile, and calls nothing of its library. */
  PUT_COMPUTING("put-computing", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL), FETCH_AND_OP_COMPUTING(
      "fetchAndOp-computing", Long.BYTES, Part.FIRST, When.LOCK_ALL),
  /** Rank 1 computes, and has a progress thread. */
  PUT_PROGRESS("put-progress", Access.MOST_BYTES, Part.FIRST, When.LOCK_ALL), FETCH_AND_OP_PROGRESS(
      "fetchAndOp-progress", Long.BYTES, Part.FIRST, When.LOCK_ALL), FENCE("fence", 0, Part.ALL, When.NONE),
  /** Each rank posts to all others and starts on them. */
  POST_START_COMPLETE_WAIT("postStartCompleteWait", 0, Part.ALL, When.NONE), LOCK("lock", 0, Part.FIRST,
      When.NONE), LOCK_ALL("lockAll", 0, Part.FIRST, When.NONE),
  /** A walk goes over every second piece of the next rank's window, and a fence ends it [SCI-MPICH 2002, Fig. 8]. */
  SPARSE_PUT("sparsePut", Access.SPARSE_BYTES / 2, Part.EACH, When.FENCE), SPARSE_GET("sparseGet",
      Access.SPARSE_BYTES / 2, Part.EACH, When.FENCE),
  /** The caches are flushed before each walk. */
  SPARSE_PUT_COLD("sparsePut-cold", Access.SPARSE_BYTES / 2, Part.EACH, When.FENCE), SPARSE_GET_COLD("sparseGet-cold",
      Access.SPARSE_BYTES / 2, Part.EACH, When.FENCE),
  /** Likewise; the time is that of each rank's best walk so far, of the rank whose best takes longest. */
  SPARSE_PUT_BEST("sparsePut-best", Access.SPARSE_BYTES / 2, Part.EACH, When.FENCE),
  /** No access: what stands beside a fence. */
  BARRIER("barrier", 0, Part.ALL, When.NONE);

  /** Which ranks take part. */
  enum Part {
    /** Rank 0 has a target, rank 1. */
    FIRST,
    /** All ranks have one target, the last rank. */
    ALL,
    /** Each rank has the next one as its target, so that no two meet in a place. */
    EACH
  }

  /** The epoch that is open before the time begins. */
  enum When {
    NONE, LOCK, LOCK_ALL, FENCE
  }

  /** Bytes of a rank's window. */
  static final int MOST_BYTES = 1 << 20;

  /** Bytes of it that a sparse walk goes through. */
  static final int SPARSE_BYTES = 256 << 10;

  /** The word of an option for all of them. */
  static final String EACH = "every";

  private static final String START = "rma-";

  private final String word;
  private final int most;
  private final Part part;
  private final When epoch;

  /**
   * @param most bytes of one; 0: it moves none
   */
  Access(String word, int most, Part part, When epoch) {
    this.word = word;
    this.most = most;
    this.part = part;
    this.epoch = epoch;
  }

  /** Its name in options and tables. */
  String word() {
    return word;
  }

  /** What ranks are told, ours and those of a peer; an exchange is one access, or one walk. */
  Kind kind() {
    return Kind.time(START + word);
  }

  /** The access of a command. */
  static Optional<Access> of(String command) {
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

  When epoch() {
    return epoch;
  }

  /** Whether its target holds the word that was put last. */
  boolean puts() {
    return this == PUT || this == PUTS || this == PUT_COMPUTING || this == PUT_PROGRESS || this == SPARSE_PUT
        || this == SPARSE_PUT_COLD || this == SPARSE_PUT_BEST;
  }

  /** Whether a rank has what its target holds. */
  boolean gets() {
    return this == GET || this == GETS || this == SPARSE_GET || this == SPARSE_GET_COLD;
  }

  /** Whether its target holds the number of exchanges. */
  boolean counts() {
    return this == FETCH_AND_OP || this == FETCH_AND_OP_ALL || this == FETCH_AND_OP_COMPUTING
        || this == FETCH_AND_OP_PROGRESS;
  }

  /** Whether its target holds the number of swaps. */
  boolean swaps() {
    return this == COMPARE_AND_SWAP || this == COMPARE_AND_SWAP_ALL;
  }

  /** Whether the target computes meanwhile. */
  boolean computes() {
    return this == PUT_COMPUTING || this == FETCH_AND_OP_COMPUTING || hasProgress();
  }

  /** Whether the target has a progress thread meanwhile. */
  boolean hasProgress() {
    return this == PUT_PROGRESS || this == FETCH_AND_OP_PROGRESS;
  }

  /** Whether each double of its target holds the number of exchanges. */
  boolean adds() {
    return this == ACCUMULATE || this == ACCUMULATE_ALL || this == ACCUMULATE_EACH || this == ACCUMULATE_LOCKED;
  }

  /** Whether it is a put or a get alone, as the system makes them too. */
  boolean isCopy() {
    return this == PUT || this == GET || this == PUTS || this == GETS;
  }

  /** Whether the floor's program has it: what is emulated has no floor. */
  boolean hasFloor() {
    return !hasProgress() && this != BARRIER;
  }

  /** Whether it is a walk of many accesses. */
  boolean isSparse() {
    return this == SPARSE_PUT || this == SPARSE_GET || isCold();
  }

  /** Whether the caches are flushed before each exchange. */
  boolean isCold() {
    return this == SPARSE_PUT_COLD || this == SPARSE_GET_COLD || this == SPARSE_PUT_BEST;
  }

  /** Whether {@code bench rma} has it; the others are those of a paper, or stand beside some. */
  private boolean isOffered() {
    return !isCold() && this != BARRIER;
  }

  /** Accesses of an exchange. */
  int accesses(int bytes) {
    return isSparse() ? SPARSE_BYTES / (2 * bytes) : 1;
  }

  /** Reads a word of an option: one of them, or {@link #EACH}. */
  static List<Access> named(String word) {
    List<Access> offered = Arrays.stream(values()).filter(Access::isOffered).toList();
    return new Choice<>("access", offered, Access::word, EACH).named(word);
  }
}
