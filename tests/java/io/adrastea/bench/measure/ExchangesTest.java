package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
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
        .flatMap(kind -> Stream.of(kind, kind.touched()))
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
  void touchedKindsHaveNamesOfTheirOwnAndTheSameFloor() {
    Kind touched = Kind.BANDWIDTH.touched();
    assertEquals("bandwidth-touch", touched.command());
    assertEquals(Kind.BANDWIDTH.references(), touched.references());
    assertTrue(touched.isTouched() && !Kind.BANDWIDTH.isTouched());
    assertTrue(Exchanges.has("latency-touch") && !Exchanges.has("rate-touch"));
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
