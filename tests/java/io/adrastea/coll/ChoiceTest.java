package io.adrastea.coll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.core.SlotMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Java's choices against the golden file, which the C core's match too (tests/c/choice_test.c). */
class ChoiceTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("adrastea.root")).resolve("tests/coll/choices.golden");
  private static final List<String> KINDS =
      List.of(
          "", "barrier", "bcast", "allreduce", "allgather", "reduce", "scan", "exscan", "reduce_scatter", "gather",
          "scatter", "alltoall", "allgatherv");

  private static final List<Choice.Row> TABLE = Choice.table();

  private static String line(Choice.Row row) {
    return "%s %d %d %d %d %d %d %s\n"
        .formatted(
            KINDS.get(row.kind()), row.choices(), row.fewest(), row.most(), row.least(), row.greatest(), row.way(),
            Choice.name(row.way()));
  }

  @Test
  void theTableIsThatOfTheGoldenFile() throws IOException {
    String head = "# collective, choices of the slot, fewest and most members, least and most bytes of each, way\n";
    assertEquals(
        Files.readString(GOLDEN),
        TABLE.stream().map(ChoiceTest::line).collect(Collectors.joining("", head, "")));
  }

  @Test
  void everyNumberOfMembersAndOfBytesHasOneRow() {
    for (int kind = SlotMember.BARRIER; kind <= SlotMember.ALLGATHERV; kind++) {
      for (int ranks : new int[] {1, 2, 16, 17, 1024}) {
        for (long bytes : kind == SlotMember.BARRIER ? new long[] {0} : new long[] {0, 1, 48, 49, 1 << 20, 1L << 40}) {
          int of = kind;
          List<Choice.Row> rows =
              TABLE.stream()
                  .filter(row -> row.kind() == of && row.choices() == 0)
                  .filter(row -> row.fewest() <= ranks && ranks <= row.most())
                  .filter(row -> row.least() <= bytes && bytes <= row.greatest())
                  .toList();
          assertEquals(1, rows.size(), rows::toString);
          assertEquals(Choice.of(kind, ranks, bytes, 0), rows.get(0).way());
        }
      }
    }
  }
}
