package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Fig. 9 of [MVAPICH 2006], as misses of a message instead of rates. */
final class MissesReport {
  private MissesReport() {}

  static Grid table(List<Misses> misses) {
    List<List<String>> rows =
        misses.stream()
            .map(
                one -> List.of(
                    one.way().title(one.move()),
                    "" + one.bytes(),
                    Table.number(one.first()),
                    Table.number(one.last())))
            .toList();
    return new Grid(
        "Cache misses of a message (MVAPICH 2006, Fig. 9), by cachegrind",
        List.of("way", "bytes", "of 32 KiB", "of 1 MiB"),
        rows);
  }

  static List<String> csv(List<Misses> misses) {
    List<String> lines = new ArrayList<>();
    for (Misses one : misses) {
      lines.add(csv(one, "first_misses", one.first()));
      lines.add(csv(one, "last_misses", one.last()));
    }
    return lines;
  }

  private static String csv(Misses one, String metric, double value) {
    return String.format(
        Locale.ROOT, "mvapich,%s,%d,%s,%.2f,misses", one.way().title(one.move()), one.bytes(), metric, value);
  }
}
