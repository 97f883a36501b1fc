package io.adrastea.bootstrap;

import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * What a rank that a launcher has started prints of an exception that nobody catches. That another rank has failed is
 * told by the launcher, so of what follows from it here a line is enough: which call it ended, and where. It is printed
 * a second later: by then the launcher has named the rank that failed, and unless it keeps the others going has ended
 * this one. A launcher that is not ours knows no reasons: one rank tells them, and the lines of the others name the
 * rank that failed alone. Of all other exceptions there is the stack trace, at once. A program that has a handler of
 * its own keeps it.
 */
final class Consequences implements Thread.UncaughtExceptionHandler {
  private static final String OWN = "io.adrastea.";

  private static final long PATIENCE_MILLIS = 1000;

  private final long patienceMillis;
  private final IntPredicate tellsReason;

  /**
   * Prints a consequence so many milliseconds later.
   *
   * @param tellsReason whether this is the rank that tells why another one, of that number, has failed
   */
  Consequences(long patienceMillis, IntPredicate tellsReason) {
    this.patienceMillis = patienceMillis;
    this.tellsReason = tellsReason;
  }

  /**
   * From now on, for all threads of this process, unless the program has said otherwise.
   *
   * @param tellsReason whether this is the rank that tells why another one, of that number, has failed
   */
  static synchronized void foldUncaught(IntPredicate tellsReason) {
    if (Thread.getDefaultUncaughtExceptionHandler() == null) {
      Thread.setDefaultUncaughtExceptionHandler(new Consequences(PATIENCE_MILLIS, tellsReason));
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    String head = "Exception in thread \"" + thread.getName() + "\" ";
    if (isConsequence(failure)) {
      giveWay();
      System.err.println(head + words((RankFailedException) failure) + place(failure));
      return;
    }
    synchronized (System.err) {
      System.err.print(head);
      failure.printStackTrace();
    }
  }

  private void giveWay() {
    try {
      Thread.sleep(patienceMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then at once
    }
  }

  /** One that carries another is told in full: that may be what the program has done wrong. */
  private static boolean isConsequence(Throwable failure) {
    return failure instanceof RankFailedException && failure.getCause() == null && failure.getSuppressed().length == 0;
  }

  private String words(RankFailedException failure) {
    return tellsReason.test(failure.jobRank())
        ? failure.toString()
        : "%s: rank %d has %s".formatted(failure.getClass().getName(), failure.jobRank(),
            failure instanceof RankLeftException ? "left" : "failed");
  }

  private static String place(Throwable failure) {
    Optional<StackTraceElement> caller =
        Stream.of(failure.getStackTrace()).filter(frame -> !frame.getClassName().startsWith(OWN)).findFirst();
    return caller.map(frame -> " (at " + frame + ")").orElse("");
  }
}
