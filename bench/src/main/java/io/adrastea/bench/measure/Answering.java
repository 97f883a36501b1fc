package io.adrastea.bench.measure;

import java.time.Duration;

/** Processes of a variant that together answer a command with one line. */
public interface Answering extends AutoCloseable {
  /**
   * Gives a command.
   *
   * @param deadline after which they hang
   * @throws BenchException when a process died or hangs
   */
  String ask(String command, Duration deadline) throws BenchException, InterruptedException;

  /** Ends the processes. */
  @Override
  void close();
}
