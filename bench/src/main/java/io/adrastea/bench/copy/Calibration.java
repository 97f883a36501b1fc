package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Every routine of this CPU at each size, with the one marked that the library takes, and whether that one is among the
 * best.
 *
 * @param sizes in bytes
 * @param routines in the order of the lines
 * @param chosen by the library, for each size
 */
record Calibration(
    List<Integer> sizes, List<String> routines, Map<Integer, String> chosen, Map<CopyTest, Results> results) {
  /** The part of the best rate that the chosen routine must reach. */
  static final double GOOD = 0.9;

  private static final List<CopyTest> TESTS = List.of(CopyTest.LOCAL, CopyTest.CROSS);

  /** Measures copies whose destination is read next by the CPU that makes them. */
  static Calibration run(CopyProgram program, List<Integer> sizes, Effort effort)
      throws BenchException, InterruptedException {
    List<String> routines = program.routines();
    List<RoutineVariant> variants = routines.stream().map(name -> RoutineVariant.of(name, program)).toList();
    Map<Integer, String> chosen = program.chosen("copy", sizes);
    return new Calibration(sizes, routines, chosen, CopyTest.measure(TESTS, sizes, variants, effort));
  }

  /** A table for each test. */
  List<Grid> grids() {
    return TESTS.stream().map(this::grid).toList();
  }

  private Grid grid(CopyTest test) {
    List<List<String>> rows = new ArrayList<>();
    for (String routine : routines) {
      rows.add(row(routine, bytes -> rate(test, routine, bytes)));
    }
    rows.add(row("chosen / best", bytes -> ofBest(test, bytes).toString()));
    rows.add(row("within 10 %", bytes -> ofBest(test, bytes).median() >= GOOD ? "yes" : "no"));
    return new Grid(test.title() + ", MB/s in the median batch (* chosen)", row("bytes", String::valueOf), rows);
  }

  private List<String> row(String name, Function<Integer, String> cell) {
    List<String> row = new ArrayList<>(List.of(name));
    sizes.forEach(bytes -> row.add(cell.apply(bytes)));
    return row;
  }

  private String rate(CopyTest test, String routine, int bytes) {
    String mark = routine.equals(chosen.get(bytes)) ? "*" : "";
    return mark + Table.number(find(test, routine, bytes).megabytesPerSecond());
  }

  /** The chosen one's rate as a part of the rate of the routine with the best median, within each round. */
  private Ratio ofBest(CopyTest test, int bytes) {
    Series best = at(test, bytes).stream().min(Comparator.comparingDouble(one -> one.nanos(50))).orElseThrow();
    return Ratio.of(best.medians(), find(test, chosen.get(bytes), bytes).medians());
  }

  private Series find(CopyTest test, String routine, int bytes) {
    return at(test, bytes).stream().filter(one -> one.variant().equals(routine)).findFirst().orElseThrow();
  }

  private List<Series> at(CopyTest test, int bytes) {
    return results.get(test).series().stream().filter(one -> one.plan().bytes() == bytes).toList();
  }
}
