package io.adrastea.bootstrap;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.error.JoinException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The conversation with a process manager by PMI-1: lines of the form {@code cmd=NAME key=value key=value}, each
 * answered by one. It fails for good with the first error. Twin of {@code bootstrap/adr_pmi_client.h}.
 */
final class PmiClient implements AutoCloseable {
  /** The manager that speaks PMI-1 of itself. */
  static final String MPIEXEC = "mpiexec";

  private static final int LINE = 2048;
  private static final int WORDS_OF_ANSWER = 95;

  /** The descriptor's number stands in the environment of a rank's own children too. */
  private static final String CHILD = ", and a process that a rank has started needs ADRASTEA_BOOTSTRAP=none";

  private static final int BADF = -9;
  private static final int IO = -5;
  private static final int PIPE = -32;
  private static final int CONNRESET = -104;

  /** Moves bytes, and returns how many; 0: the other end has closed it; or a negative errno value. */
  private interface Way {
    int read(byte[] bytes, int offset, int millis);

    int write(byte[] bytes, int offset, int millis);

    void close();
  }

  private final String name; // the variable that told the way to the manager, and what it holds
  private final String manager; // its name
  private final Way way;
  private final long deadline;

  private final byte[] bytes = new byte[LINE]; // the answer, and what has come behind it
  private int held;
  private int length; // of the answer, with its end of line; 0: there was none yet

  private PmiClient(String name, String manager, Way way, long deadline) {
    this.name = name;
    this.manager = manager;
    this.way = way;
    this.deadline = deadline;
  }

  /**
   * Takes up a descriptor that was inherited.
   *
   * @param core which reads and writes it
   * @param fd its number, as PMI_FD says it
   * @param manager which has started this process
   * @param deadline of {@code System.nanoTime}
   */
  static PmiClient take(CoreProvider core, String fd, String manager, long deadline) {
    return new PmiClient("PMI_FD=" + fd, manager, new Descriptor(core, Integer.parseInt(fd)), deadline);
  }

