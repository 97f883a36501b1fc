package io.adrastea.bench.large;

import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.FirstCore;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench in-place}. */
@Command(
    name = "in-place",
    defaultValueProvider = FirstCore.class,
    description = {
      "Time of a message of a shared allocation (job.allocate) with its empty answer: received in"
          + " place (recvMessage), which is not to depend on its size, and received into a buffer.",
      "On core ffm, unless --core names others."
    })
public final class InPlaceCommand extends LargeCommand {
  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "64K,256K,1M,4M,16M,64M",
      description = {
        "Message sizes in bytes, with K, M or G. The shared memory needed is twice the largest for"
            + " each core. Default: ${DEFAULT-VALUE}."
      })
  private Sizes sizes;

  /** Creates the command for the command line. */
  public InPlaceCommand() {
    super(Part.IN_PLACE, Part.COPIED);
  }

  @Override
  String title() {
    return "adrastea bench in-place: send of a shared allocation, recvMessage and release, answer";
  }

  @Override
  Sizes sizes() {
    return sizes;
  }

  @Override
  RankOptions ranks(Cpus cpus) {
    return RankOptions.NONE;
  }

  @Override
  List<String> notes(Cpus cpus) {
    return List.of(
        "content  never changes while time runs; of a message received in place the first and the",
        "         last byte are read: a program that reads all of it pays for that itself");
  }

  @Override
  LargeReport report(Results results) {
    PartFigures figures = new PartFigures(results);
    return new LargeReport(
        table(figures), figures.chart("A message and its empty answer"), said(figures));
  }

  private static Grid table(PartFigures figures) {
    List<String> head =
        List.of("bytes", "core", "in place [us]", "into a buffer [us]", "buffer / in place");
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      for (String core : figures.cores()) {
        rows.add(
            List.of(
                "" + bytes,
                core,
                figures.micros(core, Part.IN_PLACE, bytes),
                figures.micros(core, Part.COPIED, bytes),
                Ratio.of(
                    figures.at(core, Part.COPIED, bytes),
                    figures.at(core, Part.IN_PLACE, bytes))
                    .toString()));
      }
    }
    return new Grid("A message and its empty answer, median", head, rows);
  }

  /** Whether the time depends on the size. */
  private static List<String> said(PartFigures figures) {
    int smallest = figures.sizes().get(0);
    int largest = figures.sizes().getLast();
    return figures.cores().stream()
        .map(core -> {
          Ratio ratio = Ratio.of(figures.at(core, Part.IN_PLACE, largest), figures.at(core, Part.IN_PLACE, smallest));
          return core + ": " + (ratio.warm()
              ? "in place %d bytes take %s times as long as %d".formatted(largest, ratio, smallest)
              : Series.NO_VERDICT.formatted(" on whether the time depends on the size"));
        })
        .toList();
  }
}
