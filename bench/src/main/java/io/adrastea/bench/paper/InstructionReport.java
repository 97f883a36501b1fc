package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Table 1 of [MPICH2 2007] and the table of [Nemesis 2006, 4.1.2], with our lines on top. */
final class InstructionReport {
  private static final List<String> SAID =
      List.of(
          "Ours are the instructions of the C core: a call with its arguments, when the message is there",
          "  already (as in both papers), averages of 1000 by callgrind. \"no BP\": poll tells what came,",
          "  the caller matches, take copies; with the bypass a posted receive is matched and copied in",
          "  the one call (MPICH2 2007, section 3.3).",
          "The papers' counts are of MPI_Send and MPI_Recv, which also look up the communicator and the",
          "  datatype, make requests and keep queues of posted and unexpected messages. A C rank has none",
          "  of these. For Java ranks they are in Java and not counted: valgrind does not follow code that",
          "  a JVM compiles while it runs, and an interpreter's count would be another program's. What",
          "  Java adds is told in time by 'bench latency' beside 'bench paper nemesis-queue'.",
          "MPICH2 2007: PAPI on 2 GHz Opterons; Nemesis 2006: PAPI on dual 2 GHz Xeons, 32 bits.");

  /** How a message is sent and received. */
  private enum Line {
    BOX("ours, fastbox", "channel-box", "counted_receive"), BOX_NO_BYPASS("ours, fastbox, no BP", "channel-box-poll",
        "counted_poll", "counted_take"), QUEUE("ours, queue", "channel-queue", "counted_receive"), QUEUE_NO_BYPASS(
            "ours, queue, no BP", "channel-queue-poll", "counted_poll", "counted_take");

    private final String title;
    private final Counted send;
    private final List<Counted> receive;

    Line(String title, String state, String... receive) {
      this.title = title;
      this.send = new Counted(state, "counted_send");
      this.receive = Arrays.stream(receive).map(name -> new Counted(state, name)).toList();
    }
  }

  private static final List<List<String>> TABLE_000 =
      List.of(
          List.of("MPICH2 2007: OpenMPI", "550", "1745", "2295"),
          List.of("MPICH2 2007: MPICH-GM", "455", "617", "1072"),
          List.of("MPICH2 2007: LAM MPI", "436", "472", "908"),
          List.of("MPICH2 2007: MPICH2 CH3:shm", "311", "748", "1059"),
          List.of("MPICH2 2007: MPICH2 Nemesis no BP", "241", "712", "952"),
          List.of("MPICH2 2007: MPICH2 Nemesis", "241", "259", "500"));

  private static final List<List<String>> TABLE_001 =
      List.of(
          List.of("Nemesis 2006: MPICH2 shm", "446", "1233", "1679"),
          List.of("Nemesis 2006: MPICH2 Nemesis", "278", "815", "1093"));

  private final Map<Counted, Double> counts;

  InstructionReport(Map<Counted, Double> counts) {
    this.counts = counts;
  }

  /** All that is to be counted. */
  static List<Counted> counted() {
    List<Counted> all = new ArrayList<>();
    for (Line line : Line.values()) {
      all.add(line.send);
      all.addAll(line.receive);
    }
    return all;
  }

  Report report() {
    List<List<String>> rows = new ArrayList<>();
    for (Line line : Line.values()) {
      rows.add(
          List.of(
              line.title,
              Table.number(send(line)),
              Table.number(receive(line)),
              Table.number(send(line) + receive(line))));
    }
    rows.addAll(TABLE_000);
    rows.addAll(TABLE_001);
    Grid grid =
        new Grid(
            "Instruction count for sending and receiving an eight-byte message",
            List.of("implementation", "send", "receive", "total"),
            rows);
    return new Report(List.of(grid), List.of(), SAID);
  }

  private double send(Line line) {
    return counts.get(line.send);
  }

  private double receive(Line line) {
    return line.receive.stream().mapToDouble(counts::get).sum();
  }

  List<String> csv() {
    List<String> lines = new ArrayList<>(List.of(Csv.HEADER));
    for (Line line : Line.values()) {
      String name = line.title.replace(",", "");
      lines.add(csv(name, "send", send(line)));
      lines.add(csv(name, "receive", receive(line)));
    }
    return lines;
  }

  private static String csv(String name, String metric, double value) {
    return String.format(
        Locale.ROOT, "mpich2-instructions,%s,8,%s,%.2f,instructions", name, metric, value);
  }
}
