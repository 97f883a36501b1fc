package io.adrastea.cli.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a host is told of a job, and of the ranks that it is to start. It goes through the standard input of what stands
 * there for the launcher: no word of it passes through a shell, or is seen in a list of processes.
 *
 * @param host its name
 * @param origin where the command line was given
 * @param words the command line, from behind {@code run} on
 * @param job its number, 16 hex digits
 * @param size ranks of the job
 * @param node number of this host among those of the job
 * @param first the lowest of its ranks
 * @param count how many there are
 * @param rendezvous what was said of where ranks meet; empty: nothing
 * @param near whether all hosts of the job are this one machine
 */
record HostJob(String host, Origin origin, List<String> words, String job, int size, int node, int first, int count,
    String rendezvous, boolean near) {
  private static final int MOST_BYTES = 1 << 24; // of a word

  /** Whether this host has all ranks of the job, so that they need not meet. */
  boolean isWhole() {
    return count == size;
  }

  /** Writes all of it. */
  void write(DataOutputStream out) throws IOException {
    write(out, host);
    write(out, origin.directory().toString());
    out.writeInt(origin.environment().size());
    for (Map.Entry<String, String> variable : origin.environment().entrySet()) {
      write(out, variable.getKey());
      write(out, variable.getValue());
    }
    out.writeInt(words.size());
    for (String word : words) {
      write(out, word);
    }
    write(out, job);
    out.writeInt(size);
    out.writeInt(node);
    out.writeInt(first);
    out.writeInt(count);
    write(out, rendezvous);
    out.writeBoolean(near);
  }

  /**
   * Reads what {@link #write} has written, of the same version.
   *
   * @throws IOException when it ends before, or is something else
   */
  static HostJob read(DataInputStream in) throws IOException {
    String host = readWord(in);
    Path directory = Path.of(readWord(in));
    Map<String, String> environment = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = readWord(in);
      environment.put(name, readWord(in));
    }
    List<String> words = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      words.add(readWord(in));
    }
    return new HostJob(host, new Origin(directory, environment, false), words, readWord(in), in.readInt(), in.readInt(),
        in.readInt(), in.readInt(), readWord(in), in.readBoolean());
  }

  /** Writes a word, which {@link #readWord} reads. */
  static void write(DataOutputStream out, String word) throws IOException {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads a word.
   *
   * @throws IOException when there is none
   */
  static String readWord(DataInputStream in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  /**
   * Reads bytes behind their number.
   *
   * @throws IOException when there are none
   */
  static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a word of %d bytes".formatted(length));
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
