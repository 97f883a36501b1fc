package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bench paper mvapich-barrier}: [MVAPICH 2006, 4.3]. */
@Command(
    name = "mvapich-barrier",
    description = {
      "Time of a barrier of messages by two ways of small messages, and by slots (MVAPICH 2006, section"
          + " 4.3, Fig. 10).",
      "In the CSV the column bytes has the number of ranks."
    })
final class MvapichBarrierCommand extends BarrierExperiment {
  private static final List<String> SAID =
      List.of(
          "messages: dissemination, by our fastboxes, a buffer for each ordered pair of ranks that its receiver",
          "  polls, as the receive buffers of the new design are; messages by cells: the same without fastboxes,",
          "  all by the receiver's queue; slots: no messages.",
          "MVAPICH 2006, Fig. 10, MPI_Barrier of messages on nodes of 2 GHz Opterons, new design against the",
          "  original one: 17 % less time with 2 processes, 19 % with 4; 8 % with 8, on two nodes.");

  @Override
  String title() {
    return "adrastea bench paper mvapich-barrier: MVAPICH 2006, section 4.3, Fig. 10";
  }

  @Override
  Kind kind() {
    return kind("mvapich-barrier");
  }

  @Override
  List<Meeting> meetings() {
    return List.of(Meeting.CELLS, Meeting.MESSAGES, Meeting.SLOTS);
  }

  @Override
  List<String> said() {
    return SAID;
  }

  @Override
  String figure() {
    return "MVAPICH 2006, Fig. 10";
  }
}
