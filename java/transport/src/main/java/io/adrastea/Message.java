package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.engine.ZeroCopy;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import java.lang.foreign.MemorySegment;

/**
 * A message that is this caller's: received where it lies in shared memory, without a copy, until {@link #release}
 * ({@link Communicator#recvMessage}), or matched by a probe and not received yet ({@link Communicator#mprobe}). The
 * latter is received once, into data by {@link #recv} or {@link #irecv}, or where it lies by {@link #await}; until then
 * its source, tag and length can be asked for, and a use of its bytes throws {@link IllegalStateException}.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "message"}
 *
 * <p>
 * While a message is held other messages come and go; what it lies in is missing to its sender, though, which waits
 * when it has no other room left. So it is for reading and giving back, not for keeping. A message of several cells, or
 * one that came before it was asked for, was copied aside; one cannot tell.
 *
 * <p>
 * For the thread that received it alone. Every call by another thread throws {@link WrongThreadException}, every one
 * after the release {@link IllegalStateException}: objects are pooled, and one that was released is handed out again
 * only after others. Values are in the byte order of the machine, as arrays are sent; they need not be aligned. An
 * offset outside the message throws {@link IndexOutOfBoundsException}.
 */
public final class Message extends InPlace implements AutoCloseable {
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8; // that virtual machines can make an array of

  private static final Words WORDS =
      new Words("message",
          "the message was released or received, or the job was left; its bytes may be another message's now",
          "the message was received by thread '%s', and thread '%s' used it; copy it out for others");

  private final Receive operation;
  private Communicator communicator; // that it was received in, or the last was
  private ZeroCopy calls;
  private int generation;
  private boolean taken; // it was received into memory: to be closed, too, harms nothing

  private Message(Receive operation) {
    super(operation, WORDS);
    this.operation = operation;
  }

  /** The message that an operation has received in place. */
  static Message of(Communicator communicator, ZeroCopy calls, Receive operation) {
    return of(communicator, calls, operation, operation.messageLength());
  }

  /** The message that an operation holds; its bytes are still to be received. */
  static Message ofHeld(Communicator communicator, ZeroCopy calls, Receive operation) {
    return of(communicator, calls, operation, NOT_HERE);
  }

  private static Message of(Communicator communicator, ZeroCopy calls, Receive operation, long length) {
    Message message = of(operation) instanceof Message kept ? kept : new Message(operation);
    message.begin(operation, length);
    message.communicator = communicator;
    message.calls = calls;
    message.taken = false;
    message.generation++;
    return message;
  }

  /**
   * Receives the message into data, as {@link Communicator#recv(Data, int, int)} does, once: the message is over then,
   * also when this fails, and is not to be released; to close it, too, harms nothing. A message that lies here already
   * is copied out and released.
   *
   * @param data where the message goes; its length is the most that can be received
   * @return source, tag and length
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when the data is read-only or has a byte twice; nothing was done
   * @throws IllegalStateException when the message was released or received before, the buffer's arena is closed, or
   * the job was left
   * @throws WrongThreadException when another thread than the one that has the message calls, or the buffer is confined
   * to a thread that does not move the message
   * @throws TruncationException when the message is longer than the data
   * @throws TypeMismatchException when the basic types of the message are others, and the job checks types
   * @throws RankFailedException when its sender died or left before all of it was here
   * @throws AdrasteaException when its sender gave it up
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one;
   * nothing was done
   * @throws SegmentException when the shared memory is corrupt
   */
  public Status recv(Data data) {
    requireMine();
    communicator.requireReceivable(data);
    return length() == NOT_HERE ? receive(data) : copyOut(data);
  }

  /**
   * Starts to receive the message into data, as {@link #recv} does, and returns at once: the message is over then. What
   * {@code recv} throws of the message itself is reported by the request.
   *
   * @param data not to be touched until completion; its length is the most that can be received
   * @return to be completed
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when the data is read-only or has a byte twice; nothing was done
   * @throws IllegalStateException when the message was released or received before, the buffer's arena is closed, or
   * the job was left
   * @throws WrongThreadException when another thread than the one that has the message calls, or the buffer is confined
   * to a thread that does not move the message
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one;
   * nothing was done
   * @throws SegmentException when the shared memory is corrupt
   */
  public Request irecv(Data data) {
    return irecv(data, new Request());
  }

