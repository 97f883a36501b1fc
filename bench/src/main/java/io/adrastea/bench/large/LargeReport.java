package io.adrastea.bench.large;

import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Grid;
import java.util.List;

/**
 * What such a bench shows.
 *
 * @param said lines below the table
 */
record LargeReport(Grid table, Chart chart, List<String> said) {}
