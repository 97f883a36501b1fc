package io.adrastea.bench.measure;

import io.adrastea.cli.base.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that reads commands, one a line, and answers with lines. What it writes to its standard error is kept for
 * the message that may be needed.
 */
final class Child {
  private static final int TAIL_LINES = 12;
  private static final long GRACE_MILLIS = 2000;

  /** A line that a child wrote, or, as {@code null}, the end of its output. */
  record Event(Child child, String line) {}

  private final String name;
  private final int index;
  private final Process process;
  private final boolean launcher;
  private final Deque<String> tail = new ArrayDeque<>();
  private final Thread errorReader;

  /** Starts the process; its lines appear in {@code events}. */
  Child(String name, int index, ProcessBuilder builder, BlockingQueue<Event> events)
      throws IOException {
    this(name, index, builder, events, false);
  }

  private Child(String name, int index, ProcessBuilder builder, BlockingQueue<Event> events, boolean launcher)
      throws IOException {
    this.name = name;
    this.index = index;
    this.launcher = launcher;
    this.process = Children.start(builder, launcher);
    reader(name + " output", () -> readLines(events));
    this.errorReader = reader(name + " errors", this::readErrors);
  }

  /** One that is to be asked to end before it is killed: it has processes, and files, of its own. */
  static Child launcher(String name, int index, ProcessBuilder builder, BlockingQueue<Event> events)
      throws IOException {
    return new Child(name, index, builder, events, true);
  }

  private static Thread reader(String name, Runnable body) {
    return Thread.ofPlatform().name(name).daemon().start(body);
  }

  private void readLines(BlockingQueue<Event> events) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        events.add(new Event(this, line));
      }
    } catch (IOException e) {
      // The pipe broke: the same as its end.
    }
    events.add(new Event(this, null));
  }

  private void readErrors() {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        remember(line);
      }
    } catch (IOException e) {
      // The pipe broke: what was read so far is what there is.
    }
  }

  private synchronized void remember(String line) {
    tail.add(line);
    if (tail.size() > TAIL_LINES) {
      tail.remove();
    }
  }

  String name() {
    return name;
  }

  int index() {
    return index;
  }

  /** Sends a command. A process that is gone is noticed by the end of its output, not here. */
  void tell(String command) {
    try {
      OutputStream input = process.getOutputStream();
      input.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
      input.flush();
    } catch (IOException e) {
      // Broken pipe: the end of its output follows.
    }
  }

  /** How a process that closed its output ended, and its last words. */
  String obituary() throws InterruptedException {
    boolean ended = process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
    if (ended) {
      errorReader.join(GRACE_MILLIS);
    }
    return (ended ? new ExitStatus(process.exitValue()).toString() : "closed its output")
        + lastWords();
  }

  /** The last lines of its standard error, led in, or nothing. */
  synchronized String lastWords() {
    return tail.isEmpty() ? "" : "; its last words:\n    " + String.join("\n    ", tail);
  }

  /** Asks it to end by the end of its input. */
  void dismiss() {
    Children.dismiss(process);
  }

  /** Waits for it to end by itself, then kills it; a launcher is asked first. */
  void end(long graceMillis) {
    Children.end(process, graceMillis, launcher);
  }
}
