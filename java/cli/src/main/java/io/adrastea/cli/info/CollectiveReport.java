package io.adrastea.cli.info;

import io.adrastea.coll.Choice;
import io.adrastea.layout.SlotDescriptor;
import java.util.ArrayList;
import java.util.List;

/** Which way collectives go on a node: by kind, members and bytes alone, so that all members take the same. */
final class CollectiveReport {
  private static final String[] KINDS = {
    "", "barrier", "bcast", "allreduce", "allgather", "reduce", "scan", "exscan", "reduce_scatter", "gather", "scatter",
    "alltoall", "allgather by parts"
  };

  private CollectiveReport() {}

  static List<Section> sections() {
    return List.of(
        section("Ways of collectives on a node", 0),
        section("With adrastea.check=collectives", SlotDescriptor.CHECKED));
  }

  private static Section section(String title, int choices) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("collective", "members", "bytes of each", "way"));
    for (Choice.Row row : Choice.table()) {
      if (row.choices() == choices) {
        rows.add(
            List.of(
                KINDS[row.kind()], span(row.fewest(), row.most()), span(row.least(), row.greatest()),
                Choice.name(row.way())));
      }
    }
    return new Section(title, rows);
  }

  private static String span(long from, long to) {
    return from == to ? "" + from : from + " to " + to;
  }
}
