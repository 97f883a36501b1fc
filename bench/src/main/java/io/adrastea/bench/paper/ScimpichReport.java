package io.adrastea.bench.paper;

import io.adrastea.bench.datatypes.Noncontig;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Figs. 7 and 10 of [SCI-MPICH 2002]: bandwidth over the size of a block, and which part of that of one piece it is.
 */
final class ScimpichReport {
  private static final double MIB = 1 << 20;
  private static final String UNKNOWN = "-";

  /** What the text states of direct_pack_ff, by the size of a block. */
  private static final Map<Integer, String> STATED =
      Map.of(8, "generic better between nodes", 16, "2 x generic, from here on", 128, "0.90, and more from here on");

  private static final List<String> SAID = List.of(
      "by type: direct_pack_ff of the paper; packed: its generic technique. The values of its figures stand in",
      "  the drawings only; the text tells what the last column has.",
      "SCI-MPICH 2002, Fig. 7, dual Pentium III with SCI, and shared memory within a node: by type over shared",
      "  memory can be faster than one piece, for some sizes of blocks.",
      "SCI-MPICH 2002, Fig. 10, other systems: Cray T3E about 1 for blocks of 8 to 32 KiB, very low below 4 KiB and",
      "  above 32 KiB; Sun MPI over shared memory 0.5, and 1 from 16 KiB on; all others pack and send.");

  private final Figures figures;
  private final List<String> who;

  private ScimpichReport(Results results) {
    this.figures = new Figures(results);
    this.who = figures.variants().stream().map(name -> name.substring(0, name.indexOf(' '))).distinct().toList();
  }

  /**
   * @param notes what was left out
   */
  static Report of(Results results, List<String> notes) {
    ScimpichReport report = new ScimpichReport(results);
    return new Report(List.of(report.grid()), report.charts(), Stream.concat(notes.stream(), SAID.stream()).toList());
  }

  private Optional<Series> at(String name, String way, int block) {
    return figures.at(KindVariant.name(name, way), block);
  }

  private Grid grid() {
    List<String> head = new ArrayList<>(
        List.of("block", "", "contiguous", "by type", "packed", "type of contiguous", "type of packed", "the paper"));
    List<List<String>> rows = new ArrayList<>();
    for (int block : figures.sizes()) {
      who.forEach(name -> rows.add(row(block, name)));
    }
    return new Grid("Bandwidth of 256 KiB in blocks [MiB/s], and its ratios", head, rows);
  }

  private List<String> row(int block, String name) {
    Optional<Series> type = at(name, Noncontig.BY_TYPE, block);
    List<String> row = new ArrayList<>(List.of(Sizes.text(block), name));
    for (String way : List.of(Noncontig.CONTIGUOUS, Noncontig.BY_TYPE, Noncontig.GENERIC)) {
      row.add(at(name, way, block).map(one -> Table.number(mebibytes(one))).orElse(UNKNOWN));
    }
    row.add(ratio(at(name, Noncontig.CONTIGUOUS, block), type));
    row.add(ratio(at(name, Noncontig.GENERIC, block), type));
    row.add(name.equals(who.get(0)) ? STATED.getOrDefault(block, UNKNOWN) : "");
    return row;
  }

  /** How many times the bandwidth of the second is that of the first. */
  private static String ratio(Optional<Series> first, Optional<Series> second) {
    return first.isPresent() && second.isPresent()
        ? Ratio.of(first.get(), second.get()).toString()
        : UNKNOWN;
  }

  private static double mebibytes(Series series) {
    return Noncontig.BYTES / MIB / (series.nanos(50) / 1e9);
  }

  private List<Chart> charts() {
    Chart.Axis blocks = new Chart.Axis("block [bytes]", 2);
    List<Curve> bandwidths = figures.variants().stream()
        .map(name -> figures.curve(name, block -> true, one -> one.plan().bytes(), ScimpichReport::mebibytes))
        .toList();
    return List.of(
        new Chart("Bandwidth (SCI-MPICH 2002, Figs. 7 and 10)", blocks, Chart.Axis.linear("bandwidth [MiB/s]"),
            bandwidths),
        new Chart("By type, as a part of one piece (SCI-MPICH 2002, Fig. 10)", blocks,
            Chart.Axis.linear("bandwidth of blocks over that of one piece"),
            who.stream().map(this::efficiency).toList()));
  }

  private Curve efficiency(String name) {
    List<Integer> blocks = figures.sizes().stream()
        .filter(block -> at(name, Noncontig.CONTIGUOUS, block).isPresent()
            && at(name, Noncontig.BY_TYPE, block).isPresent())
        .toList();
    return new Curve(KindVariant.name(name, Noncontig.BY_TYPE),
        blocks.stream().map(Integer::doubleValue).toList(),
        blocks.stream().map(block -> Ratio.of(at(name, Noncontig.CONTIGUOUS, block).orElseThrow().medians(),
            at(name, Noncontig.BY_TYPE, block).orElseThrow().medians()).median()).toList());
  }
}
