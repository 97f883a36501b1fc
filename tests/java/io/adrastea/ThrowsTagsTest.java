package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each public call says in its Javadoc what it throws, but for those that throw nothing. */
class ThrowsTagsTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("adrastea.root"), "java", "transport", "src", "main", "java", "io", "adrastea");
  private static final List<String> TYPES =
      List.of(
          "Burst", "CartesianTopology", "Claim", "Communicator", "Data", "GraphTopology", "Intercommunicator",
          "IoVector", "Job", "Message", "Op", "RankTopology", "Request");

  private static final Set<String> THROW_NOTHING =
      Set.of(
          "Burst.destination",
          "CartesianTopology.Shift",
          "CartesianTopology.coordinates", // its own
          "CartesianTopology.dims",
          "CartesianTopology.neighbors",
          "CartesianTopology.periodic",
          "Communicator.group",
          "Communicator.rank",
          "Communicator.name",
          "Communicator.rankOf",
          "Communicator.size",
          "Data.bytes",
          "Data.count",
          "GraphTopology.destinationWeights",
          "GraphTopology.destinations",
          "GraphTopology.sourceWeights",
          "GraphTopology.sources",
          "Intercommunicator.group",
          "Intercommunicator.rank",
          "Intercommunicator.name",
          "Intercommunicator.remoteGroup",
          "Intercommunicator.remoteSize",
          "Intercommunicator.size",
          "IoVector.bytes",
          "IoVector.size",
          "Job.builder",
          "Job.core",
          "Job.progressThread", // the builder's
          "Job.toString",
          "Job.topology",
          "Job.world",
          "Op.isCommutative",
          "Op.toString",
          "RankTopology.communicator",
          "Request.isActive",
          "Request.toString",
          "Request.status");

  private static final Pattern CALL =
      Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*public [^\\n{;=]*?(\\w+)\\(",
          Pattern.DOTALL);

  @Test
  void areOnEachCall() throws IOException {
    List<String> lacking = new ArrayList<>();
    int calls = 0;
    for (String type : TYPES) {
      Matcher call = CALL.matcher(Files.readString(SOURCES.resolve(type + ".java")));
      while (call.find()) {
        String name = type + "." + call.group(2);
        calls++;
        boolean constructor = type.equals(call.group(2));
        if (!constructor && !call.group(1).contains("@throws") && !THROW_NOTHING.contains(name)) {
          lacking.add(name);
        }
      }
    }
    assertTrue(calls > 100, "calls that were found: " + calls);
    assertEquals(List.of(), lacking);
  }
}
