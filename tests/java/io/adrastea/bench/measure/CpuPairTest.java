package io.adrastea.bench.measure;

import static io.adrastea.bench.measure.CpuPair.Distance.FAR;
import static io.adrastea.bench.measure.CpuPair.Distance.NEAR;
import static io.adrastea.bench.measure.CpuPair.Distance.SIBLINGS;
import static io.adrastea.bench.measure.CpuPair.Distance.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.topology.FakeMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuPairTest {
  @TempDir
  Path sys;

  private void cpu(int cpu, int socket, int core, String sharers) throws IOException {
    write(cpu, "topology/physical_package_id", "" + socket);
    write(cpu, "topology/core_id", "" + core);
    write(cpu, "cache/index0/level", "1");
    write(cpu, "cache/index0/shared_cpu_list", "" + cpu);
    write(cpu, "cache/index1/level", "3");
    write(cpu, "cache/index1/shared_cpu_list", sharers);
  }

  private void write(int cpu, String name, String text) throws IOException {
    Path file = sys.resolve("devices/system/cpu/cpu" + cpu).resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  @Test
  void shouldFindTwoCoresOfACacheAndTwoOfDifferentSockets() throws IOException {
    cpu(0, 0, 0, "0-1");
    cpu(1, 0, 1, "0-1");
    cpu(2, 0, 2, "2");
    cpu(3, 1, 0, "3");
    assertEquals(
        List.of(new CpuPair(NEAR, 0, 1), new CpuPair(FAR, 0, 3)), CpuPair.among(List.of(0, 1, 2, 3), sys));
  }

  @Test
  void shouldTakeTwoCachesOfOneSocketForFarWhenThereIsNoOther() throws IOException {
    cpu(0, 0, 0, "0-1");
    cpu(1, 0, 1, "0-1");
    cpu(2, 0, 2, "2-3");
    assertEquals(
        List.of(new CpuPair(NEAR, 0, 1), new CpuPair(FAR, 0, 2)), CpuPair.among(List.of(0, 1, 2), sys));
  }

  @Test
  void shouldKeepToTheCpusThatWereNamed() throws IOException {
    cpu(0, 0, 0, "0-1");
    cpu(1, 0, 1, "0-1");
    cpu(2, 1, 0, "2");
    assertEquals(List.of(new CpuPair(FAR, 2, 0)), CpuPair.among(List.of(2, 0), sys));
  }

  @Test
  void shouldNotTakeThreadsOfOneCoreForNear() throws IOException {
    cpu(0, 0, 0, "0-1");
    cpu(1, 0, 0, "0-1");
    assertEquals(List.of(new CpuPair(SIBLINGS, 0, 1)), CpuPair.among(List.of(0, 1), sys));
  }

  @Test
  void shouldTakeTheFirstTwoWhereNothingIsKnown() {
    assertEquals(List.of(new CpuPair(UNKNOWN, 4, 2)), CpuPair.among(List.of(4, 2, 1), sys));
    assertEquals(List.of(new CpuPair(UNKNOWN, 3, 3)), CpuPair.among(List.of(3), sys));
  }

  @Test
  void shouldTellWhatTwoCpusOfOtherMachinesShare() {
    FakeMachine.server(sys); // CPUs n and n + 16 are of one core, 0-7 and 8-15 of one package
    assertEquals(SIBLINGS, CpuPair.of(3, 19, sys).distance());
    assertEquals(NEAR, CpuPair.of(0, 1, sys).distance());
    assertEquals(NEAR, CpuPair.of(0, 17, sys).distance());
    assertEquals(FAR, CpuPair.of(0, 8, sys).distance());
  }

  @Test
  void shouldTakeTwoChipletsOfOnePackageForFar() {
    FakeMachine.chiplets(sys); // four cores each
    assertEquals(NEAR, CpuPair.of(0, 3, sys).distance());
    assertEquals(FAR, CpuPair.of(0, 4, sys).distance());
    assertEquals(SIBLINGS, CpuPair.of(16, 0, sys).distance());
  }

  @Test
  void shouldSayNothingOfTwoCpusThatTheKernelDoesNotDescribe() {
    assertEquals(UNKNOWN, CpuPair.of(0, 1, sys).distance());
    FakeMachine.server(sys);
    assertEquals(UNKNOWN, CpuPair.of(2, 2, sys).distance());
  }
}
