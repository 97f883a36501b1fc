package io.adrastea.it;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ranks in Java and C that wait for each other: each says so, and the launcher names the circle, or that all wait. */
class HangIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @Test
  void ranksThatWaitForEachOtherAreNamed() throws Exception {
    try (Child run =
        Launch.adrastea(shm, "run", "-n", "2", "--hang", "1", "--", "java", "io.adrastea.it.HangRank").start()) {
      run.awaitErrors(
          "adrastea: ranks wait for each other: rank 0 waits for rank 1 \\(in a receive from rank 1 with tag "
              + "7\\), which waits for rank 0"
              + " \\(in a receive from rank 0 with tag 7\\)");
    }
  }

  @Test
  void ranksThatWaitForEachOthersLocksAreNamed() throws Exception {
    try (Child run =
        Launch.adrastea(shm, "run", "-n", "2", "--hang", "1", "--", "java", "io.adrastea.it.HangRank", "window")
            .start()) {
      run.awaitErrors("rank 1 has been waiting for 1 s in an epoch of a window, for rank 0; thread 'main'");
      run.awaitErrors(
          "adrastea: ranks wait for each other: rank 0 waits for rank 1 \\(in an epoch of a window, for rank 1\\), "
              + "which waits for rank 0 \\(in an epoch of a window, for rank 0\\)");
    }
  }

  /** A piece of any rank ends a wait in C, also one that expects another rank's: it closes no circle. */
  @Test
  void whereARankInCWaitsAllAreNamed() throws Exception {
    try (Child run =
        Launch.adrastea(shm, "run", "-n", "1", "--hang", "1", "--", "java", "io.adrastea.it.HangRank")
            .add(":", "-n", "1", CProgram.of("linger"), "2", ":", "-n", "1", "java", "io.adrastea.it.HangRank")
            .start()) {
      run.awaitErrors("rank 0 has been waiting for 1 s in a receive from rank 1 with tag 7; thread 'main'");
      run.awaitErrors("adrastea: rank 1 has been waiting for 1 s in a receive from rank 2 with any tag");
      run.awaitErrors("rank 2 has been waiting for 1 s in a receive from rank 0 with tag 7");
      run.awaitErrors(
          "adrastea: all ranks wait: rank 0 in a receive from rank 1 with tag 7; rank 1 in a receive from any "
              + "rank with any tag;"
              + " rank 2 in a receive from rank 0 with tag 7");
    }
  }
}
