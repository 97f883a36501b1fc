package io.adrastea.cli.place;

import static io.adrastea.cli.place.Binding.cache;
import static io.adrastea.cli.place.Binding.cpu;
import static io.adrastea.cli.place.Binding.none;
import static io.adrastea.cli.place.Binding.numa;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.topology.FakeMachine;
import io.adrastea.topology.Topology;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each rank is bound to, on machines that are not this one; and how that is drawn. */
class PlacementTest {
  @TempDir
  Path sys;

  private static String cpus(Placement placement) {
    return placement.places().stream().map(place -> place.cpus().toString()).collect(Collectors.joining(" | "));
  }

  private static Placement place(Topology topology, String map, Binding... bindings) {
    return Placement.of(topology, Mapping.parse(map), List.of(bindings));
  }

  private static String drawn(Topology topology, String map, int ranks, Binding binding) {
    Placement placement = Placement.of(topology, Mapping.parse(map), Collections.nCopies(ranks, binding));
    return String.join("\n", Drawing.of(topology, placement)) + "\n";
  }

  @Test
  void aRankIsBoundToItsCpuOrToAllThatShareItsCacheOrNode() {
    Topology server = FakeMachine.server(sys).topology("0-31");
    assertEquals("0 | 8 | 4", cpus(place(server, "spread", cpu, cpu, cpu)));
    assertEquals("0-7,16-23 | 8-15,24-31 | 0-7,16-23", cpus(place(server, "cache", cache, cache, cache)));
    assertEquals("0-3,16-19 | 0-3,16-19", cpus(place(server, "packed", numa, numa)));
    assertEquals("0-3,16-19 | 4-7,20-23", cpus(place(server, "numa", numa, numa)));
  }

  @Test
  void ranksThatAreNotBoundTakeNoCpu() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("4-7");
    assertEquals("4 | 4-7 | 5 | 4-7 | 7", cpus(place(chiplets, "packed", cpu, none, cpu, cache, cpu)));
  }

  @Test
  void moreRanksThanCpusShareCachesButNotCpus() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-1,4");
    assertEquals("0-1 | 0-1 | 4 | 0-1", cpus(place(chiplets, "packed", cache, cache, cache, cache)));
    String said =
        assertThrows(IllegalArgumentException.class, () -> place(chiplets, "packed", cpu, cpu, cpu, cpu)).getMessage();
    assertTrue(said.contains("4 ranks are to be bound, and 3 CPUs are allowed here (0-1,4)"), said);
    assertTrue(said.contains("Start at most 3, choose --bind cache, numa or none, or let ranks share CPUs"), said);
    said = assertThrows(IllegalArgumentException.class, () -> place(chiplets, "1,4", cpu, cpu, cpu)).getMessage();
    assertTrue(said.contains("3 ranks are to be bound, and --map names 2 CPUs"), said);
  }

  @Test
  void namedSeveralTimesACpuIsShared() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-3");
    Placement placement = place(chiplets, "1,1,2", cpu, cpu, cpu);
    assertEquals("1 | 1 | 2", cpus(placement));
    assertEquals(2, placement.sharing());
    assertEquals(0, place(chiplets, "packed", cpu, cpu, cache, cache).sharing());
  }

  @Test
  void whereNoCacheIsKnownANodeStandsForIt() {
    Topology bare = FakeMachine.blank(sys).node(0, "0-1").node(1, "2-3").topology("0-3");
    assertEquals("0-1 | 2-3", cpus(place(bare, "1,2", cache, cache)));
  }

  @Test
  void aServerIsDrawnAsATree() {
    assertEquals(
        """
            package 0
              NUMA node 0
                L3 48 MiB of CPUs 0-1,5,17
                  core  CPU  0: rank 0
                  core  CPU  1: rank 2  CPU 17: -
              NUMA node 1
                L3 48 MiB of CPUs 0-1,5,17
                  core  CPU  5: -
            package 1
              NUMA node 2
                core  CPU  8: rank 1
            """,
        drawn(FakeMachine.server(sys).topology("0-1,5,8,17"), "socket", 3, cpu));
  }

  @Test
  void chipletsAreDrawnWithTheRanksOfEach() {
    assertEquals(
        """
            package 0
              L3 32 MiB of CPUs 2-3,19
                core  CPU  2: ranks 0-2
                core  CPU  3: ranks 0-2  CPU 19: ranks 0-2
              L3 32 MiB of CPUs 4-5
                core  CPU  4: ranks 3-4
                core  CPU  5: ranks 3-4
            """,
        drawn(FakeMachine.chiplets(sys).topology("2-5,19"), "2-3,19,4,5", 5, cache));
  }

  @Test
  void aLaptopIsDrawnWithItsClusters() {
    assertEquals(
        """
            package 0
              L3 24 MiB of CPUs 0-1,8-9,12
                core  CPU  0: rank 0  CPU  1: rank 5
                L2 4 MiB of CPUs 8-9
                  slower core  CPU  8: rank 1
                  slower core  CPU  9: rank 2
                slower core  CPU 12: rank 3
              slower core  CPU 16: rank 4
            """,
        drawn(FakeMachine.laptop(sys).topology("0-1,8-9,12,16"), "packed", 6, cpu));
  }
}