  /**
   * Connects to the {@code host:port} of PMI_PORT, by the deadline; the system's resolver, which is asked before, has
   * limits of its own.
   *
   * @throws JoinException when nobody answers there
   */
  static PmiClient connect(String port, long deadline) {
    int colon = port.lastIndexOf(':');
    int number = colon < 0 ? -1 : Variables.digits(port.substring(colon + 1));
    if (colon < 1 || number < 0 || number > 0xffff) {
      throw new JoinException(
          "PMI_PORT is '%.64s'; allowed is host:port, as mpiexec -pmi-port sets it".formatted(port));
    }
    InetSocketAddress address = new InetSocketAddress(port.substring(0, colon), number);
    if (address.isUnresolved()) {
      throw new JoinException("PMI_PORT=%.64s: no address is known of it".formatted(port));
    }
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(address, Math.max(1, millisUntil(deadline)));
      return new PmiClient("PMI_PORT=" + port, MPIEXEC, new Connection(socket), deadline);
    } catch (IOException e) {
      try (socket) {
        String why = e instanceof SocketTimeoutException
            ? "it was not reached in time (adrastea.join.timeout)"
            : e.getMessage();
        throw new JoinException("PMI_PORT=%.64s: mpiexec does not answer there: %s".formatted(port, why), e);
      } catch (IOException late) {
        throw new JoinException(late.getMessage(), late);
      }
    }
  }

  private static int millisUntil(long deadline) {
    return Math.clamp((deadline - System.nanoTime()) / 1_000_000, 0, Integer.MAX_VALUE);
  }

  /** An inherited descriptor. */
  private record Descriptor(CoreProvider core, int number) implements Way {
    @Override
    public int read(byte[] bytes, int offset, int millis) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(bytes.length - offset);
        int count = core.readDescriptor(number, memory, millis);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, bytes, offset, Math.max(0, count));
        return count;
      }
    }

    @Override
    public int write(byte[] bytes, int offset, int millis) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(bytes.length - offset);
        MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, 0, bytes.length - offset);
        return core.writeDescriptor(number, memory, millis);
      }
    }

    @Override
    public void close() {} // it is not ours
  }

  /** A connection of TCP. */
  private record Connection(Socket socket) implements Way {
    @Override
    public int read(byte[] bytes, int offset, int millis) {
      try {
        socket.setSoTimeout(Math.max(1, millis));
        return Math.max(0, socket.getInputStream().read(bytes, offset, bytes.length - offset));
      } catch (SocketTimeoutException e) {
        return Core.TIMEDOUT;
      } catch (IOException e) {
        return CONNRESET;
      }
    }

    @Override
    public int write(byte[] bytes, int offset, int millis) {
      try {
        socket.getOutputStream().write(bytes, offset, bytes.length - offset);
        return bytes.length - offset;
      } catch (IOException e) {
        return PIPE;
      }
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        // Nothing was under way.
      }
    }
  }

  /**
   * Sends a line, whose end is added, and waits for its answer, which is to be of this name.
   *
   * @throws JoinException when the manager is gone, is too late, or answers something else or what is no line
   */
  void ask(String line, String answer) {
    byte[] whole = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
    for (int done = 0; done < whole.length;) {
      int count = way.write(whole, done, millisUntil(deadline));
      if (count <= 0) {
        throw failed(count);
      }
      done += count;
    }
    await(answer);
  }

  /** Waits for one more line of this name, unasked; throws as {@link #ask}. */
  void await(String answer) {
    readLine();
    if (!value("cmd").equals(Optional.of(answer))) {
      throw refused("cmd=%s was expected".formatted(answer));
    }
  }

  private void readLine() {
    System.arraycopy(bytes, length, bytes, 0, held - length); // what has come behind the last answer
    held -= length;
    length = 0;
    int searched = 0;
    while (true) {
      for (; searched < held; searched++) {
        if (bytes[searched] == '\n') {
          length = searched + 1;
          return;
        }
      }
      if (held == bytes.length) {
        throw refused("a line has no end");
      }
      int count = way.read(bytes, held, millisUntil(deadline));
      if (count <= 0) {
        throw failed(count);
      }
      held += count;
    }
  }

  /** The value of a key of the last answer. */
  Optional<String> value(String key) {
    return Arrays.stream(answer().split(" ")).filter(word -> word.startsWith(key + "="))
        .map(word -> word.substring(key.length() + 1)).findFirst();
  }

  /** The last answer, or what has come of it. */
  private String answer() {
    return new String(bytes, 0, length > 0 ? length - 1 : held, StandardCharsets.ISO_8859_1);
  }

  /** What says that the last answer is not what was asked for. */
  JoinException refused(String why) {
    return new JoinException("%.64s, the way to %s: %s; the answer is '%s'".formatted(name, manager, why,
        PlainText.ascii(answer().substring(0, Math.min(WORDS_OF_ANSWER, answer().length())))));
  }

  /** What the other end's status means, in words. */
  private JoinException failed(int status) {
    return new JoinException("%.64s, the way to %s: %s".formatted(name, manager, switch (status) {
      case Core.TIMEDOUT -> "it is not answered in time (adrastea.join.timeout)";
      case 0, PIPE, CONNRESET ->
        "it is closed; a program that %s has started can join once%s".formatted(manager, CHILD);
      case BADF -> "there is no such descriptor; a wrapper may have closed it" + CHILD;
      case Core.NOSYS ->
        "the core of this rank, java, can read no inherited descriptor; start the program by %s, or let adrastea.core "
            .formatted(manager.equals(MPIEXEC) ? "mpiexec -pmi-port" : "srun --mpi=pmix") + "be auto, ffm, jni or jna";
      case IO -> "it cannot be read";
      default -> "error " + -status;
    }));
  }

  @Override
  public void close() {
    way.close();
  }
}
