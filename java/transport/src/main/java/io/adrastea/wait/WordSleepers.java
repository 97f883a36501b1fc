package io.adrastea.wait;

import io.adrastea.ranktable.RankTable;

/**
 * The ranks of a node that sleep until words in shared memory change that another rank writes without a message: a
 * signal, a lock, a counter of a fence. Each says so in its entry of the rank table. Twin of {@code
 * wait/adr_word_sleeper.h}, which argues the order of the flag and the words.
 */
public final class WordSleepers {
  private final RankTable table;
  private final int localRank;
  private final int[] localRanks; // by their numbers in the job
  private int threads; // of this rank that have begun and not ended; inside the gate

  /**
   * Makes the view of one rank.
   *
   * @param localRank this rank, on its node
   * @param localRanks those of all ranks of the job; {@link Movement#ELSEWHERE}: such a one sleeps on no words here
   */
  public WordSleepers(RankTable table, int localRank, int[] localRanks) {
    this.table = table;
    this.localRank = localRank;
    this.localRanks = localRanks;
  }

  /** A thread of this rank is about to sleep on words. Owed afterwards: a look at them. Inside the gate. */
  void begin() {
    threads++;
    table.sleepOnWords(localRank); // by each thread, whose look at its words is to come behind the fence
  }

  /** A thread that has begun is awake. Inside the gate. */
  void end() {
    if (--threads == 0) {
      table.endSleepOnWords(localRank);
    }
  }

  /** Whether a rank sleeps on words, or is about to; to be asked after a word was stored. Any thread may ask. */
  boolean sleeps(int rank) {
    return localRanks[rank] != Movement.ELSEWHERE && table.sleepsOnWords(localRanks[rank]);
  }
}
