package io.adrastea.bench.large;

import io.adrastea.Job;
import io.adrastea.ProgressThread;
import io.adrastea.core.Cores;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The progress thread of a rank, on a CPU of its own if there is one. */
final class Helper {
  /** The property that names the CPUs of both ranks and then those of their helpers. */
  static final String CPUS = "bench.helper.cpus";

  private Helper() {}

  /** The value of {@link #CPUS}. */
  static String cpus(List<Integer> cpus) {
    return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** A new thread is pinned as the one that makes it: so that one moves over for a moment. */
  static ProgressThread start(Job job) {
    String cpus = System.getProperty(CPUS);
    if (cpus == null) {
      return job.progressThread();
    }
    int[] all = Arrays.stream(cpus.split(",")).mapToInt(Integer::parseInt).toArray();
    int rank = job.world().rank();
    Cores.bindThread(all[2 + rank]);
    try {
      return job.progressThread();
    } finally {
      Cores.bindThread(all[rank]);
    }
  }
}
