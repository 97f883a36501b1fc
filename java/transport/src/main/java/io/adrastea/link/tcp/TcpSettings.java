package io.adrastea.link.tcp;

import io.adrastea.config.Tunable;
import java.util.concurrent.TimeUnit;

/**
 * How a link over TCP goes about it.
 *
 * @param pieceBytes most bytes of a piece; the same at all ranks
 * @param bufferBytes of what goes out to one rank, and of what comes in from it; more than two pieces
 * @param socketBytes of each of the two buffers of a socket; 0: as the system likes
 * @param timeoutNanos after so long without a word a rank has failed
 * @param lingerNanos how long a rank that leaves waits until the others have what it has sent
 * @param helloNanos how long one attempt to connect may take, and how long a stranger may
 */
record TcpSettings(
    int pieceBytes, int bufferBytes, int socketBytes, long timeoutNanos, long lingerNanos, long helloNanos) {
  private static final int PIECE_BYTES = 32 << 10;
  private static final int LEAST_BUFFER_BYTES = 100 << 10;
  private static final int MOST_BUFFER_BYTES = 256 << 10;
  private static final int ALL_BYTES = 64 << 20; // of what goes out to all ranks of a job, as far as they fit
  private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The settings in force, for a rank in a job of so many. */
  static TcpSettings inForce(int size) {
    int bufferBytes = Math.clamp(ALL_BYTES / size & -8, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES);
    return new TcpSettings(PIECE_BYTES, bufferBytes, Tunable.TCP_BUFFER.intValue(),
        TimeUnit.SECONDS.toNanos(Tunable.TCP_TIMEOUT.intValue()),
        TimeUnit.SECONDS.toNanos(Tunable.TCP_LINGER.intValue()), HELLO_NANOS);
  }
}
