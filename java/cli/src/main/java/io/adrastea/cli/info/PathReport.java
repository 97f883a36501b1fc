package io.adrastea.cli.info;

import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.BoxSettings;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.EagerLimits;
import io.adrastea.transfer.Path;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.transfer.WaySelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reports what a message from a rank on one core to a rank on another one would use here, and why nothing else. */
final class PathReport {
  private static final int EPERM = 1;

  private final CoreProvider sender;
  private final CoreProvider receiver;
  private final PathTrial sending; // what the sender can do with the receiver's memory
  private final PathTrial receiving;
  private final TransferSettings large = TransferSettings.inForce();
  private final boolean rendezvous; // with very small cells there is none
  private final long box; // longest message in a fastbox, in bytes; below 0: there are none

  /** Tries it, with two processes. */
  PathReport(CoreProvider sender, CoreProvider receiver) {
    this.sender = sender;
    this.receiver = receiver;
    this.rendezvous = Tunable.CELL_BYTES.intValue() >= Cookie.LEAST_BYTES;
    this.box = Tunable.BOX_LINES.intValue() != 0 ? BoxSettings.inForce().limit() : -1;
    List<PathTrial> trials = PathTrial.between(sender.name(), receiver.name());
    this.sending = trials.get(0);
    this.receiving = trials.get(1);
  }

  List<Section> sections() {
    String title =
        "Messages from a rank on core %s to a rank on core %s: who copies, and through what".formatted(sender.name(),
            receiver.name());
    String refusal =
        refusal(sender, sending.written(), sending)
            .or(() -> refusal(receiver, receiving.read(), receiving))
            .orElse(null);
    return List.of(
        new Section(title,
            refusal == null ? wayRows() : List.of(List.of("none: a rank fails to join, since " + refusal))),
        new Section("Ways for messages that are not sent before their receive is known, the first that fits",
            pathRows()),
        new Section("What they cost here, and which is taken then: each pair of ranks finds that out for itself",
            refusal == null ? costRows() : List.of(List.of("not tried: no rank joins"))),
        new Section(
            "Windows: how a rank on core %s reaches memory of a rank on core %s, by the first that fits".formatted(
                sender.name(), receiver.name()),
            windowRows()));
  }

  private List<List<String>> windowRows() {
    return List.of(
        windowRow("direct", "what Window.allocate and job.allocate gave; on every core"),
        windowRow("xpmem", allowed(Path.XPMEM, xpmem(sender, sending))),
        windowRow("cma", allowed(Path.CMA, cma(sender, Math.min(sending.read(), sending.written())))),
        windowRow("handler", "whatever nothing else can reach, and atomic calls beside cma: the target does it, in its"
            + " calls or by its progress thread"));
  }

  private static List<String> windowRow(String way, String what) {
    String wanted = Tunable.WINDOW.word();
    boolean allowed = wanted.equals("auto") || wanted.equals(way);
    return List.of(way, allowed ? what : "not allowed: adrastea.window=" + wanted);
  }

  /** What was found by trying, for a moment. */
  private List<List<String>> costRows() {
    if (!large.allowsAll()) {
      return List.of(List.of("not compared: adrastea.lmt=" + Tunable.LMT.word()));
    }
    if (!large.learning()) {
      return List.of(List.of("not compared: adrastea.lmt.learn=" + Tunable.LMT_LEARN.word()));
    }
    if (!sender.name().equals(receiver.name())) {
      return List.of(List.of("tried where both ranks have the same core"));
    }
    return PathTrial.costs(sender.name()).stream().map(List::of).toList();
  }

