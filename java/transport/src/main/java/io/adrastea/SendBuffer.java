package io.adrastea;

import io.adrastea.engine.operation.Pending;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.shared.FirstFit;
import io.adrastea.wait.Condition;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Memory for messages whose sends wait for nobody (MPI's buffered sends): {@link #bsend} copies a message into the
 * buffer, starts to send the copy and returns, whatever the receiver does. The program can use its own memory again,
 * and hears of nothing later but by {@link #flush} and {@link #close}, which wait until all messages have left the
 * buffer. As with {@link AnyCommunicator#isend(Data, int, int)} what has not gone out at once goes on inside later
 * calls of this rank, or by a progress thread.
 *
 * <p>
 * A buffer goes with the communicators of any job. A message takes its bytes of the buffer, rounded up to 128, at least
 * 128, in one stretch, from the call until its send is complete; one that goes out at once gives them back at once. A
 * buffer that is as long as all messages together between two flushes, with {@link #OVERHEAD} for each, always has
 * room. Where there is none, a call fails: it does not wait, since the receiver may wait for this rank. The bytes of a
 * message whose job was left before it was gone are not used again, since its receiver may still copy them.
 *
 * <p>
 * A send makes no objects once there have been as many messages in the buffer at a time before. One thread at a time
 * may use a buffer, at any {@link ThreadLevel}: threads that send at a time have one each.
 */
public final class SendBuffer implements AutoCloseable {
  /** The most bytes of a buffer that a message takes beside its own. */
  public static final int OVERHEAD = FirstFit.GRAIN;

  private static final int FIRST_PLACES = 8;

  private final MemorySegment memory;
  private final FirstFit parts;
  private Request[] sends = new Request[FIRST_PLACES]; // those of messages in the buffer first, the oldest before all
  private long[] places = new long[FIRST_PLACES]; // where the message of each lies
  private int count; // of messages in the buffer
  private long lost; // bytes of messages whose jobs were left, which their receivers may still copy
  private RuntimeException failure; // the first one that was not thrown yet; null: none
  private boolean closed;

  /**
   * Makes a buffer.
   *
   * @param bytes its length, at least 1; it is rounded up to a multiple of 128
   * @throws IllegalArgumentException when it is less
   * @throws OutOfMemoryError when there is not so much native memory
   */
  public SendBuffer(long bytes) {
    if (bytes < 1 || bytes > Long.MAX_VALUE - FirstFit.GRAIN) {
      throw new ArgumentException(Reason.COUNT, "a send buffer of %d bytes; at least 1 is needed".formatted(bytes));
    }
    long whole = FirstFit.alignUp(bytes, FirstFit.GRAIN);
    this.memory = Arena.ofAuto().allocate(whole, FirstFit.GRAIN);
    this.parts = new FirstFit(whole);
  }

  /**
   * Sends a copy of data and returns at once, whether or not anybody receives.
   *
   * @param over communicator or intercommunicator that the message goes over
   * @param data what to send; it can be used again when this returns
   * @param destination as of {@link AnyCommunicator#send(Data, int, int)}
   * @param tag as there
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the message is longer than the whole buffer;
   * nothing was begun
   * @throws IllegalStateException when the buffer has no room for it now, which is told in words, or is closed; when
   * the communicator is closed, the job was left, or the data's memory is freed; nothing was begun
   * @throws RankFailedException when the destination is known to have died or left
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   */
  public void bsend(AnyCommunicator over, Data data, int destination, int tag) {
    Communicator messages = messages(over);
    requireOpen();
    if (count > 0) {
      look(0);
    }
    long bytes = Data.requireNonNull(data).bytes();
    long place = take(bytes);
    Request send = add(place);
    try {
      data.placement().copyTo(messages.engine().spaces(), memory, place);
      if (messages.engine().checksTypes() && data.type() != null) { // the receiver is told
        messages.isend(data.packedIn(memory.asSlice(place, bytes)), destination, tag, send);
      } else {
        messages.isend(memory, place, bytes, destination, tag, send);
      }
      testBegun(send);
    } finally {
      if (!send.isActive()) {
        remove(count - 1);
      }
    }
  }

  /**
   * Sends like {@link #bsend}, with a request, which is complete at once.
   *
   * @param over as there
   * @param data as there
   * @param destination as there
   * @param tag as there
   * @return the request, active and complete
   * @throws RuntimeException as there
   */
  public Request ibsend(AnyCommunicator over, Data data, int destination, int tag) {
    return ibsend(over, data, destination, tag, new Request());
  }

  /**
   * Sends like {@link #ibsend(AnyCommunicator, Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param over as there
   * @param data as there
   * @param destination as there
   * @param tag as there
   * @param request an inactive one, which becomes active
   * @return the request
   * @throws IllegalArgumentException when the request is persistent; or as there
   * @throws IllegalStateException when the request is active; or as there
   * @throws RuntimeException as there
   */
  public Request ibsend(AnyCommunicator over, Data data, int destination, int tag, Request request) {
    Request.requireFree(request);
    bsend(over, data, destination, tag);
    return request.beginComplete(messages(over), Status.EMPTY);
  }

  /**
   * Prepares a buffered send: each {@link Request#start} sends like {@link #bsend}, what the data holds then, and
   * throws as that does; the request is complete at once, and is to be awaited or tested before the next start.
   *
   * @param over as there
   * @param data as there
   * @param destination as there
   * @param tag as there
   * @return its request, inactive
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the buffer or the communicator is closed, the job was left, or the data's memory
   * is freed
   */
  public Request bsendInit(AnyCommunicator over, Data data, int destination, int tag) {
    Communicator messages = messages(over);
    requireOpen();
    messages.sendInit(data, destination, tag).release(); // which refuses what cannot be sent
    return new Request(messages, new Prepared(this, over, data, destination, tag));
  }

  /** The communicator that has the messages. */
  private static Communicator messages(AnyCommunicator over) {
    return switch (over) {
      case Communicator communicator -> communicator;
      case Intercommunicator intercommunicator -> intercommunicator.between();
      case null -> throw new NullPointerException("the communicator that a message goes over is null");
    };
  }

  /**
   * Waits until all messages have left the buffer.
   *
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the messages go on
   * @throws RankFailedException when destinations died or left before they got their messages; it tells of the first
   * one since the last flush, and all other messages have left by then
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   * @throws IllegalStateException when the buffer is closed, or the job of a message was left before it was gone, which
   * is told like the death of a destination
   */
  public void flush() {
    requireOpen();
    awaitAll();
    throwFailure();
  }

  /**
   * Waits like {@link #flush} until all messages have left, and ends the buffer. Close it before the jobs of its
   * messages. It does nothing when the buffer is closed.
   *
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the buffer stays open
   * @throws RankFailedException as of {@link #flush}; the buffer is closed
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   * @throws IllegalStateException when the job of a message was left before it was gone; the buffer is closed
   */
  @Override
  public void close() {
    if (!closed) {
      awaitAll();
      closed = true;
      throwFailure();
    }
  }

  /**
   * The buffer in words.
   *
   * @return for example {@code "send buffer of 1024 bytes: 2 messages in 384 bytes"}, or that it is closed
   */
  @Override
  public String toString() {
    return closed ? "send buffer, closed"
        : "send buffer of %d bytes%s: %d messages in %d bytes".formatted(memory.byteSize(),
            lost == 0 ? "" : ", of which %d are lost to jobs that were left".formatted(lost), count, used());
  }

  private long used() {
    long used = 0;
    for (int i = 0; i < count; i++) {
      used += taken(i);
    }
    return used;
  }

  /** How many bytes of the buffer a message takes. */
  private long taken(int index) {
    return FirstFit.alignUp(parts.taken(places[index]), FirstFit.GRAIN);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the send buffer is closed; make another one");
    }
  }

  /** Takes room for a message. */
  private long take(long bytes) {
    if (bytes > memory.byteSize()) {
      throw new ArgumentException(Reason.COUNT,
          "a message of %d bytes for a send buffer of %d; make a longer buffer, or send it without one"
              .formatted(bytes, memory.byteSize()));
    }
    long place = parts.take(Math.max(1, bytes), FirstFit.GRAIN);
    if (place == FirstFit.NO_ROOM) {
      lookAtAll();
      place = parts.take(Math.max(1, bytes), FirstFit.GRAIN);
    }
    if (place == FirstFit.NO_ROOM) {
      throw new IllegalStateException(
          ("no room for a message of %d bytes in a %s that are not gone; flush() waits for them, a longer buffer has "
              + "room for more")
              .formatted(bytes, this));
    }
    return place;
  }

  /** Adds a message to those in the buffer; gives its request. */
  private Request add(long place) {
    if (count == sends.length) {
      sends = Arrays.copyOf(sends, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
    }
    if (sends[count] == null) {
      sends[count] = new Request();
    }
    places[count] = place;
    return sends[count++];
  }

  /** A message is gone, or its job is: its request is kept for another one. */
  private void remove(int index) {
    Request gone = sends[index];
    if (gone.isActive()) {
      lost += taken(index);
      gone.release();
    } else {
      parts.give(places[index]);
    }
    count--;
    System.arraycopy(sends, index + 1, sends, index, count - index);
    System.arraycopy(places, index + 1, places, index, count - index);
    sends[count] = gone;
  }

  private void lookAtAll() {
    for (int i = count - 1; i >= 0; i--) {
      look(i);
    }
  }

  /** Moves things on, and removes a message if it is gone. */
  private void look(int index) {
    Request send = sends[index];
    try {
      send.test();
    } catch (RuntimeException e) {
      note(send, e);
    }
    if (!send.isActive() || !send.isOfOpenJob()) {
      remove(index);
    }
  }

  private void awaitAll() {
    while (count > 0) {
      Request oldest = sends[0];
      try {
        oldest.await();
      } catch (RuntimeException e) {
        note(oldest, e);
      }
      remove(0);
    }
  }

  /** Moves a message on that has just begun. As long as it is active, what goes wrong meanwhile is told by flush. */
  private void testBegun(Request send) {
    try {
      send.test();
    } catch (RuntimeException e) {
      if (!send.isActive()) {
        throw e;
      }
      failure = failure == null ? e : failure;
    }
  }

  /** Keeps what has become of a message; throws what a call has failed with that was to look at it. */
  private void note(Request send, RuntimeException e) {
    if (send.isActive() && send.isOfOpenJob()) {
      throw e;
    }
    failure = failure == null ? e : failure;
  }

  private void throwFailure() {
    RuntimeException first = failure;
    failure = null;
    if (first != null) {
      throw first;
    }
  }

  /** A prepared buffered send: it is over as soon as it is started. */
  private record Prepared(SendBuffer buffer, AnyCommunicator over, Data data, int destination, int tag)
      implements
      Pending {
    @Override
    public <T> void start(Outcome<T> outcome, T subject) {
      buffer.bsend(over, data, destination, tag);
      outcome.keep(subject, this);
    }

    @Override
    public boolean isComplete() {
      return true;
    }

    @Override
    public <T> boolean poll(Outcome<T> outcome, T subject) {
      outcome.keep(subject, this);
      return true;
    }

    @Override
    public <T> void finish(long nanos, Outcome<T> outcome, T subject) {
      outcome.keep(subject, this);
    }

    @Override
    public <T> void finishOrWithdraw(long nanos, Outcome<T> outcome, T subject) {
      outcome.keep(subject, this);
    }

    @Override
    public boolean withdraw() {
      return false;
    }

    @Override
    public RuntimeException failure() {
      return null;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public int missing() {
      return Condition.NONE;
    }

    @Override
    public void fail(int gone) { // it waits for nobody
    }

    @Override
    public long moves() {
      return 0;
    }

    @Override
    public String toString() {
      return "buffered send of %s to rank %d with tag %d".formatted(data, destination, tag);
    }
  }
}
