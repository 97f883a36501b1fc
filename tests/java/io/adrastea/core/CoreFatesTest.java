package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way in which three enqueuers can die, one behind the other and living ones in between: rank 1 receives, ranks 2
 * to 4 die, rank 5 lives on.
 */
@Timeout(240)
@ParameterizedClass(name = "{0}")
@MethodSource("io.adrastea.core.CorePair#alike")
class CoreFatesTest extends CoreSurvivalContract {
  /** Three enqueues in every order of fates: complete, or dead at each step, with the dequeuer at each place. */
  @Test
  void everyFateOfThreeEnqueuers() {
    for (int fates = 0; fates < 4 * 4 * 4 * 3; fates++) {
      int[] steps = {1 + fates % 4, 1 + fates / 4 % 4, 1 + fates / 16 % 4};
      everyFate(steps, fates / 64);
      close();
      open();
    }
  }

  /** @param progress of the receiver before the deaths: has not looked; has looked; has taken the first message */
  private void everyFate(int[] steps, int progress) {
    String what = "steps %d %d %d, receiver %d".formatted(steps[0], steps[1], steps[2], progress);
    List<String> expected = new ArrayList<>();
    send(5, 1, 1, "first");
    expected.add("5:first");
    for (int i = 0; i < 3; i++) {
      message(2 + i, 1, "m").upTo(steps[i]);
      send(5, 1, 1, "then" + i);
      expected.add(2 + i + ":m");
      expected.add("5:then" + i);
    }
    List<String> found = new ArrayList<>();
    if (progress > 0) {
      assertPolls(1);
    }
    if (progress > 1) {
      assertEquals(0, core(1).release());
      found.add("5:first");
    }
    for (int i = 0; i < 3; i++) {
      if (steps[i] < 4) {
        die(2 + i);
      }
    }
    reclaim(1);
    found.addAll(received(1));
    assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList(), what);
    List<String> of5 = found.stream().filter(text -> text.startsWith("5")).toList();
    assertEquals(List.of("5:first", "5:then0", "5:then1", "5:then2"), of5, what);
    assertEquals(0, core(1).reclaim(), what);
  }
}
