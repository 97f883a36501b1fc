package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which core and which CPU each rank gets. */
class PlacementIT {
  @RegisterExtension final ShmDirectory shm = new ShmDirectory();

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
    List<Integer> allowed = allowed(Processes.status("self", "Cpus_allowed_list"));
    List<String> wanted = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      wanted.add(Integer.toString(allowed.get(rank % allowed.size())));
    }
    Outcome outcome = place("--core", core, "--bind", "cpu");
    assertEquals(wanted, column(outcome, "cpus"), outcome::toString);
  }

  @Test
  void withoutBindingRanksMayRunWhereTheLauncherMay() throws Exception {
    String allowed = Processes.status("self", "Cpus_allowed_list");
    assertEquals(List.of(allowed, allowed, allowed), column(place("--bind", "none"), "cpus"));
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

  private static List<Integer> allowed(String list) {
    List<Integer> cpus = new ArrayList<>();
    for (String part : list.split(",")) {
      String[] ends = part.split("-");
      for (int cpu = Integer.parseInt(ends[0]);
          cpu <= Integer.parseInt(ends[ends.length - 1]);
          cpu++) {
        cpus.add(cpu);
      }
    }
    return cpus;
  }
}
