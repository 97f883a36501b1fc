package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the ranks do with messages of each kind of memory, touched or not; each run checks contents. */
class ExchangesTest {
  private static final int[] SIZES = {0, 1, 8, 64, 4096, 100_000};

  static Stream<Arguments> all() {
    return Stream.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.BIBANDWIDTH)
        .flatMap(kind -> Stream.of(kind, kind.untouched()))
        .flatMap(
            kind -> Arrays.stream(Memory.values())
                .map(memory -> Arguments.of(kind.command(), memory)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void messagesArriveAsTheyWereSent(String command, Memory memory) {
    Job.runThreads(
        2,
        job -> {
          Exchange exchange = Exchanges.make(command, Side.of(job, memory));
          for (int bytes : SIZES) {
            exchange.prepare(bytes);
            exchange.batch(3);
            exchange.batch(150); // more than a window
            exchange.verify();
            exchange.verify();
          }
          exchange.prepare(SIZES[1]); // smaller again
          exchange.verify();
        });
  }

  @Test
  void aTouchedMessageIsReadAsItWasWritten() {
    Touch touch = new Touch(true);
    MemorySegment message = MemorySegment.ofArray(new long[64]);
    touch.write(message);
    assertEquals(8, touch.read(message)); // a 1 in each of the 8 lines
    touch.write(message);
    assertEquals(8 + 16, touch.read(message));
    byte[] before = new byte[3];
    MemorySegment small = MemorySegment.ofArray(before);
    touch.write(small);
    assertNotEquals(0, before[0]);
    assertEquals(8 + 16 + 3, touch.read(small));
    assertEquals(8 + 16 + 3, touch.read(MemorySegment.ofArray(new byte[0])));
  }

  @Test
  void untouchedKindsHaveNamesOfTheirOwnAndTheSameFloor() {
    Kind untouched = Kind.BANDWIDTH.untouched();
    assertEquals("bandwidth-untouched", untouched.command());
    assertEquals(Kind.BANDWIDTH.references(), untouched.references());
    assertTrue(untouched.isUntouched() && !Kind.BANDWIDTH.isUntouched());
    assertTrue(Kind.BANDWIDTH.touches() && !untouched.touches() && !Kind.BARRIER.touches());
    assertTrue(Exchanges.has("rate-untouched") && !Exchanges.has("barrier-untouched"));
  }

  @Test
  void eachMemoryAndEachWayHasRanksOfItsOwn() {
    List<RankOptions> each = RankOptions.each(List.of(Memory.NATIVE, Memory.ARRAY), List.of("auto", "ring"));
    assertEquals(List.of("", "/ring", "-array", "-array/ring"), each.stream().map(RankOptions::suffix).toList());
    assertEquals(Map.of("adrastea.lmt", "ring"), each.get(3).properties());
    assertEquals(List.of("array"), each.get(3).words(0));
    assertEquals(List.of(RankOptions.of(Memory.SHARED)), RankOptions.each(List.of(Memory.SHARED), List.of()));
  }

  @Test
  void anUnknownCommandIsRefused() {
    Job.runThreads(
        2,
        job -> {
          Side side = Side.of(job, Memory.NATIVE);
          assertThrows(IllegalArgumentException.class, () -> Exchanges.make("latence", side));
        });
  }

  @Test
  void ranksAreToldTheirMemoryAndWhetherTheySpin() {
    assertEquals(List.of("shared"), RankOptions.of(Memory.SHARED).words(0));
    assertEquals(List.of("native", "spin"), RankOptions.SPINNING.words(0));
    assertEquals(List.of("native"), RankOptions.SPINNING.words(1));
  }
}
