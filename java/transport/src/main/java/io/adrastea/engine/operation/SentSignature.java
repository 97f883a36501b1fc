package io.adrastea.engine.operation;

import io.adrastea.datatype.Digest;
import io.adrastea.datatype.Signature;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The basic types of a message, as its sender tells them: its signature without places, in a form that the receiver can
 * compare with its own and put into words. A message without a type, such as bytes of a memory segment, has none, and
 * neither has one of a C rank: it goes with every receive. Mutable and reused.
 */
public final class SentSignature {
  /** Bytes of the longest. */
  public static final int MOST_BYTES = (2 + Digest.MOST_WORDS) * Long.BYTES;

  private final long[] words = new long[2 + Digest.MOST_WORDS];
  private int count; // words; 0: none was told

  /** Whether there is something to be told of what a payload has. */
  public static boolean isOf(Payload payload) {
    return payload.signature() != null && payload.bytes() != 0;
  }

  /** The signature of a payload, in at most so many bytes. */
  public void set(Payload payload, int mostBytes) {
    count = payload.signature().digest().write(payload.copies(), words, Math.min(mostBytes / Long.BYTES, words.length));
  }

  /** What a peer has told: nothing of it is believed. False: no correct rank tells that. */
  public boolean set(MemorySegment memory, int bytes) {
    count = 0;
    if (bytes % Long.BYTES != 0 || bytes > MOST_BYTES) {
      return false;
    }
    int told = bytes / Long.BYTES;
    MemorySegment.copy(memory, ValueLayout.JAVA_LONG_UNALIGNED, 0, words, 0, told);
    if (told != 0 && !Digest.areSound(words, told)) {
      return false;
    }
    count = told;
    return true;
  }

  /** Becomes the same as another one. */
  public void set(SentSignature other) {
    count = other.count;
    System.arraycopy(other.words, 0, words, 0, count);
  }

  /** No signature is told. */
  public void clear() {
    count = 0;
  }

  /** Puts it into memory that holds {@link #MOST_BYTES}; the bytes that it has there. */
  public int write(MemorySegment memory) {
    MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_LONG_UNALIGNED, 0, count);
    return count * Long.BYTES;
  }

  /**
   * Whether a message with it may go to a receive of that signature.
   *
   * @param signature null: memory without a type takes any message
   * @param bytes of the message
   */
  public boolean matches(Signature signature, long bytes) {
    return count == 0 || signature == null || signature.digest().matches(words[0], bytes);
  }

  @Override
  public String toString() {
    return Digest.describe(words, count);
  }
}
