package io.adrastea.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A command that runs, with all that it starts. To be closed, which ends what is left of it. */
final class Child implements AutoCloseable {
  private static final int KILL_ROUNDS = 500;
  private static final int LOOK_MILLIS = 10;

  private final Process process;
  private final String mark;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<Thread> readers;

  /** Takes over a process in whose environment {@link Launch#MARK} is {@code mark}. */
  Child(Process process, String mark) {
    this.process = process;
    this.mark = mark;
    this.readers =
        List.of(reader(process.getInputStream(), out), reader(process.getErrorStream(), err));
  }

  private static Thread reader(InputStream from, OutputStream to) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (from) {
                from.transferTo(to);
              } catch (IOException e) {
                // closed by the end of the process
              }
            });
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Writes to its standard input and closes that. */
  Child input(String text) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Sends a signal to it alone. */
  void signal(String name) throws IOException, InterruptedException {
    Processes.signal(name, pid());
  }

  /**
   * Waits until standard output holds a match; fails the test when the command ends without one.
   */
  MatchResult awaitOutput(String pattern) throws InterruptedException {
    return await(out, pattern);
  }

  /** Waits likewise until standard error holds a match. */
  MatchResult awaitErrors(String pattern) throws InterruptedException {
    return await(err, pattern);
  }

  private MatchResult await(ByteArrayOutputStream stream, String pattern) throws InterruptedException {
    Pattern wanted = Pattern.compile(pattern, Pattern.MULTILINE);
    Deadline.met(() -> wanted.matcher(text(stream)).find() || !isAlive());
    if (!isAlive()) {
      joinReaders();
    }
    return wanted
        .matcher(text(stream))
        .results()
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no '%s' in the output; %s".formatted(pattern, soFar())));
  }

  /** A number that the command prints, in the group of the pattern. */
  long awaitNumber(String pattern) throws InterruptedException {
    return Long.parseLong(awaitOutput(pattern).group(1));
  }

  /** Waits for its end; fails the test when that does not come. */
  Outcome await() throws InterruptedException {
    return awaitWithin(Deadline.SECONDS);
  }

  /** Waits likewise for a command that takes longer than others. */
  Outcome awaitWithin(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError("does not end; " + soFar());
    }
    joinReaders();
    return new Outcome(process.exitValue(), text(out), text(err));
  }

  /** It, and all that it started and that still runs. */
  List<Long> living() {
    return Processes.with(Launch.MARK, mark);
  }

  /** Waits until nothing of it runs. */
  void awaitNobody() throws InterruptedException {
    Deadline.await(
        "all ended", () -> living().isEmpty(), () -> living() + " still run; " + soFar());
  }

  private void joinReaders() throws InterruptedException {
    for (Thread reader : readers) {
      reader.join(Deadline.SECONDS * 1000L);
    }
  }

  /** What it has said until now, for a message. */
  String soFar() {
    return "so far%n--- output%n%s%n--- errors%n%s%n---".formatted(text(out), text(err));
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    boolean interrupted = false;
    List<Long> left = living();
    for (int round = 0; round < KILL_ROUNDS && !left.isEmpty(); round++) {
      left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = living();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
