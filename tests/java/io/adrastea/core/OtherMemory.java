package io.adrastea.core;

import io.adrastea.launch.CommandedJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Memory of a second JVM, and what it holds as that JVM sees it. */
public final class OtherMemory implements AutoCloseable {
  public static final int BYTES = 300_000;

  private final CommandedJvm process;
  private final long address;

  /** Starts it; its memory is {@link #initial}. */
  public OtherMemory() {
    String classes = OtherMemory.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    process = new CommandedJvm(false, System.getProperty("java.class.path") + ":" + classes, OtherMemory.class);
    address = answer();
  }

  private long answer() {
    String line = process.answer();
    if (line == null) {
      throw new AssertionError("the other process has ended");
    }
    return Long.parseLong(line);
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
    process.tell("crc");
    return answer();
  }

  public static long crc(MemorySegment memory) {
    CRC32C crc = new CRC32C();
    crc.update(memory.asByteBuffer());
    return crc.getValue();
  }

  /** Ends it by SIGKILL and waits until it is gone. */
  public void kill() {
    process.kill();
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
