package io.adrastea.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is chosen, against the golden file. */
class SpreadTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("adrastea.root")).resolve("tests/spread/choices.golden");
  private static final int[][] SHAPES = {
    {1, 2}, {1, 3}, {1, 64}, {2, 1}, {3, 1}, {8, 1}, {100, 1}, {1024, 1}, {2, 8}, {3, 4}, {64, 16}
  };
  private static final int MOST_BITS = 28;

  private static Spread spread(int nodes, int ranks, LinkClass link) {
    return new Spread(Hierarchy.of(IntStream.range(0, nodes * ranks).map(member -> member / ranks).toArray()), link);
  }

  private static String table() {
    StringBuilder table =
        new StringBuilder(
            "# collective, nodes, ranks of each, links, brackets: algorithm, leaders or stripes from bytes on\n");
    for (Spread.Kind kind : Spread.Kind.values()) {
      for (int[] shape : SHAPES) {
        for (LinkClass link : LinkClass.values()) {
          if (shape[0] == 1 == (link == LinkClass.MEMORY)) {
            for (boolean anyBrackets : new boolean[] {true, false}) {
              line(table, kind, shape, link, anyBrackets);
            }
          }
        }
      }
    }
    return table.toString();
  }

  private static void line(
      StringBuilder table, Spread.Kind kind, int[] shape, LinkClass link, boolean anyBrackets) {
    boolean reduces = switch (kind) {
      case REDUCE, ALLREDUCE, SCAN, REDUCE_SCATTER -> true;
      default -> false;
    };
    if (!reduces && !anyBrackets) {
      return;
    }
    Spread spread = spread(shape[0], shape[1], link);
    table.append(
        "%s %d %d %s %s:".formatted(kind, shape[0], shape[1], link, reduces ? anyBrackets ? "any" : "left" : "-")
            .toLowerCase(Locale.ROOT));
    String last = "";
    for (int bits = -1; bits <= MOST_BITS; bits++) {
      long bytes = bits < 0 ? 0 : 1L << bits;
      Spread.Reach reach = spread.reach(kind, bytes, anyBrackets);
      String way = reach == Spread.Reach.FLAT ? spread.algorithm(kind, bytes, anyBrackets).name() : reach.name();
      if (!way.equals(last)) {
        table.append("%s %s from %d".formatted(last.isEmpty() ? "" : ",", way.toLowerCase(Locale.ROOT), bytes));
      }
      last = way;
    }
    table.append('\n');
  }

  @Test
  void theTableIsThatOfTheGoldenFile() throws IOException {
    assertEquals(Files.readString(GOLDEN), table());
  }

  /** Whatever is chosen can be filled, for any number of members. */
  @Test
  void whatIsChosenIsAnAlgorithmOfTheCollective() {
    Schedule schedule = new Schedule();
    for (int size : new int[] {1, 2, 3, 7, 8, 33}) {
      for (LinkClass link : LinkClass.values()) {
        Spread spread = spread(size, 1, link);
        for (long bytes : new long[] {0, 8, 4096, 1 << 20, 1 << 26}) {
          for (boolean any : new boolean[] {true, false}) {
            BcastRounds.fill(schedule, spread.algorithm(Spread.Kind.BCAST, bytes, any), 0, 0, size, bytes, 65_536);
            ReduceRounds.fill(schedule, spread.algorithm(Spread.Kind.REDUCE, bytes, any), 0, 0, size, bytes, 4);
            AllreduceRounds.fill(schedule, spread.algorithm(Spread.Kind.ALLREDUCE, bytes, any), 0, size, bytes, 4);
            ScanRounds.fill(
                schedule, spread.algorithm(Spread.Kind.SCAN, bytes, any), false, 0, size, bytes, 65_536);
            ReduceScatterRounds.fill(
                schedule, spread.algorithm(Spread.Kind.REDUCE_SCATTER, bytes, any), 0, size, bytes / size / 4 * 4);
            AllgatherRounds.fill(schedule, spread.algorithm(Spread.Kind.ALLGATHER, bytes, any), 0, size, bytes);
            assertTrue(schedule.scratchBytes() <= size * bytes + bytes);
          }
        }
      }
    }
  }

  @Test
  void membersAreCountedByTheirNodes() {
    Hierarchy hierarchy = Hierarchy.of(7, 7, 2, 7, 2, 5);
    assertEquals(3, hierarchy.count());
    assertEquals(3, hierarchy.most());
    assertEquals(1, hierarchy.least());
    assertEquals(1, hierarchy.node(4));
    assertEquals(1, hierarchy.local(4));
    assertEquals(2, hierarchy.node(5));
    assertTrue(!hierarchy.isConsecutive() && Hierarchy.of(3, 3, 1, 1, 1, 2).isConsecutive());
  }
}
