package io.adrastea.bench.soak;

import io.adrastea.bench.measure.Progress;
import io.adrastea.bench.measure.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** What a soak prints: how far it is, a bar on a terminal and else a line every 10 s, and at its end what it did. */
final class SoakText implements AutoCloseable {
  private static final long LINE_NANOS = 10_000_000_000L;

  private final SoakPlan plan;
  private final PrintWriter out;
  private final Progress bar;
  private long seconds; // shown by the bar
  private long nextLine = LINE_NANOS;

  SoakText(SoakPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
    this.bar = Progress.barOnly(plan.length().toSeconds(), Path.of("/proc"));
  }

  void begin() {
    out.printf(
        "soak: %d ranks on %s, %d s, messages of up to %d bytes, --seed %d%n",
        plan.ranks(), String.join(",", plan.cores()), plan.length().toSeconds(), plan.largest(), plan.seed());
    out.flush();
  }

  void joined() {
    out.println("all ranks have joined");
    out.flush();
  }

  void progress(long nanos, int rounds, Tally tally, List<Levels> levels) {
    String state = state(rounds, tally, levels);
    for (; seconds < nanos / 1_000_000_000; seconds++) {
      bar.step(state);
    }
    if (!bar.isShown() && nanos >= nextLine) {
      out.printf("%5d s  %s%n", nanos / 1_000_000_000, state);
      out.flush();
      nextLine += (1 + (nanos - nextLine) / LINE_NANOS) * LINE_NANOS;
    }
  }

  private static String state(int rounds, Tally tally, List<Levels> levels) {
    StringBuilder state =
        new StringBuilder("round %d, %d messages, %d MiB".formatted(rounds, tally.received(), tally.bytes() >> 20));
    for (int figure = 0; figure < levels.get(0).all().size(); figure++) {
      int which = figure;
      Level any = levels.get(0).all().get(figure);
      long most = levels.stream().mapToLong(rank -> rank.all().get(which).last()).max().orElse(0);
      state.append(", %s %d %s".formatted(any.what(), most, any.unit()));
    }
    return state.toString();
  }

  /** What was done, by which calls, and what the ranks held. */
  void end(Soak soak, List<String> wrong) {
    bar.close();
    out.printf("%n%s%n%n", state(soak.rounds(), soak.tally(), soak.levels()));
    calls(soak.tally()).lines().forEach(out::println);
    out.println();
    held(soak.levels()).lines().forEach(out::println);
    out.println();
    wrong.forEach(sentence -> out.println("WRONG: " + sentence));
    out.println(wrong.isEmpty() ? judged(soak)
        : "%d things are wrong; --seed %d repeats the messages".formatted(wrong.size(), plan.seed()));
    out.flush();
  }

  private static String judged(Soak soak) {
    return soak.levels().get(0).all().get(0).tells()
        ? "contents, order and lengths were right; memory and descriptors stayed level"
        : "contents, order and lengths were right; too short to tell whether memory stays level";
  }

  private static Table calls(Tally tally) {
    Table table = new Table();
    table.row("call", "times");
    for (Means means : Means.ALL) {
      table.row(means.word(), "" + tally.of(means));
    }
    return table;
  }

  private Table held(List<Levels> levels) {
    Table table = new Table();
    table.row("rank", "figure", "first", "most", "last", "");
    for (int rank = 0; rank < levels.size(); rank++) {
      for (Level level : levels.get(rank).all()) {
        table.row(
            "%d %s".formatted(rank, plan.core(rank)), level.what(), "" + level.first(), "" + level.most(),
            "" + level.last(), level.unit());
      }
    }
    return table;
  }

  @Override
  public void close() {
    bar.close();
  }
}
