package io.adrastea;

import io.adrastea.comm.Buffers;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.IoEntries;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An I/O vector: pieces of memory, its entries, that are sent as one message, or that one message is received into
 * (gather and scatter; IOV in [MPICH2 2007, 3.1]). Entries are native or heap memory in any mixture, of any length from
 * 0; bytes go in the order of the entries. Built once and used for any number of messages; no object is made per
 * message.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "vector"}
 *
 * <p>
 * Sender and receiver need not divide a message alike: it is bytes, whatever they were gathered from. A message shorter
 * than all entries fills the first of them; a longer one is truncated, as in any receive. Entries to receive into
 * should not overlap: where they do, the bytes of the later entry stay.
 *
 * <p>
 * Not to be changed while an operation with it is on its way, which is refused. As with any buffer, whether an entry's
 * arena is closed, and whether it can be written, is checked when an operation starts.
 */
public final class IoVector {
  final IoEntries entries;

  /** An empty vector. */
  public IoVector() {
    this(8);
  }

  /**
   * An empty vector with places for entries; it grows beyond.
   *
   * @param places entries that it can hold without growing, 0 or more
   * @throws IllegalArgumentException when the number is negative
   */
  public IoVector(int places) {
    if (places < 0) {
      throw new ArgumentException(Reason.COUNT, "places for %d entries; 0 or more are allowed".formatted(places));
    }
    this.entries = new IoEntries(places);
  }

  /**
   * Adds all of a segment.
   *
   * @param memory the entry
   * @return this
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector add(MemorySegment memory) {
    return add(memory, 0, Buffers.requireNonNull(memory).byteSize());
  }

  /**
   * Adds bytes of a segment.
   *
   * @param memory where the entry lies
   * @param offset its first byte
   * @param length bytes, 0 or more
   * @return this
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector add(MemorySegment memory, long offset, long length) {
    Buffers.requireRange(memory, offset, length);
    entries.add(memory, offset, length);
    return this;
  }

  /**
   * Adds data, of an array for example: one entry, those of another I/O vector, or one for each block of bytes that a
   * datatype has.
   *
   * @param data what the entry shows
   * @return this
   * @throws NullPointerException when the data is null
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector add(Data data) {
    Data.requireNonNull(data).placement().addTo(entries);
    return this;
  }

  /**
   * Puts another entry in the place of one.
   *
   * @param index which, 0 to size − 1
   * @param memory where the entry lies
   * @param offset its first byte
   * @param length bytes, 0 or more
   * @return this
   * @throws IndexOutOfBoundsException when there is no such entry, or the segment does not hold these bytes
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector set(int index, MemorySegment memory, long offset, long length) {
    Buffers.requireRange(memory, offset, length);
    entries.set(index, memory, offset, length);
    return this;
  }

  /**
   * Puts contiguous data in the place of an entry.
   *
   * @param index which, 0 to size − 1
   * @param data what the entry shows
   * @return this
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when the data is not contiguous, such as another I/O vector
   * @throws IndexOutOfBoundsException when there is no such entry
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector set(int index, Data data) {
    if (Data.requireNonNull(data).isScattered()) {
      throw new ArgumentException(Reason.BUFFER,
          "the data is %s; one entry is contiguous: add the data, or set each entry of it".formatted(data));
    }
    entries.set(index, data.memory(), data.offset(), data.contiguousBytes());
    return this;
  }

  /**
   * Takes all entries out.
   *
   * @return this
   * @throws IllegalStateException when an operation with this vector is on its way
   */
  public IoVector clear() {
    entries.clear();
    return this;
  }

  /**
   * How many entries there are.
   *
   * @return 0 or more
   */
  public int size() {
    return entries.size();
  }

  /**
   * Length of all entries together.
   *
   * @return bytes: of the message that is sent, the most that can be received
   */
  public long bytes() {
    return entries.bytes();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
