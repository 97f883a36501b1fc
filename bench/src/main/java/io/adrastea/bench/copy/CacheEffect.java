package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a message costs the sender's cache: the time of going through a working set after it, by the stores that the
 * message was written with; and what the stores cost the message.
 *
 * @param sizes in bytes
 * @param streamed for each size, the routine that the library takes for a copy to somebody else
 */
record CacheEffect(List<Integer> sizes, Map<Integer, String> streamed, Map<CopyTest, Results> results) {
  private static final String NONE = "untouched";
  private static final String REGULAR = "regular";
  private static final String PAST = "nontemporal";
  private static final List<CopyTest> WALKS = List.of(CopyTest.WALK, CopyTest.APART);
  private static final int PERCENT = 100;

  /**
   * The percentile of the walks: whatever else runs on the machine takes lines out of the cache as well, and never puts
   * one in.
   */
  private static final double UNDISTURBED_PERCENTILE = 10;

  /**
   * Measures.
   *
   * @param past the routine with nontemporal stores
   */
  static CacheEffect run(CopyProgram program, String past, List<Integer> sizes, Effort effort)
      throws BenchException, InterruptedException {
    Map<Integer, String> regular = program.chosen("copy", sizes);
    RoutineVariant none = new RoutineVariant(NONE, program, bytes -> CopyTest.NO_MESSAGE);
    List<RoutineVariant> messages =
        List.of(new RoutineVariant(REGULAR, program, regular::get), new RoutineVariant(PAST, program, bytes -> past));
    Map<CopyTest, Results> results = new EnumMap<>(CopyTest.class);
    results.putAll(CopyTest.measure(WALKS, sizes, List.of(none, messages.get(0), messages.get(1)), effort));
    results.putAll(CopyTest.measure(List.of(CopyTest.HAND), sizes, messages, effort));
    return new CacheEffect(sizes, program.chosen("stream", sizes), results);
  }

  /** The walks, then the messages. */
  List<Grid> grids(long setBytes) {
    List<Grid> grids = new ArrayList<>();
    for (CopyTest walk : WALKS) {
      String caption =
          "us (10th percentile) to go through a working set of %d KiB once more, after a %s"
              .formatted(setBytes >> 10, walk.title());
      grids
          .add(new Grid(caption, List.of("bytes", NONE, REGULAR, PAST, "regular - nontemporal", "saved"), walks(walk)));
    }
    String caption = "MB/s of the message itself: " + CopyTest.HAND.title();
    grids
        .add(new Grid(caption, List.of("bytes", REGULAR, PAST, "nontemporal / regular", "a stream takes"), messages()));
    return grids;
  }

  private List<List<String>> walks(CopyTest walk) {
    return sizes.stream().map(bytes -> walk(walk, bytes)).toList();
  }

  /** Saved: the part of what regular stores cost the cache that nontemporal ones do not. */
  private List<String> walk(CopyTest test, int bytes) {
    double none = micros(test, NONE, bytes);
    double regular = micros(test, REGULAR, bytes);
    double past = micros(test, PAST, bytes);
    return List.of(
        "" + bytes,
        Table.number(none),
        Table.number(regular),
        Table.number(past),
        Table.number(regular - past),
        saved(none, regular, past));
  }

  /** {@code -} where regular stores cost no more than a tenth of the walk: there is nothing to be saved. */
  static String saved(double none, double regular, double past) {
    return regular - none < none / 10
        ? "-"
        : String.format(Locale.ROOT, "%.0f %%", PERCENT * (regular - past) / (regular - none));
  }

  private List<List<String>> messages() {
    return sizes.stream().map(this::message).toList();
  }

  private List<String> message(int bytes) {
    Series regular = find(CopyTest.HAND, REGULAR, bytes);
    Series past = find(CopyTest.HAND, PAST, bytes);
    return List.of(
        "" + bytes,
        Table.number(regular.megabytesPerSecond()),
        Table.number(past.megabytesPerSecond()),
        Ratio.of(regular.medians(), past.medians()).toString(),
        streamed.get(bytes));
  }

  private double micros(CopyTest test, String variant, int bytes) {
    return find(test, variant, bytes).nanos(UNDISTURBED_PERCENTILE) / 1000;
  }

  private Series find(CopyTest test, String variant, int bytes) {
    return results.get(test).series().stream()
        .filter(one -> one.variant().equals(variant) && one.plan().bytes() == bytes)
        .findFirst()
        .orElseThrow();
  }
}
