package io.adrastea;

import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.operation.Receive;
import java.util.Objects;

/**
 * What was received: source, tag and length of a message. A value: no later call changes it. A call that would return
 * one equal to the one before it may return the same object, so that a steady stream of messages makes no garbage.
 *
 * @param source rank that sent the message; {@link Communicator#ANY_SOURCE} after a send or a cancelled receive, and
 * {@link Communicator#NO_RANK} after a receive from no rank
 * @param tag tag of the message, 0 or more; {@link Communicator#ANY_TAG} after a send or a cancelled receive
 * @param bytes length of the message, whatever the type of the buffer
 * @param isCancelled whether the operation was taken back, by {@link Request#cancel}, before anything of it happened
 * @param failure what the operation has failed with; null: it has not
 */
public record Status(int source, int tag, long bytes, boolean isCancelled, RuntimeException failure) {
  /**
   * The status of an operation that has not failed.
   *
   * @param source rank that sent the message
   * @param tag tag of the message
   * @param bytes length of the message
   * @param isCancelled whether the operation was taken back
   */
  public Status(int source, int tag, long bytes, boolean isCancelled) {
    this(source, tag, bytes, isCancelled, null);
  }

  /**
   * How many elements of a datatype the message had.
   *
   * @param type what was received
   * @return whole elements, 0 or more; {@link Communicator#UNDEFINED} when the message ended inside of one, of which
   *   {@link #elements} can tell
   * @throws NullPointerException when the datatype is null
   */
  public long count(Datatype type) {
    long count = Objects.requireNonNull(type, "the datatype is null").wholeElements(bytes);
    return count < 0 ? Communicator.UNDEFINED : count;
  }

  /**
   * How many basic elements of a datatype the message had: ints, doubles and so on, also where the last element of the
   * datatype itself was not whole.
   *
   * @param type what was received
   * @return basic elements, 0 or more; {@link Communicator#UNDEFINED} when the message ended inside of one
   * @throws NullPointerException when the datatype is null
   */
  public long elements(Datatype type) {
    long elements = Objects.requireNonNull(type, "the datatype is null").basicElements(bytes);
    return elements < 0 ? Communicator.UNDEFINED : elements;
  }

  /**
   * This status with another length, which basic elements of a datatype tell (MPI_Status_set_elements): for a layer
   * that moves data in a way of its own and reports it as a message.
   *
   * @param type what was received
   * @param basicElements ints, doubles and so on, 0 or more; the last element of the datatype need not be whole
   * @return a status whose {@link #elements} are so many
   * @throws NullPointerException when the datatype is null
   * @throws IllegalArgumentException as {@link Datatype#bytesOfElements}
   */
  public Status withElements(Datatype type, long basicElements) {
    long length = Objects.requireNonNull(type, "the datatype is null").bytesOfElements(basicElements);
    return new Status(source, tag, length, isCancelled, failure);
  }

  /** Makes the status of an operation that has failed. */
  static Status failed(RuntimeException failure) {
    return new Status(Communicator.ANY_SOURCE, Communicator.ANY_TAG, 0, false, failure);
  }

  /** The status after a send, and of a request that was never started. */
  static final Status EMPTY = new Status(Communicator.ANY_SOURCE, Communicator.ANY_TAG, 0, false);

  /** The status after an operation that was taken back. */
  static final Status CANCELLED = new Status(Communicator.ANY_SOURCE, Communicator.ANY_TAG, 0, true);

  /** The status of a receive or a probe from no rank. */
  static final Status OF_NOBODY = new Status(Communicator.NO_RANK, Communicator.ANY_TAG, 0, false);

  /** Whether it tells of a message of that source, tag and length. */
  boolean isOf(int source, int tag, long bytes) {
    return this.bytes == bytes && this.tag == tag && this.source == source && !isCancelled;
  }

  /**
   * The status in words.
   *
   * @return {@code "cancelled"}, {@code "failed: "} with the failure, {@code "empty"} after a send,
   *   {@code "nothing from no rank"}, or for example {@code "800 bytes from rank 1 with tag 7"}
   */
  @Override
  public String toString() {
    if (failure != null) {
      return "failed: " + failure.getMessage();
    }
    if (isCancelled) {
      return "cancelled";
    }
    return switch (source) {
      case Communicator.ANY_SOURCE -> "empty";
      case Communicator.NO_RANK -> "nothing from no rank";
      default -> "%d bytes from rank %d with tag %d".formatted(bytes, source, tag);
    };
  }

  /**
   * The status that was made last: it is returned again where it is equal, so that a steady stream of messages makes no
   * garbage.
   */
  static final class Latest implements Receive.Result {
    private final Numbering numbering;
    private int source;
    private int tag;
    private long bytes;
    private Status latest;

    /** Begins with that status, in a communicator of these ranks. */
    Latest(Status latest, Numbering numbering) {
      this.latest = latest;
      this.numbering = numbering;
    }

    /** Only notes it: one message may be told twice, and the last time counts. One thread at a time may call. */
    @Override
    public void set(int jobRank, int tag, long bytes) {
      this.source = numbering.rankOf(jobRank);
      this.tag = tag;
      this.bytes = bytes;
    }

    /** What was noted last. */
    Status status() {
      return of(source, tag, bytes);
    }

    /** Any thread may call: another one's status, read in a race, is a whole one, since a record's fields are final. */
    Status of(int source, int tag, long bytes) {
      Status status = latest;
      if (!status.isOf(source, tag, bytes)) {
        status = new Status(source, tag, bytes, false);
        latest = status;
      }
      return status;
    }

    /** The one to note in where several threads may be in a call: one per call, that begins with the same status. */
    Latest forThisCall() {
      return new Latest(latest, numbering);
    }

    /** Keeps the status of a call that had one of its own. */
    void keep(Status status) {
      latest = status;
    }
  }
}
