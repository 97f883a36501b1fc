package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.it.ClassArchive;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/**
 * What a run of the packed command line gave.
 *
 * @param exitCode of the process
 * @param out its standard output
 * @param err its standard error
 */
public record CommandLineRun(int exitCode, String out, String err) {
  private static final long DEADLINE_SECONDS = 240;

  /** The project's folder. */
  public static final Path ROOT = Path.of(System.getProperty("adrastea.root"));

  /** A process that executes the command line on this JVM's Java. */
  public static ProcessBuilder process(String... words) {
    boolean bench = words.length > 0 && words[0].equals("bench");
    Path jar = Path.of(System.getProperty(bench ? "adrastea.bench.jar" : "adrastea.cli.jar"));
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(quickStart(jar));
    command.add("-jar");
    command.add(jar.toString());
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }

  /** Flags of a JVM that is quick to start and whose class path begins with this jar. */
  public static List<String> quickStart(Path jar) {
    List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    flags.addAll(ClassArchive.flags(jar));
    return flags;
  }

  /** Runs the command line with these words. */
  public static CommandLineRun of(String... words) throws Exception {
    return of(process(words));
  }

  /**
   * Runs it in this JVM, from the classes of the tests: for what it says before it starts anything, which needs no JVM
   * of its own.
   */
  public static CommandLineRun here(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return new CommandLineRun(line.execute(words), out.toString(), err.toString());
  }

  /** Runs a process to its end. */
  public static CommandLineRun of(ProcessBuilder builder) throws Exception {
    Path out = Files.createTempFile("adrastea-out", ".txt");
    Path err = Files.createTempFile("adrastea-err", ".txt");
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new TimeoutException(
            builder.command() + " did not end; it wrote: " + Files.readString(err));
      }
      return new CommandLineRun(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts the command line with its output going to a file. */
  public static Process start(File out, String... words) throws IOException {
    return process(words).redirectOutput(out).redirectError(out).start();
  }

  /** Waits until something is so, and fails when it does not become so. */
  public static void await(String what, BooleanSupplier so) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!so.getAsBoolean() && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    assertTrue(so.getAsBoolean(), what);
  }
}
