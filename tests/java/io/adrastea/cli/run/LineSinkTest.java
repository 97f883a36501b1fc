package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.cli.run.Output.LineSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class LineSinkTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LineSink sink = new LineSink(out, () -> {});

  @Test
  void whatIsHeldIsWrittenWhenItIsReleased() throws InterruptedException {
    sink.hold();
    Thread writer = waitingWriter();
    assertEquals("", written());
    sink.release();
    writer.join();
    assertEquals("line\n", written());
    sink.hold();
    Thread next = waitingWriter();
    assertEquals("line\n", written());
    sink.release();
    next.join();
    assertEquals("line\nline\n", written());
  }

  @Test
  void whatIsNoMoreToBeHeldIsWrittenAtOnce() throws InterruptedException {
    sink.hold();
    Thread writer = waitingWriter();
    sink.holdNoMore();
    writer.join();
    assertEquals("line\n", written());
    sink.hold();
    write();
    assertEquals("line\nline\n", written());
  }

  private Thread waitingWriter() {
    Thread writer = Thread.ofPlatform().daemon().start(this::write);
    while (writer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return writer;
  }

  private void write() {
    byte[] line = "line\n".getBytes(StandardCharsets.US_ASCII);
    sink.write(line, line.length);
  }

  private String written() {
    return out.toString(StandardCharsets.US_ASCII);
  }
}
