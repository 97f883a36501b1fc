package io.adrastea.style;

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
          "AnyCommunicator", "Burst", "CartesianTopology", "Claim", "CollectiveRequests", "Communicator",
          "CommunicatorRequests", "Data", "GraphTopology",
          "Intercommunicator",
          "IoVector", "Job", "Message", "Op", "RankTopology", "Request", "SendBuffer", "StartedDup",
          "TopologyRequests");

  private static final Set<String> THROW_NOTHING =
      Set.of(
          "AnyCommunicator.group",
          "AnyCommunicator.name",
          "AnyCommunicator.persistent",
          "AnyCommunicator.rank",
          "AnyCommunicator.size",
          "AnyCommunicator.started",
          "Burst.destination",
          "CartesianTopology.Shift",
          "CartesianTopology.coordinates", // its own
          "CartesianTopology.dims",
          "CartesianTopology.neighbors",
          "CartesianTopology.periodic",
          "Communicator.rankOf",
          "Data.bytes",
          "Data.count",
          "GraphTopology.destinationWeights",
          "GraphTopology.destinations",
          "GraphTopology.sourceWeights",
          "GraphTopology.sources",
          "Intercommunicator.remoteGroup",
          "Intercommunicator.remoteSize",
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
          "RankTopology.persistent",
          "RankTopology.started",
          "Request.attach",
          "Request.attachment",
          "Request.isActive",
          "Request.release",
          "Request.toString",
          "Request.status",
          "SendBuffer.toString",
          "StartedDup.request",
          "StartedDup.toString");

  private static final Set<String> INTERFACES = Set.of("AnyCommunicator"); // in which all is public

  private static final Pattern CALL = call("public ");
  private static final Pattern CALL_OF_INTERFACE = call("");

  private static Pattern call(String visibility) {
    return Pattern.compile(
        "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*" + visibility + "[^\\n{;=]*?(\\w+)\\(",
        Pattern.DOTALL);
  }

  @Test
  void areOnEachCall() throws IOException {
    List<String> lacking = new ArrayList<>();
    int calls = 0;
    for (String type : TYPES) {
      Pattern pattern = INTERFACES.contains(type) ? CALL_OF_INTERFACE : CALL;
      Matcher call = pattern.matcher(Files.readString(SOURCES.resolve(type + ".java")));
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
