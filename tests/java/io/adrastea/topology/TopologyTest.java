package io.adrastea.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from the {@code /sys} of machines that are not this one. */
class TopologyTest {
  @TempDir
  Path sys;

  @Test
  void aServerHasPackagesNodesAndSiblings() {
    Topology server = FakeMachine.server(sys).topology("0-31");
    assertEquals(List.of("0: 0-7,16-23", "1: 8-15,24-31"), text(server.packages()));
    assertEquals(List.of("0: 0-3,16-19", "1: 4-7,20-23", "2: 8-11,24-27", "3: 12-15,28-31"), text(server.nodes()));
    assertEquals(16, server.cores().size());
    assertEquals("5: 5,21", text(server.cores()).get(5));
    assertEquals(List.of("0", "0", "1", "1"), of(server, Cpu::thread, 0, 15, 16, 31));
    assertEquals(
        List.of(new Cache(3, 48 << 20, Cpus.parse("0-7,16-23")), new Cache(3, 48 << 20, Cpus.parse("8-15,24-31"))),
        level(server, 3));
  }

  @Test
  void aChipletMachineHasSeveralLastCachesInAPackage() {
    Topology chiplets = FakeMachine.chiplets(sys).topology("0-31");
    assertEquals(List.of("0: 0-31"), text(chiplets.packages()));
    assertEquals(
        List.of("0-3,16-19", "4-7,20-23", "8-11,24-27", "12-15,28-31"),
        level(chiplets, 3).stream().map(cache -> cache.cpus().toString()).toList());
    assertEquals("L3 32 MiB", chiplets.lastCache(22).orElseThrow().toString());
    assertEquals(Optional.of("L1 32 KiB"), chiplets.sharedCache(Cpus.of(3, 19)).map(Cache::toString));
  }

  @Test
  void aLaptopHasCoresOfThreeSpeeds() {
    Topology laptop = FakeMachine.laptop(sys).topology("0-17");
    assertEquals(List.of("0", "0", "1", "1", "2"), of(laptop, Cpu::tier, 0, 7, 8, 15, 17));
    assertEquals(List.of("0", "1", "0", "0"), of(laptop, Cpu::thread, 6, 7, 8, 9));
    assertEquals("L3 24 MiB", laptop.lastCache(12).orElseThrow().toString());
    assertEquals(new Cache(2, 2 << 20, Cpus.parse("16-17")), laptop.lastCache(16).orElseThrow());
    assertEquals(Cpus.parse("8-11"), laptop.sharedCache(Cpus.of(8, 11)).orElseThrow().cpus());
    assertEquals(3, laptop.sharedCache(Cpus.of(0, 15)).orElseThrow().level());
    assertEquals(Optional.empty(), laptop.sharedCache(Cpus.of(0, 16)));
  }

  @Test
  void inACpusetOnlyWhatIsAllowedIsThere() {
    Topology part = FakeMachine.server(sys).topology("1-2,17,20,24");
    assertEquals(Cpus.parse("1-2,17,20,24"), part.allowed());
    assertEquals(List.of("0: 1-2,17", "1: 20", "2: 24"), text(part.nodes()));
    assertEquals(List.of("1: 1,17", "2: 2", "4: 20", "8: 24"), text(part.cores()));
    assertEquals(List.of("0", "0", "1", "0", "0"), of(part, Cpu::thread, 1, 2, 17, 20, 24));
    assertEquals(Cpus.parse("1-2,17,20"), part.lastCache(20).orElseThrow().cpus());
    assertThrows(IllegalArgumentException.class, () -> part.cpu(0));
  }

  @Test
  void armTellsTheSpeedOfItsCoresAsCapacities() {
    Topology phone = FakeMachine.blank(sys).capacities(250, 250, 1024, 800).topology("0-3");
    assertEquals(List.of("2", "2", "0", "1"), of(phone, Cpu::tier, 0, 1, 2, 3));
  }

  @Test
  void oldKernelsTellNumbersOfCoresWithinAPackage() {
    FakeMachine old = FakeMachine.blank(sys);
    for (int cpu = 0; cpu < 4; cpu++) {
      old.cpu(cpu, cpu / 2, 0, "");
    }
    assertEquals(List.of("0: 0-1", "2: 2-3"), text(old.topology("0-3").cores()));
  }

  @Test
  void instructionCachesAndNonsenseAreLeftOut() {
    Topology odd =
        FakeMachine.blank(sys)
            .cache(0, 0, 1, "Instruction", "32K", "0")
            .cache(0, 1, 2, "Unified", "much", "1-3")
            .cache(0, 2, 1, "Data", "48K", "0-")
            .file("devices/system/cpu/cpu0/cache/index3/level", "x")
            .topology("0-3");
    assertEquals(List.of(new Cache(1, 48 << 10, Cpus.of(0)), new Cache(2, 0, Cpus.of(0))), odd.cpu(0).caches());
  }

  @Test
  void whereNothingIsToldEachCpuIsACore() {
    Topology unknown = FakeMachine.blank(sys).topology("3,5");
    assertEquals(List.of("0: 3,5"), text(unknown.packages()));
    assertEquals(List.of("0: 3,5"), text(unknown.nodes()));
    assertEquals(List.of("3: 3", "5: 5"), text(unknown.cores()));
    assertTrue(unknown.caches().isEmpty());
    assertEquals(Optional.empty(), unknown.lastCache(5));
    assertEquals(List.of("0", "0"), of(unknown, Cpu::tier, 3, 5));
  }

  private static List<String> text(List<CpuGroup> groups) {
    return groups.stream().map(group -> group.number() + ": " + group.cpus()).toList();
  }

  private static List<String> of(Topology topology, Function<Cpu, Object> what, int... cpus) {
    return Cpus.of(cpus).stream().mapToObj(cpu -> what.apply(topology.cpu(cpu)).toString()).toList();
  }

  private static List<Cache> level(Topology topology, int level) {
    return topology.caches().stream().filter(cache -> cache.level() == level).collect(Collectors.toList());
  }
}
