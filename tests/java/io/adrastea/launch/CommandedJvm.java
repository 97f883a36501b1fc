package io.adrastea.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A second JVM that takes a line at a time from its standard input and answers in lines. It ends when the test ends it,
 * or with the test's own process, whose end closes its standard input.
 */
public final class CommandedJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintStream commands;

  /**
   * @param withErrors whether what it writes to its standard error stands among its answers; else the test's has it
   */
  public CommandedJvm(boolean withErrors, String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(
        List.of(ProcessHandle.current().info().command().orElseThrow(), "-XX:TieredStopAtLevel=1", "-cp", classPath,
            main.getName()));
    command.addAll(Arrays.asList(arguments));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(withErrors)
              .redirectError(withErrors ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /** Sends it a line. */
  public void tell(String command) {
    commands.println(command);
  }

  /** Waits for its next line; {@code null}: it has ended. */
  public String answer() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it by SIGKILL and waits until it is gone. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
