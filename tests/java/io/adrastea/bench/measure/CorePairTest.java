package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorePairTest {
  private static final List<CoreProvider> CORES =
      List.of(
          new Fake("ffm", Optional.empty()),
          new Fake("jni", Optional.of(new UnsatisfiedLinkError("not on this day"))),
          new Fake("java", Optional.empty()));

  @Test
  void takesEveryCoreThatCanBeUsedWhenNoneIsNamed() {
    assertEquals(List.of("ffm", "java"), names(null));
  }

  @Test
  void readsCoresAndMixedPairsInTheirOrder() {
    assertEquals(List.of("java", "ffm-java", "ffm"), names("java,ffm-java, ffm,java"));
    CorePair mixed = CorePair.parse("ffm-java", CORES).get(0);
    assertEquals("ffm", mixed.lower());
    assertEquals("java", mixed.upper());
  }

  @Test
  void treatsAPairOfTheSameCoreAsThatCore() {
    assertEquals(List.of("ffm"), names("ffm-ffm,ffm"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ffm,", "FFM", "c", "ffm-", "ffm-java-ffm"})
  void refusesWhatIsNoCore(String list) {
    assertThrows(IllegalArgumentException.class, () -> CorePair.parse(list, CORES));
  }

  @Test
  void saysWhyACoreCannotBeUsed() {
    var refusal = assertThrows(CommandFailure.class, () -> CorePair.parse("ffm,jni", CORES));
    assertTrue(refusal.getMessage().contains("'jni'"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("not on this day"), refusal.getMessage());
  }

  private static List<String> names(String list) {
    return CorePair.parse(list, CORES).stream().map(CorePair::name).toList();
  }

  private record Fake(String name, Optional<Throwable> unavailabilityCause)
      implements CoreProvider {
    @Override
    public int number() {
      return 0;
    }

    @Override
    public int preference() {
      return 0;
    }

    @Override
    public List<String> lacks() {
      return List.of();
    }

    @Override
    public Spaces spaces() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Core open(Segment segment, int rank) {
      throw new UnsupportedOperationException();
    }
  }
}