  /**
   * Starts to receive the message like {@link #irecv(Data)}, with a request of the caller's.
   *
   * @param data not to be touched until completion
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #irecv(Data)}
   */
  public Request irecv(Data data, Request request) {
    Request.requireFree(request);
    requireMine();
    communicator.requireReceivable(data);
    if (length() == NOT_HERE) {
      start(data);
      return request.begin(communicator, operation);
    }
    Status outcome;
    try {
      outcome = copyOut(data);
    } catch (TruncationException | TypeMismatchException e) {
      outcome = Status.failed(e);
    }
    return request.beginComplete(communicator, outcome);
  }

  private void start(Data data) {
    MemorySegment place = letGo();
    taken = true;
    try {
      calls.startHeld(operation, communicator.payload(data));
    } catch (ConcurrentUseException e) { // nothing was done
      taken = false;
      throw takeBack(place, e);
    }
  }

  private Status receive(Data data) {
    Status.Latest result = communicator.result();
    MemorySegment place = letGo();
    taken = true;
    try {
      if (communicator.isPayload(data)) {
        calls.receiveHeld(operation, communicator.payload(data), result);
      } else {
        calls.receiveHeld(operation, data.memory(), data.offset(), data.contiguousBytes(), result);
      }
    } catch (ConcurrentUseException e) { // nothing was done
      taken = false;
      throw takeBack(place, e);
    }
    return communicator.statusOf(result);
  }

  private Status copyOut(Data data) {
    RuntimeException mismatch = mismatch(data);
    if (mismatch != null) {
      release();
      taken = true;
      throw mismatch;
    }
    long length = length();
    long fits = Math.min(length, data.bytes());
    data.placement().copyFrom(calls.spaces(), memory(), at(0, fits), fits);
    Status status = new Status(source(), tag(), length, false);
    int jobRank = operation.source();
    release();
    taken = true;
    if (fits < length) {
      throw new TruncationException(status.source(), jobRank, status.tag(), length, fits);
    }
    return status;
  }

  /** What is wrong with reading all of the message as data, where the job checks types; null: nothing. */
  private RuntimeException mismatch(Data data) {
    return communicator.isPayload(data) ? operation.mismatch(communicator.payload(data)) : null;
  }

  /**
   * Waits until all bytes of a message of {@link Communicator#mprobe} are here, to be read where they lie, as those of
   * {@link Communicator#recvMessage} are at once. When this fails the message is over.
   *
   * @return this
   * @throws IllegalStateException when the message was released or received before, or the job was left
   * @throws WrongThreadException when another thread than the one that has the message calls
   * @throws RankFailedException when its sender died or left before all of it was here
   * @throws AdrasteaException when its sender gave it up, or there is no memory for a copy
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one;
   * nothing was done
   * @throws SegmentException when the shared memory is corrupt
   */
  public Message await() {
    requireMine();
    if (length() == NOT_HERE) {
      try {
        calls.receiveHeld(operation);
      } catch (ConcurrentUseException e) { // nothing was done
        throw e;
      } catch (RuntimeException e) {
        forget();
        taken = true;
        throw e;
      }
      begin(operation, operation.messageLength());
    }
    return this;
  }

