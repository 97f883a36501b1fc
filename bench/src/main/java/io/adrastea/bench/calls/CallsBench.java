package io.adrastea.bench.calls;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The run: C and all cores alive at once; one call after the other, and in each round of it every variant in turn. */
final class CallsBench {
  private final MeasureOptions options;
  private final List<String> cores;
  private final int cpu;

  CallsBench(MeasureOptions options, List<String> cores, int cpu) {
    this.options = options;
    this.cores = cores;
    this.cpu = cpu;
  }

  /**
   * Measures.
   *
   * @param notes where it says that there is no line {@code c}, and why
   */
  Map<Call, Results> run(PrintWriter notes) throws IOException, BenchException, InterruptedException {
    try (Cast cast = new Cast()) {
      start(cast, notes);
      Map<Call, Results> results = new EnumMap<>(Call.class);
      for (Call call : Call.values()) {
        results.put(call, measure(call, cast.variants()));
      }
      return results;
    }
  }

  private void start(Cast cast, PrintWriter notes) throws IOException, BenchException, InterruptedException {
    try {
      cast.add(CallVariant.ofC(cpu));
    } catch (IOException e) {
      notes.println("warning: no line c and no ratios, since adrastea-calls cannot be run: " + e.getMessage());
      notes.flush();
    }
    for (String core : cores) {
      cast.add(CallVariant.ofCore(core, cpu));
    }
  }

  private Results measure(Call call, List<Variant> variants) throws BenchException, InterruptedException {
    return options.effort().of(Call.values().length).measure(call.kind(), List.of(call.bytes()), variants,
        leftOut -> {});
  }
}
