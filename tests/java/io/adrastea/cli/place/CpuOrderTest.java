package io.adrastea.cli.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.topology.FakeMachine;
import io.adrastea.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which the CPUs of machines that are not this one are dealt. */
class CpuOrderTest {
  @TempDir
  Path sys;

  private static String order(String map, Topology topology) {
    return Mapping.parse(map).of(topology).stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "packed | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        "spread | 0 8 4 12 1 9 5 13 2 10 6 14 3 11 7 15",
        "numa   | 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15",
        "cache  | 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15",
        "socket | 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15"
      })
  void onAServerSiblingsComeLast(String map, String first) {
    String siblings =
        List.of(first.split(" ")).stream().map(cpu -> "" + (Integer.parseInt(cpu) + 16))
            .collect(Collectors.joining(" "));
    assertEquals(first + " " + siblings, order(map, FakeMachine.server(sys).topology("0-31")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "packed | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        "spread | 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15",
        "cache  | 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15",
        "numa   | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
      })
  void onChipletsNeighboursShareACacheOrDoNot(String map, String first) {
    assertEquals(first, order(map, FakeMachine.chiplets(sys).topology("0-15")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "packed | 0 2 4 6 8 9 10 11 12 13 14 15 16 17 1 3 5 7",
        "spread | 0 2 4 6 8 12 9 13 10 14 11 15 16 17 1 3 5 7"
      })
  void onALaptopFastCoresComeFirstAndSiblingsLast(String map, String order) {
    assertEquals(order, order(map, FakeMachine.laptop(sys).topology("0-17")));
  }

  @Test
  void inACpusetOnlyWhatIsAllowedIsDealt() {
    Topology part = FakeMachine.server(sys).topology("5,9,17,21");
    assertEquals("17 5 9 21", order("packed", part));
    assertEquals("17 9 5 21", order("spread", part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"packed", "spread", "cache", "numa", "socket"})
  void whereNothingIsToldTheOrderIsThatOfTheNumbers(String map) {
    assertEquals("2 3 7", order(map, FakeMachine.blank(sys).topology("2-3,7")));
  }

  @Test
  void aListIsTakenAsItIs() {
    assertEquals("8 0 1 0", order("8,0-1,0", FakeMachine.server(sys).topology("0-31")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scatter", "Packed", "", "0-", "1;2"})
  void whatIsNoOrderIsRefused(String map) {
    String said = assertThrows(IllegalArgumentException.class, () -> Mapping.parse(map)).getMessage();
    assertEquals(
        "--map is '" + map + "'; allowed are packed, spread, cache, numa, socket, or a list of CPUs as in 0,2-3", said);
  }

  @Test
  void aCpuThatIsNotAllowedIsNamed() {
    Topology part = FakeMachine.server(sys).topology("0-3");
    String said = assertThrows(IllegalArgumentException.class, () -> order("1,4", part)).getMessage();
    assertTrue(said.contains("CPU 4, which does not exist or is not allowed here; allowed are 0-3"), said);
  }
}
