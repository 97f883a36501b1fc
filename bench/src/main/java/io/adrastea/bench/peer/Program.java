package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A program that runs and ends: a compiler. */
final class Program implements AutoCloseable {
  private static final int SHOWN_LINES = 12;
  private static final Duration RUN_DEADLINE = Duration.ofSeconds(60);
  private static final long KILL_MILLIS = 2000;
  private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> ALIVE.forEach(Program::kill), "bench programs"));
  }

  private final List<String> command;
  private final Path output;
  private final Process process;

  /**
   * Starts it.
   *
   * @param output gets all that it writes
   */
  Program(List<String> command, Map<String, String> environment, Path output) throws IOException {
    this.command = command;
    this.output = output;
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    process = builder.redirectOutput(output.toFile()).start();
    ALIVE.add(process);
  }

  /** Runs one to its end, which must be a good one within a minute. */
  static void run(List<String> command, Path output) throws IOException, BenchException, InterruptedException {
    try (Program run = new Program(command, Map.of(), output)) {
      if (!run.await(RUN_DEADLINE)) {
        throw run.failure();
      }
    }
  }

  /** Waits for its end; returns true when it ended well. */
  boolean await(Duration deadline) throws BenchException, InterruptedException {
    if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new BenchException(
          "'%s' hangs: no end within %d s%s"
              .formatted(name(), deadline.toSeconds(), lastWords()));
    }
    return process.exitValue() == 0;
  }

  boolean alive() {
    return process.isAlive();
  }

  /** What it has written. */
  String text() {
    try {
      return Files.readString(output, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns an exception that tells that it failed, and its last lines. */
  BenchException failure() {
    return new BenchException("'" + name() + "' failed" + lastWords());
  }

  private String name() {
    return Path.of(command.get(0)).getFileName().toString();
  }

  private String lastWords() {
    List<String> lines = text().lines().toList();
    return lines.isEmpty()
        ? ""
        : "; its last words:\n    "
            + String.join(
                "\n    ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill(process);
    try {
      process.waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ALIVE.remove(process);
  }
}
