package io.adrastea.bench.compare;

import io.adrastea.bench.measure.Csv;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The CSV of a comparison that was never run: a dozen variants, in rounds of which some found the CPUs far apart. */
public final class StoredRun {
  private static final boolean[] FAR = {false, true, true, false, false};
  private static final int[] SIZES = {8, 64, 1024, 4096, 16384, 65536, 262144, 1048576};
  private static final List<String> VARIANTS = List.of(
      "floor", "ffm", "java", "openmpi", "mpich", "ucx", "openmpi-java", "aeron", "agrona", "pipe", "unix", "tcp");

  private StoredRun() {}

  /** The lines, the head first. */
  public static List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(Csv.HEADER));
    for (String bench : List.of("latency", "bandwidth", "rate")) {
      for (int bytes : bench.equals("rate") ? new int[] {8} : SIZES) {
        for (int i = 0; i < VARIANTS.size(); i++) {
          add(lines, bench, VARIANTS.get(i), bytes, nanos(i, bytes));
        }
      }
    }
    return lines;
  }

  /** Most are close to each other at the last size, as they are when memory decides. */
  private static double nanos(int variant, int bytes) {
    double start = variant < 9 ? 80 + 40 * variant : 5000 * (variant - 8);
    return start + bytes / (variant < 9 ? 10.0 + variant % 3 : 2.0);
  }

  private static void add(List<String> lines, String bench, String variant, int bytes, double nanos) {
    if (!bench.equals("latency")) {
      lines.add(line(bench, variant, bytes, "MBps", bytes * 1e3 / nanos, "MB/s"));
      lines.add(line(bench, variant, bytes, "msgps", 1e9 / nanos, "messages/s"));
    }
    lines.add(line(bench, variant, bytes, "p50", nanos, "ns"));
    if (!variant.equals("ucx")) {
      lines.add(line(bench, variant, bytes, "p99", nanos * 2, "ns"));
    }
    for (int round = 0; round < FAR.length; round++) {
      double noise = 1 + 0.01 * ((round * 7 + variant.length() * 3) % 5);
      double time = nanos * noise * (FAR[round] ? 2 : 1);
      lines.add(line(bench, variant, bytes, Csv.ROUND + (round + 1), time, "ns"));
    }
  }

  private static String line(String bench, String variant, int bytes, String metric, double value, String unit) {
    return String.format(Locale.ROOT, "%s,%s,%d,%s,%.2f,%s", bench, variant, bytes, metric, value, unit);
  }
}
