package io.adrastea.link.pipe;

import io.adrastea.Settings;
import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.LinkProvider;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.function.Executable;

/**
 * Brings to all ranks of a job the links that a test makes. Found by the service loader; without such a test they reach
 * nobody.
 */
public final class AddedLinks implements LinkProvider {
  private static volatile Function<JobRank, Link> made;

  /** Runs jobs whose ranks reach each other and themselves by the link that is made for each. */
  public static void with(Function<JobRank, Link> links, Executable jobs) throws Exception {
    made = links;
    try {
      Settings.with(Map.of("adrastea.links", "added"), () -> {
        run(jobs);
        return null;
      });
    } finally {
      made = null;
    }
  }

  private static void run(Executable jobs) throws Exception {
    try {
      jobs.execute();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String name() {
    return "added";
  }

  @Override
  public int preference() {
    return SHARED_MEMORY_PREFERENCE - 1;
  }

  @Override
  public boolean reaches(JobRank self, int rank) {
    return made != null;
  }

  @Override
  public Link open(JobRank self, BitSet ranks) {
    return made.apply(self);
  }
}
