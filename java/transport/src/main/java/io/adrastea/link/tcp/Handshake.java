package io.adrastea.link.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A socket of which it is not known yet whether a rank of the job is at its other end. Guarded by the link. */
final class Handshake {
  /** What is waited for. */
  enum Wait {
    CONNECTION, HELLO, ANSWER, PROOF, WELCOME
  }

  /** The other end speaks another version. */
  static final class VersionException extends IOException {
    private static final long serialVersionUID = 1L;

    VersionException(int version) {
      super(("it speaks version %d of tcp between ranks, and this rank version %d; all ranks of a job need the same "
          + "version of Adrastea").formatted(version, TcpCard.VERSION));
    }
  }

  /** The other end is no rank of the job, or not the one that it is to be. */
  static final class StrangerException extends IOException {
    private static final long serialVersionUID = 1L;

    StrangerException() {
      super("what answers there is another program, or a rank of another job");
    }
  }

  final SocketChannel channel;
  final Call call; // null: it has come in
  final long deadline;
  SelectionKey key;
  Wait wait;
  Greeting greeting; // null: not known yet
  Connection peer; // null: not known yet
  private ByteBuffer in;

  Handshake(SocketChannel channel, Call call, long deadline) {
    this.channel = channel;
    this.call = call;
    this.peer = call == null ? null : call.connection;
    this.deadline = deadline;
  }

  /** Waits for so many bytes, and reads no more. */
  void await(Wait what, int bytes) {
    wait = what;
    in = ByteBuffer.allocate(bytes);
    key.interestOps(SelectionKey.OP_READ);
  }

  /** Reads; whether all that is waited for has come. */
  boolean read() throws IOException {
    if (channel.read(in) < 0) {
      throw new IOException("it has closed the connection");
    }
    if ((wait == Wait.HELLO || wait == Wait.ANSWER) && in.position() >= Greeting.NAME_BYTES) {
      int version = Greeting.version(in.getLong(0));
      if (version < 0) {
        throw new StrangerException();
      }
      if (version != TcpCard.VERSION) {
        throw new VersionException(version);
      }
    }
    return !in.hasRemaining();
  }

  /** What has come. */
  ByteBuffer taken() {
    return in.flip();
  }

  /** Writes a few bytes, for which a socket that nothing was written to has room. */
  void write(byte[]... parts) throws IOException {
    for (byte[] part : parts) {
      ByteBuffer bytes = ByteBuffer.wrap(part);
      channel.write(bytes);
      if (bytes.hasRemaining()) {
        throw new IOException("a new connection has no room for a greeting");
      }
    }
  }

  void close() {
    Connection.close(channel);
  }
}
