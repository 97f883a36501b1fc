package io.adrastea.agrona;

import io.adrastea.Data;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * Data of Agrona's buffers, for the calls of Adrastea.
 *
 * {@snippet :
 * world.send(AgronaData.of(buffer, 8, 40), destination, tag);
 * }
 */
@SuppressWarnings("exports") // the callers of these have the types of Agrona
public final class AgronaData {
  private AgronaData() {}

  /**
   * All of a buffer, as bytes, from index 0 to its capacity as it is now.
   *
   * @param buffer what is sent, or received into
   * @return data without a type, of what the buffer lies over now: see {@link Agrona#memory}
   * @throws NullPointerException when the buffer is null
   * @throws IndexOutOfBoundsException when what the buffer says it lies over is shorter than the buffer
   * @throws IllegalArgumentException when it is over native memory at address 0
   */
  public static Data of(DirectBuffer buffer) {
    return of(buffer, 0, Objects.requireNonNull(buffer, "the buffer is null").capacity());
  }

  /**
   * Bytes of a buffer.
   *
   * @param buffer of at least index + length bytes of capacity
   * @param index first byte
   * @param length bytes
   * @return data without a type, of what the buffer lies over now: see {@link Agrona#memory}; read-only when that is
   * @throws NullPointerException when the buffer is null
   * @throws IndexOutOfBoundsException when the buffer, or what it says it lies over, does not hold these bytes
   * @throws IllegalArgumentException when it is over native memory at address 0
   */
  public static Data of(DirectBuffer buffer, int index, int length) {
    return Data.of(Agrona.memory(buffer, index, length));
  }
}
