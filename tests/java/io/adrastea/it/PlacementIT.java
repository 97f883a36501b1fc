package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.topology.CpuGroup;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which core and which CPU each rank gets. */
class PlacementIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({
    "ffm,ffm ffm ffm",
    "java,java java java",
    "'ffm,java',ffm java ffm",
    "'java,java,ffm',java java ffm"
  })
  void coresAreDealtToTheRanksInTurn(String list, String dealt) throws Exception {
    Outcome outcome = place("--core", list);
    assertEquals(dealt, String.join(" ", column(outcome, "core")), outcome::toString);
  }

  @Test
  void theCoreOfTheEnvironmentHoldsWhereTheCommandLineNamesNone() throws Exception {
    Outcome outcome = launch().set("core", "java").run().exits(0);
    assertEquals(List.of("java", "java", "java"), column(outcome, "core"), outcome::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void bindCpuPinsTheJoiningThreadOfEachRank(String core) throws Exception {
    List<Integer> allowed = Cpus.inOrder(allowed());
    List<Integer> named = List.of(allowed.getLast(), allowed.getFirst(), allowed.getLast());
    String list = named.toString().replaceAll("[\\[\\] ]", "");
    Outcome outcome = place("--core", core, "--bind", "cpu", "--map", list);
    assertEquals(named.stream().map(String::valueOf).toList(), column(outcome, "cpus"), outcome::toString);
    assertEquals(List.of(allowed(), allowed(), allowed()), column(outcome, "jvm"), outcome::toString);
    // Told before memory was reserved.
    assertEquals(column(outcome, "cpus"), column(outcome, "known"), outcome::toString);
    String used = Cpus.of(allowed.getFirst(), allowed.getLast()).toString();
    assertEquals(List.of(used, used, used), column(outcome, "topology"), outcome::toString);
    outcome.says("ranks share their CPUs with other ranks, so waiting ranks give way to each other");
  }

  @Test
  void aCRankIsBoundToo() throws Exception {
    List<Integer> allowed = Cpus.inOrder(allowed());
    String order = allowed.getLast() + "," + allowed.getFirst();
    try (Child job =
        Launch.adrastea(shm, "run", "-n", "2", "--bind", "cpu", "--map", order, "--", CProgram.of("linger"), "0")
            .start()) {
      for (int rank = 0; rank < 2; rank++) {
        long pid = job.awaitNumber("^\\[" + rank + "\\] ready (\\d+)");
        assertEquals(order.split(",")[rank], Processes.status("" + pid, "Cpus_allowed_list"));
      }
    }
  }

  @Test
  void eachRankGetsACpuOfItsOwn() throws Exception {
    assumeTrue(Cpus.parse(allowed()).count() >= 2, "there is one CPU only");
    Outcome outcome = cat("-n", "2", "--bind", "cpu").run().exits(0);
    assertEquals(2, outcome.lines().stream().map(line -> line.replaceFirst(".*:", "")).distinct().count(),
        outcome::toString);
    assertTrue(outcome.lines().stream().allMatch(line -> Cpus.parse(line.replaceFirst(".*:", "").strip()).count() == 1),
        outcome::toString);
    outcome.saysNothing();
  }

  @Test
  void moreRanksThanCpusAreNotBoundToSingleOnes() throws Exception {
    int cpus = Cpus.parse(allowed()).count();
    String there = cpus == 1 ? "1 CPU is" : cpus + " CPUs are";
    cat("-n", "" + (cpus + 1), "--bind", "cpu")
        .run()
        .exits(2)
        .says("%d ranks are to be bound, and %s allowed here (%s)".formatted(cpus + 1, there, allowed()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache", "numa"})
  void aProcessIsBoundAsAWholeToACacheOrANode(String binding) throws Exception {
    Topology topology = Topology.of(Cpus.parse(allowed()));
    int last = topology.allowed().stream().max().orElseThrow();
    String wanted =
        (binding.equals("cache") && topology.lastCache(last).isPresent()
            ? topology.lastCache(last).orElseThrow().cpus()
            : topology.nodes().stream().map(CpuGroup::cpus).filter(node -> node.contains(last)).findFirst()
                .orElseThrow())
            .toString();
    Outcome outcome = place("--bind", binding, "--map", "" + last);
    assertEquals(List.of(wanted, wanted, wanted), column(outcome, "cpus"), outcome::toString);
    assertEquals(List.of(wanted, wanted, wanted), column(outcome, "jvm"), outcome::toString);
  }

  @Test
  void onlyCpusOfTheLaunchersCpusetAreDealt() throws Exception {
    int last = Cpus.parse(allowed()).stream().max().orElseThrow();
    Outcome outcome = cat("--bind", "cpu").under("taskset", "-c", "" + last).run().exits(0);
    assertTrue(outcome.out().endsWith(":\t" + last + "\n"), outcome::toString);
    cat("-n", "2", "--bind", "cpu")
        .under("taskset", "-c", "" + last)
        .run()
        .exits(2)
        .says("2 ranks are to be bound, and 1 CPU is allowed here (" + last + ")");
  }

  /** The kernel's own word on a program that is not a JVM. */
  private Launch cat(String... options) {
    return Launch.adrastea(shm, "run").add(options).add("--", "grep", "Cpus_allowed_list", "/proc/self/status");
  }

  private static String allowed() throws Exception {
    return Cpus.ofThread().toString();
  }

  @Test
  void withoutBindingRanksMayRunWhereTheLauncherMay() throws Exception {
    assertEquals(List.of(allowed(), allowed(), allowed()), column(place("--bind", "none"), "cpus"));
  }

  @Test
  void aSettingOfTheCommandLineReachesAllRanks() throws Exception {
    Outcome outcome =
        place("-D", "cells=17", "--set", "cell.bytes=4096", "--join-timeout", "77777");
    assertEquals(List.of("17", "17", "17"), column(outcome, "cells"), outcome::toString);
    assertEquals(List.of("4096", "4096", "4096"), column(outcome, "payload"), outcome::toString);
    assertEquals(List.of("77777", "77777", "77777"), column(outcome, "timeout"), outcome::toString);
  }

  private Outcome place(String... options) throws Exception {
    return launch(options).run().exits(0);
  }

  private Launch launch(String... options) {
    return Launch.adrastea(shm, "run", "-n", "3")
        .add(options)
        .add("--", "java", "-XX:TieredStopAtLevel=1", "io.adrastea.it.PlacementRank");
  }

  /** The values of {@code name=value} in the lines of all ranks, in the order of ranks. */
  private static List<String> column(Outcome outcome, String name) {
    return outcome.lines().stream()
        .sorted()
        .map(line -> line.replaceFirst(".* " + name + "=(\\S*).*", "$1"))
        .toList();
  }
}
