package io.adrastea.core;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Memory of a second JVM, and what it holds as that JVM sees it. The JVM ends when the test ends it, or with the test's
 * own process, whose end closes its standard input.
 */
public final class OtherMemory implements AutoCloseable {
  public static final int BYTES = 300_000;

  private final Process process;
  private final BufferedReader answers;
  private final PrintStream commands;
  private final long address;

  /** Starts it; its memory is {@link #initial}. */
  public OtherMemory() {
    Path classes = Path.of(OtherMemory.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    try {
      process =
          new ProcessBuilder(
              ProcessHandle.current().info().command().orElseThrow(),
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path") + ":" + classes,
              OtherMemory.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    address = answer();
  }

  private long answer() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new AssertionError("the other process has ended");
      }
      return Long.parseLong(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int pid() {
    return (int) process.pid();
  }

  public long address() {
    return address;
  }

  /** What it holds at first. */
  public static MemorySegment initial() {
    return SpacesContract.filled(Arena.ofAuto().allocate(BYTES));
  }

  /** CRC of all of it, as it is there. */
  public long crc() {
    commands.println("crc");
    return answer();
  }

  public static long crc(MemorySegment memory) {
    CRC32C crc = new CRC32C();
    crc.update(memory.asByteBuffer());
    return crc.getValue();
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

  /** The other process: tells the address, then a CRC for each line of standard input until its end. */
  public static void main(String[] none) throws IOException {
    MemorySegment memory = SpacesContract.filled(Arena.global().allocate(BYTES));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println(memory.address());
    while (in.readLine() != null) {
      System.out.println(crc(memory));
    }
  }
}
