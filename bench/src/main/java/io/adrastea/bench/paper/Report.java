package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment shows.
 *
 * @param tables our figures in the form of the paper
 * @param charts the same as curves
 * @param said what the paper says, line by line
 */
record Report(List<Grid> tables, List<Chart> charts, List<String> said) {
  /** The lines for a terminal. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    tables.forEach(grid -> lines.addAll(Table.text(grid)));
    lines.add("");
    lines.addAll(said);
    return lines;
  }
}
