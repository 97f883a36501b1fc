package io.adrastea.bench.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.GivenSegment;
import io.adrastea.core.Core;
import io.adrastea.core.Cores;
import io.adrastea.link.Inbound;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallsTest {
  @TempDir
  Path directory;

  @ParameterizedTest
  @EnumSource(Call.class)
  void everyCallLeavesNothingBehind(Call call) {
    try (Segment segment = GivenSegment.formatted(directory, 1, 64, 256);
        Core core = Cores.choose("java").open(segment, 0)) {
      Calls calls = new Calls(core);
      calls.time(call, 1000);
      assertEquals(Core.AGAIN, core.poll(-1, new Inbound()));
    }
  }

  @Test
  void aCallThatDoesSomethingElseIsNoFigure() {
    try (Segment segment = GivenSegment.formatted(directory, 1, 64, 256);
        Core core = Cores.choose("java").open(segment, 0)) {
      core.trySend(0, 1, 1, 0, MemorySegment.NULL, 0, 0);
      Calls calls = new Calls(core);
      String message = assertThrows(IllegalStateException.class, () -> calls.time(Call.EMPTY_POLL, 1)).getMessage();
      assertEquals("a call gave 1 instead of -11", message);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "send", ""})
  void anUnknownCommandIsRefused(String command) {
    assertThrows(IllegalArgumentException.class, () -> Call.of(command));
  }
}
