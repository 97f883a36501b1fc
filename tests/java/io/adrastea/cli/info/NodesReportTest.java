package io.adrastea.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.GivenSegment;
import io.adrastea.bootstrap.Bootstrap.Claim;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of the ranks of a node. */
class NodesReportTest {
  @TempDir
  Path directory;

  @Test
  void namesTheRanksOfTheJobAndHowManyAreOnOtherNodes() {
    StringWriter text = new StringWriter();
    try (Segment segment = GivenSegment.formatted(directory, 2, 4, 64)) {
      NodesReport.ranks("job 1, node 2", new RankTable(segment), rank -> rank == 0 ? null : new Claim(5, 8, ""))
          .print(new PrintWriter(text));
    }
    assertEquals(
        """
            job 1, node 2: 2 rank(s) of this node
              rank 0 of this node                         has not come
              rank 1 of this node  rank 5 of the job      has not come
              6 rank(s) elsewhere                         ask on their nodes; \
            what ranks here say of failures and long waits names their links and hosts

            """,
        text.toString());
  }
}
