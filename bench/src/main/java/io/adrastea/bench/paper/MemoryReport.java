package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Fig. 6 of [MVAPICH 2006]: shared memory of a node by the number of ranks. */
final class MemoryReport {
  private static final String CAPTION = "Shared memory of a node (MVAPICH 2006, Fig. 6)";
  private static final double MIB = 1 << 20;

  /** What is told for each number of ranks. */
  private enum Column {
    PAIRS("pair buffers", NodeMemory::pairs), POOLS("pools", NodeMemory::pools), FROM_START("ours from the start",
        NodeMemory::fromStart), AT_MOST("ours with all fastboxes", NodeMemory::atMost);

    private final String title;
    private final ToLongFunction<NodeMemory> bytes;

    Column(String title, ToLongFunction<NodeMemory> bytes) {
      this.title = title;
      this.bytes = bytes;
    }

    double mebibytes(NodeMemory memory) {
      return bytes.applyAsLong(memory) / MIB;
    }
  }

  private MemoryReport() {}

  static Grid table(List<NodeMemory> memory, PoolSettings settings) {
    List<String> head = new ArrayList<>(List.of("ranks"));
    for (Column column : Column.values()) {
      head.add(column.title);
    }
    List<List<String>> rows = new ArrayList<>();
    for (NodeMemory one : memory) {
      List<String> row = new ArrayList<>(List.of("" + one.ranks()));
      for (Column column : Column.values()) {
        row.add(Table.number(column.mebibytes(one)));
      }
      rows.add(row);
    }
    return new Grid(
        "%s: [MiB]; pair buffers of %d KiB, cells of %d bytes"
            .formatted(CAPTION, settings.bufferBytes() >> 10, settings.cellBytes()),
        head,
        rows);
  }

  static Chart chart(List<NodeMemory> memory) {
    List<Double> ranks = memory.stream().map(one -> (double) one.ranks()).toList();
    List<Curve> curves = new ArrayList<>();
    for (Column column : Column.values()) {
      curves.add(new Curve(column.title, ranks, memory.stream().map(column::mebibytes).toList()));
    }
    return new Chart(CAPTION, new Chart.Axis("ranks", 2), Chart.Axis.log("[MiB]"), curves);
  }

  /** In the place of the message size stands the number of ranks. */
  static List<String> csv(List<NodeMemory> memory) {
    List<String> lines = new ArrayList<>();
    for (NodeMemory one : memory) {
      for (Column column : Column.values()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "mvapich,%s,%d,memory,%d,bytes",
                column.title,
                one.ranks(),
                column.bytes.applyAsLong(one)));
      }
    }
    return lines;
  }
}
