package io.adrastea;

import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;

/**
 * Several messages to one rank that leave together: small ones are written one behind the other and shown by one store
 * when the burst ends, so that a line of shared memory crosses between the CPUs once and not for each of them [Nemesis
 * 2006, 3.2]. Sends in it are ordinary sends, and plain sends of the same thread to the same rank belong to it too;
 * sends to other ranks, or outside of a burst, are never held back. What has no room, and what is too long for a small
 * message, shows what was written before. So does a wait of any kind: waiting for an answer to a message of the burst
 * is no deadlock.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "burst"}
 *
 * <p>
 * To be closed by the thread that began it, best in a try-with-resources statement. One that is not closed is ended,
 * and named, by {@link Job#close}.
 */
public final class Burst implements AutoCloseable {
  private final Communicator communicator;
  private final int destination;
  private final int jobRank;
  private Thread owner; // null: ended

  Burst(Communicator communicator, int destination, int jobRank) {
    this.communicator = communicator;
    this.destination = destination;
    this.jobRank = jobRank;
  }

  /** Whether it is a burst of this communicator. */
  boolean isOf(Communicator one) {
    return communicator == one;
  }

  Burst begin() {
    owner = Thread.currentThread();
    return this;
  }

  private void requireMine() {
    Thread beginner = owner;
    if (beginner == null) {
      throw new IllegalStateException("the burst to rank %d has ended".formatted(destination));
    }
    if (beginner != Thread.currentThread()) {
      throw new WrongThreadException(
          "the burst to rank %d was begun by thread '%s', and thread '%s' used it"
              .formatted(destination, beginner.getName(), Thread.currentThread().getName()));
    }
  }

  /**
   * Rank that it goes to.
   *
   * @return its number
   */
  public int destination() {
    return destination;
  }

  /**
   * Sends data as part of the burst, like {@link Communicator#send(Data, int, int)}.
   *
   * @param data what is sent
   * @param tag 0 or more
   * @throws IllegalStateException when the burst has ended, the memory's arena is closed, a claim for that rank is
   * open, or the job was left
   * @throws NullPointerException when the data is null
   * @throws IllegalArgumentException when the tag is negative
   * @throws WrongThreadException when another thread began the burst, or the memory is confined to another
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  public void send(Data data, int tag) {
    requireMine();
    communicator.send(data, destination, tag);
  }

  /**
   * Ends the burst: all that was sent in it can be received.
   *
   * @throws IllegalStateException when it has ended before
   * @throws WrongThreadException when another thread began the burst
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  @Override
  public void close() {
    requireMine();
    owner = null;
    try {
      communicator.engine().endBurst(jobRank);
    } catch (ConcurrentUseException e) { // nothing was done
      owner = Thread.currentThread();
      throw e;
    }
  }

  @Override
  public String toString() {
    return "burst to rank %d%s".formatted(destination, owner == null ? ", ended" : "");
  }
}
