package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ranks do with messages of each kind of memory, touched or not; each run checks contents. */
class ExchangesTest {
  private static final int[] SIZES = {0, 1, 8, 64, 4096, 100_000};

  static Stream<Arguments> all() {
    return Stream.of(Kind.LATENCY, Kind.BANDWIDTH, Kind.BIBANDWIDTH, Kind.RATE)
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
            exchange.check();
            exchange.verify();
            exchange.verify();
          }
          exchange.prepare(SIZES[1]); // smaller again
          exchange.verify();
        });
  }

  @Test
  void aWordOfEachLineIsWrittenAnotherOneEachTime() {
    Touch touch = new Touch(true);
    long[] words = new long[64];
    touch.begin(512);
    touch.write(MemorySegment.ofArray(words));
    touch.write(MemorySegment.ofArray(words));
    for (int i = 0; i < words.length; i++) {
      assertEquals(i % 8 == 0 ? 2 + 8 * i : 0, words[i]);
    }
  }

  @Test
  void shortMessagesAreWrittenWhole() {
    Touch touch = new Touch(true);
    byte[] bytes = new byte[256];
    for (int length : new int[] {1, 3, 8, 13, 255, 256}) {
      touch.begin(length);
      Arrays.fill(bytes, (byte) 1);
      touch.write(MemorySegment.ofArray(bytes).asSlice(0, length)); // of the number 1
      touch.write(MemorySegment.ofArray(bytes).asSlice(0, length));
      for (int i = 0; i < length; i += i < length - length % 8 ? 8 : 1) {
        assertEquals((byte) (2 + i), bytes[i], length + " " + i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64, 256, 257, 4096})
  void whatWasNotReadAsItWasWrittenIsRefused(int bytes) {
    MemorySegment message = MemorySegment.ofArray(new byte[bytes]);
    for (int wrong = 0; wrong < 2; wrong++) {
      Touch writer = new Touch(true);
      Touch reader = new Touch(true);
      writer.begin(bytes);
      reader.begin(bytes);
      for (int i = 0; i < 5; i++) {
        writer.write(message);
        reader.read(message);
      }
      reader.check();
      writer.write(message);
      if (wrong == 1) {
        message.set(ValueLayout.JAVA_BYTE, 3, (byte) ~message.get(ValueLayout.JAVA_BYTE, 3));
      }
      reader.read(message);
      if (wrong == 1) {
        IllegalStateException e = assertThrows(IllegalStateException.class, reader::check);
        assertEquals("among 1 messages of %d bytes, from the 6th on, are some that were not read as they were written"
            .formatted(bytes), e.getMessage());
      } else {
        reader.check();
        reader.read(message); // that of the time before
        assertThrows(IllegalStateException.class, reader::check);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"latency", "bandwidth", "rate"})
  void aRankThatReadsWhatNobodyWroteSaysSo(String command) {
    Job.runThreads(
        2,
        job -> {
          boolean writes = job.world().rank() == 0;
          Exchange exchange = Exchanges.make(
              writes == command.equals("latency") ? command : command + "-untouched", Side.of(job, Memory.NATIVE));
          exchange.prepare(64);
          exchange.batch(20);
          if (writes == command.equals("latency")) {
            assertThrows(IllegalStateException.class, exchange::check); // the other one has written nothing
          } else {
            exchange.check();
          }
        });
  }

  @Test
  void messagesTakeTurnsInFourBuffersWhereTheyFit() {
    assertEquals(4, Touched.buffers(0));
    assertEquals(4, Touched.buffers(16 << 20));
    assertEquals(3, Touched.buffers((16 << 20) + 1));
    assertEquals(2, Touched.buffers(32 << 20));
    assertEquals(1, Touched.buffers(1 << 30));
  }

  @Test
  void untouchedKindsHaveNamesOfTheirOwnAndTheSameFloor() {
    Kind untouched = Kind.BANDWIDTH.untouched();
    assertEquals("bandwidth-untouched", untouched.command());
    assertEquals(Kind.BANDWIDTH.references(), untouched.references());
    assertTrue(untouched.isUntouched() && !Kind.BANDWIDTH.isUntouched());
    assertTrue(Kind.BANDWIDTH.touches() && !untouched.touches() && !Kind.BARRIER.touches());
    assertTrue(Exchanges.has("touch") && Exchanges.has("rate-untouched") && !Exchanges.has("barrier-untouched"));
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
