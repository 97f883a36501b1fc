package io.adrastea;

import io.adrastea.engine.operation.Operation;
import io.adrastea.error.ConcurrentUseException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A message that is used where it lies, without a copy: one that was received ({@link Message}), or room for one that
 * is to be sent ({@link Claim}). One thread has it until it gives it back.
 */
public abstract sealed class InPlace permits Claim, Message {
  // values as they stand in messages: in the byte order of the machine, at any offset
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  /** The length of a message that was matched, and whose bytes are still to be received. */
  static final long NOT_HERE = -1;

  private final Words words;
  private Thread owner; // null: given back
  private MemorySegment memory;
  private long start;
  private long bytes;

  /** What the engine tells when the rank leaves the job. */
  private record View(InPlace place) implements Operation.View {
    @Override
    public void lost() {
      place.forget();
    }
  }

  /**
   * What refusals say.
   *
   * @param noun what it is, in a word
   * @param over of a use after the end
   * @param foreign of a use by a thread that does not have it, whose name follows that of the one that has
   */
  record Words(String noun, String over, String foreign) {}

  /** Makes it the one of its operation. */
  InPlace(Operation operation, Words words) {
    this.words = words;
    operation.view(new View(this));
  }

  /** The one of an operation; null: it has none yet. */
  static InPlace of(Operation operation) {
    return operation.view() instanceof View view ? view.place : null;
  }

  /** The calling thread has the memory that {@code operation} has found. */
  final void begin(Operation operation, long bytes) {
    owner = Thread.currentThread();
    memory = operation.memory();
    start = operation.offset();
    this.bytes = bytes;
  }

  /** What the caller has lies elsewhere in the same memory now. */
  final void move(long offset, long length) {
    start = offset;
    bytes = length;
  }

  /** It is the caller's no longer. */
  final void forget() {
    owner = null;
    memory = null;
  }

  /** Ends its use before it goes back to the engine; its memory, for {@link #takeBack}. */
  final MemorySegment letGo() {
    requireMine();
    MemorySegment place = memory;
    forget();
    return place;
  }

  /** Another thread is in a call: nothing was done. */
  final ConcurrentUseException takeBack(MemorySegment place, ConcurrentUseException cause) {
    owner = Thread.currentThread();
    memory = place;
    return cause;
  }

  final boolean isOver() {
    return owner == null;
  }

  final void requireMine() {
    if (owner != Thread.currentThread()) {
      throw refusal();
    }
  }

  private RuntimeException refusal() {
    Thread user = owner;
    return user == null
        ? new IllegalStateException(words.over)
        : new WrongThreadException(words.foreign.formatted(user.getName(), Thread.currentThread().getName()));
  }

  /** The memory, to be used with {@link #at}. */
  final MemorySegment memory() {
    return memory;
  }

  /** Its length, for a caller that has checked that it is not over. */
  final long length() {
    return bytes;
  }

  /** Where in the memory {@code length} bytes at {@code offset} lie, after a check that they do and of the thread. */
  final long at(long offset, long length) {
    requireMine();
    if ((offset | length) < 0 || length > bytes - offset) {
      throw outside(offset, length);
    }
    return start + offset;
  }

  private RuntimeException outside(long offset, long length) {
    if (bytes == NOT_HERE) {
      return new IllegalStateException(
          "the bytes of the message are not here yet: await() leaves them where they lie, recv(data) brings them to "
              + "memory");
    }
    return new IndexOutOfBoundsException(
        "%d bytes at offset %d do not lie in a %s of %d bytes".formatted(length, offset, words.noun, bytes));
  }
}
