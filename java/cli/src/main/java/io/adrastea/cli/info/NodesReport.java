package io.adrastea.cli.info;

import io.adrastea.bootstrap.Bootstrap.Claim;
import io.adrastea.bootstrap.Bootstraps;
import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Links;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known on this node of nodes: how ranks that are started here reach others, and which jobs of this user run
 * here, with their ranks of this node. A segment has the ranks of its node alone, so nothing is told of the others.
 */
final class NodesReport {
  private static final Path PROC = Path.of("/proc");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final Pattern NAME =
      Pattern.compile("adrastea-%d-([0-9a-f]{16})-([0-9]{1,9})(?: \\(deleted\\))?".formatted(SegmentFile.uid()));

  private static final Set<String> OF_SETTINGS = Set.of("adrastea", "rendezvous"); // they ask this process's own

  private NodesReport() {}

  static List<Section> sections() {
    List<Section> sections = new ArrayList<>(List.of(here()));
    Map<String, Path> jobs = jobs();
    jobs.forEach((title, open) -> sections.add(job(title, open)));
    if (jobs.isEmpty()) {
      sections.add(new Section("no job of this user runs on this node, as far as /proc tells", List.of()));
    }
    return sections;
  }

  private static Section here() {
    return new Section("this node", List.of(
        List.of("host", host()),
        List.of("segments", SegmentFile.directory().toString()),
        List.of("started as", Bootstraps.words()),
        List.of("ranks of this node", "by shared memory, unless adrastea.links or a link before it says otherwise"),
        List.of("ranks of other nodes", links())));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "has no name";
    }
  }

  private static String links() {
    try {
      List<String> names = Links.inForce().beyondNode();
      return names.isEmpty()
          ? "by no link: none is on the class path or module path, or adrastea.links leaves it out"
          : "by the first of these links that reaches them: " + String.join(", ", names);
    } catch (JoinException | IllegalArgumentException e) {
      return "refused: " + e.getMessage();
    }
  }

  /** A way to open the segment of each job that a process has open here, by the words for job and node. */
  private static Map<String, Path> jobs() {
    Map<String, Path> jobs = new TreeMap<>();
    for (Path process : list(PROC)) {
      if (NUMBER.matcher(process.getFileName().toString()).matches()) {
        list(process.resolve("fd")).forEach(file -> add(jobs, file));
      }
    }
    return jobs;
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(); // its process has ended, or is another user's
    }
  }

  private static void add(Map<String, Path> jobs, Path file) {
    try {
      Matcher name = NAME.matcher(Files.readSymbolicLink(file).getFileName().toString());
      if (name.matches()) {
        jobs.putIfAbsent("job %s, node %s".formatted(name.group(1), name.group(2)), file);
      }
    } catch (IOException | RuntimeException e) {
      return; // it was closed, or is no link to a file
    }
  }

  private static Section job(String title, Path open) {
    try {
      return Segment.attachOpen(open).map(segment -> ranks(title, segment))
          .orElseGet(() -> new Section(title + ": its segment is being made", List.of()));
    } catch (SegmentException e) {
      return new Section(title, List.of(List.of(e.getMessage())));
    }
  }

  private static Section ranks(String title, Segment segment) {
    try (segment) {
      RankTable table = new RankTable(segment);
      return ranks(title, table, rank -> table.isPresent(rank) ? claim(table, rank) : null);
    }
  }

  /** @param claims which rank of the job a rank of the node is; null: that is not known */
  static Section ranks(String title, RankTable table, IntFunction<Claim> claims) {
    List<List<String>> rows = new ArrayList<>();
    int most = table.size();
    for (int rank = 0; rank < table.size(); rank++) {
      Claim found = claims.apply(rank);
      most = found == null ? most : Math.max(most, found.size());
      boolean hasCome = table.pid(rank) != 0;
      rows.add(List.of(
          "rank " + rank + " of this node",
          found == null ? "" : "rank %d of the job".formatted(found.rank()),
          hasCome ? "process " + table.pid(rank) : "",
          hasCome ? table.isOfC(rank) ? "C" : "Java" : "",
          state(table, rank)));
    }
    if (most > table.size()) {
      rows.add(List.of("%d rank(s) elsewhere".formatted(most - table.size()), "", "", "",
          "ask on their nodes; what ranks here say of failures and long waits names their links and hosts"));
    }
    return new Section("%s: %d rank(s) of this node".formatted(title, table.size()), rows);
  }

  /** Which rank of the job the variables of its process say that it is; null: none, or the process holds several. */
  private static Claim claim(RankTable table, int rank) {
    long pid = table.pid(rank);
    for (int other = 0; other < table.size(); other++) {
      if (pid == 0 || other != rank && table.pid(other) == pid) {
        return null;
      }
    }
    try {
      String environment =
          new String(Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("environ")),
              StandardCharsets.ISO_8859_1);
      Map<String, String> variables =
          Stream.of(environment.split("\0")).filter(each -> each.indexOf('=') > 0).collect(Collectors.toMap(
              each -> each.substring(0, each.indexOf('=')), each -> each.substring(each.indexOf('=') + 1),
              (first, second) -> first));
      return claim(variables);
    } catch (IOException | JoinException | IllegalArgumentException e) {
      return null; // it has ended, lives in another PID namespace, or was started otherwise
    }
  }

  private static Claim claim(Map<String, String> variables) {
    String rank = variables.get(Tunable.RANK.variable());
    if (rank != null) {
      return new Claim(Integer.parseInt(rank), Integer.parseInt(variables.getOrDefault(Tunable.SIZE.variable(), "0")),
          Tunable.RANK.variable());
    }
    return Bootstraps.ALL.stream().filter(each -> !OF_SETTINGS.contains(each.name()))
        .flatMap(each -> each.claim(variables).stream()).findFirst().orElse(null);
  }

  private static String state(RankTable table, int rank) {
    boolean present = table.isPresent(rank);
    return switch (table.state(rank)) {
      case RankEntryDescriptor.STATE_ABSENT -> "has not come";
      case RankEntryDescriptor.STATE_JOINING -> "joins";
      case RankEntryDescriptor.STATE_LEFT -> "has left";
      case RankEntryDescriptor.STATE_ATTACHED -> present ? "is there" : "has ended";
      default -> table.reason(rank).isEmpty() ? "has failed" : "has failed: " + table.reason(rank);
    };
  }
}
