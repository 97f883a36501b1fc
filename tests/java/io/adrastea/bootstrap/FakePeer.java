package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.error.JoinException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** A connection of a test to a rank that meets others, or from one. */
final class FakePeer implements AutoCloseable {
  static final String NODE = "6a1c:26:2";
  static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;

  private FakePeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
  }

  /** The meeting of a rank at a port of this host. */
  static RendezvousMeeting meeting(int port, int rank, int size, int timeoutMillis) {
    return new RendezvousMeeting(RendezvousAddress.parse("127.0.0.1:" + port), rank, size, timeoutMillis, NODE, "", "");
  }

  /** The line of a rank. */
  static String hello(int rank, int size) {
    return "adrastea 1 rank=" + rank + " size=" + size + " node=" + NODE + "\n";
  }

  /** Lets a rank meet others in a thread of its own. */
  static CompletableFuture<Long> start(Function<RendezvousMeeting, RendezvousJob> rank, RendezvousMeeting meeting) {
    CompletableFuture<Long> job = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> {
      try {
        job.complete(rank.apply(meeting).number());
      } catch (Throwable e) {
        job.completeExceptionally(e);
      }
    });
    return job;
  }

  /** What the rank is refused with. */
  static String refusal(CompletableFuture<Long> job) {
    try {
      throw new AssertionError("a job: " + job.join());
    } catch (CompletionException e) {
      assertEquals(JoinException.class, e.getCause().getClass(), () -> e.getCause().toString());
      return e.getCause().getMessage();
    }
  }

  /** Connects as soon as somebody listens. */
  static FakePeer come(int port) throws Exception {
    for (int millis = 0; millis < PATIENCE_MILLIS; millis++) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new FakePeer(socket);
      } catch (SocketException e) {
        socket.close();
        Thread.sleep(1);
      }
    }
    throw new AssertionError("nobody listens");
  }

  /** Connects and sends a text. */
  static FakePeer come(int port, String text) throws Exception {
    return come(port).say(text);
  }

  static ServerSocket listen(int port) throws IOException {
    ServerSocket listener = new ServerSocket(port, 16, InetAddress.getLoopbackAddress());
    listener.setSoTimeout(PATIENCE_MILLIS);
    return listener;
  }

  static FakePeer accept(ServerSocket listener) throws IOException {
    return new FakePeer(listener.accept());
  }

  FakePeer say(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Reads up to the end of the first line, or to the end, and closes. */
  String hear() throws IOException {
    String line = line();
    close();
    return line;
  }

  /** Reads up to the end of the first line, or to the end. */
  String line() throws IOException {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    try {
      for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read()) {
        heard.write(next);
        if (next == '\n') {
          break;
        }
      }
    } catch (SocketException e) {
      // reset, since the other end has not read all
    }
    return heard.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
