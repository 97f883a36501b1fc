package io.adrastea.rma;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import java.util.Map;

/** Ranks as threads that share a window, whose memory they reach by a way that stands behind a colon. */
final class WindowRanks {
  /** What a rank does on the communicator of the test. */
  interface Body {
    void run(Job job, Communicator world) throws Exception;
  }

  private WindowRanks() {}

  static String cores(String parameter) {
    return parameter.substring(0, parameter.indexOf(':'));
  }

  static String way(String parameter) {
    return parameter.substring(parameter.indexOf(':') + 1);
  }

  static void run(String parameter, int ranks, Body body) throws Exception {
    run(parameter, ThreadLevel.SERIALIZED, ranks, body);
  }

  static void run(String parameter, ThreadLevel level, int ranks, Body body) throws Exception {
    Settings.with(Map.of("adrastea.window", way(parameter)), () -> {
      Ranks.run(cores(parameter), level, ranks, job -> body.run(job, Ranks.world(job)));
      return null;
    });
  }
}
