package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreListsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 12})
  void eachClassDrawsAThirdAndEachListHasItsClasses(int count) {
    List<String> lists = IntStream.range(0, count).mapToObj(index -> "list" + index).toList();
    Set<String> drawn = new HashSet<>();
    for (int index = 0; index < 1000; index++) {
      List<String> some = CoreLists.Drawn.draw("Class" + index + "Test", lists);
      assertEquals((count + 2) / 3, Set.copyOf(some).size());
      drawn.addAll(some);
    }
    assertEquals(Set.copyOf(lists), drawn);
  }
}
