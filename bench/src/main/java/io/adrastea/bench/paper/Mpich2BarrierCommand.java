package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench paper mpich2-barrier}: [MPICH2 2007, 4.2] on one node. */
@Command(
    name = "mpich2-barrier",
    description = {
      "Time of a barrier by shared variables, by messages, and by slots (MPICH2 2007, Fig. 4, one node).",
      "In the CSV the column bytes has the number of ranks."
    })
final class Mpich2BarrierCommand extends BarrierExperiment {
  static final List<Meeting> MEETINGS = List.of(Meeting.SHARED, Meeting.MESSAGES, Meeting.SLOTS);
  static final String FIGURE = "MPICH2 2007, Fig. 4";
  static final List<String> SAID =
      List.of(
          "shared variables: the paper's counter and signal (adrastea.barrier=counter); slots: a line of each",
          "  rank in shared memory that belongs to the communicator, as the shared variables of section 3.4 do.",
          "MPICH2 2007, Fig. 4, nodes of two dual-core 2 GHz Opterons 275; on one node, four processes:",
          "  shared variables          0.4 us",
          "  messages (default)        2.6 us, more than a factor of 6");

  @Override
  String title() {
    return "adrastea bench paper mpich2-barrier: MPICH2 2007, section 4.2, Fig. 4, one node";
  }

  @Override
  Kind kind() {
    return kind("mpich2-barrier");
  }

  @Override
  List<Meeting> meetings() {
    return MEETINGS;
  }

  @Override
  List<String> said() {
    return SAID;
  }

  @Override
  String figure() {
    return FIGURE;
  }
}
