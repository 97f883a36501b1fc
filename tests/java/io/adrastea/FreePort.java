package io.adrastea;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback interface at which nobody listens, below those that the system gives to connections: none of
 * those takes it meanwhile.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 1000;

  private FreePort() {}

  /** Finds one. */
  public static int find() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // another process has it
      }
    }
    throw new AssertionError("no free port from %d to %d".formatted(FIRST, END));
  }
}
