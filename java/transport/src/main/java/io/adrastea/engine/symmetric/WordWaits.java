package io.adrastea.engine.symmetric;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;

/**
 * How a PE waits for words of its own part of a symmetric heap, which others change by stores of their own [OpenSHMEM
 * over XPMEM 2011, 4.5]: it spins, yields, then naps, for nobody wakes it; but one that puts with a signal does. A wait
 * ends by an exception when a PE has failed, which may have been the one to change them, or when all others have left.
 */
public final class WordWaits {
  /** Looks at a stretch before the engine is entered; where ranks share a CPU the one waited for may need it. */
  private static final int LOOKS = 256;

  private static final int LOOKS_PER_PAUSE = 8;

  /** Tests that find nothing for one that enters the engine. */
  private static final int TESTS_PER_STEP = 8;

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Members members;
  private final WordWait wait = new WordWait();
  private int looks = LOOKS; // as of the last wait; several threads may set it, each to what it knows
  private int tests; // that found nothing; two threads that count together may lose one
  private int check; // number of the last check of liveness that a test has heeded; inside the gate

  WordWaits(Resources resources, Waits waits, Members members) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.members = members;
  }

  /** Waits until words are as they are to be. */
  public void await(Words words) {
    for (int look = 0; look < looks; look++) {
      if (words.areMet()) {
        return;
      }
      if (look % LOOKS_PER_PAUSE == 0) {
        Thread.onSpinWait();
      }
    }
    gate.enter();
    try {
      Waiter waiter = waits.beginWaitForAll();
      waits.await(wait, words, waiter);
      looks = waiter.pollsAtOnce() == 0 ? 1 : LOOKS;
    } finally {
      gate.exit();
    }
  }

  /**
   * Looks once, and at times moves on what else there is to do for a program that asks again and again, which is told
   * of PEs that are gone as one that waits.
   */
  public boolean test(Words words) {
    if (words.areMet()) {
      return true;
    }
    if (++tests % TESTS_PER_STEP != 0) {
      return false;
    }
    gate.enter();
    try {
      waits.step();
      int checks = waits.pollInVain();
      if (checks != check) {
        check = checks;
        waits.check(wait, words);
      }
    } finally {
      gate.exit();
    }
    return words.areMet();
  }

  /** A PE has stored what another one may wait for, and wakes it if it naps. */
  public void wake(int pe) {
    waits.wakeWordSleeper(members.numbering().jobRank(pe));
  }

  /** What a PE waits for. */
  public interface Words {
    /** Whether it is there; what others have done before they stored it is seen behind that. */
    boolean areMet();

    /** Says what it is: "a word of 8 bytes at offset 64 of symmetric memory to be greater than 3". */
    String words();
  }

  /** The wait for words, which any other member may change. */
  private final class WordWait implements Condition<Words> {
    @Override
    public boolean isMet(Words words, int polls) {
      for (int left = polls; left > 0; left--) {
        if (words.areMet()) {
          return true;
        }
        Thread.onSpinWait();
      }
      return false;
    }

    @Override
    public boolean isOnWords() {
      return true;
    }

    @Override
    public boolean isUntold() {
      return true;
    }

    @Override
    public int missing(Words words) {
      return liveness.missing(members, NONE); // any PE may be the one that changes them
    }

    @Override
    public void fail(Words words, int gone) {
      throw liveness.failure(members, gone, NONE, "wait " + words(words));
    }

    @Override
    public Waiting waiting(Words words) {
      return new Waiting(RankEntryDescriptor.IN_MEMORY, NONE, 0);
    }

    @Override
    public String words(Words words) {
      return "for %s in %s".formatted(words.words(), members.label());
    }
  }
}
