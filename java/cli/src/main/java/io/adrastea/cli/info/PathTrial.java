package io.adrastea.cli.info;

import io.adrastea.cli.base.CommandFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ExitCode;

/**
 * What a process on one core could do with the memory of a process on another one, found by trying.
 *
 * @param read what reading it by CMA gave: bytes, or a negative errno value
 * @param written what writing it by CMA gave, likewise
 * @param attached whether it could be attached by XPMEM
 */
record PathTrial(long read, long written, boolean attached) {
  private static final long END_SECONDS = 10;

  /** Starts a process on each core; what the first could do with the second's memory, and the other way round. */
  static List<PathTrial> between(String core, String other) {
    List<Process> peers = new ArrayList<>();
    try {
      peers.add(start(core));
      peers.add(start(other));
      return meet(peers);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "two processes to try CMA and XPMEM with cannot be started: " + e.getMessage());
    } finally {
      peers.forEach(PathTrial::end);
    }
  }

  /** What a process found that its ranks on this core, two threads, believe of the ways of large messages. */
  static List<String> costs(String core) {
    try {
      Process peer = start(List.of("-Dadrastea.core=" + core), CostPeer.class, List.of());
      try {
        peer.getOutputStream().close();
        return peer.inputReader(StandardCharsets.US_ASCII).lines().toList();
      } finally {
        end(peer);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "a process to compare the ways with cannot be started: " + e.getMessage());
    }
  }

  private static Process start(String core) throws IOException {
    return start(List.of(), PathPeer.class, List.of(core, Long.toString(ProcessHandle.current().pid())));
  }

  private static Process start(List<String> flags, Class<?> program, List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("adrastea."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(words);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static List<PathTrial> meet(List<Process> peers) throws IOException {
    BufferedReader first = peers.get(0).inputReader(StandardCharsets.US_ASCII);
    BufferedReader second = peers.get(1).inputReader(StandardCharsets.US_ASCII);
    String place = line(first);
    tell(peers.get(0), line(second));
    tell(peers.get(1), place);
    return List.of(parse(line(first)), parse(line(second)));
  }

  private static String line(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    if (line == null) {
      throw new IOException("one has ended before it was asked to");
    }
    return line;
  }

  private static void tell(Process peer, String line) throws IOException {
    OutputStream input = peer.getOutputStream();
    input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    input.flush();
  }

  private static PathTrial parse(String line) {
    String[] words = line.split(" ");
    return new PathTrial(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Boolean.parseBoolean(words[2]));
  }

  /** It ends with its input. */
  private static void end(Process peer) {
    try {
      peer.getOutputStream().close();
      if (!peer.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        peer.destroyForcibly();
      }
    } catch (IOException e) {
      peer.destroyForcibly();
    } catch (InterruptedException e) {
      peer.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
