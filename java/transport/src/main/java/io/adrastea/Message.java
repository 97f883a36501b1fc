package io.adrastea;

import io.adrastea.engine.ZeroCopy;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.ConcurrentUseException;
import java.lang.foreign.MemorySegment;

/**
 * A message that was received where it lies in shared memory, without a copy, until {@link #release}. While it is held
 * other messages come and go; what it lies in is missing to its sender, though, which waits when it has no other room
 * left. So it is for reading and giving back, not for keeping. A message of several cells, or one that came before it
 * was asked for, was copied aside; one cannot tell.
 *
 * <p>
 * For the thread that received it alone. Every call by another thread throws {@link WrongThreadException}, every one
 * after the release {@link IllegalStateException}: objects are pooled, and one that was released is handed out again
 * only after others. Values are in the byte order of the machine, as arrays are sent; they need not be aligned. An
 * offset outside the message throws {@link IndexOutOfBoundsException}.
 */
public final class Message extends InPlace implements AutoCloseable {
  private static final Words WORDS =
      new Words("message", "the message was released, or the job was left; its bytes may be another message's now",
          "the message was received by thread '%s', and thread '%s' used it; copy it out for others");

  private final ZeroCopy calls;
  private final Receive operation;
  private int generation;

  private Message(ZeroCopy calls, Receive operation) {
    super(operation, WORDS);
    this.calls = calls;
    this.operation = operation;
  }

  /** The message that an operation has received in place. */
  static Message of(ZeroCopy calls, Receive operation) {
    Message message = of(operation) instanceof Message kept ? kept : new Message(calls, operation);
    message.begin(operation, operation.messageLength());
    message.generation++;
    return message;
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
    return operation.members().group().rankOf(operation.source());
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
    return length();
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
   * @throws IllegalArgumentException when the data is read-only
   * @throws IndexOutOfBoundsException when a byte lies outside the message
   * @throws IllegalStateException when the data's arena is closed, the message was released, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls, or the data is confined to
   * another
   */
  public void copyTo(long offset, Data target) {
    long length = Data.requireNonNull(target).bytes();
    target.copyFrom(memory(), at(offset, length));
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
   * Gives the message back; its sender gets the room.
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
   * As {@link #release}, and as strict.
   *
   * @throws IllegalStateException when it was released before, or the job was left
   * @throws WrongThreadException when another thread than the one that received it calls
   */
  @Override
  public void close() {
    release();
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
            .formatted(length(), operation.members().name(operation.source()), operation.tag());
  }
}
