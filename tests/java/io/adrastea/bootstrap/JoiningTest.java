package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Nodes;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Joining that comes to nothing. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoiningTest {
  @TempDir
  Path directory;

  private static Object proxy(Class<?> type, Object real, String counted, AtomicInteger calls) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          method.setAccessible(true);
          Object result = method.invoke(real, arguments);
          if (method.getName().equals(counted)) {
            calls.incrementAndGet();
          }
          return result instanceof Core core ? proxy(Core.class, core, counted, calls) : result;
        });
  }

  private static Geometry geometry() {
    return new Geometry(2, 4, 512, GivenSegment.NO_BOXES);
  }

  @Test
  void closesTheCoreWhenARankIsMissing() {
    AtomicInteger closed = new AtomicInteger();
    CoreProvider provider = (CoreProvider) proxy(CoreProvider.class, Cores.choose("java"), "close", closed);
    try (Segment segment = GivenSegment.blank(directory, geometry())) {
      assertThrows(JoinException.class,
          () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0, provider, 0, () -> true));
      assertEquals(1, closed.get());
      assertEquals(RankEntryDescriptor.STATE_FAILED, new RankTable(segment).state(0));
    }
  }

  /** Else the last to come would find as many in as there are ranks. */
  @Test
  void aRankThatGaveUpDoesNotCountAsOneThatIsIn() {
    try (Segment segment = GivenSegment.blank(directory, geometry())) {
      assertThrows(JoinException.class,
          () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0, Cores.choose("java"), 0, () -> true));
      JoinException failure =
          assertThrows(JoinException.class, () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 1,
              Cores.choose("java"), 0, () -> false));
      assertTrue(failure.getMessage().contains("rank(s) [0] died or gave up"), failure.getMessage());
    }
  }

  @Test
  void aRankThatIsAboutToGiveUpJoinsWhenTheLastOneHasCome() {
    try (Segment segment = GivenSegment.blank(directory, geometry())) {
      BooleanSupplier late =
          () -> {
            segment.countAttached(); // as rank 1
            return true;
          };
      JoinedRank joined =
          Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0, Cores.choose("java"), 0, late);
      assertEquals(RankEntryDescriptor.STATE_ATTACHED, joined.table().state(0));
      assertTrue(segment.allAttached());
      joined.leave();
    }
  }

  /** Its not coming may be why the others gave up. */
  @Test
  void namesWhoHasNotComeBesideThoseThatGaveUp() {
    try (Segment segment = GivenSegment.blank(directory, new Geometry(3, 4, 512, GivenSegment.NO_BOXES))) {
      assertThrows(JoinException.class,
          () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 1, Cores.choose("java"), 0, () -> true));
      JoinException failure =
          assertThrows(JoinException.class, () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0,
              Cores.choose("java"), 0, () -> false));
      assertTrue(
          failure.getMessage().endsWith("rank(s) [1] died or gave up while joining; rank(s) [2] had not come"),
          failure.getMessage());
    }
  }

  @Test
  void namesARankThatIsEnteredAsMissed() {
    try (Segment segment = GivenSegment.blank(directory, geometry())) {
      RankTable table = new RankTable(segment);
      assertTrue(table.miss(1));
      assertFalse(table.miss(1));
      JoinException failure =
          assertThrows(JoinException.class, () -> Joining.enter(segment, Nodes.one(segment.geometry().ranks()), 0,
              Cores.choose("java"), 0, () -> false));
      assertTrue(failure.getMessage().contains("rank(s) [1] died or gave up"), failure.getMessage());
      assertFalse(table.miss(0)); // it had come
    }
  }
}
