package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpusTest {
  @Test
  void ranksOfAPairHaveTwoCpusAndTheLastOfAnOddNumberTheNext() {
    Cpus six = Cpus.choose(null, new AllowedCpus(List.of(0, 1, 2, 3, 4, 5)));
    assertEquals(List.of(0, 2, 1, 3), IntStream.range(0, 4).mapToObj(rank -> six.ofRank(rank, 4)).toList());
    assertEquals(List.of(0, 2, 1, 3, 4), IntStream.range(0, 5).mapToObj(rank -> six.ofRank(rank, 5)).toList());
    assertEquals(List.of(0, 1, 2), IntStream.range(0, 3).mapToObj(rank -> six.ofRank(rank, 3)).toList());
  }

  private static final AllowedCpus ALLOWED = new AllowedCpus(List.of(1, 2, 5, 6));

  @Test
  void takesAllAllowedOnesWhenNoneAreNamed() {
    assertEquals(List.of(1, 2, 5, 6), Cpus.choose(null, ALLOWED).used());
  }

  @Test
  void givesEachSideOfAPairAnotherCpuAlsoWhenPairsMustShare() {
    Cpus cpus = Cpus.choose("5,2", ALLOWED);
    assertEquals(5, cpus.of(0, 0));
    assertEquals(2, cpus.of(0, 1));
    assertEquals(5, cpus.of(1, 0));
    assertEquals(2, cpus.of(1, 1));
  }

  @Test
  void givesEachPairItsOwnCpusWhenThereAreEnough() {
    Cpus cpus = Cpus.choose("1-2,5-6", ALLOWED);
    assertEquals(
        List.of(1, 2, 5, 6), List.of(cpus.of(0, 0), cpus.of(0, 1), cpus.of(1, 0), cpus.of(1, 1)));
  }

  @Test
  void refusesACpuThatIsNotAllowedAndNamesThoseThatAre() {
    var refusal = assertThrows(IllegalArgumentException.class, () -> Cpus.choose("1,3", ALLOWED));
    assertTrue(refusal.getMessage().contains("CPU 3"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("1-2,5-6"), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "1,,2", "1", "6-5", "-1,2"})
  void refusesWhatIsNoPairOfCpus(String list) {
    assertThrows(IllegalArgumentException.class, () -> Cpus.choose(list, ALLOWED));
  }

  @Test
  void tellsWhenBothSidesShareTheOnlyCpu() {
    assertTrue(Cpus.choose(null, new AllowedCpus(List.of(3))).single());
    assertTrue(Cpus.choose("3", new AllowedCpus(List.of(3))).single());
    assertFalse(Cpus.choose(null, ALLOWED).single());
  }
}
