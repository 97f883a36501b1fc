package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Machine;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.RankCounts;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.Page;
import io.adrastea.bench.page.RatioChart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;

/**
 * A bench of what all ranks of a job do, with several numbers of ranks, beside MPIs and beside a floor: reads what is
 * asked for, has it measured, prints.
 */
public abstract class JobBench implements Callable<Integer> {
  @Mixin
  private MeasureOptions options;

  @Mixin
  private PeerOptions peers;

  @Mixin
  private RankCounts counts;

  /**
   * What a bench shows.
   *
   * @param figures all that was measured
   * @param grids tables
   * @param said the answer, line by line; none is given of a quick run
   * @param lead what a page has before that
   * @param charts pictures of a page
   */
  protected record Shown(List<JobFigures> figures, List<Grid> grids, List<String> said, List<String> lead,
      List<RatioChart> charts) {
    /** Copies the lists. */
    public Shown {
      figures = List.copyOf(figures);
      grids = List.copyOf(grids);
      said = List.copyOf(said);
      lead = List.copyOf(lead);
      charts = List.copyOf(charts);
    }
  }

  /** The first line. */
  protected abstract String title();

  /**
   * Reads the bench's own options.
   *
   * @return the peers that there are for what is asked for
   * @throws IllegalArgumentException when something cannot be measured
   */
  protected abstract List<Peer> read(Cpus cpus);

  /** What the figures mean, for the heading. */
  protected abstract List<String> legend(Cpus cpus);

  /**
   * Measures what {@link #read} has read.
   *
   * @param notes is told what is left out
   */
  protected abstract Shown measure(List<CorePair> cores, List<Peer> chosen, Cpus cpus, Consumer<String> notes)
      throws IOException, BenchException, InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    options.check();
    Cpus cpus = options.chosenCpus();
    List<CorePair> cores = options.corePairs();
    List<Peer> chosen = options.checked(() -> {
      counts.checked(count -> true, "numbers");
      return peers.chosen(read(cpus));
    });
    return options.write(output -> {
      output.text().println(title());
      heading(cpus).forEach(output::note);
      print(output, measure(cores, chosen, cpus, output::note));
    });
  }

  private List<String> heading(Cpus cpus) {
    Effort effort = effort();
    List<String> lines = new ArrayList<>(Heading.of(Machine.here()));
    lines.add("ranks    " + counts.words() + " on CPUs " + cpus.used() + ", pinned");
    lines.addAll(Heading.method(effort.rounds(), effort.seconds(), effort.warmUp()));
    lines.addAll(legend(cpus));
    if (cpus.single()) {
      lines.add("warning: all ranks share one CPU: these figures are those of the scheduler");
    }
    return lines;
  }

  private void print(Output output, Shown shown) throws IOException {
    shown.grids.forEach(grid -> Table.text(grid).forEach(output.text()::println));
    List<String> said = peers.isQuick() ? List.of(MeasureOptions.QUICK) : shown.said;
    output.text().println();
    said.forEach(output.text()::println);
    output.text().flush();
    output.csv(Stream.concat(Stream.of(Csv.HEADER), shown.figures.stream().flatMap(one -> one.csv().stream()))
        .toList());
    output.html(new Page(title(), Stream.concat(shown.lead.stream(), said.stream()).toList(), shown.charts, List.of(),
        shown.grids, output.notes(), Set.of()));
  }

  /**
   * What figures mean, and one line more where ranks take turns at CPUs.
   *
   * @param turns what that does to the figures
   */
  protected final List<String> withTurns(List<String> legend, String turns, Cpus cpus) {
    return mostRanks() <= Set.copyOf(cpus.used()).size() ? legend
        : Stream.concat(legend.stream(), Stream.of(turns)).toList();
  }

  /** How much is to be measured of each thing. */
  protected final Effort effort() {
    return peers.effort(new Effort(options.rounds(), options.seconds(), options.warmUp(), true));
  }

  /** The numbers of ranks, ascending. */
  protected final List<Integer> counts() {
    return counts.all().stream().sorted().toList();
  }

  /** The greatest number of ranks. */
  protected final int mostRanks() {
    return counts().getLast();
  }
}
