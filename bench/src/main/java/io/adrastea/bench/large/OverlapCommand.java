package io.adrastea.bench.large;

import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.FirstCore;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench overlap}. */
@Command(
    name = "overlap",
    defaultValueProvider = FirstCore.class,
    description = {
      "What of a transfer hides behind computing: isend and irecv of one message while both ranks"
          + " compute for about as long as the transfer takes, without and with a progress thread.",
      "On core ffm, unless --core names others. With four CPUs in --cpus the threads of the two"
          + " ranks have the third and the fourth, else each shares the CPU of its rank."
    })
public final class OverlapCommand extends LargeCommand {
  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "64K,256K,1M,4M",
      description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  /** Creates the command for the command line. */
  public OverlapCommand() {
    super(Part.TRANSFER, Part.COMPUTE, Part.BOTH, Part.THREAD);
  }

  @Override
  String title() {
    return "adrastea bench overlap: isend and irecv, computing meanwhile, await, empty answer";
  }

  @Override
  Sizes sizes() {
    return sizes;
  }

  /** All parts run in jobs of level MULTIPLE, so that the thread is all that differs. */
  @Override
  RankOptions ranks(Cpus cpus) {
    return RankOptions.withHelpers(2, cpus);
  }

  @Override
  List<String> notes(Cpus cpus) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "compute  steps of a random number generator, no memory, no call of the library; how",
                "         many is measured once for a size and then stays",
                "hidden   the part of the transfer that cost no time: (transfer + compute - both) /",
                "         transfer, in percent, median over rounds; below 0: both together cost more",
                "thread   both ranks have joined with MULTIPLE in all columns and have a progress",
                "         thread in the last two"));
    lines.add(
        Helper.haveCpus(2, cpus)
            ? "         on CPUs %d and %d".formatted(cpus.of(1, 0), cpus.of(1, 1))
            : "         that has NO CPU OF ITS OWN here: it takes turns with its rank, so these two tell\n"
                + "         what it costs, not what it can do; four CPUs are needed (--cpus)");
    return lines;
  }

  @Override
  LargeReport report(Results results) {
    PartFigures figures = new PartFigures(results);
    return new LargeReport(
        table(figures), figures.chart("A transfer, computing, and both"), List.of());
  }

  private static Grid table(PartFigures figures) {
    List<String> head =
        List.of(
            "bytes",
            "core",
            "transfer [us]",
            "compute [us]",
            "both [us]",
            "hidden",
            "both, thread [us]",
            "hidden");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      figures.cores().forEach(core -> rows.add(row(figures, core, bytes)));
    }
    return new Grid("One transfer, median", head, rows);
  }

  private static List<String> row(PartFigures figures, String core, int bytes) {
    return List.of(
        "" + bytes,
        core,
        figures.micros(core, Part.TRANSFER, bytes),
        figures.micros(core, Part.COMPUTE, bytes),
        figures.micros(core, Part.BOTH, bytes),
        percent(hidden(figures, core, Part.BOTH, bytes)),
        figures.micros(core, Part.THREAD, bytes),
        percent(hidden(figures, core, Part.THREAD, bytes)));
  }

  private static String percent(Ratio share) {
    return String.format(Locale.ROOT, "%.0f %%%s", 100 * share.median(), share.warm() ? "" : Series.STAR);
  }

  private static Ratio hidden(PartFigures figures, String core, Part both, int bytes) {
    return Ratio.hidden(figures.at(core, Part.TRANSFER, bytes), figures.at(core, Part.COMPUTE, bytes),
        figures.at(core, both, bytes));
  }
}
