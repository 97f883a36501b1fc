package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.engine.ZeroCopy;
import io.adrastea.engine.operation.Send;
import io.adrastea.error.ConcurrentUseException;
import java.lang.foreign.MemorySegment;

/**
 * Room for a message, to be written where its receiver will read it, and sent without a copy by {@link #commit}, or
 * given back by {@link #abort}. What is not written holds bytes of earlier messages. Until then nothing else can be
 * sent to that destination: claims are to be filled and committed at once, best in a try-with-resources statement,
 * which gives the room back when something is thrown before {@link #commit}; commit is then the block's last word,
 * since objects are pooled.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "claim"}
 *
 * <p>
 * For the thread that made the claim alone. Every call by another thread throws {@link WrongThreadException}, every one
 * after commit or abort {@link IllegalStateException}: objects are pooled, and one that is over is handed out again
 * only after others. Values are in the byte order of the machine, as arrays are received; they need not be aligned. An
 * offset outside the room throws {@link IndexOutOfBoundsException}. A claim that is neither committed nor aborted is
 * aborted, and named, by {@link Job#close}.
 */
public final class Claim extends InPlace implements AutoCloseable {
  private static final Words WORDS =
      new Words("claim", "the claim is over: it was committed or aborted, or the job was left",
          "the claim was made by thread '%s', and thread '%s' used it");

  private final ZeroCopy calls;
  private final Send operation;

  private Claim(ZeroCopy calls, Send operation) {
    super(operation, WORDS);
    this.calls = calls;
    this.operation = operation;
  }

  /** The claim of an operation that has found room. */
  static Claim of(ZeroCopy calls, Send operation) {
    Claim claim = of(operation) instanceof Claim kept ? kept : new Claim(calls, operation);
    claim.begin(operation, operation.cursor().length());
    return claim;
  }

  /**
   * Rank that it is sent to.
   *
   * @return its number
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public int destination() {
    requireMine();
    return operation.members().numbering().rankOf(operation.peer());
  }

  /**
   * Length of the message.
   *
   * @return bytes, as claimed
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public long bytes() {
    requireMine();
    return length();
  }

  /**
   * Writes a {@code byte}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putByte(long offset, byte value) {
    memory().set(BYTE, at(offset, Byte.BYTES), value);
  }

  /**
   * Writes a {@code short}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putShort(long offset, short value) {
    memory().set(SHORT, at(offset, Short.BYTES), value);
  }

  /**
   * Writes an {@code int}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putInt(long offset, int value) {
    memory().set(INT, at(offset, Integer.BYTES), value);
  }

  /**
   * Writes a {@code long}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putLong(long offset, long value) {
    memory().set(LONG, at(offset, Long.BYTES), value);
  }

  /**
   * Writes a {@code float}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putFloat(long offset, float value) {
    memory().set(FLOAT, at(offset, Float.BYTES), value);
  }

  /**
   * Writes a {@code double}.
   *
   * @param offset in bytes
   * @param value its value
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void putDouble(long offset, double value) {
    memory().set(DOUBLE, at(offset, Double.BYTES), value);
  }

  /**
   * Copies bytes in.
   *
   * @param offset its first byte
   * @param source memory to copy from
   * @param sourceOffset first byte there
   * @param length bytes
   * @throws NullPointerException when the memory is null
   * @throws IndexOutOfBoundsException when a byte lies outside the room or the other memory
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public void copyFrom(long offset, MemorySegment source, long sourceOffset, long length) {
    long to = at(offset, length);
    MemorySegment.copy(Buffers.requireNonNull(source), sourceOffset, memory(), to, length);
  }

  /**
   * Copies data in, all of it.
   *
   * @param offset its first byte
   * @param source what is copied, of an array for example
   * @throws NullPointerException when the data is null
   * @throws IndexOutOfBoundsException when a byte lies outside the room
   * @throws IllegalStateException when the data's arena is closed, the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls, or the data is confined to
   * another
   */
  public void copyFrom(long offset, Data source) {
    long length = Data.requireNonNull(source).bytes();
    source.placement().copyTo(calls.spaces(), memory(), at(offset, length));
  }

  /**
   * The room as memory, unguarded: nobody stops its use after commit or abort, when another message lies there. Makes
   * an object.
   *
   * @return all of it
   * @throws IllegalStateException when the claim is over, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   */
  public MemorySegment segment() {
    return memory().asSlice(at(0, length()), length());
  }

  /**
   * Sends what was written.
   *
   * @throws IllegalStateException when it was committed or aborted before, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   */
  public void commit() {
    MemorySegment place = letGo();
    try {
      calls.commit(operation);
    } catch (ConcurrentUseException e) { // nothing was done
      throw takeBack(place, e);
    }
  }

  /**
   * Gives the room back; nothing is sent.
   *
   * @throws IllegalStateException when it was committed or aborted before, or the job was left
   * @throws WrongThreadException when another thread than the one that made it calls
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   */
  public void abort() {
    MemorySegment place = letGo();
    try {
      calls.abort(operation);
    } catch (ConcurrentUseException e) { // nothing was done
      throw takeBack(place, e);
    }
  }

  /**
   * Aborts the claim, unless it was committed or aborted.
   *
   * @throws WrongThreadException when it is open and another thread made it
   */
  @Override
  public void close() {
    if (!isOver()) {
      abort();
    }
  }

  @Override
  public String toString() {
    return isOver() ? "over"
        : "claim of %d bytes for rank %s".formatted(length(), operation.members().name(operation.peer()));
  }
}
