package io.adrastea.link.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A network between two ranks: what comes to its address goes on to another, cut anywhere, as long as a test wants. */
final class Relay implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final InetSocketAddress target;
  private final List<Socket> sockets = new ArrayList<>(); // guarded by this
  private volatile boolean silent;
  private volatile int garbage; // bytes that are wrong from now on

  Relay(InetSocketAddress target) throws IOException {
    this.target = target;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  /** Whatever comes from now on goes nowhere. */
  void beSilent() {
    silent = true;
  }

  /** Changes all bytes that go on from now on. */
  void spoil() {
    garbage = 0x55;
  }

  /** Ends all connections, as the end of a process does. */
  synchronized void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket one = listener.accept();
        Socket other = new Socket(target.getAddress(), target.getPort());
        one.setTcpNoDelay(true);
        other.setTcpNoDelay(true);
        synchronized (this) {
          sockets.add(one);
          sockets.add(other);
        }
        Thread.ofPlatform().daemon().start(() -> pump(one, other));
        Thread.ofPlatform().daemon().start(() -> pump(other, one));
      }
    } catch (IOException e) {
      // it was closed
    }
  }

  private void pump(Socket from, Socket to) {
    SplittableRandom random = new SplittableRandom(1);
    byte[] bytes = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      while (true) {
        int length = in.read(bytes, 0, 1 + random.nextInt(random.nextBoolean() ? 100 : bytes.length - 1));
        if (length < 0) {
          if (!silent) {
            to.shutdownOutput(); // the other way may go on
          }
          return;
        }
        for (int i = 0; i < length; i++) {
          bytes[i] ^= (byte) garbage;
        }
        if (!silent) {
          out.write(bytes, 0, length);
        }
      }
    } catch (IOException e) {
      // one of the two is closed, so this way leads nowhere
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
