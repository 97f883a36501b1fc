package io.adrastea.transfer;

/**
 * What would become of a large message: the decisions of {@link Transfers}, by the same code, without a job.
 *
 * @param receiver what the receiver copies through; null: it does not copy
 * @param sender what the sender copies through; null: it does not copy
 */
public record Outlook(Path receiver, Path sender) {
  /** Longest message of which both ends copy parts, in bytes. */
  public static final long MOST_SPLIT_BYTES = Split.MOST_BYTES;

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
  }

  /**
   * One end.
   *
   * @param memory where its buffer lies
   * @param allowed set of paths that its settings allow, see {@link TransferSettings#paths()}
   * @param able set of paths by which it can reach the other end's memory, as far as that memory allows
   */
  public record End(Memory memory, int allowed, int able) {}

  /**
   * What a message of so many bytes would use.
   *
   * @param splitBytes least length of which both ends copy parts; 0: none
   */
  public static Outlook of(End sender, End receiver, long bytes, long splitBytes) {
    int allowed = sender.allowed & receiver.allowed;
    Path reading = Paths.reading(sender.memory.exposure, allowed & receiver.able);
    Path writing = Paths.writing(receiver.memory.exposure, allowed & sender.able);
    return switch (Paths.way(reading, writing)) {
      case Cookie.GET -> new Outlook(reading, Paths.isSplit(writing, bytes, splitBytes) ? writing : null);
      case Cookie.PUT -> new Outlook(null, writing);
      default -> new Outlook(Path.RING, Path.RING);
    };
  }
}