  /** Why a rank does not join with these settings. */
  private Optional<String> refusal(CoreProvider core, long cma, PathTrial trial) {
    // What a peer forbids is found out later.
    int has = able(trial, cma) | (cma == Spaces.NOSYS ? 0 : Path.CMA.bit());
    try {
      large.requireAble(has, core.spaces());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  private List<List<String>> wayRows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SENDER'S", "RECEIVER'S", "BYTES", "WAY"));
    for (WaySelector.Memory from : WaySelector.Memory.values()) {
      addRows(from, rows);
    }
    return rows;
  }

  /** Sizes of which all go the same ways are one. */
  private void addRows(WaySelector.Memory from, List<List<String>> rows) {
    List<Long> firsts = new ArrayList<>();
    List<List<String>> ways = new ArrayList<>();
    for (long first : steps()) {
      List<String> now = Stream.of(WaySelector.Memory.values()).map(to -> way(from, to, first)).toList();
      if (ways.isEmpty() || !ways.getLast().equals(now)) {
        firsts.add(first);
        ways.add(now);
      }
    }
    for (int i = 0; i < firsts.size(); i++) {
      String range = range(firsts.get(i), i + 1 < firsts.size() ? firsts.get(i + 1) : Long.MAX_VALUE);
      addRows(from, range, ways.get(i), rows);
    }
  }

  private static String range(long first, long next) {
    return next == Long.MAX_VALUE ? "from %,d".formatted(first) : "%,d to %,d".formatted(first, next - 1);
  }

  private static void addRows(WaySelector.Memory from, String range, List<String> ways, List<List<String>> rows) {
    if (ways.stream().distinct().count() == 1) {
      rows.add(List.of(lower(from), "any", range, ways.getFirst()));
      return;
    }
    for (WaySelector.Memory to : WaySelector.Memory.values()) {
      rows.add(List.of(lower(from), lower(to), range, ways.get(to.ordinal())));
    }
  }

  private String way(WaySelector.Memory from, WaySelector.Memory to, long bytes) {
    String answer = way(from, to, bytes, true);
    String stream = way(from, to, bytes, false);
    return answer.equals(stream) ? answer : "%s; in a stream %s".formatted(answer, stream);
  }

  private String way(WaySelector.Memory from, WaySelector.Memory to, long bytes, boolean heard) {
    if (isEager(from, bytes)) {
      return bytes <= (heard ? box : Math.min(box, BoxSettings.STREAM_BYTES)) ? "both: fastbox" : "both: cells";
    }
    WaySelector.End here = new WaySelector.End(from, large.paths(), able(sending, sending.written()));
    WaySelector.End there = new WaySelector.End(to, large.paths(), able(receiving, receiving.read()));
    return words(WaySelector.select(here, there, bytes, large.splitBytes()));
  }

  private static int able(PathTrial trial, long cma) {
    return Path.SHARED.bit()
        | Path.RING.bit()
        | (cma > 0 ? Path.CMA.bit() : 0)
        | (trial.attached() ? Path.XPMEM.bit() : 0);
  }

  private static String words(WaySelector.Selection selection) {
    if (selection.receiver() == null) {
      return "sender: " + lower(selection.sender());
    }
    if (selection.sender() == null) {
      return "receiver: " + lower(selection.receiver());
    }
    return selection.sender() == selection.receiver()
        ? "both: " + lower(selection.sender())
        : "receiver: %s, sender: %s".formatted(lower(selection.receiver()), lower(selection.sender()));
  }

  private static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  private List<List<String>> pathRows() {
    return List.of(
        row(Path.SHARED, "from or to what job.allocate gave; on every core"),
        row(Path.XPMEM, both(xpmem(receiver, receiving), xpmem(sender, sending))),
        row(Path.CMA, both(cma(receiver, receiving.read()), cma(sender, sending.written()))),
        row(Path.RING, "whatever nothing else can reach; on every core"));
  }

  private List<String> row(Path path, String what) {
    return List.of(lower(path), allowed(path, what));
  }

  private String allowed(Path path, String what) {
    return path.isIn(large.paths()) ? what : "not allowed: adrastea.lmt=" + Tunable.LMT.word();
  }

  private static String both(String receiver, String sender) {
    return receiver.equals(sender) ? receiver : "receiver: %s; sender: %s".formatted(receiver, sender);
  }

  private static String xpmem(CoreProvider core, PathTrial trial) {
    String found = core.spaces().describe().stream().filter(line -> line.startsWith("XPMEM: ")).findFirst().orElse("");
    return trial.attached() ? "works, tried between two processes" : found.substring("XPMEM: ".length());
  }

  private static String cma(CoreProvider core, long status) {
    if (status == Spaces.NOSYS) {
      return "not from core %s".formatted(core.name());
    }
    if (status > 0) {
      return "works, tried between two processes";
    }
    String hint =
        -status == EPERM ? ": /proc/sys/kernel/yama/ptrace_scope, a container's seccomp profile or user ids" : "";
    return "refused by the system, tried between two processes (errno %d%s)".formatted(-status, hint);
  }

  /** Whether a message is sent before its receive is known. */
  private boolean isEager(WaySelector.Memory from, long bytes) {
    return !rendezvous || bytes <= large.eager().of(large.reaches() ? from : WaySelector.Memory.ARRAY);
  }

  /** The sizes at which something may change, the least first. */
  private SortedSet<Long> steps() {
    EagerLimits eager = large.eager();
    SortedSet<Long> steps = new TreeSet<>();
    steps.add(0L);
    steps.add(box + 1);
    steps.add(BoxSettings.STREAM_BYTES + 1L);
    if (rendezvous) {
      steps.add(eager.shared() + 1);
      steps.add(eager.offHeap() + 1);
      steps.add(eager.array() + 1);
      steps.add(large.splitBytes());
    }
    return steps;
  }
}