  /**
   * Rank that sent it.
   *
   * @return its number
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public int source() {
    requireMine();
    return operation.members().numbering().rankOf(operation.source());
  }

  /**
   * Its tag.
   *
   * @return 0 or more
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public int tag() {
    requireMine();
    return operation.tag();
  }

  /**
   * Its length.
   *
   * @return bytes
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public long bytes() {
    requireMine();
    return operation.messageLength();
  }

  /**
   * Its source, tag and length in one, as a receive of it will tell them.
   *
   * @return a status
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public Status status() {
    return new Status(source(), tag(), bytes(), false);
  }

  /**
   * Reads a {@code byte}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public byte getByte(long offset) {
    return memory().get(BYTE, at(offset, Byte.BYTES));
  }

  /**
   * Reads a {@code short}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public short getShort(long offset) {
    return memory().get(SHORT, at(offset, Short.BYTES));
  }

  /**
   * Reads an {@code int}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public int getInt(long offset) {
    return memory().get(INT, at(offset, Integer.BYTES));
  }

  /**
   * Reads a {@code long}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public long getLong(long offset) {
    return memory().get(LONG, at(offset, Long.BYTES));
  }

  /**
   * Reads a {@code float}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public float getFloat(long offset) {
    return memory().get(FLOAT, at(offset, Float.BYTES));
  }

  /**
   * Reads a {@code double}.
   *
   * @param offset in bytes
   * @return its value
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public double getDouble(long offset) {
    return memory().get(DOUBLE, at(offset, Double.BYTES));
  }

  /**
   * Copies bytes out.
   *
   * @param offset its first byte
   * @param target memory to copy to
   * @param targetOffset first byte there
   * @param length bytes
   * @throws NullPointerException when the memory is null
   * @throws IndexOutOfBoundsException when a byte lies outside the message or the other memory
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public void copyTo(long offset, MemorySegment target, long targetOffset, long length) {
    MemorySegment.copy(memory(), at(offset, length), Buffers.requireNonNull(target), targetOffset, length);
  }

  /**
   * Copies as many bytes out as the data has.
   *
   * @param offset its first byte
   * @param target where they go, an array for example
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when the data is read-only or has a byte twice
   * @throws TypeMismatchException when all of the message is copied, its basic types are others than those of the data,
   * and the job checks types
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the data's arena is closed, the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls, or the data is confined to
   * another
   */
  public void copyTo(long offset, Data target) {
    long length = Data.requireNonNull(target).bytes();
    MemorySegment here = memory();
    long at = at(offset, length);
    RuntimeException mismatch = length == length() ? mismatch(target) : null;
    if (mismatch != null) {
      throw mismatch;
    }
    target.placement().copyFrom(calls.spaces(), here, at, length);
  }

  /**
   * A copy of all of it.
   *
   * @return as long as the message
   * @throws IllegalStateException when it is longer than an array can be, its bytes are not here yet, it was released,
   * or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public byte[] toBytes() {
    long length = length();
    long at = at(0, length);
    if (length > MOST_BYTES) {
      throw new IllegalStateException(
          "a message of %d bytes, and an array has at most %d; copyTo takes memory of any length"
              .formatted(length, MOST_BYTES));
    }
    byte[] bytes = new byte[(int) length];
    MemorySegment.copy(memory(), BYTE, at, bytes, 0, bytes.length);
    return bytes;
  }

  /**
   * The message as memory, unguarded: nobody stops its use after the release, when another message lies there. Makes an
   * object.
   *
   * @return all of it, read-only
   * @throws IllegalStateException when the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  public MemorySegment segment() {
    return memory().asSlice(at(0, length()), length()).asReadOnly();
  }

  /**
   * Gives the message back; its sender gets the room. One of {@link Communicator#mprobe} that was not received is
   * dropped by that: it has had its turn, a send that waits for it is complete, and its bytes are lost.
   *
   * @throws IllegalStateException when it was released before, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   */
  public void release() {
    MemorySegment place = letGo();
    try {
      calls.release(operation);
    } catch (ConcurrentUseException e) { // nothing was done
      throw takeBack(place, e);
    }
  }

  /**
   * Releases the message like {@link #release}, and as strictly; but after {@link #recv} there is nothing left to be
   * done.
   *
   * @throws IllegalStateException when it was released before, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   */
  @Override
  public void close() {
    if (!taken) {
      release();
    }
  }

  /**
   * Goes on to the message behind this one in its batch: this one is over, and this object is that one. False: nothing
   * has changed, since there is none.
   */
  boolean goOn(Context context) {
    boolean isNext = calls.goOn(context, operation);
    if (isNext) {
      move(operation.offset(), operation.messageLength());
    }
    return isNext;
  }

  /** Ends with the message of a poll, which goes on with the next one; null: none is there. */
  Receive pollOn(Context context) {
    MemorySegment place = letGo();
    try {
      return calls.poll(context, operation);
    } catch (ConcurrentUseException e) { // nothing was done
      throw takeBack(place, e);
    }
  }

  /** Tells this holding from another one of the same object. */
  int generation() {
    return generation;
  }

  /** Whether it is still what it was then. */
  boolean isHeldSince(int thatGeneration) {
    return !isOver() && generation == thatGeneration;
  }

  @Override
  public String toString() {
    return isOver() ? "released"
        : "%d bytes from rank %s with tag %d"
            .formatted(operation.messageLength(), operation.members().name(operation.source()), operation.tag());
  }
}
