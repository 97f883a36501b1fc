package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.cli.run.Output.LinePump;
import io.adrastea.cli.run.Output.LineSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinePumpTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 100})
  void shouldLabelEachLineHoweverItArrives(int bytesAtOnce) {
    assertEquals("[0] a\n[0] \n[0] bcd\n", pump("a\n\nbcd\n", "[0] ", bytesAtOnce));
  }

  @Test
  void shouldEndTheLastLineOnlyWhenItIsLabelled() {
    assertEquals("[0] a\n", pump("a", "[0] ", 8));
    assertEquals("a", pump("a", "", 8));
    assertEquals("", pump("", "[0] ", 8));
  }

  @Test
  void shouldAskForThePrefixAgainEachTimeThatItReads() {
    AtomicInteger time = new AtomicInteger();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineSink sink = new LineSink(out, () -> {});
    new LinePump(input("a\nb\nc\nd\n", 4), () -> time.incrementAndGet() + " ", sink, () -> false).run();
    assertEquals("1 a\n1 b\n2 c\n2 d\n", out.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void shouldCarryALineLongerThanItsBuffers() {
    String line = "y".repeat(3 << 20);
    assertEquals(line + "\n", pump(line + "\n", "", 1 << 16));
  }

  @Test
  void shouldTellOnceThatNobodyReads() {
    AtomicInteger told = new AtomicInteger();
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    LineSink sink = new LineSink(broken, told::incrementAndGet);
    new LinePump(input("a\nb\nc\n", 2), () -> "", sink, () -> false).run();
    assertEquals(1, told.get());
  }

  private static String pump(String text, String label, int bytesAtOnce) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LinePump(input(text, bytesAtOnce), () -> label, new LineSink(out, () -> {}), () -> false).run();
    return out.toString(StandardCharsets.US_ASCII);
  }

  private static InputStream input(String text, int bytesAtOnce) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)) {
      @Override
      public int read(byte[] bytes) {
        return read(bytes, 0, Math.min(bytes.length, bytesAtOnce));
      }
    };
  }
}
