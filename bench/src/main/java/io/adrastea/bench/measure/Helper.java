package io.adrastea.bench.measure;

import io.adrastea.Job;
import io.adrastea.ProgressThread;
import io.adrastea.core.Cores;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The progress thread of a rank, on a CPU of its own if there is one. */
public final class Helper {
  /** The property that names the CPUs of all ranks and then those of their helpers. */
  private static final String CPUS = "bench.helper.cpus";

  private Helper() {}

  /** Whether there is a CPU for each rank and each helper. */
  public static boolean haveCpus(int ranks, Cpus cpus) {
    return cpus.used().stream().distinct().count() >= 2L * ranks;
  }

  /** What ranks are given that start helpers: those have CPUs of their own, if there are so many. */
  static Map<String, String> properties(int ranks, Cpus cpus) {
    return haveCpus(ranks, cpus)
        ? properties(ranks, cpus, cpus.used().stream().distinct().skip(ranks).limit(ranks).toList())
        : Map.of();
  }

  /** What ranks are given that start helpers on those CPUs in turn. */
  static Map<String, String> properties(int ranks, Cpus cpus, List<Integer> helpers) {
    IntStream own = IntStream.range(0, ranks).map(rank -> cpus.ofRank(rank, ranks));
    IntStream theirs = IntStream.range(0, ranks).map(rank -> helpers.get(rank % helpers.size()));
    return Map.of(CPUS, IntStream.concat(own, theirs).mapToObj(String::valueOf).collect(Collectors.joining(",")));
  }

  /** A new thread is pinned as the one that makes it: so that one moves over for a moment. */
  public static ProgressThread start(Job job) {
    String cpus = System.getProperty(CPUS);
    if (cpus == null) {
      return job.progressThread();
    }
    int[] all = Arrays.stream(cpus.split(",")).mapToInt(Integer::parseInt).toArray();
    int rank = job.world().rank();
    Cores.bindThread(all[job.world().size() + rank]);
    try {
      return job.progressThread();
    } finally {
      Cores.bindThread(all[rank]);
    }
  }
}
